"""Shapes that touch, cross or cover each other, with one line where two of them meet.

A border that two shapes have in common is drawn twice in a file: with other corners on either
side, or rounded otherwise.  Meshed as they are, two such lines enclose slivers.  So all lines are
cut where they meet, areas are put together of what is between them, and each line between two of
its ends is made of arcs once, for both sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.drawings.round_runs import arcs_in
from wavelab.numerics.mesh.polygon import signed_area
from wavelab.scene.model.shapes import Polygon, Shape
from wavelab.scene.model.shapes.arcs import SMALLEST_BULGE

#: Cuts through an area with holes: a thousand take a second or so.
_MOST_CUTS = 5000
_Edge = tuple[complex, float]


@dataclass(frozen=True, eq=False)
class Piece:
    """An area and what it is of: where some overlap, that of the largest ``rank`` holds.

    ``shape`` is the same as drawn, where it is a single outline.
    """

    rank: int
    area: shapely.Geometry
    shape: Shape | None = None


def without_overlaps(pieces: Sequence[Piece], grid: float) -> list[tuple[int, Shape]]:
    """The shape of each piece that meets no other, and the shapes of what the others make up, each
    with its rank.

    Parameters
    ----------
    grid : coordinates are rounded to it where pieces meet.

    Raises
    ------
    GeometryError : an area has too many holes.
    """
    found: list[tuple[int, Shape]] = []
    for group in _groups(pieces, grid):
        alone = group[0]
        if len(group) == 1 and alone.shape is not None:
            found.append((alone.rank, alone.shape))
        else:
            found += _parted(group, grid)
    return found


def _groups(pieces: Sequence[Piece], grid: float) -> list[list[Piece]]:
    """Pieces whose rims meet, directly or by way of others."""
    rims = [piece.area.boundary for piece in pieces]
    one, other = shapely.STRtree(rims).query(rims, predicate="dwithin", distance=2 * grid)
    parent = list(range(len(pieces)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in zip(one.tolist(), other.tolist(), strict=True):
        low, high = sorted((root(i), root(j)))
        parent[high] = low
    groups: dict[int, list[Piece]] = defaultdict(list)
    for i, piece in enumerate(pieces):
        groups[root(i)].append(piece)
    return list(groups.values())


def _parted(group: Sequence[Piece], grid: float) -> list[tuple[int, Shape]]:
    alone = group[0].area
    if len(group) == 1 and isinstance(alone, shapely.Polygon) and not alone.interiors:
        ring = _ring(alone)
        shape = _Lines([ring], grid).shape(ring)
        return [] if shape is None else [(group[0].rank, shape)]
    faces, ranks = _faces([piece.area.boundary for piece in group], group, grid)
    united = [
        (rank, part)
        for rank in sorted(set(ranks.tolist()) - {-1})
        for whole in shapely.get_parts(shapely.union_all(faces[ranks == rank])).tolist()
        for part in _without_holes(whole, grid)
    ]
    if not united:
        return []
    # Cuts are new ends of lines, which those beside them have to know.
    owners = [Piece(number, part) for number, (_, part) in enumerate(united)]
    faces, numbers = _faces([part.boundary for _, part in united], owners, grid)
    rings: list[tuple[int, list[complex]]] = []
    for number in range(len(united)):
        whole = shapely.union_all(faces[numbers == number])
        rings += [
            (united[number][0], _ring(part))
            for part in shapely.get_parts(whole).tolist()
            if isinstance(part, shapely.Polygon) and part.area > grid**2
        ]
    lines = _Lines([ring for _, ring in rings], grid)
    return [(rank, shape) for rank, ring in rings if (shape := lines.shape(ring)) is not None]


def _faces(
    lines: Sequence[shapely.Geometry], pieces: Sequence[Piece], grid: float
) -> tuple[np.ndarray, np.ndarray]:
    """Areas between lines, (n,), and the largest rank of a piece that each lies in; -1 of none."""
    noded = shapely.union_all(lines, grid_size=grid)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    faces = faces[shapely.area(faces) > 0]
    ranks = np.full(len(faces), -1)
    inside = shapely.STRtree(shapely.point_on_surface(faces))
    for piece in sorted(pieces, key=lambda piece: piece.rank):
        ranks[inside.query(piece.area, predicate="contains")] = piece.rank
    return faces, ranks


def _without_holes(area: shapely.Polygon, grid: float) -> list[shapely.Polygon]:
    """The area cut upwards and downwards through its holes, until none is left.

    Raises
    ------
    GeometryError : there are too many.
    """
    done, waiting, cuts = [], [area], 0
    while waiting:
        part = waiting.pop()
        if not isinstance(part, shapely.Polygon) or part.area <= grid**2:
            continue
        if not part.interiors:
            done.append(part)
            continue
        if cuts >= _MOST_CUTS:
            raise GeometryError(
                f"{_MOST_CUTS:,} cuts do not part an area of the drawing from its holes",
                remedy="Draw the holes on a layer of their own, above the area.",
            )
        cuts += 1
        hole = part.interiors[len(part.interiors) // 2]
        corners = shapely.get_coordinates(hole)
        x = corners[np.argmin(np.abs(corners[:, 0] - hole.centroid.x)), 0]
        x0, y0, x1, y1 = part.bounds
        for half in (shapely.box(x0, y0, x, y1), shapely.box(x, y0, x1, y1)):
            cut = shapely.intersection(part, half, grid_size=grid)
            waiting += shapely.get_parts(cut).tolist()
    return done


def _ring(part: shapely.Polygon) -> list[complex]:
    """Counterclockwise, the first not repeated."""
    points = [complex(x, y) for x, y in part.exterior.coords[:-1]]
    ring = np.array([(z.real, z.imag) for z in points])
    return points if signed_area(ring) > 0 else points[::-1]


class _Lines:
    """Lines between points where more than two of them meet, each with its arcs."""

    def __init__(self, rings: Sequence[list[complex]], grid: float) -> None:
        self._grid = grid
        beside: dict[complex, set[complex]] = defaultdict(set)
        for ring in rings:
            for a, b in pairwise([*ring, ring[0]]):
                beside[a].add(b)
                beside[b].add(a)
        self._ends = {point for point, others in beside.items() if len(others) != 2}
        self._known: dict[tuple[complex, ...], list[_Edge]] = {}

    def shape(self, ring: list[complex]) -> Shape | None:
        """Of lines and arcs; None if nothing is left."""
        at = next((i for i, point in enumerate(ring) if point in self._ends), None)
        if at is None:
            at = _sharpest(ring)
        ring = [*ring[at:], *ring[:at]]
        ends = [0, *(i for i in range(1, len(ring)) if ring[i] in self._ends), len(ring)]
        around = [*ring, ring[0]]
        edges = [edge for a, b in pairwise(ends) for edge in self._line(around[a : b + 1])]
        if len(edges) < 2 or (len(edges) < 3 and not any(bulge for _, bulge in edges)):
            return None
        bulges = tuple(0.0 if abs(b) < SMALLEST_BULGE else b for _, b in edges)
        vertices = tuple((z.real, z.imag) for z, _ in edges)
        return Polygon(vertices, bulges if any(bulges) else ())

    def _line(self, points: list[complex]) -> list[_Edge]:
        """Its edges; from the other side they are the same."""
        backward = _order(points[-1]) < _order(points[0])
        if points[0] == points[-1]:
            backward = _order(points[-2]) < _order(points[1])
        key = tuple(reversed(points) if backward else points)
        if key not in self._known:
            self._known[key] = arcs_in(key, 2 * self._grid)
        edges = self._known[key]
        if not backward:
            return edges
        starts = [*(start for start, _ in edges), key[-1]]
        return [(starts[i + 1], -edges[i][1]) for i in reversed(range(len(edges)))]


def _order(point: complex) -> tuple[float, float]:
    return point.real, point.imag


def _sharpest(ring: list[complex]) -> int:
    """Where the ring turns most, the first of several in the order of their coordinates."""
    points = np.array(ring)
    steps = np.roll(points, -1) - points
    turns = np.round(np.abs(np.angle(steps / np.roll(steps, 1))), 6)
    most = np.flatnonzero(turns == turns.max())
    return int(min(most, key=lambda i: _order(ring[i])))
