"""What is read from a drawing: its outlines, simple ones, the largest first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import shapely

from wavelab.errors import GeometryError, SceneError
from wavelab.meshing.drawings.reading import read_document
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.meshing.outlines.chains import without_lines
from wavelab.meshing.outlines.curves import Affine
from wavelab.meshing.outlines.outline import Document, Outline
from wavelab.meshing.outlines.shaping import shape_of
from wavelab.meshing.outlines.untangling import TURN, is_simple, simple_parts
from wavelab.scene.model.shapes import Ellipse, Polygon, Shape
from wavelab.scene.model.shapes.ellipse import LARGEST_ELONGATION

#: Areas that differ by less, in parts of one, are the same.
SAME = 1e-6


@dataclass(frozen=True)
class DrawnOutline:
    """An outline with its place in the file, its area in units of the drawing, y downwards, and
    its name in the scene."""

    outline: Outline
    number: int
    area: shapely.Polygon
    simple: Shape
    name: str = ""

    def shape(self, to_scene: Affine, size: float) -> Shape:
        """In the scene, all of whose outlines together have that size."""
        shape = shape_of(self.outline, to_scene, size)
        if isinstance(shape, Polygon) and isinstance(self.simple, Polygon) and not is_simple(shape):
            # As it was made simple in the drawing, and turned over with it.
            points = [to_scene(complex(*vertex)) for vertex in self.simple.vertices]
            vertices = tuple((z.real, z.imag) for z in points)
            return Polygon(vertices, tuple(-bulge for bulge in self.simple.bulges))
        return shape


@dataclass(frozen=True, eq=False)
class Drawing:
    """What was read from a file; ``drawn`` are all outlines, the largest first, and ``notes`` what
    was changed in them."""

    path: Path
    document: Document
    drawn: tuple[DrawnOutline, ...]
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> str:
        """What messages call the outline that all others lie in, but for its copies; "" if there
        is none."""
        first, others = self.drawn[0], self._but_frame()
        shapely.prepare(first.area)
        areas = [d.area for d in others]
        return first.outline.label if areas and shapely.covers(first.area, areas).all() else ""

    def without_frame(self) -> Drawing:
        """All but the largest outline and its copies."""
        return replace(self, drawn=self._but_frame())

    def _but_frame(self) -> tuple[DrawnOutline, ...]:
        first, *others = self.drawn
        return tuple(d for d in others if not same_area(d.area, first.area))


def read_drawing(path: Path) -> Drawing:
    """
    Raises
    ------
    GeometryError : names the file, the line and the element that cannot be used, and what would be
        right.
    """
    return drawing_of_document(read_document(path), path)


def drawing_of_document(document: Document, path: Path) -> Drawing:
    """As :func:`read_drawing`, of what a file says."""
    outlines, notes = without_lines(document.outlines)
    document = replace(document, outlines=outlines, notes=(*document.notes, *notes))
    drawn, notes = _by_size(document, path)
    return Drawing(path, document, tuple(drawn), notes)


def _by_size(document: Document, path: Path) -> tuple[list[DrawnOutline], tuple[str, ...]]:
    """All outlines, the largest first, and what was changed or left out.

    Raises
    ------
    GeometryError : one of them encloses no area, or crosses itself; or there is none.
    """
    if not document.outlines:
        raise GeometryError(
            "there is no outline in the drawing",
            where=path.name,
            remedy="Draw closed paths, rectangles, circles, ellipses or polygons.",
        )
    shapes = [shape_of(outline, Affine(), 1.0) for outline in document.outlines]
    size = max(max(np.subtract(*shape.bounds()[::-1])) for shape in shapes)
    found: list[DrawnOutline] = []
    empty, untangled, split = 0, [], []
    needles: list[GeometryError] = []
    for outline in document.outlines:
        simple = simple_parts(outline, shape_of(outline, Affine(), size), size)
        if not simple.parts:
            empty += 1
        elif simple.split:
            split.append(outline.label)
        elif simple.untangled:
            untangled.append(outline.label)
        for part, shape in simple.parts:
            try:
                shape.check((), part.label)
            except SceneError as error:
                refused = GeometryError(error.message, where=part.where, remedy=error.remedy)
                if not _is_needle(shape):
                    raise refused from None
                needles.append(refused)
                continue
            found.append(DrawnOutline(part, len(found), _area(part, shape), shape))
    if not found and needles:
        raise needles[0]
    if not found:
        raise GeometryError("no outline in the drawing encloses an area", where=path.name)
    notes = (
        *document.notes,
        _note(untangled, "took out of {} where rounding lets it cross itself a little"),
        _note(
            split,
            "made simple outlines of straight edges of {}, which touches or crosses itself",
        ),
        f"left out {empty} outline{'s' if empty > 1 else ''} without an area" if empty else "",
        f"left out {len(needles)} of the ellipses, as thin as needles" if needles else "",
    )
    return sorted(found, key=lambda d: -d.area.area), tuple(
        f"{note} ({path.name})" for note in notes if note
    )


def _is_needle(shape: Shape) -> bool:
    return isinstance(shape, Ellipse) and (
        max(shape.radii) > LARGEST_ELONGATION * min(shape.radii) > 0
    )


def _note(labels: list[str], text: str) -> str:
    """What was done to some outlines; "" to none."""
    more = f" and {len(labels) - 3} more" if labels[3:] else ""
    return text.format(", ".join(labels[:3]) + more) if labels else ""


def _area(outline: Outline, shape: Shape) -> shapely.Polygon:
    ring, _ = shape.outline(math.inf, TURN)
    problem = outline_problem(ring) if isinstance(shape, Polygon) else None
    if problem is not None:
        raise GeometryError(
            f"{outline.label} {problem.message}", where=outline.where, remedy=problem.remedy
        )
    area = shapely.Polygon(ring)
    if not area.area > 0:
        raise GeometryError(
            f"{outline.label} is so small that its area is lost in rounding",
            where=outline.where,
            remedy="Draw in a smaller unit.",
        )
    return area


def same_area(a: shapely.Polygon, b: shapely.Polygon) -> bool:
    return abs(a.area - b.area) <= SAME * b.area and (
        shapely.symmetric_difference(a, b).area <= SAME * b.area
    )
