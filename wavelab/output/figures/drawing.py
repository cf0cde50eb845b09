"""The few instructions of which all figures are made.

Lengths are points of 1/72 inch, from the lower left corner of the page; y points up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavelab.arrays import Array
from wavelab.output.figures.letters import printable, unwritable
from wavelab.output.palette import Rgb

#: A box (x0, y0, x1, y1).
Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Stroke:
    """Lines of one pen with round joins, each (n, 2); one that ends where it begins is closed.

    Attributes
    ----------
    dashes : lengths of dashes and gaps in turn; none for a full line.
    opacity : from 0 to 1.
    clip : nothing is drawn outside of this box.
    """

    lines: tuple[Array, ...]
    colour: Rgb
    width: float
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0
    clip: Box | None = None


@dataclass(frozen=True)
class Patch:
    """A filled rectangle."""

    box: Box
    colour: Rgb
    opacity: float = 1.0


@dataclass(frozen=True)
class Words:
    """A line of text; superscripts of Unicode are set as raised digits.

    Attributes
    ----------
    at : on the base line.
    size : of the font.
    anchor : the part of the text that lies to the left of ``at``, from 0 to 1.
    upright : whether it is read from below.
    halo : a rim around the letters, which holds them over a picture.
    """

    text: str
    at: tuple[float, float]
    size: float
    colour: Rgb
    anchor: float = 0.0
    upright: bool = False
    halo: Rgb | None = None


@dataclass(frozen=True, eq=False)
class Bitmap:
    """Pixels (height, width, 3) that fill a box, row 0 at its top."""

    rgb: NDArray[np.uint8]
    box: Box


Item = Stroke | Patch | Words | Bitmap


@dataclass(eq=False)
class Drawing:
    """A page of ``width`` and ``height``, with what is drawn on it in this order.

    Attributes
    ----------
    paper : colour of the page.
    title : for who looks at the properties of the file.
    dpi : pixels per inch where all of it becomes pixels.
    """

    width: float
    height: float
    paper: Rgb
    title: str = ""
    dpi: float = 300.0
    items: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.title = printable(self.title)

    def add(self, *items: Item) -> None:
        self.items.extend(items)

    @property
    def unwritable(self) -> str:
        """Characters of its texts that the fonts of a PDF file do not have."""
        texts = [item.text for item in self.items if isinstance(item, Words)]
        return "".join(dict.fromkeys(unwritable("".join(texts))))


def as_lines(lines: Iterable[ArrayLike]) -> tuple[Array, ...]:
    """Lines of two points and more."""
    arrays = (np.asarray(line, np.float64) for line in lines)
    return tuple(line for line in arrays if len(line) > 1)


def is_closed(line: Array) -> bool:
    return len(line) > 2 and bool((line[0] == line[-1]).all())


def known_parts(line: Array) -> list[Array]:
    """The pieces (n, 2) of a line between points that are no numbers."""
    bad = np.flatnonzero(~np.isfinite(line).all(axis=1))
    pieces = np.split(line, bad)
    first = [pieces[0], *(piece[1:] for piece in pieces[1:])]
    return [piece for piece in first if len(piece) > 1]
