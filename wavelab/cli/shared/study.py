"""What the commands have in common that study a scene of a changed setting."""

from __future__ import annotations

import argparse
import json
from contextlib import AbstractContextManager
from typing import Any

from wavelab.cli.shared.arguments import (
    add_device_options,
    add_element_size,
    add_settings,
    order,
)
from wavelab.cli.shared.output import note, say
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.study_progress import Tell, study_progress


def add_study_options(parser: argparse.ArgumentParser) -> None:
    """Options that change the elements, where to compute, and ``--json``."""
    add_settings(parser)
    parser.add_argument("--order", type=order, metavar="N", help="N instead of the scene's own")
    add_element_size(parser, " instead of the scene's own")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_options(parser)


def progress() -> AbstractContextManager[Tell]:
    """Give it the part that is done and what is done now."""
    return study_progress(notify=note, say=say)


def print_json(scene: Scene, summary: dict[str, Any]) -> None:
    """One object: what was studied, what its units are if it has some, and what came of it."""
    scale = scale_of(scene)
    units = {} if scale is None else {"units": scale.summary()}
    print(json.dumps({"scene": scene.where, **units, **summary}, allow_nan=False))
