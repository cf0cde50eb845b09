"""``wavelab scenes``: what comes with wavelab."""

from __future__ import annotations

import argparse
import json

from wavelab.cli.shared.command import Command
from wavelab.scene.model.scene import Scene
from wavelab.scene.shelf import shelf
from wavelab.scene.toml.toml_io import load_scene

DESCRIPTION = "List the shipped scenes; each name can stand where a command takes a SCENE."


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    groups = [(group.title, [load_scene(path) for path in group.paths]) for group in shelf()]
    if arguments.json:
        rows = [
            {
                "name": _name(scene),
                "group": title,
                "title": scene.title,
                "description": scene.description,
                "path": str(scene.path),
            }
            for title, scenes in groups
            for scene in scenes
        ]
        print(json.dumps(rows))
        return 0
    width = max((len(_name(scene)) for _, scenes in groups for scene in scenes), default=0)
    for i, (title, scenes) in enumerate(groups):
        print(f"{'' if i == 0 else chr(10)}{title}")
        for scene in scenes:
            print(f"  {_name(scene):{width}}  {scene.title}")
    return 0


def _name(scene: Scene) -> str:
    assert scene.path is not None
    return scene.path.stem


COMMAND = Command("scenes", "list the shipped scenes", DESCRIPTION, _arguments, _execute)
