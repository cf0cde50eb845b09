"""Four for one: same area, same angles, same names."""

import numpy as np
import pytest

from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.refine import refine


def two_regions() -> Mesh:
    vertices = np.array([[0, 0], [1, 0], [1.2, 0.9], [-0.1, 1]])
    return Mesh(
        vertices,
        np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        np.array([0, 1], np.int32),
        ("background", "glass"),
        np.array([[0, 1, -1], [-1, 2, 3]], np.int32),
        ("bottom", "right", "top", "left"),
    )


@pytest.mark.parametrize(
    ("top", "quality"),
    [((0.5, 3**0.5 / 2), 1.0), ((0.0, 1.0), 3**0.5 / 2), ((0.5, 1e-3), 2 * 3**0.5 * 1e-3 / 1.5)],
)
def test_the_quality_of_a_triangle(top, quality):
    for size in (1.0, 1e-6):
        corners = size * np.array([(0, 0), (1, 0), top])
        mesh = Mesh.plain(corners, np.array([[0, 1, 2]]))
        assert mesh.qualities() == pytest.approx([quality], rel=1e-5)


def test_children_fill_their_parents_with_the_same_shape():
    mesh = two_regions().checked()
    fine = refine(mesh).checked()
    assert fine.n_elements == 8
    np.testing.assert_allclose(
        fine.signed_areas().reshape(2, 4), np.repeat(mesh.signed_areas()[:, None] / 4, 4, axis=1)
    )
    np.testing.assert_allclose(fine.inradii(), np.repeat(mesh.inradii() / 2, 4))
    np.testing.assert_array_equal(fine.regions, [0] * 4 + [1] * 4)


def test_edge_names_stay_on_their_edges():
    fine = refine(refine(two_regions()))
    ends = fine.vertices[fine.triangles[:, FACE_VERTICES]]
    corners = two_regions().vertices
    parents = {0: corners[[0, 1]], 1: corners[[1, 2]], 2: corners[[2, 3]], 3: corners[[3, 0]]}
    for tag, (a, b) in parents.items():
        edges = ends[fine.face_tags == tag]
        assert len(edges) == 4
        along = b - a
        off = (edges - a) @ np.array([-along[1], along[0]])
        np.testing.assert_allclose(off, 0, atol=1e-14)
        lengths = np.linalg.norm(edges[:, 0] - edges[:, 1], axis=1)
        np.testing.assert_allclose(lengths.sum(), np.linalg.norm(along))
    # Every face that has no twin carries a name.
    keys = np.sort(fine.triangles[:, FACE_VERTICES], axis=2).reshape(-1, 2)
    _, inverse, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    lonely = (counts[inverse.ravel()] == 1).reshape(-1, 3)
    np.testing.assert_array_equal(lonely, fine.face_tags >= 0)
