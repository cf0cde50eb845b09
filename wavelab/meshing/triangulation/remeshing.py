"""A mesh for a drawing that differs a little from that of a mesh which is there: all elements stay
that are clear of what has changed.  Runs Triangle: only for the child process of a mesh job.

While something is dragged this is sooner there than a whole mesh, and the field of the elements
that stay is theirs already.
"""

from __future__ import annotations

import math
import pickle
import warnings

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import WavelabError
from wavelab.meshing.graph.drawing import Drawing
from wavelab.meshing.graph.faces import face_tags
from wavelab.meshing.graph.graph import Graph, build_graph
from wavelab.meshing.graph.origins import BORDER
from wavelab.meshing.graph.subdivision import subdivided
from wavelab.meshing.triangulation.bending import bent
from wavelab.meshing.triangulation.cavity import Cavity, find_cavity
from wavelab.meshing.triangulation.mesher import covers, decoded, triangulated
from wavelab.meshing.triangulation.running import Running
from wavelab.meshing.triangulation.smoothing import signed_inradii
from wavelab.meshing.triangulation.triangulate import Triangulation
from wavelab.numerics.mesh.curves import Curve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys

#: Elements are good enough if the smallest new one has this part of the inradius that was asked
#: for, or of that of the smallest old one; those between corners of the drawing do not count.
_ENOUGH, _NO_WORSE = 0.4, 0.9


def remeshed(drawing: Drawing, running: Running) -> Mesh | None:
    """A mesh for the drawing, with as many elements of the other as can stay.

    None where that is not simple, or not good: the same names, element size and glued edges are
    asked for, a change of less than half of the elements, and new ones that are not much smaller
    than the others.

    Raises
    ------
    GeometryError : the drawing is no domain.
    """
    old, mesh = running.drawing, running.mesh
    if _frame(old) != _frame(drawing):
        return None
    before = _known.get(old)
    if before is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # said when it was made
            before = _cut(old)
    whole = _cut(drawing)
    _known.put(drawing, whole)
    cavity = find_cavity(mesh, before, whole, drawing)
    if cavity is None:
        return None
    edge = drawing.element_size / whole.scale
    try:
        made = triangulated(cavity.graph, edge, split_boundary=False, around=whole)
    except WavelabError:
        return None
    ideal = edge / (2 * math.sqrt(3))
    if not _is_filled(made, cavity) or _smallest(made, cavity) < min(
        _ENOUGH * ideal, _NO_WORSE * float(mesh.inradii()[cavity.kept].min()) / whole.scale
    ):
        return None
    joined = _joined(mesh, cavity, made)
    if joined is None or not covers(joined.signed_areas().sum() / whole.scale**2, whole):
        return None
    return joined.checked()


def _cut(drawing: Drawing) -> Graph:
    return subdivided(build_graph(drawing), drawing)


class _Newest:
    """The graph of the last drawing, from which the next one mostly starts."""

    def __init__(self) -> None:
        self._key, self._graph = b"", None  # type: tuple[bytes, Graph | None]

    def put(self, drawing: Drawing, graph: Graph) -> None:
        self._key, self._graph = pickle.dumps(drawing), graph

    def get(self, drawing: Drawing) -> Graph | None:
        return self._graph if pickle.dumps(drawing) == self._key else None


_known = _Newest()


def _frame(drawing: Drawing) -> tuple:
    return drawing.element_size, drawing.region_names, drawing.face_names, drawing.periodic


def _smallest(made: Triangulation, cavity: Cavity) -> float:
    """Inradius of the smallest element of those whose size is not the drawing's own: a gap that
    is narrow has small ones in every mesh."""
    drawn = np.zeros(len(made.points), dtype=bool)
    drawn[made.segments] = True
    drawn[cavity.graph.segments[cavity.outline]] = False
    chosen = made.triangles[~drawn[made.triangles].all(axis=1)]
    return float(signed_inradii(made.points[chosen]).min(initial=np.inf))


def _is_filled(made: Triangulation, cavity: Cavity) -> bool:
    """Whether every face of the elements that stay has got its neighbour, uncut."""
    graph, n = cavity.graph, len(made.points)
    if not np.array_equal(made.points[: len(graph.points)], graph.points):
        return False
    faces, counts = np.unique(
        edge_keys(made.triangles[:, FACE_VERTICES].reshape(-1, 2), n), return_counts=True
    )
    wanted = edge_keys(graph.segments[cavity.outline], n)
    return bool(np.isin(wanted, faces[counts == 1]).all())


def _joined(mesh: Mesh, cavity: Cavity, made: Triangulation) -> Mesh | None:
    """Both as one mesh; None where an arc could not be kept."""
    graph, kept = cavity.graph, cavity.kept
    vertices = made.points * graph.scale + graph.center
    vertices[: len(graph.exact)] = graph.exact
    names, curve_of = decoded(made.labels, graph)
    named = names != BORDER
    tags, _ = face_tags(made.triangles, made.segments[named], names[named], most_sides=1)
    vertices, arcs = bent(vertices, made, graph.curves, curve_of)
    # Those that were there stay where they were, to the last digit.
    there = np.flatnonzero(cavity.vertex_of >= 0)
    vertices[there] = graph.exact[there]

    used = np.unique(mesh.triangles[kept])
    number = np.full(mesh.n_vertices, -1, np.int32)
    number[used] = np.arange(len(used))
    mine = np.full(len(vertices), -1, np.int32)
    mine[there] = number[cavity.vertex_of[there]]
    others = np.flatnonzero(mine < 0)
    mine[others] = len(used) + np.arange(len(others))
    curves = _curves(mesh, cavity, graph, arcs, len(made.triangles))
    return Mesh(
        vertices=np.concatenate([mesh.vertices[used], vertices[others]]),
        triangles=np.concatenate([number[mesh.triangles[kept]], mine[made.triangles]]),
        regions=np.concatenate([mesh.regions[kept], made.regions]),
        region_names=mesh.region_names,
        face_tags=np.concatenate([mesh.face_tags[kept], tags]),
        face_names=mesh.face_names,
        curves=graph.curves if curves is not None else (),
        face_curves=curves,
    )


def _curves(
    mesh: Mesh, cavity: Cavity, graph: Graph, arcs: NDArray[np.int32] | None, n_made: int
) -> NDArray[np.int32] | None:
    """(n_elements,) the curve of each face in both parts, by its number in the graph."""
    if mesh.face_curves is None and arcs is None:
        return None
    here: dict[Curve, int] = {curve: i for i, curve in enumerate(graph.curves)}
    number = np.array([here.get(curve, -1) for curve in mesh.curves] + [-1], np.int32)
    before = mesh.face_curves
    if before is None:
        before = np.full(mesh.triangles.shape, -1, np.int32)
    if arcs is None:
        arcs = np.full((n_made, 3), -1, np.int32)
    return np.concatenate([number[before[cavity.kept]], arcs])
