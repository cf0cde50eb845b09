"""Edits are pure functions of scenes; what an edit drops, it says."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.edits import domain_edits, edits
from wavelab.app.edits.edit_price import Price, price
from wavelab.app.edits.item_edits import move
from wavelab.errors import SceneError
from wavelab.paths import SCENES
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Ping,
    Probe,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.model.view import View
from wavelab.scene.monitors import IntensityMonitor
from wavelab.scene.sources import LineSource, PlaneWave, PointSource
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import AbsorbingWall, MagneticWall, PeriodicWall
from wavelab.scene.waveforms import Sine

BOX = Rectangle((0.0, 0.0), (4.0, 2.0))
GLASS = MaterialRegion("glass", Material(epsilon=2.0), Rectangle((3.0, 0.0), (4.0, 2.0)))


@pytest.fixture
def furnished() -> Scene:
    """A box with a hole, a material, two sources, two probes and walls."""
    return Scene(
        title="Furnished",
        outline=BOX,
        solver=Solver(element_size=0.1),
        holes=(
            Hole("hole 1", Ellipse((1.0, 1.0), (0.2, 0.2))),
            Hole("post", Ellipse((3.5, 1), (0.1, 0.1))),
        ),
        materials=(GLASS,),
        walls=(
            AbsorbingWall(("domain",)),
            MagneticWall(("domain.left", "post")),
            PeriodicWall(("domain.top", "domain.bottom")),
        ),
        sources=(
            PointSource("near", (0.5, 0.5), 0.05, 1.0, Sine(1.0)),
            PointSource("far", (3.5, 1.5), 0.05, 1.0, Sine(1.0)),
        ),
        probes=(Probe("left", (0.5, 1.5)), Probe("right", (3.2, 1.5))),
    )


def test_a_new_domain_keeps_what_fits_and_names_what_does_not(furnished):
    edit = domain_edits.draw_domain(furnished, Polygon(((0, 0), (2, 0), (2, 2), (0, 2))))
    assert [hole.name for hole in edit.scene.holes] == ["hole 1"]
    assert [source.name for source in edit.scene.sources] == ["near"]
    assert [probe.name for probe in edit.scene.probes] == ["left"]
    assert edit.scene.materials == ()
    said = " ".join(edit.notes)
    for name in ("post", "far", "right", "glass"):
        assert name in said
    assert "hole 1" not in said


def test_what_comes_through_an_edge_that_is_gone_goes_with_it(furnished):
    pulse = Sine(1.0)
    sources = (
        PlaneWave("left", 0.0, 1.0, pulse, edges=("domain.left",)),
        PlaneWave("all", 0.0, 1.0, pulse, edges=("domain",)),
        LineSource("line", (0.4, 0.5), (0.6, 0.5), 0.1, 1.0, pulse),
    )
    edit = domain_edits.draw_domain(
        replace(furnished, sources=sources), Ellipse((0.5, 0.5), (0.5, 0.5))
    )
    assert [source.name for source in edit.scene.sources] == ["all", "line"]


def test_a_hole_across_the_new_outline_goes_and_a_material_stays(furnished):
    edit = domain_edits.draw_domain(furnished, Rectangle((1.0, 0.0), (3.5, 2.0)))
    assert edit.scene.holes == ()
    assert edit.scene.materials == (GLASS,)
    assert any("obstacle hole 1, obstacle post" in note for note in edit.notes)


def test_walls_of_vanished_edges_go_and_others_stay(furnished):
    edit = domain_edits.draw_domain(furnished, Rectangle((0.0, 0.0), (4.0, 2.0)))
    assert edit.scene.walls == (AbsorbingWall(("domain",)), MagneticWall(("post",)))
    assert any("walls" in note for note in edit.notes)


def test_a_small_domain_gets_small_elements(furnished):
    edit = domain_edits.draw_domain(furnished, Rectangle((0.0, 0.0), (0.2, 0.2)))
    size = edit.scene.solver.element_size
    elements = 0.2 * 0.2 / (0.433 * size**2)
    assert domain_edits.FEWEST_ELEMENTS <= elements < 1.3 * domain_edits.FEWEST_ELEMENTS
    assert any(f"{size:g}" in note for note in edit.notes)


def test_a_drawn_domain_is_no_longer_the_file_it_came_from(furnished, tmp_path):
    edit = domain_edits.draw_domain(replace(furnished, path=tmp_path / "a.toml"), BOX)
    assert edit.scene.path is None


def test_holes_get_names_of_their_own(furnished):
    scene = furnished
    for x in (0.4, 2.0):
        scene = domain_edits.cut_hole(scene, Ellipse((x, 0.5), (0.1, 0.1))).scene
    assert [hole.name for hole in scene.holes] == ["hole 1", "post", "obstacle 1", "obstacle 2"]


def test_a_hole_takes_the_probe_in_it_along(furnished):
    edit = domain_edits.cut_hole(furnished, Ellipse((0.5, 1.5), (0.1, 0.1)))
    assert [probe.name for probe in edit.scene.probes] == ["right"]
    assert any("left" in note for note in edit.notes)


@pytest.mark.parametrize(
    ("shape", "word"),
    [
        (Ellipse((9.0, 9.0), (0.1, 0.1)), "outside"),
        (Rectangle((-1.0, -1.0), (5.0, 3.0)), "nothing"),
    ],
)
def test_impossible_holes_are_refused(furnished, shape, word):
    with pytest.raises(SceneError, match=word):
        domain_edits.cut_hole(furnished, shape)


@pytest.mark.parametrize(
    ("shape", "inside"),
    [
        (Rectangle((1.0, 0.5), (1.5, 1.0)), True),
        (Rectangle((0.0, 0.0), (1.5, 1.0)), True),  # in a corner, along two walls
        (Ellipse((2.0, 1.0), (0.5, 0.5), 30.0), True),
        (Rectangle((3.0, 1.0), (4.1, 1.5)), False),
        (Rectangle((5.0, 1.0), (6.0, 1.5)), False),
        (Rectangle((-1.0, -1.0), (5.0, 3.0)), False),
        (BOX, False),  # nothing of the domain would be left
    ],
)
def test_what_lies_inside_the_domain(furnished, shape, inside):
    assert domain_edits.lies_inside(furnished, shape) is inside


def test_nothing_lies_inside_a_mesh_file(furnished, tmp_path):
    scene = domain_edits.with_mesh_file(furnished, tmp_path / "part.msh")
    assert not domain_edits.lies_inside(scene, Ellipse((1, 1), (0.1, 0.1)))


def test_a_mesh_file_cannot_be_cut(furnished, tmp_path):
    scene = domain_edits.with_mesh_file(furnished, tmp_path / "part.msh")
    assert scene.outline is None
    with pytest.raises(SceneError, match="mesh file"):
        domain_edits.cut_hole(scene, Ellipse((1, 1), (0.1, 0.1)))


def test_a_mesh_file_comes_with_nothing_of_the_old_domain(furnished, tmp_path):
    old = replace(
        furnished,
        background=Material(epsilon=4.0),
        initial=FieldFormulas(ez=Formula.parse("sin(pi*x)", ("x", "y"))),
        monitors=(IntensityMonitor("i"),),
        pings=(Ping(1.0, (0.5, 0.5), 0.1),),
        view=View("intensity", limit=0.8, arrows="mean_power"),
    )
    path = tmp_path / "part.msh"
    bare = Scene(
        "part", old.solver, outline=None, mesh_file=path, description="Mesh read from part.msh"
    )
    assert domain_edits.with_mesh_file(old, path) == bare


def test_removing_the_holes_removes_their_walls(furnished):
    scene = domain_edits.remove_all_holes(furnished).scene
    assert scene.holes == ()
    assert all("post" not in wall.edges for wall in scene.walls)
    assert MagneticWall(("domain.left",)) in scene.walls
    assert PeriodicWall(("domain.top", "domain.bottom")) in scene.walls


def test_probes_are_placed_and_removed_by_name(furnished):
    placed = edits.add_probe(furnished, (1.5, 1.5)).scene
    assert placed.probes[-1] == Probe("probe 1", (1.5, 1.5))
    assert edits.remove_item(placed, "probes", "probe 1").scene == furnished
    assert edits.remove_all(placed, "probes").scene.probes == ()


@pytest.mark.parametrize("order", [0, 11])
def test_orders_that_do_not_exist_are_refused(furnished, order):
    with pytest.raises(SceneError, match="order"):
        edits.set_order(furnished, order)


@pytest.mark.parametrize("size", [0.0, -1.0, float("nan"), float("inf")])
def test_sizes_that_are_no_lengths_are_refused(furnished, size):
    with pytest.raises(SceneError, match="length"):
        edits.set_element_size(furnished, size)


def test_a_parameter_has_the_price_of_what_follows_it():
    slits, mirror = (load_scene(SCENES / f"{n}.toml") for n in ("double_slit", "bragg_mirror"))
    assert price(mirror, with_parameters(mirror, {"n": 2.5})) is Price.NUMBERS
    assert price(slits, with_parameters(slits, {"f": 3})) is Price.NUMBERS
    assert price(slits, with_parameters(slits, {"d": 1.0})) is Price.MESH
    labelled = replace(slits.parameters[0], label="Gap")
    named = replace(slits, parameters=(labelled, *slits.parameters[1:]))
    assert price(slits, named) is Price.NOTHING


def test_each_change_has_its_price(furnished):
    scene = furnished
    for changed, expected in (
        (scene, Price.NOTHING),
        (replace(scene, title="x", view=View(quantity="hx")), Price.NOTHING),
        (edits.add_probe(scene, (1.5, 0.2)).scene, Price.PROBES),
        (edits.set_order(scene, 7).scene, Price.OPERATOR),
        (edits.set_stepper(scene, "ndb144").scene, Price.NUMBERS),
        (replace(scene, sources=()), Price.NUMBERS),
        (replace(scene, walls=scene.walls[1:]), Price.NUMBERS),
        (
            replace(scene, materials=(replace(GLASS, material=Material(epsilon=9.0)),)),
            Price.NUMBERS,
        ),
        (edits.set_element_size(scene, 0.2).scene, Price.MESH),
        (domain_edits.cut_hole(scene, Ellipse((2, 1), (0.1, 0.1))).scene, Price.MESH),
        (replace(scene, materials=()), Price.MESH),
    ):
        assert price(scene, changed) is expected
        assert price(changed, scene) is expected
    # A mesh cut for a periodic pair serves other walls too, but not the other way round.
    unglued = replace(scene, walls=scene.walls[:2])
    assert price(scene, unglued) is Price.OPERATOR
    assert price(unglued, scene) is Price.MESH


triangles = st.lists(
    st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=3, max_size=3, unique=True
).filter(lambda points: shapely.Polygon(points).area > 0.05)


@given(triangles)
def test_whatever_is_drawn_holds_all_that_is_left_in_it(points):
    scene = Scene(
        title="t",
        outline=BOX,
        solver=Solver(element_size=0.1),
        probes=tuple(Probe(f"p{i}{j}", (i / 2, j / 2)) for i in range(-4, 5) for j in range(-4, 5)),
    )
    edit = domain_edits.draw_domain(scene, Polygon(tuple(points)))
    region = shapely.Polygon(points)
    assert edit.scene.solver.element_size > 0
    for probe in scene.probes:
        assert (probe in edit.scene.probes) == region.contains(shapely.Point(probe.position))


def test_a_label_on_a_circle_turns_the_angle_it_follows():
    scene = load_scene(SCENES / "snell.toml")
    number = [label.name for label in scene.labels].index("lamp")
    x, y = scene.labels[number].position
    to = (-1.3 * math.sin(math.radians(20)), 1.5 * math.cos(math.radians(20)))
    turned = move(scene, [("labels", number)], (to[0] - x, to[1] - y)).scene
    assert turned.values["a"] == pytest.approx(17, abs=1.01)
    assert turned.labels[number].position[0].text == scene.labels[number].position[0].text
    assert turned.sources != scene.sources
