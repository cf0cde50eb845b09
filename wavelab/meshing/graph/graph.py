"""From overlapping shapes to a planar straight-line graph that a triangulator can take.

Everything is done on one arrangement of segments: all of them are cut where they meet, the faces
between them are told apart by point-in-polygon tests, and an edge stays if it separates the domain
from its outside or one material from another.  So holes that poke out of the domain, that overlap
or touch, regions that reach outside, and shared borders need no case of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.errors import GeometryError
from wavelab.meshing.graph.areas import VOID, separated
from wavelab.meshing.graph.crossings import with_crossings
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing, Ring
from wavelab.meshing.graph.notices import notice
from wavelab.meshing.graph.origins import BORDER, SNAP, curves_of, given_digits, names_of
from wavelab.meshing.graph.polygons import (
    TOLERANCE,
    at_point,
    distinct_vertices,
    frame,
    outline_problem,
)
from wavelab.meshing.graph.snapping import arrange
from wavelab.numerics.mesh.curves import EllipseCurve

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
    curve_of : (m,) int32 index into ``curves`` (in scene units) of segments that are chords of one,
        -1 for others.
    seeds : (s, 2) a point inside each area of the domain, and (s,) ``seed_regions`` its region.
    voids : (v, 2) a point inside each area that the domain encloses without being part of it.
    areas, perimeters : (s,) of the area around each seed, in the unit frame.
    """

    center: Array
    scale: float
    points: Array
    exact: Array
    segments: NDArray[np.int32]
    names: NDArray[np.int32]
    curves: tuple[EllipseCurve, ...]
    curve_of: NDArray[np.int32]
    seeds: Array
    seed_regions: NDArray[np.int32]
    voids: Array
    areas: Array
    perimeters: Array


def build_graph(drawing: Drawing | PlanarDrawing) -> Graph:
    """The planar straight-line graph of a drawing.

    Raises
    ------
    GeometryError : a ring that is no polygon, a domain that is empty, too large or too small for
        floating point, or too far from the origin for its size.
    """
    center, scale = _checked_frame(drawing)
    if isinstance(drawing, Drawing):
        drawing = _with_crossings(drawing)
    segments, names, chords, curves = _segments(drawing)
    local = (segments - center) / scale
    points, edges, merged = arrange(local, SNAP)
    faces = shapely.get_parts(shapely.polygonize([shapely.multilinestrings(points[edges])]))
    inside = shapely.get_coordinates(shapely.point_on_surface(faces))
    if isinstance(drawing, PlanarDrawing):
        labels = _seeded(faces, drawing, center, scale)
    else:
        rings = _holding((inside * scale) + center, drawing, scale)
        labels = _regions(rings, drawing)
    kept = labels != VOID
    if not kept.any():
        raise _nothing_left(drawing)
    if isinstance(drawing, Drawing):
        _report_lost(drawing, rings)
    if len(merged):
        _report_merged(merged * scale + center)

    edges, sides, roots = separated(points, edges, faces, labels)
    is_border = np.append(kept, False)[sides].all(axis=1)
    edge_names = np.full(len(edges), BORDER, dtype=np.int32)
    edge_names[~is_border] = names_of(points[edges[~is_border]], local, names)
    curve_of = curves_of(points[edges], local, chords)
    enclosed = np.setdiff1d(roots, roots[len(faces)])
    domain = enclosed[kept[enclosed]]
    lengths = np.hypot(*(points[edges[:, 1]] - points[edges[:, 0]]).T)
    perimeters = np.bincount(roots[sides].ravel(), np.repeat(lengths, 2), len(roots))
    areas = np.bincount(roots[:-1], shapely.area(faces), len(roots))
    used, numbers = np.unique(edges, return_inverse=True)
    points = points[used]
    return Graph(
        center=center,
        scale=scale,
        points=points,
        exact=given_digits(points, local, segments, center, scale),
        segments=numbers.reshape(-1, 2).astype(np.int32),
        names=edge_names,
        curves=curves,
        curve_of=curve_of,
        seeds=inside[domain],
        seed_regions=labels[domain],
        # Only those that the domain encloses: Triangle crashes on hole points outside of it.
        voids=inside[enclosed[~kept[enclosed]]],
        areas=areas[domain],
        perimeters=perimeters[domain],
    )


def _rings(drawing: Drawing) -> list[Ring]:
    return [drawing.outline, *drawing.holes, *drawing.regions]


def _checked_frame(drawing: Drawing | PlanarDrawing) -> tuple[Array, float]:
    """Center and half the size of the domain, if it can be computed with."""
    if isinstance(drawing, PlanarDrawing):
        return _usable_frame(drawing.segments.reshape(-1, 2))
    for ring in _rings(drawing):
        if problem := outline_problem(ring.points):
            raise problem.error(ring.name)
    center, scale = _usable_frame(drawing.outline.points)
    for ring in _rings(drawing):
        if np.abs((ring.points - center) / scale).max() > _FARTHEST:
            raise GeometryError(
                f"{ring.name} reaches more than {_FARTHEST:g} domain sizes out of the domain",
                remedy="Check its coordinates.",
            )
    return center, scale


def _usable_frame(points: NDArray) -> tuple[Array, float]:
    center, scale = frame(points)
    if not 1e-100 < scale < 1e100:
        raise GeometryError(
            f"the domain is {2 * scale:g} long",
            remedy="Choose a unit in which it is between 1e-100 and 1e100 long.",
        )
    # Coordinates must resolve the snapping tolerance tenfold.
    if np.abs(center).max() * np.finfo(float).eps > 0.1 * TOLERANCE * scale:
        raise GeometryError(
            f"the domain is {2 * scale:g} long but lies {np.abs(center).max():g} from the origin, "
            "too far for floating-point numbers",
            remedy="Move it closer to the origin.",
        )
    return center, scale


