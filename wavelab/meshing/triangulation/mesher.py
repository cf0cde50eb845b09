"""From a drawing to a mesh.  Runs Triangle: only for the child process of a mesh job."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import GeometryError, MeshError
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing
from wavelab.meshing.graph.faces import face_tags
from wavelab.meshing.graph.graph import Graph, build_graph
from wavelab.meshing.graph.notices import TINY, notice
from wavelab.meshing.graph.origins import BORDER
from wavelab.meshing.graph.subdivision import subdivided
from wavelab.meshing.triangulation.bending import bent
from wavelab.meshing.triangulation.estimate import Estimate, estimate
from wavelab.meshing.triangulation.lattice import lattice_points
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.triangulation.smoothing import (
    FEW_SWEEPS,
    SWEEPS,
    signed_inradii,
    smooth,
)
from wavelab.meshing.triangulation.triangulate import Triangulation, triangulate
from wavelab.numerics.mesh.mesh import Mesh

#: An element this much smaller than asked for is worth a word: it sets the time step.
_TINY = 1 / 20

#: An inradius of this part of the equilateral one needs no smoothing.
_GOOD = 0.95

#: Relative difference allowed between the area of the polygon and that of its triangles.
_AREA_TOLERANCE = 1e-9


def mesh_drawing(drawing: Drawing | PlanarDrawing, limits: MeshLimits | None = None) -> Mesh:
    """Triangles for a drawing.

    Raises
    ------
    GeometryError : the drawing is no domain, or takes more elements than the limit.
    MeshError : the triangles do not cover the domain.
    """
    limits = limits or MeshLimits()
    graph = build_graph(drawing)
    expected = estimate(graph, drawing.element_size)
    _check_count(expected, drawing, limits)
    edge = drawing.element_size / graph.scale
    graph = subdivided(graph, drawing)
    made = triangulated(graph, edge, split_boundary=not drawing.periodic)
    _check_area(made, graph)
    _check_count(replace(expected, even=len(made.triangles), thin=0), drawing, limits)

    vertices = made.points * graph.scale + graph.center
    # Triangle keeps the given points, first and in their order: they get their given digits back.
    assert np.array_equal(made.points[: len(graph.points)], graph.points)
    vertices[: len(graph.exact)] = graph.exact
    names, curve_of = decoded(made.labels, graph)
    named = names != BORDER
    tags, _ = face_tags(made.triangles, made.segments[named], names[named], most_sides=1)
    vertices, face_curves = bent(vertices, made, graph.curves, curve_of)
    mesh = Mesh(
        vertices=vertices,
        triangles=made.triangles,
        regions=made.regions,
        region_names=drawing.region_names,
        face_tags=tags,
        face_names=drawing.face_names,
        curves=graph.curves if face_curves is not None else (),
        face_curves=face_curves,
    ).checked()
    _report_tiny(mesh, drawing.element_size)
    return mesh


def triangulated(
    graph: Graph, edge: float, *, split_boundary: bool, around: Graph | None = None
) -> Triangulation:
    """Triangulate, smooth, make it Delaunay again and smooth again; the best of both.

    Parameters
    ----------
    around : the graph of the whole domain, where ``graph`` is that of a part; this is smoothed
        once, and less.
    """
    frame = (graph.seeds, graph.seed_regions, graph.voids)
    made = triangulate(
        np.concatenate([graph.points, lattice_points(graph, edge, around or graph)]),
        graph.segments,
        _encoded(graph),
        *frame,
        edge=edge,
        split_boundary=split_boundary,
    )
    if len(made.triangles) == 0:
        return made
    if around is not None:  # which is to be there soon
        return _smoothed(made, edge, FEW_SWEEPS)
    first = _smoothed(made, edge)
    second = triangulate(first.points, first.segments, first.labels, *frame)
    if len(second.points) != len(first.points):
        return first
    second = _smoothed(second, edge)
    return max(first, second, key=_smallest)


def _encoded(graph: Graph) -> NDArray[np.int32]:
    """One label per segment for Triangle to hand on, from name and curve."""
    return (graph.names - BORDER) * np.int32(len(graph.curves) + 1) + graph.curve_of + np.int32(1)


def decoded(labels: NDArray[np.int32], graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Name and curve again."""
    names, curves = np.divmod(labels, len(graph.curves) + 1)
    return (names + BORDER).astype(np.int32), (curves - 1).astype(np.int32)


def _smoothed(made: Triangulation, edge: float, sweeps: int = SWEEPS) -> Triangulation:
    fixed = np.zeros(len(made.points), dtype=bool)
    fixed[made.segments] = True
    good = _GOOD * edge / (2 * math.sqrt(3))
    return replace(made, points=smooth(made.points, made.triangles, fixed, good, sweeps))


def _smallest(made: Triangulation) -> float:
    return float(signed_inradii(made.points[made.triangles]).min())


def covers(area: float, graph: Graph) -> bool:
    """Whether triangles of this area in the unit frame fill the domain."""
    wanted = float(graph.areas.sum())
    return abs(area - wanted) <= _AREA_TOLERANCE * wanted


def _check_area(made: Triangulation, graph: Graph) -> None:
    wanted = float(graph.areas.sum())
    area = 0.5 * float(np.sum(made.doubled_areas(made.points)))
    if not covers(area, graph):
        unit = graph.scale**2
        raise MeshError(
            f"the triangles cover an area of {area * unit:.9g}, the domain {wanted * unit:.9g}",
            remedy="Move vertices apart that nearly touch.",
        )


def _check_count(expected: Estimate, drawing: Drawing | PlanarDrawing, limits: MeshLimits) -> None:
    if expected.total <= limits.max_elements:
        return
    rounded = float(f"{expected.total:.2g}")
    count = f"{rounded:,.0f}" if rounded < 1e12 else f"{rounded:.2g}"
    too_many = f"{count} elements, more than {limits.max_elements:,}"
    if expected.thin > expected.even:
        x, y = expected.where
        raise GeometryError(
            f"the domain, or a material, is so thin near ({x:.6g}, {y:.6g}) that it takes about "
            + too_many,
            remedy="Widen it there, or leave it out.",
        )
    size = drawing.element_size
    enough = size * math.sqrt(expected.total / limits.max_elements)
    raise GeometryError(
        f"an element size of {size:.3g} makes about {too_many}",
        remedy=f"Choose an element size of {_rounded_up(enough):g} or more.",
    )


def _rounded_up(value: float) -> float:
    """The next number with two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


def _report_tiny(mesh: Mesh, element_size: float) -> None:
    inradii: Array = mesh.inradii()
    worst = int(np.argmin(inradii))
    # No element of a domain smaller than the element size can be as large as asked for.
    expected = min(element_size, float(np.ptp(mesh.vertices, axis=0).max()))
    share = float(inradii[worst]) / (expected / (2 * math.sqrt(3)))
    if share < _TINY:
        x, y = mesh.vertices[mesh.triangles[worst]].mean(axis=0)
        notice(
            f"the element at ({x:.6g}, {y:.6g}) is {1 / share:.0f} {TINY}, and so is the time "
            "step; look for an edge or a gap there that is too small"
        )
