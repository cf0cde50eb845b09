"""Triangulation of drawings, by way of one child process."""

import math
import re

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from wavelab.errors import GeometryError
from wavelab.meshing.graph.drawing import drawing_of
from wavelab.meshing.graph.graph import build_graph
from wavelab.meshing.graph.polygons import distinct_vertices
from wavelab.meshing.triangulation.estimate import estimate
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.connectivity import connect, face_selection
from wavelab.scene.model.scene import (
    Hole,
    Material,
    MaterialRegion,
    Rectangle,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Polygon
from wavelab.scene.walls import PeriodicWall

UNIT = Rectangle((0.0, 0.0), (1.0, 1.0))
quick = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def scene(outline=UNIT, *, size=0.2, holes=(), materials=(), walls=()):
    return Scene(
        "test",
        Solver(size),
        outline=outline,
        holes=tuple(Hole(f"hole {i}", shape) for i, shape in enumerate(holes, start=1)),
        materials=tuple(
            MaterialRegion(f"glass {i}", Material(2.0), shape)
            for i, shape in enumerate(materials, start=1)
        ),
        walls=walls,
    )


def good(answer):
    """The mesh of an answer, with what must hold of every mesh."""
    assert answer.error is None
    assert not answer.defect
    mesh = answer.mesh
    mesh.checked()
    tagged = np.zeros(mesh.face_tags.shape, dtype=bool)
    edges, counts = np.unique(np.sort(faces(mesh), axis=1), axis=0, return_counts=True)
    rim = {tuple(edge) for edge in edges[counts == 1].tolist()}
    tagged = np.array([tuple(sorted(edge)) in rim for edge in faces(mesh).tolist()])
    assert (tagged == (mesh.face_tags.ravel() >= 0)).all()
    return mesh


def faces(mesh):
    return mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)


def region_areas(mesh):
    return np.bincount(mesh.regions, mesh.signed_areas(), minlength=len(mesh.region_names))


def named_lengths(mesh):
    """Length of the boundary under each name that has any."""
    ends = mesh.vertices[faces(mesh)]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    tags = mesh.face_tags.ravel()
    return {
        name: pytest.approx(lengths[tags == i].sum())
        for i, name in enumerate(mesh.face_names)
        if (tags == i).any()
    }


def test_a_square_has_its_four_walls_and_even_elements(mesher):
    mesh = good(mesher(drawing_of(scene(size=0.05))))
    assert mesh.region_names == ("background",)
    assert named_lengths(mesh) == dict.fromkeys(
        ("domain.bottom", "domain.right", "domain.top", "domain.left"), 1.0
    )
    ideal = 0.05 / (2 * math.sqrt(3))
    assert mesh.inradii().min() > 0.8 * ideal
    assert mesh.inradii().mean() == pytest.approx(ideal, rel=0.03)
    assert mesh.n_elements == pytest.approx(
        estimate(build_graph(drawing_of(scene(size=0.05))), 0.05).total, rel=0.1
    )
    # Given coordinates keep their digits, so that walls stay straight.
    assert {0.0, 1.0} <= set(mesh.vertices[:, 0]) & set(mesh.vertices[:, 1])


@pytest.mark.parametrize("scale", [1e-9, 1e5])
def test_nanometres_and_kilometres(mesher, scale):
    mesh = good(
        mesher(drawing_of(scene(Ellipse((3 * scale, 0.0), (scale, scale)), size=scale / 5)))
    )
    assert 150 < mesh.n_elements < 250
    assert mesh.signed_areas().sum() == pytest.approx(math.pi * scale**2, rel=0.01)


def test_a_hole_that_pokes_out_is_cut_off(mesher):
    mesh = good(mesher(drawing_of(scene(holes=[Rectangle((0.8, 0.4), (1.2, 0.6))]))))
    assert mesh.signed_areas().sum() == pytest.approx(0.96, rel=1e-12)
    assert mesh.vertices[:, 0].max() == 1.0
    assert named_lengths(mesh) == {
        "domain.bottom": 1.0,
        "domain.right": 0.8,
        "domain.top": 1.0,
        "domain.left": 1.0,
        "hole 1.bottom": 0.2,
        "hole 1.top": 0.2,
        "hole 1.left": 0.2,
    }


