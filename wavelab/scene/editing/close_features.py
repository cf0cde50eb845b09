"""What in the shapes of a scene is much smaller than the elements: it forces tiny triangles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.arrays import Array
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Ellipse, Point, Shape

#: Corners sharper than this are named, in degrees.
SHARP = 20.0


@dataclass(frozen=True)
class CloseFeature:
    """``kind`` is "edge", "chord", "gap" or "corner"; ``size`` a length, for a corner in degrees;
    ``text`` says what it is, naming the items.  A gap lies between two ``sides``, each of two
    points."""

    kind: str
    where: Point
    size: float
    text: str
    sides: tuple[tuple[Point, Point], ...] = ()

    def distance(self, point: Point) -> float:
        """From ``point`` to the feature; to the farther side of a gap."""
        at = shapely.Point(point)
        if not self.sides:
            return float(shapely.distance(at, shapely.Point(self.where)))
        return max(float(shapely.distance(at, shapely.LineString(s))) for s in self.sides)


@dataclass(frozen=True, eq=False)
class _Ring:
    name: str
    shape: Shape
    points: Array
    edges: tuple[str, ...]

    def edge(self, index: int) -> str:
        return f"{self.name}.{self.edges[index % len(self.edges)]}"

    def side(self, index: int) -> tuple[Point, Point]:
        return _point(self.points[index]), _point(self.points[(index + 1) % len(self.points)])

    @property
    def lengths(self) -> Array:
        return np.linalg.norm(np.roll(self.points, -1, axis=0) - self.points, axis=1)


def named_shapes(scene: Scene) -> list[tuple[str, Shape]]:
    """Domain, holes and material regions that are drawn in the scene, with their names."""
    shapes = [("domain", scene.outline)] if scene.outline is not None else []
    shapes += [(hole.name, hole.shape) for hole in scene.holes]
    shapes += [(m.name, m.shape) for m in scene.materials if m.shape is not None]
    return shapes


def close_features(scene: Scene) -> list[CloseFeature]:
    """Everything smaller than half an element, the smallest first; corners last."""
    size = scene.solver.element_size
    rings = [
        _Ring(name, part, *ring)
        for name, shape in named_shapes(scene)
        for part in shape.parts()
        for ring in part.rings(size)
    ]
    found: list[CloseFeature] = []
    for ring in rings:
        found += _short_edges(ring, size / 2)
        found += _sharp_corners(ring)
    found += _gaps(rings, size / 2)
    return sorted(found, key=lambda f: (f.kind == "corner", f.size))


def _short_edges(ring: _Ring, below: float) -> Iterator[CloseFeature]:
    lengths = ring.lengths
    if isinstance(ring.shape, Ellipse):
        if lengths.min() < below:
            shortest = int(np.argmin(lengths))
            yield CloseFeature(
                "chord",
                ring.shape.center if lengths.max() < below else _middle(ring, shortest),
                float(lengths.min()),
                f'the rim of "{ring.name}" is cut into chords of {lengths.min():.3g}',
            )
        return
    arcs = ring.shape.arcs()
    for index in np.flatnonzero(lengths < below).tolist():
        if ring.edges[index] in arcs:
            continue
        yield CloseFeature(
            "edge",
            _middle(ring, index),
            float(lengths[index]),
            f'edge "{ring.edge(index)}" is only {lengths[index]:.3g} long',
        )


def _sharp_corners(ring: _Ring) -> Iterator[CloseFeature]:
    if isinstance(ring.shape, Ellipse):
        return
    back = np.roll(ring.points, 1, axis=0) - ring.points
    ahead = np.roll(ring.points, -1, axis=0) - ring.points
    norms = np.linalg.norm(back, axis=1) * np.linalg.norm(ahead, axis=1)
    cosine = (back * ahead).sum(axis=1) / np.maximum(norms, 1e-300)
    angles = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    for index in np.flatnonzero(angles < SHARP).tolist():
        yield CloseFeature(
            "corner",
            _point(ring.points[index]),
            float(angles[index]),
            f'the corner of "{ring.edge(index - 1)}" and "{ring.edge(index)}" '
            f"is {angles[index]:.1f} degrees sharp",
        )


def _gaps(rings: list[_Ring], below: float) -> Iterator[CloseFeature]:
    """Vertices near an edge that does not end in them; the closest pair of each two edges."""
    segments, owners = [], []
    for number, ring in enumerate(rings):
        ends = np.stack([ring.points, np.roll(ring.points, -1, axis=0)], axis=1)
        segments += list(shapely.linestrings(ends))
        owners += [(number, index) for index in range(len(ring.points))]
    if not segments:
        return
    tree = shapely.STRtree(segments)
    nearest: dict[tuple[str, str], CloseFeature] = {}
    for number, ring in enumerate(rings):
        points = shapely.points(ring.points)
        for vertex, hit in zip(*tree.query(points, "dwithin", below).tolist(), strict=True):
            other, index = owners[hit]
            count = len(ring.points)
            if other == number and (
                isinstance(ring.shape, Ellipse)
                # Beside a short edge everything is near; that edge is named already.
                or min((index - vertex) % count, (vertex - 1 - index) % count) <= 1
            ):
                continue
            distance = float(shapely.distance(points[vertex], segments[hit]))
            if distance < 1e-9 * below:  # they touch, as regions that share an edge do
                continue
            pair = sorted((ring.edge(vertex), rings[other].edge(index)))
            feature = CloseFeature(
                "gap",
                _point(ring.points[vertex]),
                distance,
                f'"{pair[0]}" and "{pair[1]}" are only {distance:.3g} apart',
                (ring.side(vertex), rings[other].side(index)),
            )
            key = (pair[0], pair[1])
            if key not in nearest or distance < nearest[key].size:
                nearest[key] = feature
    yield from nearest.values()


def _middle(ring: _Ring, index: int) -> Point:
    following = ring.points[(index + 1) % len(ring.points)]
    return _point((ring.points[index] + following) / 2)


def _point(xy: Array) -> Point:
    x, y = xy.tolist()
    return x, y


def perimeter(shape: Ellipse) -> float:
    """Ramanujan's approximation."""
    a, b = shape.radii
    return math.pi * (3 * (a + b) - math.sqrt((3 * a + b) * (a + 3 * b)))
