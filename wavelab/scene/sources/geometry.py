"""Directions, arrows and rims that several kinds of sources are drawn with."""

from __future__ import annotations

import math

import numpy as np

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.source_marks import EdgeLines, Line
from wavelab.scene.model.shapes import Point, Shape

#: Length of an arrow, in parts of the longer side of the domain, or of the shape it stands in.
ARROW = 0.12
#: Directions are whole multiples of this, and of the other on wish, in degrees.
_FINE_STEP, _STEP = 0.1, 15.0


def size_of(scene: Scene, edges: EdgeLines | None = None) -> float:
    """The longer side of the domain."""
    if scene.outline is not None:
        (x0, y0), (x1, y1) = scene.outline.bounds()
        return max(x1 - x0, y1 - y0)
    if not edges:
        return 20 * scene.solver.element_size
    points = np.concatenate([line for lines in edges.values() for line in lines])
    return float(np.ptp(points, axis=0).max())


def between(a: Point, b: Point) -> Point:
    """Half way."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def arrow_from(start: Point, direction: float, length: float) -> tuple[Point, Point]:
    """Its two ends."""
    turn = math.radians(direction)
    return start, (start[0] + length * math.cos(turn), start[1] + length * math.sin(turn))


def rims(shape: Shape, size: float) -> tuple[Line, ...]:
    """The outlines of its parts, closed, as they are drawn in a domain of this size."""
    return tuple(np.concatenate([ring, ring[:1]]) for ring, _ in shape.rings(size / 100))


def turned(direction: float, by: float) -> float:
    """Degrees above -180, up to 180, never -0, and without digits that mean nothing."""
    return round(180 - (180 - direction - by) % 360, 1)


def direction_to(start: Point, to: Point, even: bool) -> float:
    """From one point to another, in steps of 0.1 or, ``even``, 15 degrees."""
    step = _STEP if even else _FINE_STEP
    turn = math.degrees(math.atan2(to[1] - start[1], to[0] - start[0]))
    return turned(round(turn / step) * step, 0.0)
