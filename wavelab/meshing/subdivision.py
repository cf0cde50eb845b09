"""Cut the segments of a graph to the element size, alike on both sides of a periodic pair."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import GeometryError
from wavelab.meshing.drawing import Drawing, PlanarDrawing
from wavelab.meshing.graph import Graph
from wavelab.meshing.polygons import TOLERANCE


def subdivided(graph: Graph, drawing: Drawing | PlanarDrawing) -> Graph:
    """The graph with its segments cut into equal pieces of about the element size.

    Raises
    ------
    GeometryError : the two edges of a periodic wall are not the same up to a shift.
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


def _with_cuts(graph: Graph, cuts: list[NDArray[np.float64]]) -> Graph:
    """Each segment cut at the given fractions of its length, in ascending order."""
    counts = np.array([len(cut) for cut in cuts])
    fraction = np.concatenate([*cuts, np.zeros(0)])[:, None]
    owner = np.repeat(np.arange(len(cuts)), counts)
    a, b = graph.segments[owner].T
    # Interpolated between the given digits: a point on x = 1 stays on x = 1.
    exact = graph.exact[a] + fraction * (graph.exact[b] - graph.exact[a])
    local = graph.points[a] + fraction * (graph.points[b] - graph.points[a])
    segments, next_point = [], len(graph.points)
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
    """The graph with every vertex of one edge also on the other, shifted."""
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
    shift = _middle(graph, sides[1]) - _middle(graph, sides[0])
    cuts: list[list[float]] = [[] for _ in graph.segments]
    for side, opposite, sign in ((sides[0], sides[1], 1.0), (sides[1], sides[0], -1.0)):
        for point in np.unique(graph.segments[side]):
            target = graph.points[point] + sign * shift
            found = _find(graph, opposite, target)
            if found is None:
                x, y = graph.exact[point]
                raise GeometryError(
                    f"the periodic edges {one[0]} and {other[0]} differ: the vertex at "
                    f"({x:.6g}, {y:.6g}) has no counterpart",
                    remedy="A periodic pair must be the same line, shifted.",
                )
            segment, fraction = found
            if 0 < fraction < 1:
                cuts[segment].append(fraction)
    return _with_cuts(graph, [np.unique(cut) for cut in cuts])


def _middle(graph: Graph, side: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Centre of mass of some segments."""
    a, b = graph.points[graph.segments[side, 0]], graph.points[graph.segments[side, 1]]
    lengths = np.hypot(*(b - a).T)
    return (lengths[:, None] * (a + b) / 2).sum(axis=0) / lengths.sum()


def _find(
    graph: Graph, side: NDArray[np.bool_], target: NDArray[np.float64]
) -> tuple[int, float] | None:
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
