"""The part of a running mesh that another drawing changes, and the segments that fill it.

Elements stay whose region is the same in both drawings and that are clear of every segment which
one drawing has and the other has not.  The rest is a cavity.  Its outline are the faces of the
elements around it; in it are the new segments, and those old ones that both drawings have, cut as
they were.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.meshing.graph.drawing import Drawing
from wavelab.meshing.graph.graph import Graph, painted
from wavelab.meshing.graph.origins import BORDER
from wavelab.numerics.mesh.curves import Curve, EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys

#: Distance kept from segments that have changed, in edge lengths: two rows of elements fit between.
_CLEARANCE = 1.8
#: A cavity of more than this part of all elements is as dear as the whole mesh.
_LARGEST = 0.5
#: Faces of the mesh lie on a segment within this part of the edge length: an arc leaves its chord.
_ON_SEGMENT = 0.3

Tags = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cavity:
    """What is to be triangulated.

    Attributes
    ----------
    kept : (n_elements,) elements of the running mesh that stay.
    graph : of the cavity; areas and perimeters are those of the whole domain.
    vertex_of : (n,) for each point of the graph its number in the running mesh, -1 if it is new.
    outline : (m,) which segments of the graph are faces of elements that stay.
    """

    kept: Mask
    graph: Graph
    vertex_of: Indices
    outline: Mask


def find_cavity(mesh: Mesh, old: Graph, new: Graph, drawing: Drawing) -> Cavity | None:
    """The cavity in a mesh of ``old``, for ``new``, which ``drawing`` says; None where there is
    none that is simple, or it is too large.

    Parameters
    ----------
    old, new : cut to the element size.
    """
    gone, fresh = _changed(old, new), _changed(new, old)
    curves: dict[Curve, int] = {curve: i for i, curve in enumerate(new.curves)}
    if _partly(old, gone) or _partly(new, fresh):
        return None
    glued = [i for pair in drawing.periodic for names in pair for i in _numbers(drawing, names)]
    if np.isin(np.concatenate([old.names[gone], new.names[fresh]]), glued).any():
        return None  # both sides have to be cut alike
    kept = _kept(mesh, [_lines(old, gone), _lines(new, fresh)], new, drawing)
    n_lost = int(np.count_nonzero(~kept))
    if not 0 < n_lost <= _LARGEST * mesh.n_elements:
        return None
    faces = _faces_of(mesh, ~kept)
    cut = faces.inside & (faces.outside_kept)
    held = faces.constrained & ~faces.outside_kept
    there = _on_old_segments(mesh, faces.ends, held, old, gone, drawing.element_size)
    if there is None:
        return None
    stays = held & there
    curve_of = np.array([curves.get(c, -2) for c in mesh.curves] + [-1], np.int32)[faces.curve]
    if (curve_of[stays] == -2).any() or (curve_of[cut] != -1).any():
        return None
    return _assembled(mesh, kept, faces, cut, stays, curve_of, new, fresh, drawing)


def _keys(graph: Graph) -> list[tuple]:
    """What a segment is, whatever its direction."""
    ends = np.sort(graph.exact[graph.segments].view(np.complex128)[:, :, 0], axis=1)
    curves: list[EllipseCurve | None] = [*graph.curves, None]
    return [
        (a, b, name, curves[curve])
        for (a, b), name, curve in zip(
            ends.tolist(), graph.names.tolist(), graph.curve_of.tolist(), strict=True
        )
    ]


def _changed(graph: Graph, other: Graph) -> Mask:
    """(m,) segments that the other graph has not."""
    there = set(_keys(other))
    return np.array([key not in there for key in _keys(graph)], dtype=bool)


def _partly(graph: Graph, changed: Mask) -> bool:
    """Whether a curve has changed in a part."""
    some, others = graph.curve_of[changed], graph.curve_of[~changed]
    return bool(np.intersect1d(some[some >= 0], others[others >= 0]).size)


def _numbers(drawing: Drawing, names: tuple[str, ...]) -> list[int]:
    return [drawing.face_names.index(name) for name in names]


def _lines(graph: Graph, chosen: Mask) -> NDArray:
    return np.asarray(shapely.linestrings(graph.exact[graph.segments[chosen]]))


def _kept(mesh: Mesh, changed: list[NDArray], new: Graph, drawing: Drawing) -> Mask:
    lines = np.concatenate(changed)
    if not len(lines):
        return np.ones(mesh.n_elements, dtype=bool)
    near = np.zeros(mesh.n_vertices, dtype=bool)
    found, _ = shapely.STRtree(lines).query(
        shapely.points(mesh.vertices), "dwithin", _CLEARANCE * drawing.element_size
    )
    near[found] = True
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    kept = ~near[mesh.triangles].any(axis=1)
    kept &= painted(middles, drawing, new.scale) == mesh.regions
    return _without_bent_cuts(mesh, kept)


def _without_bent_cuts(mesh: Mesh, kept: Mask) -> Mask:
    """Without the elements beyond an arc of one that goes: an arc is one line of both."""
    if mesh.face_curves is None:
        return kept
    arcs = mesh.triangles[:, FACE_VERTICES][mesh.face_curves >= 0]
    owner = np.nonzero(mesh.face_curves >= 0)[0]
    _, number = np.unique(edge_keys(arcs, mesh.n_vertices), return_inverse=True)
    lost = np.zeros(number.max() + 1, dtype=bool)
    lost[number[~kept[owner]]] = True
    kept = kept.copy()
    kept[owner[lost[number]]] = False
    return kept


@dataclass(frozen=True, eq=False)
class _Faces:
    """Each face of some elements once.

    Attributes
    ----------
    ends : (m, 2) vertices; inside : (m,) whether there is an element on both sides.
    outside_kept : (m,) whether the one on the other side is none of these elements.
    constrained : (m,) whether it is on the boundary, or separates regions, or is an arc.
    name, curve : (m,) of the mesh, -1 for none.
    """

    ends: NDArray[np.int32]
    inside: Mask
    outside_kept: Mask
    constrained: Mask
    name: Tags
    curve: Tags


def _faces_of(mesh: Mesh, chosen: Mask) -> _Faces:
    ends = mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)
    keys = edge_keys(ends, mesh.n_vertices)
    order = np.argsort(keys, kind="stable")
    twin = np.full(len(keys), -1)
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    twin[order[same]], twin[order[same + 1]] = order[same + 1], order[same]
    inside = twin >= 0
    taken = np.repeat(chosen, 3)
    beyond = inside & ~taken[twin]
    once = np.flatnonzero(taken & (~inside | beyond | (np.arange(len(keys)) < twin)))
    regions = np.repeat(mesh.regions, 3)
    curve = np.full(len(keys), -1, np.int32)
    if mesh.face_curves is not None:
        curve = mesh.face_curves.reshape(-1)
    border = ~inside | (regions != regions[twin]) | (curve >= 0)
    return _Faces(
        ends[once].astype(np.int32),
        inside[once],
        beyond[once],
        border[once],
        mesh.face_tags.reshape(-1)[once],
        curve[once],
    )


def _on_old_segments(
    mesh: Mesh, ends: NDArray[np.int32], held: Mask, old: Graph, gone: Mask, size: float
) -> Mask | None:
    """Which of the faces that are ``held`` lie on a segment that both drawings have; None where one
    lies on no segment."""
    middles = shapely.points(mesh.vertices[ends[held]].mean(axis=1))
    lines = _lines(old, np.ones(len(gone), dtype=bool))
    pairs, distance = shapely.STRtree(lines).query_nearest(
        middles, return_distance=True, all_matches=False
    )
    if len(distance) and distance.max() > _ON_SEGMENT * size:
        return None
    there = np.zeros(len(ends), dtype=bool)
    there[np.flatnonzero(held)[pairs[0]]] = ~gone[pairs[1]]
    return there


def _assembled(
    mesh: Mesh,
    kept: Mask,
    faces: _Faces,
    cut: Mask,
    stays: Mask,
    curve_of: Tags,
    new: Graph,
    fresh: Mask,
    drawing: Drawing,
) -> Cavity | None:
    of_mesh = np.concatenate([faces.ends[cut], faces.ends[stays]])
    corners = np.concatenate([mesh.vertices[of_mesh], new.exact[new.segments[fresh]]])
    points, numbers = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
    segments = numbers.reshape(-1, 2).astype(np.int32)
    vertex_of = np.full(len(points), -1)
    vertex_of[segments[: len(of_mesh)]] = of_mesh
    n_cut = int(np.count_nonzero(cut))
    unnamed = np.full(n_cut, BORDER, np.int32)
    outline = np.arange(len(segments)) < n_cut
    local = (points - new.center) / new.scale
    parts = shapely.get_parts(shapely.polygonize([shapely.multilinestrings(local[segments])]))
    inside = shapely.get_coordinates(shapely.point_on_surface(parts))
    places = inside * new.scale + new.center
    labels = painted(places, drawing, new.scale)
    empty = (labels < 0) | _within(mesh, kept, places)
    if empty.all():
        return None
    graph = replace(
        new,
        points=local,
        exact=points,
        segments=segments,
        names=np.concatenate([unnamed, faces.name[stays], new.names[fresh]]),
        curve_of=np.concatenate([unnamed, curve_of[stays], new.curve_of[fresh]]),
        seeds=inside[~empty],
        seed_regions=labels[~empty],
        voids=inside[empty],
    )
    return Cavity(kept, graph, vertex_of, outline)


def _within(mesh: Mesh, kept: Mask, points: Array) -> Mask:
    """Which points lie in an element that stays."""
    triangles = shapely.polygons(mesh.vertices[mesh.triangles[kept]])
    found, _ = shapely.STRtree(triangles).query(shapely.points(points), "within")
    inside = np.zeros(len(points), dtype=bool)
    inside[found] = True
    return inside
