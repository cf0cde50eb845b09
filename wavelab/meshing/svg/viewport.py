"""How a viewBox lies in the width and height of its element (SVG 2, chapter 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.meshing.outlines.curves import Affine
from wavelab.meshing.svg.numbers import UnreadableError, length, numbers

#: CSS takes this size for a drawing that has none.
_DEFAULT = (300.0, 150.0)


@dataclass(frozen=True)
class Viewport:
    """``inner`` maps what is in the element to what it is in; ``size`` is what 100% are inside."""

    inner: Affine
    size: tuple[float, float]

    @property
    def diagonal(self) -> float:
        """What 100% of a radius are."""
        return math.hypot(*self.size) / math.sqrt(2)


def viewport(attributes: dict[str, str], around: tuple[float, float] | None = None) -> Viewport:
    """Of an ``svg`` element; ``around`` is the size of what it is in, None for the outermost one.

    Raises
    ------
    UnreadableError : names what is wrong.
    """
    box = numbers(attributes["viewBox"]) if "viewBox" in attributes else None
    if box is not None and (len(box) != 4 or not (box[2] > 0 and box[3] > 0)):
        raise UnreadableError("the viewBox is not of four numbers with a width and a height")
    outer = around or (tuple(box[2:]) if box else _DEFAULT)
    width, height = (
        length(attributes.get(name, "100%") if attributes.get(name) != "auto" else "100%", whole)
        for name, whole in zip(("width", "height"), outer, strict=True)
    )
    if not (width > 0 and height > 0):
        raise UnreadableError(f"the drawing is {width:g} wide and {height:g} high")
    corner = 0j
    if around is not None:
        x, y = (length(attributes.get(n, "0"), w) for n, w in zip("xy", around, strict=True))
        corner = complex(x, y)
    if box is None:
        return Viewport(Affine(c=corner), (width, height))
    if around is None and ("width" in attributes) != ("height" in attributes):
        # The other one follows from the shape of the viewBox.
        if "width" in attributes:
            height = width * box[3] / box[2]
        else:
            width = height * box[2] / box[3]
    sx, sy = width / box[2], height / box[3]
    align, _, how = attributes.get("preserveAspectRatio", "xMidYMid").strip().partition(" ")
    if align != "none":
        sx = sy = max(sx, sy) if how.strip() == "slice" else min(sx, sy)
    spare = complex(width - sx * box[2], height - sy * box[3])
    part = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    corner += complex(
        part.get(align[1:4], 0.0) * spare.real, part.get(align[5:8], 0.0) * spare.imag
    )
    corner -= complex(sx * box[0], sy * box[1])
    return Viewport(Affine((sx + sy) / 2, (sx - sy) / 2, corner), (box[2], box[3]))
