"""Cut the segments of a graph to the element size, alike on both sides of a periodic pair."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Mask
from wavelab.errors import GeometryError
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing
from wavelab.meshing.graph.graph import Graph
from wavelab.meshing.graph.polygons import TOLERANCE


def subdivided(graph: Graph, drawing: Drawing | PlanarDrawing) -> Graph:
    """The graph with its segments cut into equal pieces of about the element size.

    Raises
    ------
    GeometryError : the two edges of a periodic wall are not the same line, rotated and shifted.
    """
    for one, other in drawing.periodic:
        graph = _matched(graph, drawing, one, other)
    return _cut(graph, drawing.element_size)


def _cut(graph: Graph, element_size: float) -> Graph:
    start, end = graph.exact[graph.segments[:, 0]], graph.exact[graph.segments[:, 1]]
    lengths = np.hypot(*(end - start).T)
    # Two equal sides must be cut alike even if their lengths differ by rounding.
    pieces = np.maximum(1, np.ceil(lengths / element_size - 1e-6)).astype(np.int64)
    return _with_cuts(graph, [np.arange(1, n) / n for n in pieces.tolist()])


def _with_cuts(graph: Graph, cuts: list[Array]) -> Graph:
    """Each segment cut at the given fractions of its length, in ascending order."""
    counts = np.array([len(cut) for cut in cuts])
    fraction = np.concatenate([*cuts, np.zeros(0)])[:, None]
    owner = np.repeat(np.arange(len(cuts)), counts)
    a, b = graph.segments[owner].T
    # Interpolated between the given digits: a point on x = 1 stays on x = 1.
    exact = graph.exact[a] + fraction * (graph.exact[b] - graph.exact[a])
    local = graph.points[a] + fraction * (graph.points[b] - graph.points[a])
    segments: list[tuple[int, int]] = []
    next_point = len(graph.points)
    for (first, last), count in zip(graph.segments.tolist(), counts.tolist(), strict=True):
        chain = [first, *range(next_point, next_point + count), last]
        next_point += count
        segments += itertools.pairwise(chain)
    return replace(
        graph,
        points=np.concatenate([graph.points, local]),
        exact=np.concatenate([graph.exact, exact]),
        segments=np.array(segments, dtype=np.int32).reshape(-1, 2),
        names=np.repeat(graph.names, counts + 1),
        curve_of=np.repeat(graph.curve_of, counts + 1),
    )


def _matched(
    graph: Graph, drawing: Drawing | PlanarDrawing, one: tuple[str, ...], other: tuple[str, ...]
) -> Graph:
    """The graph with every vertex of one edge also on the other, where it belongs."""
    sides = [
        np.isin(graph.names, [drawing.face_names.index(name) for name in names])
        for names in (one, other)
    ]
    if not (sides[0].any() and sides[1].any()):
        missing = one if not sides[0].any() else other
        raise GeometryError(
            f"the periodic edge {missing[0]} is no part of the domain's boundary",
            remedy="Let no hole cover it.",
        )
    frames = [_frame(graph, drawing, names) for names in (one, other)]
    cuts: list[list[float]] = [[] for _ in graph.segments]
    for i in (0, 1):
        side, opposite, here, there = sides[i], sides[1 - i], frames[i], frames[1 - i]
        for point in np.unique(graph.segments[side]):
            target = here.counterpart(graph.points[point], there)
            found = _find(graph, opposite, target)
            if found is None:
                x, y = graph.exact[point]
                raise GeometryError(
                    f"the periodic edges {one[0]} and {other[0]} differ: the vertex at "
                    f"({x:.6g}, {y:.6g}) has no counterpart",
                    remedy="A periodic pair must be the same line, moved and turned.",
                )
            segment, fraction = found
            if 0 < fraction < 1:
                cuts[segment].append(fraction)
    return _with_cuts(graph, [np.unique(cut) for cut in cuts])


@dataclass(frozen=True)
class _Frame:
    """A straight edge: its middle and the direction along it, a complex number each, so that what
    one edge's frame says of a point holds in the other's, turned and shifted."""

    middle: complex
    along: complex

    def counterpart(self, point: Array, other: _Frame) -> Array:
        """The point of the other edge that a point of this one is glued to.

        Two edges with the domain on their left are glued head to tail: both signs change.
        """
        local = (complex(*point) - self.middle) / self.along
        there = other.middle - local * other.along
        return np.array([there.real, there.imag])


def _frame(graph: Graph, drawing: Drawing | PlanarDrawing, names: tuple[str, ...]) -> _Frame:
    """Of an edge as it was drawn, the domain on its left."""
    assert isinstance(drawing, Drawing)
    for ring in (drawing.outline, *drawing.holes):
        if names[0] not in ring.edges:
            continue
        i = ring.edges.index(names[0])
        ends = (ring.points[[i, (i + 1) % len(ring.points)]] - graph.center) / graph.scale
        first, last = (complex(*end) for end in (ends if ring is drawing.outline else ends[::-1]))
        return _Frame((first + last) / 2, (last - first) / abs(last - first))
    raise AssertionError(f"no ring has the edge {names[0]}")


def _find(graph: Graph, side: Mask, target: Array) -> tuple[int, float] | None:
    """The segment of a side that holds a point, and where on it; 0 or 1 at its ends."""
    tolerance = 4 * TOLERANCE
    for segment in np.flatnonzero(side).tolist():
        a, b = graph.points[graph.segments[segment]]
        length = np.hypot(*(b - a))
        along = float((target - a) @ (b - a)) / length
        across = abs(float((b - a)[0] * (target - a)[1] - (b - a)[1] * (target - a)[0])) / length
        if across <= tolerance and -tolerance <= along <= length + tolerance:
            if along <= tolerance:
                return segment, 0.0
            if along >= length - tolerance:
                return segment, 1.0
            return segment, along / length
    return None
