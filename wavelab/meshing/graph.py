"""From overlapping rings to a planar straight-line graph that a triangulator can take.

Everything is done on one arrangement of segments: all rings are cut where they meet, the faces
between them are told apart by point-in-polygon tests, and an edge stays if it separates the domain
from its outside or one material from another.  So holes that poke out of the domain, that overlap
or touch, regions that reach outside, and shared borders need no case of their own.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.errors import GeometryError
from wavelab.meshing.drawing import Drawing, Ring
from wavelab.meshing.notices import MeshWarning
from wavelab.meshing.polygons import TOLERANCE, distinct_vertices, frame, outline_problem
from wavelab.meshing.snapping import arrange

#: No edge name: a border between two materials.
BORDER = -1

#: Label of a face that is no part of the domain.
_VOID = -1

#: The unit frame spans [-1, 1], so lengths in it count twice.
_SNAP = 2 * TOLERANCE

#: Shapes further out than this many domain sizes are a slip of the keyboard.
_FARTHEST = 1e6


@dataclass(frozen=True)
class Graph:
    """Segments and the areas they enclose, in a frame where the domain spans about [-1, 1].

    Attributes
    ----------
    points : (n, 2) float64 in the unit frame; ``points * scale + center`` in scene units.
    exact : (n, 2) float64, the same in scene units, where given vertices keep their given digits.
    segments : (m, 2) int32 point numbers.
    names : (m,) int32 index into ``Drawing.face_names``, or ``BORDER``.
    seeds : (s, 2) a point inside each face of the domain, and (s,) ``seed_regions`` its region.
    voids : (v, 2) a point inside each enclosed face that is no part of the domain.
    area : of the domain, in the unit frame.
    """

    center: NDArray[np.float64]
    scale: float
    points: NDArray[np.float64]
    exact: NDArray[np.float64]
    segments: NDArray[np.int32]
    names: NDArray[np.int32]
    seeds: NDArray[np.float64]
    seed_regions: NDArray[np.int32]
    voids: NDArray[np.float64]
    area: float

    def predicted_elements(self, element_size: float) -> int:
        """About how many triangles with edges ``element_size`` the domain takes.

        Equilateral triangles of that edge, and at least one for each given segment.
        """
        edge = element_size / self.scale
        return math.ceil(self.area / (math.sqrt(3) / 4 * edge**2)) + len(self.segments)


def build_graph(drawing: Drawing) -> Graph:
    """The planar straight-line graph of a drawing.

    Raises
    ------
    GeometryError : a ring that is no polygon, a domain that is empty, too large or too small for
        floating point, or too far from the origin for its size.
    """
    rings = [*drawing.outlines, *drawing.holes, *drawing.regions]
    for ring in rings:
        if problem := outline_problem(ring.points):
            raise problem.error(ring.name)
    center, scale = _checked_frame(drawing.outlines)
    rings = [_distinct(ring) for ring in rings]
    local = [_localised(ring, center, scale) for ring in rings]

    segments = np.concatenate([_segments(ring.points) for ring in local])
    points, edges, merged = arrange(segments, _SNAP)
    faces = shapely.get_parts(shapely.polygonize([shapely.multilinestrings(points[edges])]))
    inside = shapely.get_coordinates(shapely.point_on_surface(faces))
    labels = _labels(inside, local, drawing)
    if not (labels != _VOID).any():
        raise GeometryError(
            "the holes leave nothing of the domain"
            if drawing.holes
            else f"the domain is thinner than {TOLERANCE:g} of its length",
            remedy="Make the domain larger, or a hole smaller.",
        )
    edges, is_border = _separating(points, edges, faces, labels)
    names = np.full(len(edges), BORDER, dtype=np.int32)
    names[~is_border] = _names(points[edges[~is_border]], local, drawing)
    used = np.unique(edges)
    number = np.full(len(points), -1, dtype=np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    points = points[used]
    exact = points * scale + center
    given = {
        tuple(there): here
        for ring, moved in zip(rings, local, strict=True)
        for here, there in zip(ring.points, moved.points.tolist(), strict=True)
    }
    for i, point in enumerate(map(tuple, points.tolist())):
        exact[i] = given.get(point, exact[i])
    kept = labels != _VOID
    _report(drawing, labels, faces[kept], merged * scale + center)
    return Graph(
        center=center,
        scale=scale,
        points=points,
        exact=exact,
        segments=number[edges],
        names=names,
        seeds=inside[kept],
        seed_regions=labels[kept],
        voids=inside[~kept],
        area=float(shapely.area(faces[kept]).sum()),
    )


def _checked_frame(outlines: tuple[Ring, ...]) -> tuple[NDArray[np.float64], float]:
    center, scale = frame(np.concatenate([ring.points for ring in outlines]))
    if not 1e-100 < scale < 1e100:
        raise GeometryError(
            f"the domain is {2 * scale:g} long",
            remedy="Choose a unit in which it is between 1e-100 and 1e100 long.",
        )
    # Coordinates must resolve the snapping tolerance a hundredfold.
    if np.abs(center).max() * np.finfo(float).eps > 0.01 * TOLERANCE * scale:
        raise GeometryError(
            f"the domain is {2 * scale:g} long but lies {np.abs(center).max():g} from the origin, "
            "too far for floating-point numbers",
            remedy="Move it closer to the origin.",
        )
    return center, scale


def _distinct(ring: Ring) -> Ring:
    keep = distinct_vertices(ring.points)
    return Ring(ring.name, ring.points[keep], tuple(ring.edges[i] for i in keep))


def _localised(ring: Ring, center: NDArray, scale: float) -> Ring:
    points = (ring.points - center) / scale
    if np.abs(points).max() > _FARTHEST:
        raise GeometryError(
            f"{ring.name} reaches more than {_FARTHEST:g} domain sizes out of the domain",
            remedy="Check its coordinates.",
        )
    return Ring(ring.name, points, ring.edges)


def _segments(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 2, 2) end points of the segments of a ring."""
    return np.stack([points, np.roll(points, -1, axis=0)], axis=1)


