"""What a mesh file says, and how that becomes a mesh."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError
from wavelab.meshing.formats.curving import CurvedSides, with_curves
from wavelab.meshing.formats.joining import MERGE, Joined, is_repeated, join, places
from wavelab.meshing.graph.faces import face_tags
from wavelab.meshing.graph.notices import notice
from wavelab.meshing.graph.polygons import TOLERANCE, at_point
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys

#: Areas and their squares must not overflow.
_FARTHEST = 1e70


@dataclass(frozen=True)
class RawMesh:
    """The content of a mesh file, with all its faults.

    Attributes
    ----------
    points : (n, 2) or (n, 3) float64.
    triangles : (k, 3) and quadrangles : (q, 4), point numbers from 0.
    regions, quadrangle_regions : (k,), (q,) index into ``region_names``.
    lines : (m, 2) point numbers; line_labels : (m,) index into ``face_names``.
    curved_sides : sides that may be curved, for each order; others are straight.
    notes : what the reader has left out or simplified.
    """

    points: Array
    triangles: Indices
    regions: NDArray[np.int32]
    region_names: tuple[str, ...]
    lines: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    line_labels: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    face_names: tuple[str, ...] = ()
    quadrangles: Indices = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    quadrangle_regions: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    curved_sides: tuple[CurvedSides, ...] = ()
    notes: tuple[str, ...] = ()


def assemble(raw: RawMesh, where: str) -> Mesh:
    """A checked mesh: planar, counterclockwise, without duplicate or unused vertices.

    Raises
    ------
    MeshError : what is wrong with the file ``where``, and at which place in the plane.

    Warns
    -----
    MeshWarning : for everything that was repaired, split, merged or dropped.
    """
    notes = list(raw.notes)
    _check_coordinates(raw.points, where)
    for sides in raw.curved_sides:
        _check_coordinates(sides.between.reshape(-1, raw.points.shape[1]), where, "node of a side")
    points = _planar(raw.points, where)
    triangles, regions = _split(raw, points, where, notes)
    if len(triangles) == 0:
        raise MeshError(
            "the file has no triangles", where=where, remedy="Save at least one meshed surface."
        )
    for cells in (triangles, raw.lines):
        if len(cells) and (cells.min() < 0 or cells.max() >= len(points)):
            raise MeshError(
                f"an element names a vertex that is not there; there are {len(points)}",
                where=where,
            )
    place = places(points, triangles)
    rows, regions = _without_duplicates(place[triangles], regions, raw.region_names, notes)
    joined = join(points, triangles[rows], raw.lines, place)
    keeper = joined.vertex
    triangles, lines = keeper[triangles[rows]], keeper[raw.lines]
    merged = int(np.sum(keeper != np.arange(len(points))))
    if merged:
        notes.append(f"{merged} duplicate vertices were merged")
    used = np.zeros(len(points), dtype=bool)
    used[triangles] = True
    number = np.full(len(points), -1, dtype=np.int32)
    number[used] = np.arange(used.sum(), dtype=np.int32)
    stray = int(np.sum(~used & (keeper == np.arange(len(points)))))
    if stray:
        notes.append(f"{stray} of {len(points)} vertices belong to no triangle and were dropped")
    on_mesh = used[lines].all(axis=1)
    corners, labels = number[triangles], raw.line_labels[on_mesh]
    tags, _ = face_tags(corners, number[lines[on_mesh]], labels, most_sides=1)
    _name_both_sides(tags, joined, place, raw.face_names, notes)
    for label in np.setdiff1d(labels, tags):
        notes.append(f'"{raw.face_names[label]}" is no part of the boundary; no wall can be there')
    mesh = (
        Mesh(
            vertices=np.ascontiguousarray(points[used]),
            triangles=corners,
            regions=regions.astype(np.int32),
            region_names=raw.region_names,
            face_tags=tags,
            face_names=raw.face_names,
        )
        .counterclockwise()
        .checked(where)
    )
    _check_boundary(mesh, number[place[used]].astype(np.int64), where)
    mesh = with_curves(mesh, raw.curved_sides, number[keeper].astype(np.int64), where)
    for note in notes:
        notice(f"{where}: {note}")
    return mesh


def _name_both_sides(
    tags: NDArray[np.int32],
    joined: Joined,
    place: Indices,
    names: tuple[str, ...],
    notes: list[str],
) -> None:
    """Let the name of one side of a line inside of the mesh be that of the other side as well, if
    that has none."""
    flat = tags.reshape(-1)
    sides = flat[joined.sheets]
    sides = np.where(sides < 0, sides[:, ::-1], sides)
    flat[joined.sheets] = sides
    numbers = np.arange(len(place))
    kept = int(np.sum(joined.vertex == numbers) - np.sum(place == numbers))
    if along := " and ".join(f'"{names[label]}"' for label in np.unique(sides[sides >= 0])):
        notes.append(
            f"{kept} duplicate vertices along {along} stay apart: both sides of it are boundary"
        )


def _check_coordinates(points: Array, where: str, what: str = "vertex") -> None:
    # Not (... <= ...), so that NaN is caught, too.
    wrong = ~(np.abs(points) <= _FARTHEST).all(axis=1)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise MeshError(
            f"{what} {bad + 1} is at {tuple(points[bad].tolist())}",
            where=where,
            remedy="Coordinates must be finite, and not beyond what can be squared.",
        )


def _planar(points: Array, where: str) -> Array:
    if points.shape[1] == 3 and len(points):
        z = points[:, 2]
        if np.ptp(z) > TOLERANCE * np.ptp(points[:, :2], axis=0).max():
            raise MeshError(
                f"the mesh is not flat: z runs from {z.min():g} to {z.max():g}",
                where=where,
                remedy="wavelab is two-dimensional: all z must be the same.",
            )
    return points[:, :2]


def _split(
    raw: RawMesh, points: NDArray, where: str, notes: list[str]
) -> tuple[Indices, NDArray[np.int32]]:
    """The triangles, and two for each quadrangle, cut along its shorter diagonal."""
    quadrangles = raw.quadrangles
    if len(quadrangles) == 0:
        return raw.triangles, raw.regions
    if quadrangles.min() < 0 or quadrangles.max() >= len(points):
        raise MeshError("a quadrangle names a vertex that is not there", where=where)
    a, b, c, d = (points[quadrangles[:, i]] for i in range(4))
    turns = np.stack([_cross(p, q, r) for p, q, r in ((a, b, c), (b, c, d), (c, d, a), (d, a, b))])
    bent = ~((turns > 0).all(axis=0) | (turns < 0).all(axis=0))
    if bent.any():
        x, y = points[quadrangles[np.argmax(bent)]].mean(axis=0)
        raise MeshError(f"the quadrangle at ({x:g}, {y:g}) is not convex", where=where)
    along_ac = np.hypot(*(c - a).T) <= np.hypot(*(d - b).T)
    first = np.where(along_ac[:, None], quadrangles[:, [0, 1, 2]], quadrangles[:, [0, 1, 3]])
    second = np.where(along_ac[:, None], quadrangles[:, [0, 2, 3]], quadrangles[:, [1, 2, 3]])
    notes.append(f"{len(quadrangles)} quadrangles were split into triangles")
    return (
        np.concatenate([raw.triangles, first, second]),
        np.concatenate([raw.regions, raw.quadrangle_regions, raw.quadrangle_regions]),
    )


def _cross(p: NDArray, q: NDArray, r: NDArray) -> Array:
    return (q - p)[:, 0] * (r - q)[:, 1] - (q - p)[:, 1] * (r - q)[:, 0]


def _without_duplicates(
    triangles: NDArray, regions: NDArray, names: tuple[str, ...], notes: list[str]
) -> tuple[Indices, NDArray]:
    """Numbers of the triangles with each but once, and their regions; as in a scene, the later
    region holds."""
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    ends = np.column_stack([low, high, triangles.sum(axis=1) - low - high]).astype(np.int64)
    if not is_repeated(ends).any():
        return np.arange(len(triangles)), regions
    _, first, inverse = np.unique(
        np.sort(triangles, axis=1), axis=0, return_index=True, return_inverse=True
    )
    count = len(triangles) - len(first)
    if count == 0:
        return np.arange(len(triangles)), regions
    latest = np.zeros(len(first), dtype=regions.dtype)
    np.maximum.at(latest, inverse.reshape(-1), regions)
    conflict = np.flatnonzero(latest[inverse.reshape(-1)] != regions)
    if len(conflict):
        one = names[regions[conflict[0]]]
        other = names[latest[inverse.reshape(-1)[conflict[0]]]]
        notes.append(f'{count} triangles are in "{one}" and in "{other}"; "{other}" holds')
    else:
        notes.append(f"{count} duplicate triangles were dropped")
    order = np.argsort(first)
    return first[order], latest[order]


def _check_boundary(mesh: Mesh, place: Indices, where: str) -> None:
    """Refuse vertices that hang on an edge, and parts that overlap.

    ``place`` (n_vertices,) is the number of one vertex at the same place.
    """
    n = mesh.n_vertices
    faces = place[mesh.triangles].T[FACE_VERTICES.T].reshape(2, -1).T
    # Around counterclockwise triangles, two neighbours run along their edge in opposite directions.
    along = np.sort(faces[:, 0].astype(np.int64) * n + faces[:, 1])
    twice = along[1:] == along[:-1]
    if twice.any():
        edge = list(divmod(int(along[np.argmax(twice)]), n))
        raise _overlap(mesh.vertices[edge].mean(axis=0), where)
    keys = np.sort(edge_keys(faces, n))
    alone = np.ones(len(keys) + 1, dtype=bool)
    alone[1:-1] = keys[1:] != keys[:-1]
    rim = np.column_stack(np.divmod(keys[alone[1:] & alone[:-1]], n))
    lines = shapely.linestrings(mesh.vertices[rim])
    ends = np.unique(rim)
    shortest = float(shapely.length(lines).min())
    line, hit = shapely.STRtree(shapely.points(mesh.vertices[ends])).query(
        lines, predicate="dwithin", distance=MERGE * shortest
    )
    hanging = (ends[hit] != rim[line, 0]) & (ends[hit] != rim[line, 1])
    if hanging.any():
        vertex = ends[hit[np.argmax(hanging)]]
        raise MeshError(
            f"a vertex hangs on the edge of another triangle{at_point(mesh.vertices[vertex])}",
            where=where,
            remedy="Every vertex on an edge must be a corner of the triangles on both sides.",
        )
    tree = shapely.STRtree(lines)
    one, other = tree.query(lines, predicate="crosses")
    if len(one):
        meeting = shapely.intersection(lines[one[0]], lines[other[0]])
        raise _overlap(shapely.get_coordinates(meeting)[0], where)
    # What is left is a part that lies wholly within another: its rim would bound a hole there.
    enclosed = shapely.build_area(shapely.multilinestrings(lines)).area
    covered = float(mesh.signed_areas().sum())
    if abs(enclosed - covered) > 1e-9 * covered:
        raise MeshError(
            f"triangles overlap: they have an area of {covered:g} but cover {enclosed:g}",
            where=where,
            remedy="Leave out the part that lies within another.",
        )


def _overlap(place: NDArray, where: str) -> MeshError:
    return MeshError(f"triangles overlap{at_point(place)}", where=where, remedy="Mesh it again.")
