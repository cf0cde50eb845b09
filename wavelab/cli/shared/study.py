"""What the commands have in common that study a scene of a changed setting."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from wavelab.cli.shared.arguments import add_device_options, add_element_size, order
from wavelab.scene.model.scene import Scene


def add_study_options(parser: argparse.ArgumentParser) -> None:
    """Options that change the elements, where to compute, and ``--json``."""
    parser.add_argument("--order", type=order, metavar="N", help="N instead of the scene's own")
    add_element_size(parser, " instead of the scene's own")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_options(parser)


@contextmanager
def progress() -> Iterator[Callable[[float, str], None]]:
    """A bar on stderr if that is a terminal; give it the part that is done and what is done now."""
    with tqdm(
        total=1.0, file=sys.stderr, disable=None, bar_format="{desc} {percentage:3.0f}%|{bar}|"
    ) as bar:

        def tell(part: float, text: str) -> None:
            bar.set_description_str(text, refresh=False)
            bar.update(part - bar.n)

        yield tell


def print_json(scene: Scene, summary: dict[str, Any]) -> None:
    """One object: what was studied, and what came of it."""
    print(json.dumps({"scene": scene.where, **summary}, allow_nan=False))
