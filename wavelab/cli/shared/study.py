"""What the commands have in common that study a scene of a changed setting."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from wavelab.cli.shared.arguments import (
    add_device_options,
    add_element_size,
    add_settings,
    order,
)
from wavelab.cli.shared.output import note, say
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.forecast import LONG, Forecast, Intervals, in_words


def add_study_options(parser: argparse.ArgumentParser) -> None:
    """Options that change the elements, where to compute, and ``--json``."""
    add_settings(parser)
    parser.add_argument("--order", type=order, metavar="N", help="N instead of the scene's own")
    add_element_size(parser, " instead of the scene's own")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_options(parser)


@contextmanager
def progress() -> Iterator[Callable[[float, str], None]]:
    """Give it the part that is done and what is done now: a bar on stderr shows it, or lines now
    and then where that is no terminal; what takes more than a minute is said."""
    forecast, lines = Forecast(), Intervals(time.monotonic())
    said = False
    with tqdm(
        total=1.0, file=sys.stderr, disable=None, bar_format="{desc} {percentage:3.0f}%|{bar}|"
    ) as bar:

        def tell(part: float, text: str) -> None:
            nonlocal said
            bar.set_description_str(text, refresh=False)
            bar.update(part - bar.n)
            left = forecast.left(part)
            if left is None or part >= 1:
                return
            if left > LONG and not said:
                said = True
                note(f"this takes {in_words(left)}; Ctrl-C gives it up")
            if not sys.stderr.isatty() and lines.due(time.monotonic()):
                say(f"{100 * part:5.1f} %  {text}, {in_words(left)} left")

        yield tell


def print_json(scene: Scene, summary: dict[str, Any]) -> None:
    """One object: what was studied, and what came of it."""
    print(json.dumps({"scene": scene.where, **summary}, allow_nan=False))
