"""What is drawn, as curves one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavelab.errors import GeometryError
from wavelab.meshing.outlines.curves import Curve
from wavelab.reading import read_plain_file

#: Gap between ends that are one point but for rounding, in parts of the size of what they end.
GAP = 1e-3
MOST_BYTES = 20_000_000
#: What is drawn in the end; copies of groups in groups of copies multiply.
MOST_DRAWN = 20_000
MOST_CURVES = 200_000


@dataclass(frozen=True)
class Outline:
    """In units of the drawing, y downwards.

    Attributes
    ----------
    label : what messages call it; where : its file and line.
    closed : not an open line, which nothing fills.
    layer, colour : that it is drawn on and filled with; "" if there is none.
    group : outlines of one number make up one area, and lie in each other as holes and islands;
        None: it is one by itself.
    winds : whether the area of a group is all that its outlines wind around, and not what lies in
        an odd number of them.
    """

    curves: tuple[Curve, ...]
    label: str
    where: str
    closed: bool = True
    layer: str = ""
    colour: str = ""
    group: int | None = None
    winds: bool = False


@dataclass(frozen=True)
class Document:
    """What a file of a drawing says.

    Attributes
    ----------
    outlines : all of them, open ones too.
    unit, unit_name : a unit of the coordinates is so many times that: mm where an SVG says how
        large it is, else px; a unit of length of scenes, or "" where there is none.
    notes : what was left out or joined.
    to_scale : whether its coordinates mean something and stay what they are.
    is_layout : whether it is made of shapes beside and over each other, as of a chip, and not of a
        room with obstacles.
    grid : that its coordinates are rounded to; 0 if there is none.
    """

    outlines: tuple[Outline, ...]
    unit: float
    unit_name: str
    notes: tuple[str, ...] = ()
    to_scale: bool = False
    is_layout: bool = False
    grid: float = 0.0


def drawing_bytes(path: Path) -> bytes:
    """The content of a drawing.

    Raises
    ------
    GeometryError : it cannot be read, or is larger than a drawing may be.
    """
    try:
        content = read_plain_file(path, MOST_BYTES + 1)
    except FileNotFoundError:
        raise GeometryError("there is no such file", where=str(path)) from None
    except OSError as error:
        raise GeometryError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if len(content) > MOST_BYTES:
        raise GeometryError(
            f"the drawing is larger than {MOST_BYTES / 1e6:g} MB",
            where=path.name,
            remedy="Leave out what is no outline, and pictures above all.",
        )
    return content