def test_holes_may_overlap_touch_and_share_edges(mesher):
    holes = [
        Rectangle((0.2, 0.2), (0.5, 0.5)),
        Rectangle((0.4, 0.4), (0.6, 0.6)),  # overlaps the first
        Rectangle((0.6, 0.2), (0.8, 0.4)),  # touches the second in a point
        Rectangle((0.0, 0.8), (0.3, 1.0)),  # shares a corner with the domain
        Rectangle((0.9, 1.0), (1.0, 1.2)),  # lies outside, along an edge
    ]
    mesh = good(mesher(drawing_of(scene(holes=holes))))
    assert mesh.signed_areas().sum() == pytest.approx(1 - 0.09 - 0.03 - 0.04 - 0.06)
    lengths = named_lengths(mesh)
    assert lengths["hole 1.top"] == 0.2
    assert lengths["hole 2.left"] == 0.1
    assert lengths["hole 3.left"] == 0.2
    assert lengths["domain.left"] == 0.8
    assert lengths["domain.top"] == 0.7
    assert "hole 4.left" not in lengths
    assert not any(name.startswith("hole 5") for name in lengths)


def test_a_hole_over_everything_is_refused(mesher):
    answer = mesher(drawing_of(scene(holes=[Rectangle((-1, -1), (2, 2))])))
    assert isinstance(answer.error, GeometryError)
    assert "leave nothing" in str(answer.error)


def test_a_domain_cut_in_two_keeps_both_parts(mesher):
    answer = mesher(drawing_of(scene(holes=[Rectangle((0.4, -1), (0.5, 2))])))
    assert good(answer).signed_areas().sum() == pytest.approx(0.9)


def test_borders_of_materials_are_borders_of_elements_and_the_later_holds(mesher):
    materials = [
        Rectangle((-1, -1), (0.5, 2)),  # pokes out of the domain
        Rectangle((0.3, 0.3), (0.7, 0.7)),
        Rectangle((2, 2), (3, 3)),
    ]
    answer = mesher(drawing_of(scene(materials=materials)))
    mesh = good(answer)
    assert mesh.region_names == ("background", "glass 1", "glass 2", "glass 3")
    assert region_areas(mesh) == pytest.approx([0.42, 0.42, 0.16, 0])
    assert answer.notices == ("material glass 3 covers no part of the domain",)


def test_a_material_does_not_fill_a_hole(mesher):
    square = Rectangle((0.25, 0.25), (0.75, 0.75))
    mesh = good(mesher(drawing_of(scene(holes=[square], materials=[Rectangle((0, 0), (1, 0.5))]))))
    assert region_areas(mesh) == pytest.approx([0.375, 0.375])


def test_vertices_that_nearly_meet_are_merged_and_reported(mesher):
    outline = Polygon(((0, 0), (1, 0), (1, 1e-9), (1, 1), (0.5, 1), (0, 1)))
    # Its corner is 1e-8 off the upper edge and 1e-9 off a vertex there.
    hole = Polygon(((0.5, 1 - 1e-9), (0.4, 0.8), (0.6, 0.8)))
    region = Rectangle((1e-8, 0), (0.3, 0.3))
    answer = mesher(drawing_of(scene(outline, holes=[hole], materials=[region])))
    mesh = good(answer)
    assert mesh.inradii().min() > 0.005
    assert region_areas(mesh) == pytest.approx([1 - 0.02 - 0.09, 0.09], abs=1e-6)
    assert any("merged" in notice and "(0.5, 1)" in notice for notice in answer.notices)


@pytest.mark.parametrize(
    "hole", [Ellipse((0.5, 0.5), (3e-7, 3e-7)), Rectangle((0.5, 0.5), (0.5000003, 0.5000003))]
)
def test_a_hole_that_is_merged_to_a_point_leaves_the_domain_as_it_is(mesher, hole):
    answer = mesher(drawing_of(scene(Rectangle((0, 0), (1, 1)), holes=[hole])))
    assert good(answer).signed_areas().sum() == pytest.approx(1)
    assert any("merged" in notice for notice in answer.notices)


def test_a_domain_far_from_the_origin_has_the_digits_that_are_left(mesher):
    corners = ((0, 0), (1, 0), (1, 1), (0.5, 0.25), (0, 1))
    outline = Polygon(tuple((1e8 + x, y - 1e8) for x, y in corners))
    assert good(mesher(drawing_of(scene(outline)))).signed_areas().sum() == pytest.approx(0.625)


@pytest.mark.parametrize("bulges", [(0, 1), (1, 0)])
def test_one_arc_and_its_chord_are_a_domain(mesher, bulges):
    mesh = good(mesher(drawing_of(scene(Polygon(((0, 0), (2, 0)), bulges)))))
    # Of the chords in the arc.
    assert mesh.signed_areas().sum() == pytest.approx(math.pi / 2, rel=0.02)


def test_a_tiny_feature_is_named_with_its_price(mesher):
    outline = Polygon(((0, 0), (1, 0), (1, 1), (0.5, 1), (0.5, 0.999), (0.499, 0.999), (0, 1)))
    answer = mesher(drawing_of(scene(outline)))
    good(answer)
    assert any("times smaller than the element size" in notice for notice in answer.notices)


