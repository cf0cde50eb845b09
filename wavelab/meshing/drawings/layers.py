"""What of a drawing lies together: on one layer, in one colour."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.drawings.areas import areas_of
from wavelab.meshing.outlines.chains import without_lines
from wavelab.meshing.outlines.outline import Document, Outline


@dataclass(frozen=True, eq=False)
class Layer:
    """
    Attributes
    ----------
    name : layer and colour, where it takes both to tell it from others.
    areas : what its outlines enclose, each shape by itself, in units of the drawing, y downwards.
    """

    name: str
    layer: str
    colour: str
    areas: tuple[shapely.Geometry, ...]
    outlines: tuple[Outline, ...]

    @property
    def area(self) -> float:
        """Of all that is covered, in squares of a unit of the drawing."""
        return float(shapely.union_all(list(self.areas)).area)


def layers_of(document: Document) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """All layers on which something encloses an area, in the order of the drawing (those of a chip
    by their numbers), and what was left out.

    Raises
    ------
    GeometryError : nothing in the drawing encloses an area.
    """
    of: dict[tuple[str, str], list[Outline]] = {}
    for outline in document.outlines:
        of.setdefault((outline.layer, outline.colour), []).append(outline)
    layers = Counter(layer for layer, _ in of)
    names = {key: _name(key, layers[key[0]] > 1) for key in of}
    notes = list(document.notes)
    found = []
    for key in sorted(of, key=lambda key: _numbers(key[0])) if document.is_layout else of:
        name = names[key]
        try:
            outlines, told = without_lines(of[key])
        except GeometryError:
            notes.append(f'left out "{name}", which has open lines alone')
            continue
        notes += [f"{note} ({name})" for note in told]
        kept, areas = areas_of(outlines)
        if len(kept) < len(outlines):
            notes.append(f"left out {len(outlines) - len(kept)} outlines without an area ({name})")
        if areas:
            found.append(Layer(name, *key, tuple(areas), tuple(kept)))
    if not found:
        raise GeometryError(
            "nothing in the drawing encloses an area",
            remedy="Draw closed outlines: polygons, circles, closed paths.",
        )
    return tuple(found), tuple(notes)


def _name(key: tuple[str, str], by_colour: bool) -> str:
    layer, colour = key
    return f"{layer} {colour}".strip() if by_colour or not layer else layer


def _numbers(name: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", name)]


def matching(layers: tuple[Layer, ...], wanted: str) -> list[Layer]:
    """Those of that name, or else on that layer, or of that colour.

    Raises
    ------
    GeometryError : there is none; says what there is.
    """
    for key in ("name", "layer", "colour"):
        if found := [each for each in layers if getattr(each, key) == wanted]:
            return found
    raise GeometryError(
        f'there is no layer "{wanted}"',
        remedy="There are " + ", ".join(f'"{each.name}"' for each in layers[:20]) + ".",
    )