def _with_crossings(drawing: Drawing) -> Drawing:
    outline, *others = with_crossings(_rings(drawing))
    n_holes = len(drawing.holes)
    return replace(
        drawing, outline=outline, holes=tuple(others[:n_holes]), regions=tuple(others[n_holes:])
    )


def _segments(
    drawing: Drawing | PlanarDrawing,
) -> tuple[Array, NDArray[np.int32], NDArray[np.int32], tuple[EllipseCurve, ...]]:
    """(m, 2, 2) end points of all segments, (m,) their index into the face names, (m,) that into
    the curves, and those."""
    if isinstance(drawing, PlanarDrawing):
        return drawing.segments, drawing.names, np.full(len(drawing.segments), -1, np.int32), ()
    rings = _rings(drawing)
    curves = tuple({curve: None for ring in rings for curve in ring.curves.values()})
    index = {name: i for i, name in enumerate(drawing.face_names)}
    number = {curve: i for i, curve in enumerate(curves)}
    segments, names, chords = [], [], []
    for ring in rings:
        keep = distinct_vertices(ring.points)
        points = ring.points[keep]
        segments.append(np.stack([points, np.roll(points, -1, axis=0)], axis=1))
        edges = [ring.edges[i] for i in keep]
        names += [index.get(edge, BORDER) for edge in edges]
        chords += [number[ring.curves[edge]] if edge in ring.curves else -1 for edge in edges]
    return (
        np.concatenate(segments),
        np.array(names, dtype=np.int32),
        np.array(chords, dtype=np.int32),
        curves,
    )


def painted(inside: NDArray, drawing: Drawing, scale: float) -> NDArray[np.int32]:
    """Region of each face, given a point inside each; ``VOID`` outside of the domain."""
    return _regions(_holding(inside, drawing, scale), drawing)


def _regions(rings: NDArray[np.int32], drawing: Drawing) -> NDArray[np.int32]:
    return np.array([VOID, 0, *drawing.region_numbers], dtype=np.int32)[rings - VOID]


def _holding(inside: NDArray, drawing: Drawing, scale: float) -> NDArray[np.int32]:
    """Which of the regions' outlines holds in each face, from 1, given a point inside each; 0 for
    the background, ``VOID`` outside of the domain."""
    labels = np.full(len(inside), VOID, dtype=np.int32)
    labels[_contains(drawing.outline, inside)] = 0
    for number, ring in enumerate(drawing.regions, start=1):
        if _has_faces(ring, scale):
            labels[_contains(ring, inside) & (labels != VOID)] = number
    for ring in drawing.holes:
        if _has_faces(ring, scale):
            labels[_contains(ring, inside)] = VOID
    return labels


def _has_faces(ring: Ring, scale: float) -> bool:
    """Whether anything is left of a ring once its points are merged; the point that stands for a
    face of another one may happen to lie in it."""
    return float(np.ptp(ring.points, axis=0).min()) > SNAP * scale


def _contains(ring: Ring, points: NDArray) -> Mask:
    polygon = shapely.Polygon(ring.points)
    shapely.prepare(polygon)
    return shapely.contains_xy(polygon, points)


def _seeded(
    faces: NDArray, drawing: PlanarDrawing, center: NDArray, scale: float
) -> NDArray[np.int32]:
    """Region of each face by the seed in it; faces with a hole point are ``VOID``."""
    labels = np.zeros(len(faces), dtype=np.int32)
    tree = shapely.STRtree(faces)
    voids = np.full(len(drawing.holes), VOID)
    for seeds, values in ((drawing.seeds, drawing.seed_regions), (drawing.holes, voids)):
        seed, face = tree.query(shapely.points((seeds - center) / scale), predicate="within")
        labels[face] = values[seed]
        lost = np.setdiff1d(np.arange(len(seeds)), seed)
        if len(lost):
            x, y = seeds[lost[0]]
            notice(
                f"{drawing.where}: the point at ({x:g}, {y:g}) is in no area that segments enclose"
            )
    return labels


def _nothing_left(drawing: Drawing | PlanarDrawing) -> GeometryError:
    if isinstance(drawing, PlanarDrawing):
        return GeometryError(
            "the segments enclose no area that is not a hole",
            where=drawing.where,
            remedy="Close the outline.",
        )
    if drawing.holes:
        return GeometryError(
            "the holes leave nothing of the domain", remedy="Make a hole smaller, or move it."
        )
    return GeometryError(f"the domain is thinner than {TOLERANCE:g} of its length")


def _report_merged(merged: NDArray) -> None:
    count = f"{len(merged)} vertices were" if len(merged) > 1 else "a vertex was"
    notice(
        f"{count} merged with another closer than {TOLERANCE:g} of the domain's size,"
        f"{at_point(merged[0])}"
    )


def _report_lost(drawing: Drawing, rings: NDArray) -> None:
    """Warn of materials that are nowhere, and of copies of one."""
    numbers = np.array(drawing.region_numbers)
    there = np.isin(np.arange(1, len(numbers) + 1), rings)
    for number, name in enumerate(drawing.region_names[1:], start=1):
        own = there[numbers == number]
        lost = len(own) - np.count_nonzero(own)
        if lost == len(own):
            notice(f"material {name} covers no part of the domain")
        elif lost:
            notice(f"{lost} of {len(own)} copies of material {name} cover no part of the domain")
