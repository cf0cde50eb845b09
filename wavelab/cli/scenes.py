"""``wavelab scenes``: what comes with wavelab."""

from __future__ import annotations

import argparse
import json

from wavelab.cli.arguments import scene_path, shipped_scenes
from wavelab.cli.command import Command
from wavelab.scene.toml_io import load_scene

DESCRIPTION = "List the shipped scenes; each name can stand where a command takes a SCENE."


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    scenes = {name: load_scene(scene_path(name)) for name in shipped_scenes()}
    if arguments.json:
        rows = [
            {"name": name, "title": s.title, "description": s.description, "path": str(s.path)}
            for name, s in scenes.items()
        ]
        print(json.dumps(rows))
        return 0
    width = max(map(len, scenes), default=0)
    for name, scene in scenes.items():
        print(f"{name:{width}}  {scene.title}")
    return 0


COMMAND = Command("scenes", "list the shipped scenes", DESCRIPTION, _arguments, _execute)
