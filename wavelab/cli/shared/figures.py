"""Options that say what a figure is and looks like."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from wavelab.cli.shared.arguments import whole
from wavelab.errors import OutputError
from wavelab.output.figures.style import (
    GROUNDS,
    PARTS,
    RESOLUTIONS,
    USUAL_PARTS,
    Style,
    size_in_points,
)

T = TypeVar("T")


def add_figure_options(parser: argparse.ArgumentParser) -> None:
    """Figures of the field and of curves; :func:`figure_style` reads how they look."""
    group = parser.add_argument_group("figures for a paper")
    group.add_argument(
        "--figure",
        type=Path,
        action=_Appended,
        default=(),
        metavar="FILE",
        help="the field at the end with axes, colour bar and outlines (.pdf, .svg or .png), or the "
        "values at its pixels (.csv); can be repeated",
    )
    group.add_argument(
        "--plots",
        type=Path,
        action=_Appended,
        default=(),
        metavar="FILE",
        help="what probes and monitors recorded, as curves with axes: FILE_probes.pdf, "
        "FILE_MONITOR.pdf (or .svg, .png, .csv); can be repeated",
    )
    group.add_argument(
        "--figure-size",
        type=_read(size_in_points),
        metavar="WxH",
        help="such as 8.5x6cm, or 8.5cm alone: the height follows (default: 8.5cm, a column)",
    )
    group.add_argument(
        "--figure-dpi",
        type=whole(*RESOLUTIONS),
        metavar="N",
        help=f"pixels per inch of the field (default: {Style.dpi})",
    )
    group.add_argument("--figure-ground", choices=GROUNDS, help="default: light")
    group.add_argument(
        "--figure-parts",
        type=_read(_parts),
        metavar="PART,...",
        help=f"what is on it, of {', '.join(f'{n} ({what})' for n, what in PARTS.items())} "
        f"(default: {','.join(USUAL_PARTS)})",
    )


def figure_style(arguments: argparse.Namespace) -> Style | None:
    """What was asked for; None if nothing was.

    Raises
    ------
    OutputError : there is no such figure.
    """
    names = ("size", "dpi", "ground", "parts")
    given = {name: getattr(arguments, f"figure_{name}") for name in names}
    wished = {name: value for name, value in given.items() if value is not None}
    if not wished:
        return None
    if not (arguments.figure or arguments.plots or arguments.resume):
        raise OutputError(
            f"--figure-{next(iter(wished))} is of a figure, and none is asked for",
            remedy="Name a file: --figure wave.pdf.",
        )
    size = wished.pop("size", None)
    return Style(**wished, **({"width": size[0], "height": size[1]} if size else {}))


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    return Style(parts=parts).parts


def _read(read: Callable[[str], T]) -> Callable[[str], T]:
    """With what is wrong as argparse says it."""

    def tried(text: str) -> T:
        try:
            return read(text)
        except OutputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return tried


class _Appended(argparse.Action):
    """Values of all times in a tuple."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, (*getattr(namespace, self.dest), values))
