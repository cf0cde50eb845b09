"""Outlines that cross themselves by what rounding has left of them.

Programs that draw write few digits, so that a line runs on past the corner it meets, or two edges
cross where they should touch.  A browser fills such an outline without a word.  Loops and spikes
that are small against it are taken out here; an outline that really crosses itself stays as it is.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import shapely

from wavelab.arrays import Array, Indices
from wavelab.meshing.graph.polygons import frame, outline_problem
from wavelab.meshing.outlines.curves import Affine, Line
from wavelab.meshing.outlines.outline import Outline
from wavelab.meshing.outlines.shaping import shape_of
from wavelab.numerics.mesh.polygon import signed_area
from wavelab.scene.model.shapes import Polygon, Shape
from wavelab.scene.model.shapes.arcs import SMALLEST_BULGE, circle_of
from wavelab.scene.model.shapes.shape import MOST_TURN

#: Degrees by which chords of an arc turn where crossings are looked for and areas compared.
TURN = 5.0
#: What is narrower, in parts of the size of all that is drawn, is nothing.
_NOTHING = 1e-6
#: By which areas that touch are parted, in parts of their size.
_PART = 1e-3
#: A loop may have this part of the area of all, and a spike this part of its size.
_LOOP, _SPIKE = 1e-3, 1e-2
#: Cosine of the angle between two edges of a spike, and more.
_REVERSED = -0.9999
#: Loops and spikes of one outline at most; what has more is no matter of rounding.
_MOST = 50


@dataclass(frozen=True)
class SimpleParts:
    """An outline as simple ones, each with its shape.

    ``untangled``: small loops and spikes were taken out; ``split``: it is several, or of straight
    edges alone now.
    """

    parts: tuple[tuple[Outline, Shape], ...]
    untangled: bool = False
    split: bool = False


def simple_parts(outline: Outline, shape: Shape, size: float) -> SimpleParts:
    """What is simple of an outline: itself, or the areas that a browser would fill; nothing if it
    has no area.

    Parameters
    ----------
    shape : of the outline, in its own coordinates.
    size : of all that is drawn.
    """
    if not isinstance(shape, Polygon):
        return SimpleParts(((outline, shape),))
    ring, _ = shape.outline(math.inf, TURN)
    if len(ring) < 3 or np.ptp(ring, axis=0).min() <= _NOTHING * size:
        return SimpleParts(())
    if is_simple(shape):
        return SimpleParts(((outline, shape),))
    if (found := untangled(shape)) is not None:
        return SimpleParts(((outline, found),), untangled=True)
    # Parts that touch in a point are parted there.
    apart = _PART * float(np.ptp(ring, axis=0).max())
    areas = shapely.buffer(
        shapely.make_valid(shapely.Polygon(ring), method="structure", keep_collapsed=False),
        -apart,
        join_style="mitre",
    )
    parts = []
    for area in shapely.get_parts(areas).tolist():
        points = [complex(x, y) for x, y in shapely.simplify(area, apart / 4).exterior.coords]
        if shapely.Polygon(area.exterior).area > (_NOTHING * size) ** 2 and len(points) > 3:
            lines = tuple(Line(a, b) for a, b in pairwise(points))
            part = replace(outline, curves=lines)
            parts.append((part, shape_of(part, Affine(), size)))
    return SimpleParts(tuple(parts), split=True)


def is_simple(shape: Polygon) -> bool:
    """Whether it neither crosses nor touches itself, its arcs cut up finely or as in a mesh."""
    rings = (shape.outline(math.inf, turn)[0] for turn in (TURN, MOST_TURN))
    return all(outline_problem(ring) is None for ring in rings)


def untangled(shape: Polygon) -> Polygon | None:
    """The polygon without its small loops and spikes; None if that leaves none that is simple."""
    points = [complex(*vertex) for vertex in shape.vertices]
    bulges = list(shape.bulges or (0.0,) * len(points))
    for _ in range(_MOST):
        if len(points) < 2 or not (_cut_spike(points, bulges) or _cut_loop(points, bulges)):
            break
    if len(points) < 2 or len(points) == len(shape.vertices):
        return None
    found = _polygon(points, bulges)
    return found if is_simple(found) else None


def _polygon(points: list[complex], bulges: list[float]) -> Polygon:
    vertices = tuple((z.real, z.imag) for z in points)
    rounded = tuple(0.0 if abs(b) < SMALLEST_BULGE else b for b in bulges)
    return Polygon(vertices, rounded if any(rounded) else ())


def _cut_spike(points: list[complex], bulges: list[float]) -> bool:
    """Take out a vertex to which one edge goes and from which the next comes straight back."""
    size = max(abs(z - points[0]) for z in points)
    for k, tip in enumerate(points):
        before, after = tip - points[k - 1], points[(k + 1) % len(points)] - tip
        shorter, longer = sorted((abs(before), abs(after)))
        if bulges[k - 1] or bulges[k] or shorter > _SPIKE * size:
            continue
        along = (before.conjugate() * after).real
        if not shorter or along <= _REVERSED * shorter * longer:
            del points[k], bulges[k]
            return True
    return False


def _cut_loop(points: list[complex], bulges: list[float]) -> bool:
    """Take out the smallest loop between two edges that cross, if it is small enough."""
    ring, of = _chords(points, bulges)
    center, scale = frame(ring)
    local = (ring - center) / scale
    segments = shapely.linestrings(np.stack([local, np.roll(local, -1, axis=0)], axis=1))
    pairs = shapely.STRtree(segments).query(segments, predicate="crosses")
    limit, best = _LOOP * abs(signed_area(local)), None
    for a, b in pairs.T[pairs[0] < pairs[1]].tolist():
        at = np.array(shapely.intersection(segments[a], segments[b]).coords[0])
        inner = abs(signed_area(np.vstack([at, local[a + 1 : b + 1]])))
        outer = abs(signed_area(np.vstack([at, local[b + 1 :], local[: a + 1]])))
        if min(inner, outer) <= limit and (best is None or min(inner, outer) < best[0]):
            best = min(inner, outer), a, b, at, inner <= outer
    if best is None:
        return False
    _, a, b, at, drop_inner = best
    i, j, z = int(of[a]), int(of[b]), complex(*(at * scale + center))
    if i == j:
        return False
    ends = [*points[1:], points[0]]
    to_i, from_i = _cut(points[i], ends[i], bulges[i], z)
    to_j, from_j = _cut(points[j], ends[j], bulges[j], z)
    if drop_inner:
        points[i + 1 : j + 1] = [z]
        bulges[i : j + 1] = [to_i, from_j]
    else:
        points[:] = [*points[i + 1 : j + 1], z]
        bulges[:] = [*bulges[i + 1 : j], to_j, from_i]
    return True


def _chords(points: list[complex], bulges: list[float]) -> tuple[Array, Indices]:
    """Points (n, 2) along the edges, and the edge (n,) that leaves each."""
    ring: list[complex] = []
    of: list[int] = []
    for k, (start, bulge) in enumerate(zip(points, bulges, strict=True)):
        end = points[(k + 1) % len(points)]
        count = math.ceil(abs(math.degrees(4 * math.atan(bulge))) / TURN) or 1
        center, turn = _circle(start, end, bulge)
        for i in range(count):
            ring.append(center + (start - center) * cmath.rect(1, turn * i / count) if i else start)
        of += [k] * count
    return np.array([(z.real, z.imag) for z in ring]), np.array(of)


def _cut(start: complex, end: complex, bulge: float, at: complex) -> tuple[float, float]:
    """Bulges of the two parts of an edge that is cut at a point of it."""
    if not bulge:
        return 0.0, 0.0
    center, turn = _circle(start, end, bulge)
    first = cmath.phase((at - center) / (start - center))
    if first * turn < 0:
        first += math.copysign(math.tau, turn)
    first = turn * min(max(first / turn, 0.0), 1.0)
    return math.tan(first / 4), math.tan((turn - first) / 4)


def _circle(start: complex, end: complex, bulge: float) -> tuple[complex, float]:
    """Centre and turn of an edge; of a straight one its start, and 0."""
    if not bulge:
        return start, 0.0
    center, _ = circle_of((start.real, start.imag), (end.real, end.imag), bulge)
    return complex(*center), 4 * math.atan(bulge)
