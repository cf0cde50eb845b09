"""Items are cut, copied, pasted, moved and removed, one at a time and many at once."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import QApplication, Qt
from wavelab.app.edits import item_edits, shape_edits
from wavelab.app.tools.snapping import grid_spacing
from wavelab.errors import SceneError, WavelabError
from wavelab.paths import SCENES
from wavelab.scene.editing.item_places import COPIED, box, displaced, points
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    SPACE_AND_TIME,
    Hole,
    Material,
    MaterialRegion,
    Probe,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.monitors import FieldMonitor, FluxMonitor, LineMonitor
from wavelab.scene.sources import ArraySource, PlaneWave, PointSource, RegionSource
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import AbsorbingWall, MagneticWall
from wavelab.scene.waveforms import Sine

LAMP = PointSource("lamp", (0.3, 0.3), 0.05, 1.0, Sine(2.0))
SCENE = Scene(
    "box",
    Solver(0.2, 2),
    holes=(Hole("post", Ellipse((0.7, 0.7), (0.1, 0.1))),),
    materials=(MaterialRegion("glass", Material(2.0), Rectangle((0.4, 0.1), (0.6, 0.3))),),
    walls=(AbsorbingWall(("domain.left",)), MagneticWall(("post",))),
    sources=(LAMP, PlaneWave("wave", 0.0, 1.0, Sine(2.0), edges=("domain.left",))),
    probes=(Probe("ear 1", (0.2, 0.7)),),
    monitors=(FluxMonitor("flux", ((0.1, 0.5), (0.3, 0.5))), FieldMonitor("map", (2.0,))),
)


def all_keys(scene: Scene) -> list[tuple[str, int]]:
    return [(name, i) for name in COPIED for i in range(len(getattr(scene, name)))]


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_items_of_every_shipped_scene_come_back_from_their_text(path):
    scene = load_scene(path)
    keys = all_keys(scene)
    if not keys:
        return
    found = item_edits.read(item_edits.copied(scene, keys))
    for name in COPIED:
        assert getattr(found, name) == getattr(scene, name)


def test_items_bring_the_parameters_that_they_follow():
    mirror = load_scene(SCENES / "bragg_mirror.toml")
    plate = item_edits.read(item_edits.copied(mirror, [("materials", 0)]))
    room = replace(SCENE, outline=Rectangle((0.0, 0.0), (2.0, 2.0)), walls=())
    edit, _ = item_edits.paste(room, plate)
    assert edit.scene.parameters == mirror.parameters
    assert edit.scene.materials[-1] == mirror.materials[0]
    assert edit.scene.materials[-1].material.epsilon.text == "n^2"
    other = with_parameters(mirror, {"n": 1.5})
    again, _ = item_edits.paste(other, plate, (0.05, 0.0))
    assert again.scene.parameters == other.parameters
    assert again.scene.materials[-1].material.epsilon == 2.25
    moved = with_parameters(again.scene, {"n": 3.0})
    assert {region.material.epsilon for region in moved.materials} == {9.0}


def test_copies_get_names_of_their_own_and_an_obstacle_its_walls():
    items = item_edits.read(item_edits.copied(SCENE, all_keys(SCENE)))
    edit, keys = item_edits.paste(SCENE, items, (-0.2, -0.2))
    new = edit.scene
    assert [hole.name for hole in new.holes] == ["post", "post 2"]
    assert new.walls == (*SCENE.walls, MagneticWall(("post 2",)))
    assert new.sources[2].position == (0.1, 0.1)
    assert [p.name for p in new.probes] == ["ear 1", "ear 2"]
    # What comes through an edge, or is everywhere, would only be doubled there.
    assert [item.name for item in item_edits.entries(new, keys)] == [
        "post 2", "glass 2", "lamp 2", "ear 2", "flux 2",
    ]  # fmt: skip
    assert edit.notes == ("left out what would only be doubled (wave, map)",)
    # Another scene has its own names, and these need not change there.
    elsewhere, _ = item_edits.paste(replace(SCENE, **dict.fromkeys(COPIED, ()), walls=()), items)
    for name in COPIED:
        assert getattr(elsewhere.scene, name) == getattr(SCENE, name)


def test_nothing_is_put_exactly_on_what_is_there():
    for key in all_keys(SCENE):
        items = item_edits.read(item_edits.copied(SCENE, [key]))
        with pytest.raises(SceneError, match=r"a second .* (at the same place|would only double)"):
            item_edits.paste(SCENE, items)


def test_two_of_one_name_in_a_text_are_told_apart():
    text = item_edits.copied(SCENE, [("probes", 0)])
    edit, _ = item_edits.paste(SCENE, item_edits.read(text + text), (0.1, 0.0))
    assert [p.name for p in edit.scene.probes] == ["ear 1", "ear 2", "ear 3"]


def test_the_formulas_of_a_medium_go_along_and_do_not_grow():
    formula = Formula.parse("1 + exp(-x^2) + max(y, t)*x", SPACE_AND_TIME)
    region = MaterialRegion("lens", Material(epsilon=formula), Ellipse((0, 0), (1, 1)))
    moved = region
    for _ in range(3):
        moved = displaced(moved, (0.1, -0.2))
    assert moved.shape == Ellipse((0.3, -0.6), (1, 1))
    value = moved.material.epsilon.evaluate(x=0.8, y=0.1, t=0.3)
    assert value == pytest.approx(formula.evaluate(x=0.5, y=0.7, t=0.3))
    assert moved.material.epsilon.text.count("(x - 0.3)") == 2
    assert displaced(moved, (-0.3, 0.6)).material == region.material


#: Sums of these are exact, so that nothing falls on the other side of a condition.
sixteenths = st.integers(-64, 64).map(lambda n: n / 16)
variables = st.sampled_from("xy")
offset_variables = st.builds(
    lambda name, sign, n, space: f"{name}{space}{sign}{space}{abs(n)}",
    variables, st.sampled_from("+-"), sixteenths, st.sampled_from(["", " "]),
)  # fmt: skip
formula_texts = st.recursive(
    variables | offset_variables | offset_variables.map("({})".format) | st.just("0.5"),
    lambda parts: st.one_of(
        st.builds("{}({})".format, st.sampled_from(["sin", "cos ", "tanh", "abs"]), parts),
        st.builds("{} {} {}".format, parts, st.sampled_from("+-*"), parts),
        st.builds("max({}, {})".format, parts, parts),
        st.builds("(1 if ({}) < 0.25 else {})".format, offset_variables, parts),
    ),
    max_leaves=6,
)


@given(formula_texts, st.tuples(sixteenths, sixteenths))
@example("2 + sin(x - 0.5)", (-0.5, 0.0))
@example("cos (y + 0.25)", (0.0, 0.25))
@example("1 if (x - 0.5) < 0 else 2", (-0.5, 0.0))
def test_a_formula_that_was_moved_has_the_old_values_at_moved_points(text, by):
    formula = Formula.parse(text, SPACE_AND_TIME)
    region = MaterialRegion("lens", Material(epsilon=formula), Ellipse((0, 0), (1, 1)))
    x, y = np.meshgrid([-1.3125, 0.0, 0.25, 0.8125], [-0.6875, 0.5, 2.0])
    expected = pytest.approx(formula.evaluate(x=x, y=y, t=0.0), rel=1e-9, abs=1e-9)
    there = displaced(region, by)
    moved = there.material.epsilon
    assert moved.evaluate(x=x + by[0], y=y + by[1], t=0.0) == expected
    back = displaced(there, (-by[0], -by[1])).material.epsilon
    assert back.evaluate(x=x, y=y, t=0.0) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no items"),
        ("hello [world]", "holds no items"),
        ("[solver]\norder = 3\n", "no items that can be pasted"),
        ("[[probes]]\nposition = [1, 2\n", "not TOML"),
        ("\n[[probes]]\nposition = [1, 2]\nspeed = 3\n", "the clipboard:4: probes.speed"),
        ("[[lamps]]\nposition = [1, 2]\n", "lamps"),
        ("[[probes]]\nposition = [inf, 2]\n", "finite"),
        ("[[probes]]\nposition = [1e300, 2]\n", "position 1 is 1e+300"),
        ('[[holes]]\nshape = "polygon"\nvertices = []\n', "vertices"),
        ('[[holes]]\nshape = "ellipse"\ncenter = [0, 0]\nradii = [0, nan]\n', "finite"),
        ('[[monitors]]\nkind = "line"\nvertices = 3\n', "vertices"),
        ("[[" * 5000, "TOML"),
    ],
)
def test_what_cannot_be_pasted_says_why(text, words):
    with pytest.raises(SceneError) as caught:
        item_edits.read(text)
    assert words in str(caught.value)
    assert caught.value.remedy or "TOML" in words


@pytest.mark.parametrize(
    "text",
    [
        '[[monitors]]\nkind = "line"\nvertices = []\n',
        '[[monitors]]\nkind = "flux"\nvertices = [[0.2, 0.2]]\n',
        '[[holes]]\nshape = "ellipse"\ncenter = [0, 0]\nradii = [1e9, 1e9]\n',
        '[[holes]]\nshape = "polygon"\nvertices = [[0, 0], [1, 1], [1, 0], [0, 1]]\n',
        '[[holes]]\nname = "a.b"\nshape = "ellipse"\ncenter = [0.5, 0.5]\nradii = [0.1, 0.1]\n',
        '[[probes]]\nname = " "\nposition = [0.5, 0.5]\n',
        '[[sources]]\nkind = "array"\nstart = [0, 0]\nend = [1, 1]\ncount = 1000000\nradius = 1\n'
        'amplitude = 1\nwaveform = { kind = "sine", frequency = 1 }\n',
        '[[sources]]\nkind = "plane_wave"\ndirection = 0\namplitude = 1\nedges = ["moon"]\n'
        'waveform = { kind = "sine", frequency = 1 }\n',
    ],
)
def test_nonsense_is_refused_when_it_is_pasted(text):
    items = item_edits.read(text)
    item_edits.extent(items)
    with pytest.raises(SceneError):
        item_edits.paste(SCENE, items)


@pytest.mark.parametrize("key", all_keys(SCENE)[:5:2])
def test_outside_of_the_domain_nothing_is_pasted_or_moved(key):
    items = item_edits.read(item_edits.copied(SCENE, [key]))
    for act in (
        lambda: item_edits.paste(SCENE, items, (3.0, 0.0)),
        lambda: item_edits.move(SCENE, [key], (3.0, 0.0)),
    ):
        with pytest.raises(SceneError, match="outside the domain"):
            act()


#: An obstacle, and one of each kind that has no place in it.
BESIDE = replace(
    SCENE,
    holes=(Hole("post", Rectangle((0.6, 0.6), (0.8, 0.8))),),
    walls=(),
    sources=(
        LAMP,
        ArraySource("row", (0.1, 0.1), (0.3, 0.1), 3, 0.05, 1.0, Sine(2.0)),
        RegionSource("patch", Rectangle((0.35, 0.35), (0.4, 0.4)), 1.0, Sine(2.0)),
    ),
    monitors=(LineMonitor("ears", ((0.1, 0.5), (0.2, 0.5))),),
)
#: How far each is from the middle of the obstacle.
WAYS = {
    ("sources", 0): (0.4, 0.4),
    ("sources", 1): (0.5, 0.6),
    ("sources", 2): (0.325, 0.325),
    ("probes", 0): (0.5, 0.0),
    ("monitors", 0): (0.55, 0.2),
}


@pytest.mark.parametrize(("key", "by"), WAYS.items())
def test_nothing_is_pasted_or_moved_into_an_obstacle(key, by):
    items = item_edits.read(item_edits.copied(BESIDE, [key]))
    for act in (
        lambda: item_edits.paste(BESIDE, items, by),
        lambda: item_edits.move(BESIDE, [key], by),
    ):
        with pytest.raises(WavelabError, match=r"lie in an obstacle|leaves the domain"):
            act()
    # Where the obstacle goes along it is not in the way.
    item_edits.move(BESIDE, [key, ("holes", 0)], (0.01, 0.01))


@pytest.mark.parametrize(("key", "by"), WAYS.items())
def test_an_obstacle_is_not_moved_over_others_and_a_pasted_one_takes_them_away(key, by):
    (item,) = item_edits.entries(BESIDE, [key])
    back = (-by[0], -by[1])
    with pytest.raises(SceneError, match=f"obstacle post would cover .*{item.name}"):
        item_edits.move(BESIDE, [("holes", 0)], back)
    over = displaced(BESIDE.holes[0], back).shape
    larger = Rectangle(over.lower, (0.8, 0.8))
    for shape in (over, larger):
        refused = shape_edits.refusal(BESIDE, ("holes", 0), shape)
        assert "would cover" in refused.text
        assert item.name in refused.text
    items = item_edits.read(item_edits.copied(BESIDE, [("holes", 0)]))
    edit, _ = item_edits.paste(BESIDE, items, back)
    assert item.name in edit.notes[0]
    assert item not in getattr(edit.scene, key[0])


@given(st.sampled_from([("holes", 0), *WAYS]), st.tuples(sixteenths, sixteenths))
def test_wherever_items_are_moved_no_obstacle_lies_over_them(key, by):
    try:
        new = item_edits.move(BESIDE, [key], (by[0] / 4, by[1] / 4)).scene
    except WavelabError:
        return
    (x0, y0), (x1, y1) = new.holes[0].shape.bounds()
    lamp, row, patch = new.sources
    (left, low), (right, high) = patch.shape.bounds()
    places = [lamp.position, *row.points(), new.probes[0].position, *new.monitors[0].vertices]
    assert not any(x0 < x < x1 and y0 < y < y1 for x, y in places)
    assert not (x0 <= left and right <= x1 and y0 <= low and high <= y1)


def test_what_is_in_the_way_is_named_up_to_a_few():
    probes = tuple(Probe(f"ear {i}", (0.3 + 0.01 * i, 0.3)) for i in range(5))
    scene = replace(BESIDE, sources=(), probes=probes)
    with pytest.raises(SceneError, match="cover probe ear 0, probe ear 1, probe ear 2, 2 more"):
        item_edits.move(scene, [("holes", 0)], (-0.35, -0.4))


def test_whole_scene_files_give_their_items_and_say_what_was_left_out():
    items = item_edits.read(boxed("t", "[[probes]]\nposition = [0.5, 0.5]\n"))
    edit, _ = item_edits.paste(SCENE, items)
    assert edit.scene.probes[1] == Probe("probe 1", (0.5, 0.5))
    assert "title, domain" in edit.notes[0]


def test_what_has_no_copy_is_refused():
    with pytest.raises(SceneError, match="domain cannot be copied"):
        item_edits.copied(SCENE, [("outline",)])
    with pytest.raises(SceneError, match="cannot be moved"):
        item_edits.move(SCENE, [("sources", 1)], (0.1, 0.0))


def test_several_are_removed_in_one_edit():
    edit = item_edits.remove(SCENE, [("holes", 0), ("sources", 0), ("probes", 0)])
    assert edit.label == "Remove 3 items"
    assert (edit.scene.holes, edit.scene.probes) == ((), ())
    assert edit.scene.sources == SCENE.sources[1:]
    assert edit.scene.walls == SCENE.walls[:1]


# A person at the window


@pytest.fixture
def furnished(driver):
    driver.session.open(SCENE)
    driver.settled()
    driver.press("V")
    return driver


def chosen(driver) -> list[str]:
    keys = driver.bench.selection.chosen
    return [item.name for item in item_edits.entries(driver.session.scene, keys)]


def test_a_box_shift_and_the_keyboard(furnished):
    driver, scene = furnished, SCENE
    driver.drag((0.05, 0.05), (0.65, 0.85))
    assert chosen(driver) == ["glass", "lamp", "ear 1", "flux"]
    assert "4 items" in driver.window.property_panel.kind.text()
    overlay = driver.canvas.tool.overlay()
    assert [stroke.tone for stroke in overlay.strokes] == ["chosen"] * 4
    assert not overlay.line
    # Shift takes one away, adds one, and adds all in a box.
    driver.click(0.3, 0.3, modifier=Qt.ShiftModifier)
    assert chosen(driver) == ["glass", "ear 1", "flux"]
    driver.click(0.7, 0.7, modifier=Qt.ShiftModifier)
    assert chosen(driver) == ["glass", "ear 1", "flux", "post"]
    driver.drag((0.2, 0.2), (0.35, 0.35), modifier=Qt.ShiftModifier)
    assert chosen(driver) == ["glass", "ear 1", "flux", "post", "lamp"]
    # Dragging one of them moves all, a little further, in one step.
    step = grid_spacing(driver.canvas.view.pixel)
    assert not driver.canvas.tool.overlay().grips, "handles would move one alone"
    driver.drag((0.2, 0.7), (0.2 + 2.1 * step, 0.7 - 1.1 * step))
    moved = driver.session.scene
    for old, new in zip(scene.probes + scene.holes, moved.probes + moved.holes, strict=True):
        (x0, y0), (x1, y1) = points(old)[0], points(new)[0]
        assert (x1 - x0, y1 - y0) == pytest.approx((2 * step, -step))
    assert moved.sources[1] == scene.sources[1]
    # Where they cannot be they are red, and stay.
    driver.settled()  # the bar that shows how far a mesh is lies over the canvas
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=driver.place(*moved.probes[0].position))
    driver.point(0.97, 0.03)
    overlay = driver.canvas.tool.overlay()
    assert {stroke.tone for stroke in overlay.strokes} == {"refused"}
    assert "outside" in overlay.label
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=driver.place(0.97, 0.03))
    assert driver.session.scene == moved
    driver.press("Ctrl+Z")
    assert driver.session.scene == scene
    driver.window.message.clear()
    driver.press("Escape")
    assert driver.bench.selection.chosen == (("background",),)
    # Arrow keys: a run of them is one step of the history.
    driver.click(0.2, 0.7)
    for key in ("Right", "Right", "Up", "Shift+Down"):
        driver.press(key)
    (moved,) = driver.session.scene.probes
    assert moved.position == pytest.approx((0.2 + 2 * step, 0.7 + 0.9 * step))
    assert driver.session.scene == replace(scene, probes=(moved,))
    driver.settled()
    driver.press("Ctrl+Z")
    assert driver.session.scene == scene
    # Not out of the domain, and the keys of the window stay its own.
    speed = driver.window.transport.speed.slider.value()
    driver.press("Ctrl+Right")
    assert driver.window.transport.speed.slider.value() > speed
    for _ in range(100):
        driver.press("Left")
        if "outside" in driver.window.message.text:
            break
    assert "outside the domain" in driver.window.message.text
    assert 0 <= driver.session.scene.probes[0].position[0] < step
    driver.settled()


@pytest.mark.parametrize(
    ("kind", "grip"),
    [("holes", (0.74, 0.73)), ("materials", (0.45, 0.2)), ("probes", (0.2, 0.7)),
     ("sources", (0.3, 0.3))],
)  # fmt: skip
def test_what_is_not_chosen_yet_is_moved_by_the_same_drag(furnished, kind, grip):
    """A press chooses it; nobody has to click it first.  Shift draws a box from there."""
    driver = furnished
    step = grid_spacing(driver.canvas.view.pixel)
    driver.click(0.9, 0.5)
    (before, *others), steps = getattr(driver.session.scene, kind), len(driver.session.history.past)
    driver.drag(grip, (grip[0] + 1.1 * step, grip[1] + 2.1 * step))
    assert chosen(driver) == [before.name]
    (after, *rest) = getattr(driver.session.scene, kind)
    for (x0, y0), (x1, y1) in zip(points(before), points(after), strict=True):
        assert (x1 - x0, y1 - y0) == pytest.approx((step, 2 * step), abs=step / 2)
    assert after != before
    assert rest == others
    assert len(driver.session.history.past) == steps + 1
    driver.settled()
    driver.press("Ctrl+Z")
    driver.settled()
    # With Shift nothing moves.
    scene = driver.session.scene
    driver.drag(grip, (grip[0] + step, grip[1] + step), modifier=Qt.ShiftModifier)
    assert driver.session.scene == scene


def test_a_graded_medium_is_moved_with_its_formula(driver):
    formula = Formula.parse("2 + x", SPACE_AND_TIME)
    lens = MaterialRegion("lens", Material(epsilon=formula), Rectangle((0.2, 0.2), (0.4, 0.4)))
    driver.session.open(replace(SCENE, materials=(lens,)))
    driver.settled()
    driver.press("V")
    driver.click(0.25, 0.25)
    driver.drag((0.3, 0.3), (0.5, 0.3))  # by the handle in its middle
    (moved,) = driver.session.scene.materials
    assert moved.shape == Rectangle((0.4, 0.2), (0.6, 0.4))
    assert moved.material.epsilon.text == "2 + (x - 0.2)"
    assert driver.session.history.undo_label == "Move"
    driver.settled()


def test_all_are_cut_and_pasted_and_one_is_duplicated(furnished):
    driver, scene = furnished, SCENE
    driver.press("P")
    driver.press("Ctrl+A")
    assert driver.window.actions_by_id["tool.select"].isChecked()
    assert len(chosen(driver)) == 7
    # All are marked and can be moved, though the pointer has not been here.
    assert len(driver.canvas.tool.overlay().strokes) == 5
    driver.press("Shift+Left")
    driver.press("Shift+Left")
    step = 0.1 * grid_spacing(driver.canvas.view.pixel)
    assert driver.session.scene.probes[0].position == pytest.approx((0.2 - 2 * step, 0.7))
    driver.until(driver.window.actions_by_id["undo"].isEnabled)
    driver.press("Ctrl+Z")
    assert driver.session.scene == scene
    driver.press("Ctrl+X")
    assert [getattr(driver.session.scene, name) for name in COPIED] == [()] * len(COPIED)
    assert driver.session.history.undo_label == "Cut 7 items"
    driver.press("Ctrl+Z")
    assert driver.session.scene == scene
    driver.until(driver.window.actions_by_id["redo"].isEnabled)
    driver.press("Ctrl+Shift+Z")
    # The middle of all of them, which the pointer is at, is where it was before.
    (x0, y0), (x1, y1) = box(e for name in COPIED for e in getattr(scene, name))
    driver.point((x0 + x1) / 2, (y0 + y1) / 2)
    driver.press("Ctrl+V")
    assert [getattr(driver.session.scene, n) for n in COPIED] == [getattr(scene, n) for n in COPIED]
    assert driver.session.scene.walls[-1] == SCENE.walls[1]
    driver.settled()
    driver.click(0.7, 0.7)
    assert chosen(driver) == ["post"]
    driver.press("Ctrl+D")
    old, new = (hole.shape for hole in driver.session.scene.holes)
    assert new.radii == old.radii
    assert math.dist(old.center, new.center) > 0.2
    assert chosen(driver) == ["post 2"]
    driver.press("Delete")
    assert [hole.name for hole in driver.session.scene.holes] == ["post"]
    # Again and again, they stay inside of the domain as long as there is room beside them.
    driver.settled()
    driver.click(0.5, 0.2)
    assert chosen(driver) == ["glass"]
    for n in (2, 3):
        driver.press("Ctrl+D")
        (x0, y0), (x1, y1) = driver.session.scene.materials[-1].shape.bounds()
        assert chosen(driver) == [f"glass {n}"]
        assert min(x0, y0) >= 0
        assert max(x1, y1) <= 1
    # All together, without what would only be doubled.
    driver.press("Ctrl+A")
    driver.press("Ctrl+D")
    assert [s.name for s in driver.session.scene.sources] == ["lamp", "wave", "lamp 2"]
    driver.until(lambda: "only be doubled (wave, map)" in driver.window.message.text)
    # Nobody sees what is chosen: it is not copied by mistake.
    driver.press("P")
    driver.window.property_dock.hide()
    driver.press("Ctrl+C")
    assert "choose first" in driver.window.message.text.lower()
    driver.settled()


def test_copy_here_and_paste_there(furnished, start, small_scene):
    driver = furnished
    driver.drag((0.05, 0.25), (0.35, 0.35))
    assert chosen(driver) == ["lamp"]
    driver.press("Ctrl+C")
    assert QApplication.clipboard().text().startswith('[[sources]]\nname = "lamp"\n')
    driver.point(0.8, 0.2)
    before = driver.session.scene
    driver.press("Ctrl+V")
    lamp = driver.session.scene.sources[-1]
    assert lamp.name == "lamp 2"
    assert math.dist(lamp.position, (0.8, 0.2)) < 0.05
    assert chosen(driver) == ["lamp 2"]
    driver.settled()
    # The wave it makes is in the running problem.
    assert len(driver.session.running.problem.source_terms) == len(before.sources) + 1
    driver.press("Ctrl+Z")
    assert driver.session.scene == before
    # Where it cannot be it comes to the nearest place that is found: beyond the border, in an
    # obstacle, on the one that it is a copy of.
    driver.settled()
    lamp_text = QApplication.clipboard().text()
    driver.click(0.2, 0.7)
    assert chosen(driver) == ["ear 1"]
    driver.press("Ctrl+C")
    for wish, away in (((0.5, -0.06), 0.2), ((0.7, 0.7), 0.25), ((0.2, 0.7), 0.25)):
        driver.point(*wish)
        driver.window.message.clear()  # of a source that the mesh does not carry
        driver.press("Ctrl+V")
        ear = driver.session.scene.probes[-1]
        assert ear.name == "ear 2"
        assert 0 < math.dist(ear.position, wish) < away
        assert "put where there is room" in driver.window.message.text
        driver.press("Ctrl+Z")
        assert driver.session.scene == before
    driver.settled()
    QApplication.clipboard().setText(lamp_text)
    other = start(small_scene)
    other.point(0.5, 0.5)
    other.press("Ctrl+V")
    (pasted,) = other.session.scene.sources
    assert replace(pasted, position=LAMP.position) == LAMP
    # Lines of a scene file do as well, and nonsense is told apart.
    QApplication.clipboard().setText("[[probes]]\nposition = [7, 9]\n")
    other.press("Ctrl+V")
    assert math.dist(other.session.scene.probes[0].position, (0.5, 0.5)) < 0.05
    QApplication.clipboard().setText("good morning")
    other.press("Ctrl+V")
    assert "no items of a scene" in other.window.message.text
    assert len(other.session.scene.probes) == 1
