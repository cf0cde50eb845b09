"""How a figure looks: its size, its ground and what is on it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from wavelab.errors import OutputError
from wavelab.output.palette import Rgb

#: Points in units of length that a size can be given in.
UNITS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0, "pt": 1.0}
_SIZE = re.compile(
    rf"\s*([\d.]+)\s*(?:[x\u00d7]\s*([\d.]+)\s*)?({'|'.join(UNITS)})?\s*", re.IGNORECASE
)
#: Sizes of a side in points, and resolutions, that a figure can have.
SIDES, RESOLUTIONS = (72.0, 14400.0), (10, 2400)
#: What can be on a figure of a field, and what is there if nobody says.
PARTS = {
    "axes": "ticks and numbers along x and y",
    "bar": "the colour bar",
    "outlines": "walls, media and obstacles",
    "marks": "sources, probes, monitors and labels with their names",
    "title": "the title of the scene",
    "time": "the simulated time",
}
USUAL_PARTS = ("axes", "bar", "outlines")
GROUNDS = ("light", "dark")
#: Width of a column of most journals.
COLUMN = 8.5 * UNITS["cm"]


@dataclass(frozen=True)
class Style:
    """Attributes
    ----------
    width, height : in points; without a height it follows from what is shown.
    dpi : pixels per inch of pictures in it.
    ground : of ``GROUNDS``.
    parts : of ``PARTS``.
    letters : size in points.

    Raises
    ------
    OutputError : there is no such figure.
    """

    width: float = COLUMN
    height: float | None = None
    dpi: int = 300
    ground: str = "light"
    parts: tuple[str, ...] = USUAL_PARTS
    letters: float = 8.0

    def __post_init__(self) -> None:
        low, high = SIDES
        for side in (self.width, self.height):
            if side is not None and not low <= side <= high:
                raise OutputError(
                    f"a figure with a side of {side / UNITS['cm']:.3g} cm cannot be made",
                    remedy=f"A side has {low / UNITS['cm']:.3g} to {high / UNITS['cm']:.3g} cm.",
                )
        least, most = RESOLUTIONS
        if not least <= self.dpi <= most:
            raise OutputError(
                f"{self.dpi} pixels per inch is no resolution of a figure",
                remedy=f"It is from {least} to {most}.",
            )
        if self.ground not in GROUNDS:
            raise OutputError(
                f"there is no ground {self.ground!r}", remedy=f"Use one of {', '.join(GROUNDS)}."
            )
        if unknown := [part for part in self.parts if part and part not in PARTS]:
            raise OutputError(
                f"a figure has no part {unknown[0]!r}", remedy=f"Use some of {', '.join(PARTS)}."
            )

    @property
    def inks(self) -> Inks:
        return INKS[self.ground]

    @property
    def pixel(self) -> float:
        """In points."""
        return 72 / self.dpi


@dataclass(frozen=True)
class Inks:
    """Colours of a ground: of the page, of letters, of lines of a grid, and of curves in turn."""

    paper: Rgb
    text: Rgb
    grid: Rgb
    curves: tuple[Rgb, ...]


#: Curves are told apart also by who sees red and green alike (Okabe and Ito 2008); on dark ground
#: the darkest are lighter.
INKS = {
    "light": Inks(
        (255, 255, 255), (20, 20, 20), (222, 222, 222),
        ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233),
         (230, 159, 0)),
    ),
    "dark": Inks(
        (16, 17, 20), (236, 239, 244), (62, 66, 72),
        ((86, 180, 233), (230, 159, 0), (64, 200, 160), (224, 150, 190), (240, 228, 66),
         (240, 130, 70)),
    ),
}  # fmt: skip


def size_in_points(text: str) -> tuple[float, float | None]:
    """Width and height of a size such as "8.5x6cm" or "170 mm"; centimetres if no unit is said.

    Raises
    ------
    OutputError : it is none.
    """
    match = _SIZE.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        scale = UNITS[(match[3] or "cm").lower()]
        width, height = (float(side) * scale if side else math.nan for side in match.groups()[:2])
    except ValueError:
        raise OutputError(
            f"{text!r} is no size of a figure",
            remedy="Write it as 8.5x6cm, or 8.5cm alone: the height follows. Units are "
            f"{', '.join(UNITS)}.",
        ) from None
    return width, None if math.isnan(height) else height