def test_a_domain_smaller_than_the_element_size_is_not_called_tiny(mesher):
    answer = mesher(drawing_of(scene(Rectangle((0, 0), (1, 1)), size=1e9)))
    good(answer)
    assert not answer.notices


def test_numbers_that_cannot_be_meshed_are_refused(mesher):
    for outline, says in [
        (Polygon(((0, 0), (1, 0), (0, math.inf))), "vertex 2"),
        (Ellipse((0, 0), (1, 0)), "radii"),
        (Rectangle((0, math.nan), (1, 1)), "lower"),
    ]:
        with pytest.raises(GeometryError, match=says):
            drawing_of(scene(outline))
    for size in (0, -1, math.nan, math.inf):
        with pytest.raises(GeometryError, match="element size"):
            drawing_of(scene(size=size))
    for outline, says in [
        (Rectangle((0, 0), (1e200, 1e200)), "1e\\+200 long"),
        (Rectangle((1e12, 0), (1e12 + 1, 1)), "from the origin"),
        (Rectangle((0, 0), (1, 1e-9)), "thinner than 1e-06"),
        (Rectangle((0, 0), (1, 0)), "different vertices"),
    ]:
        answer = mesher(drawing_of(scene(outline)))
        with pytest.raises(GeometryError, match=says):
            raise answer.error
    answer = mesher(drawing_of(scene(holes=[Ellipse((1e9, 0), (1, 1))])))
    assert "hole 1" in str(answer.error)


def test_too_many_elements_are_refused_before_the_start(mesher):
    answer = mesher(drawing_of(scene(size=1e-5)))
    assert "makes about 23,000,000,000 elements" in str(answer.error)
    assert "more than 20,000" in str(answer.error)
    assert "element size of 0.011 or more" in answer.error.remedy


def test_periodic_walls_have_matching_vertices(mesher):
    # The region touches the two sides at different heights: both sides get both vertices.
    region = Polygon(((0, 0.21), (0, 0.34), (1, 0.77), (1, 0.63)))
    pairs = (
        PeriodicWall(("domain.left", "domain.right")),
        PeriodicWall(("domain.bottom", "domain.top")),
    )
    hole = Ellipse((0.5, 0.12), (0.1, 0.1))
    mesh = good(mesher(drawing_of(scene(holes=[hole], materials=[region], walls=pairs, size=0.07))))
    for one, other, axis in (("left", "right", 1), ("bottom", "top", 0)):
        sides = []
        for side in (one, other):
            edges = faces(mesh)[mesh.face_tags.ravel() == mesh.face_names.index(f"domain.{side}")]
            sides.append(np.sort(mesh.vertices[np.unique(edges), axis]))
        assert sides[0] == pytest.approx(sides[1], abs=1e-12)
    heights = set(np.round(sides[0], 9))
    assert heights
    left = mesh.vertices[mesh.vertices[:, 0] == 0.0, 1]
    for height in (0.21, 0.34, 0.77, 0.63):
        assert np.abs(left - height).min() < 1e-12


def test_glued_edges_of_other_directions_have_matching_vertices(mesher):
    """A sixth of a disk: what is at some distance from the apex on one side is on the other."""
    apex, turn = np.array([0.3, -0.2]), math.radians(60)
    tips = [(apex + 1.2 * np.array([math.cos(a), math.sin(a)])).tolist() for a in (0.1, 0.1 + turn)]
    wedge = Polygon((tuple(apex), tuple(tips[0]), tuple(tips[1])))
    inner = Ellipse((apex[0] + 0.4, apex[1]), (0.2, 0.3))
    pair = PeriodicWall(("domain.0", "domain.2"))
    mesh = good(mesher(drawing_of(scene(wedge, materials=[inner], walls=[pair], size=0.1))))
    distances = []
    for side in ("0", "2"):
        edges = faces(mesh)[mesh.face_tags.ravel() == mesh.face_names.index(f"domain.{side}")]
        distances.append(np.sort(np.linalg.norm(mesh.vertices[np.unique(edges)] - apex, axis=1)))
    assert len(distances[0]) > 12
    assert distances[0] == pytest.approx(distances[1], abs=1e-9)
    assert (
        not connect(mesh, [(("domain.0",), ("domain.2",))])
        .is_boundary[face_selection(mesh, ("domain.0", "domain.2"))]
        .any()
    )


def test_periodic_walls_must_be_alike(mesher):
    outline = Polygon(((0, 0), (1, 0), (1, 1), (0, 1.5)))
    answer = mesher(drawing_of(scene(outline, walls=[PeriodicWall(("domain.1", "domain.3"))])))
    with pytest.raises(GeometryError, match=r"domain\.1 and domain\.3 differ"):
        raise answer.error


