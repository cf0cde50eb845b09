"""Ellipses in a scene become meshes whose faces lie on them, wherever they meet other lines."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.scene.model.shapes.test_arcs import area as star_area
from tests.scene.model.shapes.test_arcs import stars
from wavelab.app.edits.shape_edits import refusal
from wavelab.errors import SceneError
from wavelab.meshing.graph.crossings import with_crossings
from wavelab.meshing.graph.drawing import drawing_of
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.refine import refine
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.model.shapes.shape import MOST_TURN
from wavelab.scene.toml.toml_io import parse_scene

UNIT = Rectangle((0, 0), (1, 1))


def scene(outline=UNIT, holes=(), regions=(), size=0.2, curved=True):
    return Scene(
        "test",
        Solver(element_size=size, curved=curved),
        outline,
        holes=tuple(Hole(f"hole {i}", hole) for i, hole in enumerate(holes, 1)),
        materials=tuple(
            MaterialRegion(f"m{i}", Material(2.0), region) for i, region in enumerate(regions, 1)
        ),
    )


def meshed(mesher, drawn):
    answer = mesher(drawing_of(drawn))
    assert not answer.defect, answer.defect
    assert answer.error is None, answer.error
    return answer.mesh.checked(), answer.notices


def region_areas(mesh, order=7):
    """Area of each region, by the operators of an order."""
    d = discretize(mesh, order)
    areas = d.integrate(np.ones(d.shape))
    return [float(areas[d.mesh.regions == n].sum()) for n in range(len(mesh.region_names))]


def true_areas(drawn):
    """The same by polygons with very many sides."""
    domain = shapely.Polygon(drawn.outline.outline(1e-3)[0])
    for hole in drawn.holes:
        domain = domain.difference(shapely.Polygon(hole.shape.outline(1e-3)[0]))
    areas, rest = [], domain
    for region in reversed(drawn.materials):
        shape = shapely.Polygon(region.shape.outline(1e-3)[0])
        areas.insert(0, rest.intersection(shape).area)
        rest = rest.difference(shape)
    return [rest.area, *areas]


@pytest.mark.parametrize("size", [3.0, 0.5, 0.1])
def test_a_disk_has_its_area(mesher, size):
    mesh, notices = meshed(mesher, scene(Ellipse((0, 0), (1, 1)), size=size))
    assert region_areas(mesh)[0] == pytest.approx(math.pi, rel=1e-10)
    assert notices == ()
    assert mesh.face_curves is not None
    rim = mesh.face_tags >= 0
    assert ((mesh.face_curves >= 0) == rim).all()


@pytest.mark.parametrize(
    "drawn",
    [
        scene(holes=[Ellipse((0.5, 0.0), (0.3, 0.3)), Ellipse((0, 1), (0.5, 0.2), 20)]),
        scene(regions=[Ellipse((0.5, 0.5), (0.3, 0.2)), Ellipse((0.7, 0.5), (0.2, 0.3), 10)]),
        scene(Ellipse((0, 0), (1, 0.6), 30), regions=[Rectangle((-2, -2), (0.1, 2))]),
        scene(
            Polygon(((0, 0), (2, 0), (1, 1.5))),
            holes=[Ellipse((1, 0.6), (0.2, 0.2))],
            regions=[Ellipse((1, 0.6), (0.35, 0.35)), Ellipse((1, 0.6), (0.2, 0.2))],
        ),
    ],
)
def test_every_part_has_its_area_where_arcs_cross(mesher, drawn):
    mesh, _ = meshed(mesher, drawn)
    found = region_areas(mesh)
    assert found == pytest.approx(true_areas(drawn)[: len(found)], abs=2e-6)
    # A finer mesh by cutting elements keeps to the arcs.
    assert region_areas(refine(mesh), 4) == pytest.approx(found, abs=1e-7)


def test_both_sides_of_a_border_are_bent_alike(mesher):
    mesh, _ = meshed(mesher, scene(regions=[Ellipse((0.5, 0.5), (0.3, 0.2), 15)]))
    d = discretize(mesh, 5)
    faces = np.argwhere(d.mesh.face_curves >= 0)
    for element, face in faces:
        c = d.connectivity
        other, at = c.neighbor_element[element, face], c.neighbor_face[element, face]
        assert d.mesh.face_curves[other, at] >= 0
        assert d.mesh.regions[other] != d.mesh.regions[element]


def test_polygons_if_the_scene_says_so(mesher):
    mesh, _ = meshed(mesher, scene(Ellipse((0, 0), (1, 1)), curved=False))
    assert mesh.face_curves is None
    assert region_areas(mesh)[0] < math.pi - 0.01


def test_no_face_without_a_curve_is_bent(mesher):
    mesh, _ = meshed(mesher, scene())
    assert mesh.face_curves is None
    # The corners of this square lie on the circle, its sides do not.
    half = math.sqrt(0.5)
    square = Rectangle((-half, -half), (half, half))
    drawn = scene(Ellipse((0, 0), (1, 1)), regions=[square], size=0.3)
    mesh, _ = meshed(mesher, drawn)
    assert region_areas(mesh) == pytest.approx([math.pi - 2, 2], abs=1e-8)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.tuples(st.floats(0.02, 0.3), st.floats(0.02, 0.3)),
    st.floats(0.02, 0.5),
    st.floats(0.31, 0.69),
    st.sampled_from([0.3, 0.1]),
)
@example((0.1015625, 0.24), 0.0764, 0.25, 0.3)
def test_a_bite_out_of_a_wall_has_its_area(mesher, radii, depth, y, size):
    """Also where the arc comes over the wall between two vertices that lie outside."""
    a, b = radii
    hole = Ellipse((1 + a * (1 - depth), y), radii)
    mesh, notices = meshed(mesher, scene(holes=[hole], size=size))
    half = math.acos(1 - depth)
    bite = a * b * (half - math.sin(half) * math.cos(half))
    if not notices:
        assert sum(region_areas(mesh, 6)) == pytest.approx(1 - bite, abs=1e-6)


shapes = st.builds(
    Ellipse,
    st.tuples(st.floats(-0.2, 1.2), st.floats(-0.2, 1.2)),
    st.tuples(st.floats(0.05, 0.7), st.floats(0.05, 0.7)),
    st.floats(-90, 90),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(shapes, min_size=1, max_size=2), st.lists(shapes, max_size=2))
def test_any_ellipses_make_a_mesh_that_a_method_can_run_on(mesher, holes, regions):
    """And one of the right area, unless an arc had to stay a chord."""
    drawn = scene(holes=holes, regions=regions, size=0.3)
    answer = mesher(drawing_of(drawn))
    assert not answer.defect, answer.defect
    if answer.error is not None:
        assert "nothing of the domain" in str(answer.error)
        return
    found = region_areas(answer.mesh.checked(), 6)
    if not any("straight faces" in notice for notice in answer.notices):
        assert sum(found) == pytest.approx(sum(true_areas(drawn)), abs=2e-5)


@pytest.mark.parametrize("radii", [(1, 1), (2, 0.3), (1, 0.05)])
@pytest.mark.parametrize("size", [np.inf, 0.3, 0.05])
def test_the_polygon_in_an_ellipse_follows_its_bends(radii, size):
    points, names = Ellipse((0, 0), radii, 10).outline(size)
    sides = np.roll(points, -1, axis=0) - points
    assert len(names) == len(points)
    assert np.hypot(*sides.T).max() < size
    turn = np.degrees(np.unwrap(np.arctan2(sides[:, 1], sides[:, 0])))
    # Between tangents it is at most that; between sides, somewhat more.
    assert np.diff(turn).max() < 1.3 * MOST_TURN


def test_vertices_slide_to_crossings():
    drawing = drawing_of(scene(holes=[Ellipse((0.5, 0.0), (0.3, 0.3))]))
    rings = with_crossings([drawing.outline, *drawing.holes])
    assert len(rings[1].points) == len(drawing.holes[0].points)
    for x in (0.2, 0.8):
        assert np.linalg.norm(rings[1].points - (x, 0), axis=1).min() < 1e-12


def test_ears_on_an_arc_do_not_occur(mesher):
    """An element with two faces on one smooth arc would have an angle of 180 degrees."""
    for radii in ((1, 1), (1, 0.3), (1, 0.1)):
        for size in (3, 0.7, 0.2):
            mesh, _ = meshed(mesher, scene(Ellipse((0, 0), radii), size=size))
            assert (mesh.face_curves >= 0).sum(axis=1).max() == 1
            assert ((mesh.face_curves >= 0) == (mesh.face_tags >= 0)).all()


def test_polygons_have_arcs_where_they_bulge(mesher):
    """Half circles to the outside and to the inside, in either direction of the vertices."""
    square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    for vertices, bulges in (
        (square, (0, 1, 0, -0.5)),
        (square[::-1], (0, 0.5, 0, -1)),
    ):
        shape = Polygon(vertices, bulges)
        # A bulge b over a chord c: a circular segment of the radius c (1 + b^2) / (4 b).
        turn, radius = 4 * math.atan(0.5), 2 * 1.25 / 2
        expected = 4 + math.pi / 2 - radius**2 * (turn - math.sin(turn)) / 2
        mesh, _ = meshed(mesher, scene(shape, size=0.3))
        assert region_areas(mesh)[0] == pytest.approx(expected, rel=1e-9)
        assert {name for name in mesh.face_names} == {f"domain.{i}" for i in range(4)}
        round_edge = mesh.face_names.index("domain.1")
        assert (mesh.face_curves[mesh.face_tags == round_edge] >= 0).all()
        (x0, y0), (x1, y1) = shape.bounds()
        assert (x1 - x0, y0, y1) == (3, -1, 1)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(stars())
def test_any_polygon_with_arcs_that_the_window_accepts_has_its_area(mesher, shape):
    """Unless an arc had to stay a chord; one that it refuses is never meshed in silence."""
    drawn = scene(shape, size=0.4)
    refused = refusal(drawn, ("outline",), shape)
    answer = mesher(drawing_of(drawn))
    assert not answer.defect, answer.defect
    if answer.error is not None:
        assert refused is not None, answer.error
        return
    found = region_areas(answer.mesh.checked())[0]
    if refused is None and not any("straight faces" in notice for notice in answer.notices):
        assert found == pytest.approx(abs(star_area(shape)), rel=1e-6)


def test_a_lens_of_two_arcs(mesher):
    lens = Polygon(((0.5, 0.2), (0.5, 0.8)), (0.3, 0.3))
    mesh, _ = meshed(mesher, scene(regions=[lens], size=0.1))
    turn, radius = 4 * math.atan(0.3), 0.6 * 1.09 / 1.2
    segment = radius**2 * (turn - math.sin(turn)) / 2
    assert region_areas(mesh) == pytest.approx([1 - 2 * segment, 2 * segment], rel=1e-9)


@pytest.mark.parametrize(
    ("bulges", "complaint"),
    [
        ("[1, 0]", "2 bulges and 3 vertices"),
        ("[1e-5, 0, 0]", "bulge 0 of the domain is 1e-05"),
        ("[0, 50, 0]", "bulge 1"),
    ],
)
def test_bulges_that_make_no_arc_are_refused(bulges, complaint):
    with pytest.raises(SceneError, match=complaint):
        parse_scene(f"""
            title = "test"
            [domain]
            shape = "polygon"
            vertices = [[0, 0], [1, 0], [0, 1]]
            bulges = {bulges}
            [solver]
            element_size = 0.1
        """)
