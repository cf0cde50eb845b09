"""Curves of a drawing as shapes of a scene: rectangles, ellipses, polygons of lines and arcs.

What is round stays round, and lines are kept exactly.  Bezier curves and parts of ellipses become
circular arcs, through points of the curve and as few as stay within a tolerance: elements follow
those, which a polygon of many short edges would force to be small.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from wavelab.meshing.outlines.curves import Affine, Arc, Cubic, Curve, Line
from wavelab.meshing.outlines.outline import Outline
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, Shape
from wavelab.scene.model.shapes.arcs import (
    SMALLEST_BULGE,
    Point,
    bulge_through,
    circle_of,
    middle_of,
)

#: How far a shape may be from the curve, in parts of the size of all, and of its own.
TOLERANCE = 2e-4
_OWN_TOLERANCE = 1e-3
#: Bulge of the longest arc that may stand for a part of a curve: it turns by 106 degrees.
_LARGEST_BULGE = 0.5
#: Edges are not shorter than this, in parts of the tolerance: each would be a tiny element.
_SHORTEST = 0.1
#: A curve is halved no more often than this.
_HALVINGS = 10
#: Of the size of a whole ellipse, that its parts may differ by.
_ROUNDING = 1e-3
#: Radians by which the arcs of a circle that was drawn otherwise may miss a full turn.
_NEARLY_AROUND = 0.1


def shape_of(outline: Outline, to_scene: Affine, size: float) -> Shape:
    """One outline as a shape.

    Parameters
    ----------
    to_scene : maps the drawing to the scene.
    size : of all that is drawn, in the scene; numbers are rounded to a millionth of the tolerance
        that follows from it.
    """
    curves: list[Curve] = [curve.moved(to_scene) for curve in outline.curves]
    own = _extent(curves)
    tolerance = min(TOLERANCE * size, _OWN_TOLERANCE * own) or TOLERANCE * size or 1.0
    shortest = _SHORTEST * tolerance
    curves = [c for c in curves if not (isinstance(c, Line) and abs(c.end - c.start) <= shortest)]
    whole = _whole_ellipse(curves)
    digits = 6 - math.floor(math.log10(tolerance))
    if whole is None:
        vertices, bulges = _pieces(curves, tolerance)
        whole = _circle(vertices, bulges, tolerance)
    if whole is not None:
        larger, smaller = whole.radii
        return Ellipse(
            _rounded(whole.center, digits),
            (round(larger, digits), round(smaller, digits)),
            round(whole.angle, 6) + 0.0,
        )
    points = [_rounded(vertex, digits) for vertex in vertices]
    if any(bulges):
        return Polygon(tuple(points), tuple(round(bulge, 9) for bulge in bulges))
    return _rectangle(points) or Polygon(tuple(points))


def _extent(curves: Sequence[Curve]) -> float:
    points = [curve.at(t) for curve in curves for t in (0, 0.25, 0.5, 0.75)]
    return max(
        max(z.real for z in points) - min(z.real for z in points),
        max(z.imag for z in points) - min(z.imag for z in points),
    )


def _whole_ellipse(curves: Sequence[Curve]) -> Arc | None:
    """The ellipse that all curves are parts of, one after the other."""
    arcs = [curve for curve in curves if isinstance(curve, Arc)]
    if not arcs or len(arcs) < len(curves):
        return None
    first = arcs[0]
    close = _ROUNDING * first.radii[0]
    same = all(
        abs(arc.center - first.center) <= close
        and abs(arc.p - first.p) + abs(arc.q - first.q) <= 2 * close
        for arc in arcs
    )
    around = abs(abs(sum(arc.turn for arc in arcs)) - math.tau) <= _ROUNDING
    return first if same and around else None


def _pieces(curves: Sequence[Curve], tolerance: float) -> tuple[list[complex], list[float]]:
    """Vertices, and the bulge of the edge that leaves each."""
    vertices: list[complex] = []
    bulges: list[float] = []
    for curve in curves:
        for start, bulge in _arcs(curve, tolerance):
            # The next edge begins in the place of one that is too short.
            if vertices and abs(start - vertices[-1]) <= _SHORTEST * tolerance:
                bulges[-1] = bulge
                continue
            vertices.append(start)
            bulges.append(bulge)
    if len(vertices) > 1 and abs(vertices[0] - vertices[-1]) <= _SHORTEST * tolerance:
        del vertices[-1], bulges[-1]
    return vertices, [0.0 if abs(bulge) < SMALLEST_BULGE else bulge for bulge in bulges]


def _arcs(curve: Curve, tolerance: float) -> Iterator[tuple[complex, float]]:
    """Where each arc that stands for a part of a curve begins, and its bulge; 0 of a line."""
    if isinstance(curve, Line) or (isinstance(curve, Cubic) and curve.within(tolerance / 2)):
        yield curve.start, 0.0
        return
    if isinstance(curve, Arc) and curve.is_round:
        turn = curve.turn if abs(curve.p) > abs(curve.q) else -curve.turn
        n = math.ceil(abs(turn) / math.pi - 1e-6)
        for i in range(n):
            yield curve.at(i / n), math.tan(turn / n / 4)
        return
    # Halved at least once, so that an S is not taken for a line.
    waiting = [(0.5, 1.0), (0.0, 0.5)]
    while waiting:
        begin, end = waiting.pop()
        start, bulge, away = _fitted(curve, begin, end)
        if away <= tolerance or end - begin <= 2.0**-_HALVINGS:
            yield start, bulge
            continue
        middle = (begin + end) / 2
        waiting += [(middle, end), (begin, middle)]


def _fitted(curve: Curve, begin: float, end: float) -> tuple[complex, float, float]:
    """The arc through three points of a part of a curve: its start, bulge and how far other points
    of the curve are from it."""
    start, first, middle, last, finish = (curve.at(begin + i * (end - begin) / 4) for i in range(5))
    ends = _point(start), _point(finish)
    bulge = bulge_through(*ends, _point(middle))
    if not abs(bulge) <= _LARGEST_BULGE:
        return start, 0.0, math.inf
    if abs(bulge) < SMALLEST_BULGE:
        # Nothing less is an arc; as a line it has to pass the middle too.
        chord, points = finish - start, (first, middle, last)
        if not chord:
            return start, 0.0, max(abs(z - start) for z in points)
        back = chord.conjugate() / abs(chord)
        return start, 0.0, max(abs(((z - start) * back).imag) for z in points)
    center, radius = circle_of(*ends, bulge)
    away = max(abs(abs(z - complex(*center)) - radius) for z in (first, last))
    return start, bulge, away


def _circle(vertices: Sequence[complex], bulges: Sequence[float], tolerance: float) -> Arc | None:
    """The circle that a ring of arcs stays close to, as editors draw one with Bezier curves."""
    if len(vertices) < 2 or not all(bulges):
        return None
    ends = [*vertices[1:], vertices[0]]
    edges = [(_point(a), _point(b)) for a, b in zip(vertices, ends, strict=True)]
    middles = [middle_of(*edge, bulge) for edge, bulge in zip(edges, bulges, strict=True)]
    points = np.array([*(start for start, _ in edges), *middles])
    # |z|^2 = 2 center . z + radius^2 - |center|^2, by least squares, from a point nearby.
    origin = points.mean(axis=0)
    local = points - origin
    matrix = np.column_stack([2 * local, np.ones(len(local))])
    x, y, rest = np.linalg.lstsq(matrix, (local**2).sum(axis=1))[0].tolist()
    radius = math.sqrt(max(0.0, rest + x**2 + y**2))
    away = np.abs(np.hypot(*(local - (x, y)).T) - radius).max()
    turn = sum(4 * math.atan(bulge) for bulge in bulges)
    if away > tolerance or abs(abs(turn) - math.tau) > _NEARLY_AROUND:
        return None
    center = complex(*origin) + complex(x, y)
    return Arc(center, complex(radius), 0j, 0.0, math.tau)


def _rectangle(points: Sequence[Point]) -> Rectangle | None:
    if len(points) != 4:
        return None
    xs, ys = ({point[axis] for point in points} for axis in (0, 1))
    steps = zip(points, [*points[1:], points[0]], strict=True)
    upright = all((a[0] == b[0]) != (a[1] == b[1]) for a, b in steps)
    if len(xs) != 2 or len(ys) != 2 or not upright:
        return None
    return Rectangle((min(xs), min(ys)), (max(xs), max(ys)))


def _point(z: complex) -> Point:
    return z.real, z.imag


def _rounded(z: complex, digits: int) -> Point:
    # Without the sign of zero.
    return round(z.real, digits) + 0.0, round(z.imag, digits) + 0.0
