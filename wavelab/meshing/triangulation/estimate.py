"""How many elements a graph takes, before it is meshed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.arrays import Array
from wavelab.meshing.graph.graph import Graph

#: Degrees; wider corners take as few elements as any place.
_SHARP = 15.0


@dataclass(frozen=True)
class Estimate:
    """Numbers of elements: ``even`` of the wanted size, ``thin`` in parts too thin for those.

    ``where`` is the place of the thinnest part, in scene units.
    """

    even: int
    thin: int
    where: tuple[float, float]

    @property
    def total(self) -> int:
        """Both kinds together."""
        return self.even + self.thin


def estimate(graph: Graph, element_size: float) -> Estimate:
    """The number of elements of a graph.

    Where there is room it takes equilateral triangles of the wanted edge h, area / (sqrt(3)/4 h^2)
    of them.  A strip of length L and width w takes 2 L / w triangles, however large h is; in terms
    of its area A and perimeter P that is P^2 / (2 A), which serves for all thin areas.  So does
    the strip between two segments that come closer than h, and a sharp corner of a radians, which
    takes about 2 / a.
    """
    edge = element_size / graph.scale
    even = graph.areas / (math.sqrt(3) / 4 * edge**2)
    thin = np.maximum(0.0, graph.perimeters**2 / (2 * graph.areas) - even)
    thinnest = (float(thin.sum()), graph.seeds[np.argmax(thin)])
    parts = (thinnest, _gaps(graph, edge), _corners(graph))
    _, place = max(parts, key=lambda part: part[0])
    x, y = place * graph.scale + graph.center
    return Estimate(
        even=math.ceil(even.sum()) + len(graph.segments),
        thin=math.ceil(sum(count for count, _ in parts)),
        where=(float(x), float(y)),
    )


def _gaps(graph: Graph, edge: float) -> tuple[float, Array]:
    """Elements that fill the strips between close segments; a point in the narrowest strip."""
    lines = shapely.linestrings(graph.points[graph.segments])
    # Segments closer than a quarter of their length: what takes less than 4 elements is no strip.
    reach = np.minimum(edge / 2, shapely.length(lines) / 4)
    one, other = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=reach)
    apart = (graph.segments[one][:, :, None] != graph.segments[other][:, None, :]).all(axis=(1, 2))
    one, other = one[apart], other[apart]
    if len(one) == 0:
        return 0.0, graph.points[0]
    distance = shapely.distance(lines[one], lines[other])
    beside = shapely.intersection(lines[one], shapely.buffer(lines[other], 2 * distance))
    count = shapely.length(beside) / distance
    most = np.zeros(len(lines))
    np.maximum.at(most, one, count)
    worst = beside[int(np.argmax(count))]
    return float(most.sum()), shapely.get_coordinates(shapely.centroid(worst))[0]


def _corners(graph: Graph) -> tuple[float, Array]:
    """Elements that fill sharp corners; the point of the sharpest."""
    a, b = graph.segments.T
    start, end = np.concatenate([a, b]), np.concatenate([b, a])
    direction = np.arctan2(*(graph.points[end] - graph.points[start]).T[::-1])
    order = np.lexsort((direction, start))
    start, direction = start[order], direction[order]
    # Angle to the next segment around the same vertex, and from the last one to the first.
    last = np.append(start[1:] != start[:-1], True)
    first = np.flatnonzero(np.roll(last, 1))
    following = np.roll(direction, -1)
    following[last] = direction[first] + 2 * math.pi
    angle = following - direction
    sharp = angle < math.radians(_SHARP)
    count = 2 / np.maximum(angle[sharp], np.finfo(float).tiny)
    return float(count.sum()), graph.points[start[np.argmin(angle)]]