def _labels(inside: NDArray, rings: list[Ring], drawing: Drawing) -> NDArray[np.int32]:
    """Region of each face, given a point inside each; ``_VOID`` outside of the domain."""
    labels = np.full(len(inside), _VOID, dtype=np.int32)
    first_hole = len(drawing.outlines)
    first_region = first_hole + len(drawing.holes)
    for ring in rings[:first_hole]:
        labels[_contains(ring, inside)] = 0
    for number, ring in enumerate(rings[first_region:], start=1):
        labels[_contains(ring, inside) & (labels != _VOID)] = number
    for ring in rings[first_hole:first_region]:
        labels[_contains(ring, inside)] = _VOID
    return labels


def _contains(ring: Ring, points: NDArray) -> NDArray[np.bool_]:
    polygon = shapely.Polygon(ring.points)
    shapely.prepare(polygon)
    return shapely.contains_xy(polygon, points)


def _separating(
    points: NDArray, edges: NDArray[np.int32], faces: NDArray, labels: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The edges with different labels on their two sides; whether both sides are domain."""
    number = {point: i for i, point in enumerate(map(tuple, points.tolist()))}
    sides: dict[tuple[int, int], list[int]] = {(a, b): [] for a, b in edges.tolist()}
    for face, label in zip(faces, labels.tolist(), strict=True):
        for ring in (face.exterior, *face.interiors):
            chain = [number[point] for point in ring.coords]
            for a, b in zip(chain[:-1], chain[1:], strict=True):
                sides[min(a, b), max(a, b)].append(label)
    kept, is_border = [], []
    for edge, found in sides.items():
        one, other = (*found, _VOID, _VOID)[:2]
        if one != other:
            kept.append(edge)
            is_border.append(_VOID not in (one, other))
    return np.array(kept, dtype=np.int32).reshape(-1, 2), np.array(is_border, dtype=bool)


def _names(segments: NDArray[np.float64], rings: list[Ring], drawing: Drawing) -> NDArray[np.int32]:
    """Index into the face names for each (m, 2, 2) segment: the outline or rim it lies on.

    Where an outline and a rim coincide the outline's name holds, among rims the first one's.
    """
    walls = rings[: len(drawing.outlines) + len(drawing.holes)]
    sources = np.concatenate([_segments(ring.points) for ring in walls])
    index = {name: i for i, name in enumerate(drawing.face_names)}
    names = np.array([index[edge] for ring in walls for edge in ring.edges], dtype=np.int32)
    lines = shapely.linestrings(sources)
    # A piece of a source may have moved by the snapping distance in each of a few rounds.
    middle = shapely.points(segments.mean(axis=1))
    piece, source = shapely.STRtree(lines).query(middle, predicate="dwithin", distance=8 * _SNAP)
    distance = np.max(
        [
            shapely.distance(lines[source], shapely.points(place[piece]))
            for place in (segments[:, 0], segments[:, 1], segments.mean(axis=1))
        ],
        axis=0,
    )
    nearest = np.full(len(segments), np.inf)
    np.minimum.at(nearest, piece, distance)
    alike = distance <= nearest[piece] + _SNAP / 2
    best = np.full(len(segments), len(sources))
    np.minimum.at(best, piece[alike], source[alike])
    return names[best]


def _report(drawing: Drawing, labels: NDArray, faces: NDArray, merged: NDArray) -> None:
    """Warn of what was mended or looks like a slip."""
    if len(merged):
        x, y = merged[0]
        warnings.warn(
            f"{len(merged)} vertices closer than {TOLERANCE:g} of the domain's size to another "
            f"were merged with it, the first at ({x:.6g}, {y:.6g})",
            MeshWarning,
            stacklevel=3,
        )
    parts = len(shapely.get_parts(shapely.unary_union(faces)))
    if parts > len(drawing.outlines):
        warnings.warn(
            f"the holes cut the domain into {parts} parts; waves do not pass between them",
            MeshWarning,
            stacklevel=3,
        )
    for number, name in enumerate(drawing.region_names[1:], start=1):
        if not (labels == number).any():
            warnings.warn(
                f"material {name} covers no part of the domain", MeshWarning, stacklevel=3
            )
