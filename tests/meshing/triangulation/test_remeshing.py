"""Meshes made around what has moved: all else stays, and nothing is worse than before."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.meshing.graph.drawing import drawing_of
from wavelab.meshing.job import MeshJob, mesh_scene
from wavelab.meshing.meshing_child import KeptChild
from wavelab.meshing.triangulation.mesher import mesh_drawing
from wavelab.meshing.triangulation.remeshing import remeshed
from wavelab.meshing.triangulation.running import Running
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.walls.walls import periodic_pairs
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Rectangle, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Shape
from wavelab.scene.walls import PeriodicWall

SCENE = Scene(
    "moved",
    Solver(0.08),
    outline=Rectangle((0, 0), (2, 1)),
    holes=(Hole("fixed", Ellipse((1.5, 0.5), (0.2, 0.25))),),
    materials=(MaterialRegion("glass", Material(2.0), Ellipse((1.0, 0.5), (0.15, 0.2))),),
)


def with_hole(shape: Shape, scene: Scene = SCENE) -> Scene:
    return replace(scene, holes=(*scene.holes, Hole("moved", shape)))


def block(x: float, y: float) -> Shape:
    return Polygon(((x, y), (x + 0.22, y + 0.02), (x + 0.15, y + 0.24), (x - 0.03, y + 0.2)))


def made(scene: Scene) -> Running:
    drawing = drawing_of(scene)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Running(drawing, mesh_drawing(drawing))


def areas(mesh: Mesh, scene: Scene) -> list[float]:
    """Of the whole and of each region, with their arcs."""
    d = discretize(mesh, 4, periodic_pairs(scene))
    of_element = d.integrate(np.ones(d.shape))
    return [of_element[d.mesh.regions == r].sum() for r in range(len(mesh.region_names))]


def edges(mesh: Mesh) -> dict[str, float]:
    """Length of all faces with each name."""
    ends = mesh.vertices[mesh.triangles]
    lengths = np.linalg.norm(np.roll(ends, -1, axis=1) - ends, axis=2)
    return {
        name: float(lengths[mesh.face_tags == i].sum()) for i, name in enumerate(mesh.face_names)
    }


def shared(one: Mesh, other: Mesh) -> int:
    corners = [{c.tobytes() for c in m.vertices[m.triangles]} for m in (one, other)]
    return len(corners[0] & corners[1])


@settings(max_examples=12, deadline=None)
@given(st.floats(0.08, 0.4), st.floats(0.06, 0.68), st.floats(-0.1, 0.1), st.floats(-0.1, 0.1))
def test_a_moved_obstacle_leaves_the_rest_of_the_mesh_alone(x, y, dx, dy):
    before, after = (with_hole(block(*at)) for at in ((x, y), (x + dx / 2, y + dy / 2)))
    running = made(before)
    mesh = remeshed(drawing_of(after), running)
    if mesh is None:  # too close to a wall for it
        return
    whole = made(after).mesh
    np.testing.assert_allclose(areas(mesh, after), areas(whole, after), rtol=1e-9)
    assert edges(mesh) == pytest.approx(edges(whole), rel=2e-3)
    if shared(mesh, running.mesh) < mesh.n_elements:  # it has moved
        assert shared(mesh, running.mesh) > 0.5 * mesh.n_elements
    tagged, bounds = mesh.face_tags >= 0, discretize(mesh, 1).connectivity.is_boundary
    assert np.count_nonzero(tagged) == np.count_nonzero(bounds)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(Ellipse((0.4, 0.5), (0.2, 0.1)), Ellipse((0.45, 0.5), (0.2, 0.1)), id="arcs"),
        pytest.param(
            Rectangle((0.3, 0.3), (0.5, 0.7)), Rectangle((0.3, 0.3), (0.6, 0.7)), id="size"
        ),
        pytest.param(Rectangle((0.3, -1), (0.4, 0.3)), Rectangle((0.3, -1), (0.4, 0.4)), id="wall"),
    ],
)
def test_obstacles_of_any_kind(before, after):
    running = made(with_hole(before))
    mesh = remeshed(drawing_of(with_hole(after)), running)
    assert mesh is not None
    whole = made(with_hole(after)).mesh
    np.testing.assert_allclose(areas(mesh, SCENE), areas(whole, SCENE), rtol=1e-9)
    assert edges(mesh) == pytest.approx(edges(whole), rel=2e-3)
    # Elements that an arc bends are as bent, and none is much smaller.
    assert mesh.inradii().min() > 0.4 * whole.inradii().min()
    assert shared(mesh, running.mesh) > 0.7 * mesh.n_elements


@pytest.mark.parametrize("gap", [0.03, 0.01, 1e-3, 1e-4])
def test_a_narrow_gap_is_as_narrow_in_every_mesh(gap):
    """What is small between corners of the drawing is no reason to mesh all of it again."""
    running = made(with_hole(Rectangle((0.1, 0.3), (0.3, 0.7))))
    after = with_hole(Rectangle((gap, 0.3), (0.2 + gap, 0.7)))
    mesh = remeshed(drawing_of(after), running)
    assert mesh is not None
    whole = made(after).mesh
    assert mesh.inradii().min() > 0.9 * whole.inradii().min()
    np.testing.assert_allclose(areas(mesh, after), areas(whole, after), rtol=1e-9)


def test_media_and_edges_of_the_domain_move_too_and_glued_ones_stay_glued():
    glued = replace(
        SCENE, walls=(PeriodicWall(("domain.left", "domain.right")),), holes=(), solver=Solver(0.1)
    )
    running = made(glued)
    (glass,) = glued.materials
    moved = replace(glued, materials=(replace(glass, shape=Ellipse((0.95, 0.45), (0.15, 0.2))),))
    mesh = remeshed(drawing_of(moved), running)
    assert mesh is not None
    np.testing.assert_allclose(areas(mesh, moved), areas(made(moved).mesh, moved), rtol=1e-9)
    step = with_hole(Rectangle((-1, 0.4), (0.2, 0.6)), glued)
    step = with_hole(Rectangle((1.8, 0.4), (3, 0.6)), step)
    wider = with_hole(Rectangle((-1, 0.4), (0.2, 0.7)), glued)
    wider = with_hole(Rectangle((1.8, 0.4), (3, 0.7)), wider)
    assert remeshed(drawing_of(wider), made(step)) is None, "glued edges are cut as a whole"
    plain = replace(SCENE, outline=Polygon(((0, 0), (2, 0), (2, 1), (0, 1))))
    longer = replace(plain, outline=Polygon(((0, 0), (2, 0), (2.1, 1), (0, 1))))
    mesh = remeshed(drawing_of(longer), running := made(plain))
    assert mesh is not None
    np.testing.assert_allclose(areas(mesh, longer), areas(made(longer).mesh, longer), rtol=1e-9)
    assert shared(mesh, running.mesh) > 0.5 * mesh.n_elements


def test_it_is_left_to_the_whole_mesh_where_it_is_not_simple():
    running = made(with_hole(block(0.3, 0.3)))
    far = with_hole(block(0.3, 0.3), replace(SCENE, solver=Solver(0.05)))
    assert remeshed(drawing_of(far), running) is None, "another element size"
    assert remeshed(drawing_of(SCENE), running) is None, "other names"
    kept = KeptChild()
    scene = with_hole(block(0.32, 0.3))
    job = MeshJob(scene, kept=kept, running=(with_hole(block(0.3, 0.3)), running.mesh))
    assert shared(job.start().wait(), running.mesh) > 500
    other = MeshJob(far, kept=kept, running=(scene, running.mesh)).start().wait()
    np.testing.assert_array_equal(other.vertices, mesh_scene(far).vertices)
    kept.close()
