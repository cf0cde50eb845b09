"""From chords to arcs: vertices onto their curves, and which faces are bent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.meshing.graph.faces import face_tags
from wavelab.meshing.graph.notices import notice
from wavelab.meshing.triangulation.triangulate import Triangulation
from wavelab.numerics.elements.reference_element import reference_element
from wavelab.numerics.mesh.curved_map import curved_map, too_bent
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh

Tags = NDArray[np.int32]

#: A vertex this close to its curve, in parts of the length of its face, is on it.
_ON_CURVE = 1e-9
#: An element may lose area down to this part when a vertex is moved onto its curve.
_LEAST_AREA = 0.3
#: The bend is judged at the nodes of this order, with some margin to what is refused later.
_JUDGED_ORDER, _LEAST_DETERMINANT = 6, 0.2


def bent(
    vertices: Array, made: Triangulation, curves: tuple[EllipseCurve, ...], curve_of: Tags
) -> tuple[Array, Tags | None]:
    """Vertices on their curves, and the curve of each face, -1 for straight ones.

    Faces that would fold their element over, or that do not end on their curve, stay straight.

    Parameters
    ----------
    vertices : (n, 2) in scene units.
    curve_of : (m,) index into ``curves`` of each segment that was triangulated, or -1.

    Returns
    -------
    vertices, and (k, 3) or None if no face is bent.

    Warns
    -----
    MeshWarning : where faces stay straight.
    """
    chords = curve_of >= 0
    if not chords.any():
        return vertices, None
    vertices = _on_curves(vertices, made, curves, curve_of)
    tags, _ = face_tags(made.triangles, made.segments[chords], curve_of[chords], most_sides=2)
    wanted = tags >= 0
    tags = _straightened(vertices, made.triangles, tags, curves)
    lost = wanted & (tags < 0)
    if lost.any():
        element = int(np.flatnonzero(lost.any(axis=1))[0])
        x, y = vertices[made.triangles[element]].mean(axis=0)
        count = int(np.count_nonzero(lost.any(axis=1)))
        what = "1 element" if count == 1 else f"{count} elements"
        notice(
            f"straight faces are left to {what} at curved walls or borders, near "
            f"({x:.6g}, {y:.6g}), since an arc would fold over there; smaller elements follow the "
            "curve"
        )
    return vertices, tags if (tags >= 0).any() else None


def _on_curves(
    vertices: Array, made: Triangulation, curves: tuple[EllipseCurve, ...], curve_of: Tags
) -> Array:
    """Vertices that were put on chords moved onto the curve, where no other line holds them."""
    moved = vertices.copy()
    others = np.zeros(len(vertices), dtype=np.int64)
    for number in (-1, *range(len(curves))):
        others[np.unique(made.segments[curve_of == number])] += 1
    for number, curve in enumerate(curves):
        mine = np.unique(made.segments[curve_of == number])
        free = mine[others[mine] == 1]
        moved[free] = curve.projected(vertices[free])
    # Where there is no room for it, they stay; their neighbours may then have none either.
    enough = _LEAST_AREA * made.doubled_areas(vertices)
    while (turned := made.doubled_areas(moved) < enough).any():
        kept = np.unique(made.triangles[turned])
        moved[kept] = vertices[kept]
    return moved


def _straightened(
    vertices: Array,
    triangles: NDArray[np.int32],
    tags: Tags,
    curves: tuple[EllipseCurve, ...],
) -> Tags:
    """The curve of each face, without those that cannot be bent."""
    tags = tags.copy()
    for number, curve in enumerate(curves):
        element, face = np.nonzero(tags == number)
        ends = vertices[triangles[element[:, None], FACE_VERTICES[face]]]
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        off = curve.distances(ends).max(axis=1) > _ON_CURVE * length
        tags[element[off], face[off]] = -1
    reference = reference_element(_JUDGED_ORDER)
    while True:
        mesh = Mesh(
            vertices, triangles, np.zeros(len(triangles), np.int32), (), tags, (), curves, tags
        )
        elements = np.flatnonzero(mesh.has_curved_face())
        mapping = curved_map(mesh, elements, _JUDGED_ORDER)
        wrong = elements[too_bent(mapping, reference.r, reference.s, _LEAST_DETERMINANT)]
        if not len(wrong):
            return tags
        # The element on the other side must have the same straight face.
        bad = np.zeros(tags.shape, dtype=bool)
        bad[wrong] = tags[wrong] >= 0
        lines = triangles[:, FACE_VERTICES][bad].astype(np.int32)
        shared, _ = face_tags(triangles, lines, np.zeros(len(lines), np.int32), most_sides=2)
        tags[shared == 0] = -1