@st.composite
def stars(draw):
    """Polygons around a centre, of any size and place."""
    n = draw(st.integers(3, 12))
    radii = draw(st.lists(st.floats(0.2, 1), min_size=n, max_size=n))
    scale = 10.0 ** draw(st.integers(-12, 12))
    angles = 2 * math.pi * np.arange(n) / n
    points = np.column_stack([np.cos(angles), np.sin(angles)]) * np.array(radii)[:, None] * scale
    return Polygon(tuple(map(tuple, points.tolist()))), 0.3 * scale


@quick
@given(stars())
def test_stars_of_any_size_are_filled(mesher, star):
    polygon, size = star
    mesh = good(mesher(drawing_of(scene(polygon, size=size))))
    area = shapely.Polygon(polygon.vertices).area
    assert mesh.signed_areas().sum() == pytest.approx(area, rel=1e-9)
    perimeter = shapely.Polygon(polygon.vertices).length
    assert sum(v.expected for v in named_lengths(mesh).values()) == pytest.approx(perimeter)


coordinate = st.one_of(
    st.integers(0, 4).map(float), st.floats(0, 4), st.integers(0, 4).map(lambda i: i + 1e-9)
)
rings = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=7).map(
    lambda points: Polygon(tuple(points))
)


def area_of(ring):
    """What a ring encloses once vertices within the tolerance are one.

    Without that a crossing as small as the tolerance, which the mesher takes away, is there for
    shapely, whose areas of crossing rings are those of parts of them.
    """
    vertices = np.array(ring.vertices)
    kept = vertices[distinct_vertices(vertices)]
    return shapely.Polygon(kept if len(kept) > 2 else ()).buffer(0)


#: Crosses itself, but not by more than the tolerance.
ALMOST_A_TRIANGLE = Polygon(((0.0, 1.0), (1e-9, 1.0), (0.0, 0.0), (1.0, 0.0)))


@quick
@given(rings, st.lists(rings, max_size=2), st.lists(rings, max_size=2))
@example(ALMOST_A_TRIANGLE, [], [Polygon(((0.0, 0.0), (0.0, 1.0), (1.0, 0.0)))])
@example(ALMOST_A_TRIANGLE, [], [Polygon(((0.0, 0.0), (0.0, 1.0), (2.0, 1.0)))])
def test_any_rings_are_refused_or_filled(mesher, outline, holes, materials):
    answer = mesher(drawing_of(scene(outline, holes=holes, materials=materials, size=0.8)))
    if answer.error is not None:
        assert isinstance(answer.error, GeometryError)
        return
    mesh = good(answer)
    domain = area_of(outline)
    for hole in holes:
        domain = domain.difference(area_of(hole))
    # Snapping moves vertices by up to a millionth of the size.
    assert mesh.signed_areas().sum() == pytest.approx(domain.area, abs=1e-3)
    for number in range(len(materials), 0, -1):
        own = domain.intersection(area_of(materials[number - 1]))
        assert region_areas(mesh)[number] == pytest.approx(own.area, abs=1e-3)
        domain = domain.difference(own)


def curved_area(mesh):
    d = discretize(mesh, 6)
    return float(d.integrate(np.ones(d.shape)).sum())


def test_holes_outside_the_domain_change_nothing(mesher):
    """Triangle crashes on a hole point outside of the domain, or in the flap of a hole there."""
    holes = [
        Ellipse((1.2, 0.3), (0.4, 0.5), 140),  # half in, half out
        Rectangle((1.3, 0.1), (1.5, 0.3)),  # within the flap
        Ellipse((3.0, -1.0), (0.9, 1.5), 20),  # far off
    ]
    mesh = good(mesher(drawing_of(scene(holes=holes))))
    domain = shapely.Polygon(UNIT.outline(0.2)[0]).difference(
        shapely.Polygon(holes[0].outline(0.002)[0])
    )
    assert curved_area(mesh) == pytest.approx(domain.area, rel=1e-5)


@pytest.mark.parametrize(
    ("shapes", "where"),
    [
        # a strip, a corner of 1e-5 radians, and a gap between two holes
        ({"outline": Rectangle((0, 0), (1, 2e-5))}, (0.5, 1e-5)),
        ({"outline": Polygon(((0, 0), (1, 0), (1, 1), (0.5, 5e-6)))}, (0, 0)),
        (
            {"holes": [Rectangle((0.1, 0.1), (0.5, 0.9)), Rectangle((0.50001, 0.1), (0.9, 0.9))]},
            (0.5, 0.5),
        ),
    ],
)
def test_parts_too_thin_are_refused_with_their_place(mesher, shapes, where):
    answer = mesher(drawing_of(scene(**shapes)))
    assert isinstance(answer.error, GeometryError)
    found = re.search(r"so thin near \((\S+), (\S+)\)", str(answer.error))
    assert (float(found[1]), float(found[2])) == pytest.approx(where, abs=0.02)
