"""Handles of shapes, driven by events without a window."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wavelab.app.edits.edits import Edit
from wavelab.app.edits.shape_edits import owner_of, refusal, reshape, shape_of
from wavelab.app.tools.handles import (
    CROWDED_PIXELS,
    SHORT_PIXELS,
    SNAP_PIXELS,
    Handle,
    dragged,
    handles,
)
from wavelab.app.tools.selecting.select import SelectTool, ShapeAccess
from wavelab.app.tools.snapping import nearest
from wavelab.app.tools.tool import PointerEvent
from wavelab.errors import SceneError
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, smooth_outline
from wavelab.scene.model.shapes.arcs import middle_of
from wavelab.scene.monitors import EnergyMonitor
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import GuidedMode, PlaneWave
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import AbsorbingWall, MagneticWall, PeriodicWall
from wavelab.scene.waveforms import Sine

PIXEL = 0.002
SQUARE = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))


def at(x: float, y: float, button: str = "left", pixel: float = PIXEL, **more: bool):
    return PointerEvent(x, y, pixel, button, **more)


def handle(shape, kind: str, number: int = 0) -> Handle:
    return next(h for h in handles(shape, PIXEL) if (h.kind, h.number) == (kind, number))


class Model:
    """A scene with a chosen item, and the tool that changes it."""

    def __init__(self, scene: Scene, item) -> None:
        self.scene, self.item = scene, item
        self.edits: list[Edit] = []
        self.tool = SelectTool(
            lambda *_: None,
            chosen=ShapeAccess(
                lambda: shape_of(self.scene, self.owner),
                lambda: self.owner != ("outline",),
                tuple,
                lambda shape: refusal(self.scene, self.owner, shape),
                reshape=self._reshape,
            ),
        )

    @property
    def owner(self):
        return owner_of(self.scene, self.item)

    @property
    def shape(self):
        return shape_of(self.scene, self.owner)

    def _reshape(self, shape, label) -> None:
        self.edits.append(reshape(self.scene, self.owner, shape, label))
        self.scene = self.edits[-1].scene

    def drag(self, start, *way, **more) -> None:
        self.tool.press(at(*start))
        for point in way:
            self.tool.move(at(*point, **more))
        self.tool.release(at(*way[-1], **more))


def in_box(shape, **more) -> Scene:
    return Scene(
        "test",
        Solver(element_size=0.2),
        Rectangle((-2, -2), (2, 2)),
        holes=(Hole("hole", shape),),
        **more,
    )


# Bowing


@given(st.floats(0.05, 0.95), st.floats(-0.9, 0.9))
def test_the_arc_goes_through_the_pointer(part, height):
    """On either side of the edge, and half a circle at most."""
    inside = math.hypot(part - 0.5, height) < 0.5 - SNAP_PIXELS * PIXEL
    far = min(math.hypot(part, height), math.hypot(1 - part, height)) > SNAP_PIXELS * PIXEL
    now = dragged(SQUARE, handle(SQUARE, "bow"), at(part, height, ctrl=True))
    assert bool(now.refusal) == (math.hypot(part - 0.5, height) > 0.5)
    assume(inside and far and abs(height) > 2 * SNAP_PIXELS * PIXEL)
    snapped = dragged(SQUARE, handle(SQUARE, "bow"), at(part, height))
    for made in (now, snapped):
        ring, names = smooth_outline(made.shape)
        arc = [tuple(p) for p, name in zip(ring, names, strict=True) if name == "0"]
        nearby = min(math.dist(p, (part, height)) for p in [*arc, (1, 0)])
        # Points of the arc are a degree apart.
        assert nearby < 0.5 * math.radians(1) * 10


def test_it_snaps_to_its_chord_and_to_half_a_circle():
    bow = handle(SQUARE, "bow")
    near, nearly = 0.9 * SNAP_PIXELS * PIXEL, 0.5 - 0.9 * SNAP_PIXELS * PIXEL
    assert dragged(SQUARE, bow, at(0.5, near)).shape == SQUARE
    assert dragged(SQUARE, bow, at(0.5, -nearly)).shape.bulges == (1.0, 0, 0, 0)
    assert dragged(SQUARE, bow, at(0.5, -nearly)).label == "radius 0.5, half a circle"
    assert dragged(SQUARE, bow, at(0.5, -nearly, ctrl=True)).shape.bulges[0] < 0.99
    assert dragged(SQUARE, bow, at(0.5, -0.5 - near)).refusal == ""
    assert "half a circle" in dragged(SQUARE, bow, at(0.5, -0.5 - 3 * near)).refusal
    # Beside its ends the arc through the pointer is anything.
    assert dragged(SQUARE, bow, at(0.0, 0.5 * near)).shape == SQUARE


def test_digits_are_those_of_the_screen():
    bulge = dragged(SQUARE, handle(SQUARE, "bow"), at(0.5, -0.123456789)).shape.bulges[0]
    assert bulge == round(bulge, 4)
    fine = dragged(SQUARE, handle(SQUARE, "bow"), at(0.5, -0.123456789, pixel=1e-7)).shape
    assert fine.bulges[0] == pytest.approx(2 * 0.123456789, abs=1e-8)


def test_handles_that_are_too_close_are_left_out():
    assert {h.kind for h in handles(SQUARE, PIXEL)} == {"corner", "bow", "move"}
    assert not any(h.kind == "bow" for h in handles(SQUARE, 1.01 / SHORT_PIXELS))
    ring, _ = Ellipse((0, 0), (1, 1)).outline(0.01)
    circle = Polygon(tuple((float(x), float(y)) for x, y in ring))
    shown = [h for h in handles(circle, PIXEL) if h.kind == "corner"]
    assert len(shown) <= 2 * math.pi / (CROWDED_PIXELS * PIXEL) + 1

    def under(x: float) -> Handle | None:
        return nearest(shown, lambda handle: math.dist(handle.at, (x, 0.0)), 10 * PIXEL)

    assert under(1.0 + 5 * PIXEL).number == 0
    assert under(0.5) is None


# The tool


def test_a_click_on_a_handle_moves_nothing_and_a_double_click_straightens():
    model = Model(in_box(SQUARE), ("holes", 0))
    model.drag((0.5, 0.0), (0.5, 0.001))
    assert model.edits == []
    model.drag((0.5, 0.0), (0.5, -0.1), (0.5, -0.3))
    assert model.shape.bulges == (0.6, 0, 0, 0)
    assert model.edits[0].label == "Bow edge"
    model.tool.move(at(0.5, 0.0, ""))
    assert not model.tool.wants_key("Backspace")
    model.tool.move(at(0.5, -0.3, ""))
    assert "bow" in model.tool.hint
    assert model.tool.key("Backspace")
    assert model.shape == SQUARE
    model.drag((0.5, 0.0), (0.5, -0.3))
    model.tool.press(at(0.5, -0.3, double=True))
    assert model.shape == SQUARE
    assert [edit.label for edit in model.edits].count("Straighten edge") == 2


def test_escape_gives_up_what_is_dragged():
    model = Model(in_box(SQUARE), ("holes", 0))
    model.tool.press(at(0.5, 0.0))
    model.tool.move(at(0.5, -0.3))
    assert len(model.tool.overlay().line) > 60
    assert model.tool.key("Escape")
    model.tool.release(at(0.5, -0.3))
    assert model.edits == []


def test_sides_of_a_rectangle_keep_their_walls_and_sources_when_one_is_bowed():
    sine = Sine(1.0)
    scene = Scene(
        "guide",
        Solver(element_size=0.2),
        Rectangle((0, 0), (2, 1)),
        walls=(AbsorbingWall(("domain.left", "domain.right")),),
        sources=(
            GuidedMode("mode", "domain.left", 1.0, sine),
            PlaneWave("wave", 0.0, 1.0, sine, None, ("domain.right",)),
        ),
        exact=None,
    )
    model = Model(check_scene(scene), ("background",))
    model.drag((1.0, 1.0), (1.0, 1.2))
    assert model.scene.walls[0].edges == ("domain.3", "domain.1")
    assert model.scene.sources[0].edge == "domain.3"
    assert model.scene.sources[1].edges == ("domain.1",)
    assert "polygon now" in model.edits[0].notes[0]
    assert parse_scene(dump_scene(model.scene)) == model.scene


def test_a_wall_stands_for_its_shape_and_other_shapes_can_be_changed():
    region = MaterialRegion("glass", Material(2.25), SQUARE)
    scene = in_box(
        Ellipse((-1, -1), (0.3, 0.3)),
        materials=(region,),
        walls=(MagneticWall(("hole",)), AbsorbingWall(("domain.left",))),
        monitors=(EnergyMonitor("energy", SQUARE),),
    )
    assert owner_of(scene, ("walls", 0)) == ("holes", 0)
    assert owner_of(scene, ("walls", 1)) == ("outline",)
    assert owner_of(scene, ("background",)) == ("outline",)
    assert owner_of(scene, ("solver",)) is None
    for item in (("materials", 0), ("monitors", 0)):
        model = Model(scene, item)
        model.drag((0.5, 0.0), (0.5, -0.25))
        assert model.shape.bulges == (0.5, 0, 0, 0)


def test_an_exact_solution_goes_with_its_domain_and_not_with_a_monitor():
    exact = FieldFormulas(ez=Formula.parse("0", ("x", "y", "t")))
    scene = in_box(SQUARE, exact=exact, monitors=(EnergyMonitor("energy", SQUARE),))
    bowed = replace(SQUARE, bulges=(0.5, 0.0, 0.0, 0.0))
    assert reshape(scene, ("holes", 0), bowed, "").scene.exact is None
    assert reshape(scene, ("monitors", 0), bowed, "").scene.exact == exact


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (Ellipse((0, 0), (0.5, 0)), "radii"),
        (Ellipse((0, 0), (1.5, 1e-3)), "needle"),
        (Rectangle((0, 0), (0, 1)), "upper corner"),
        (Ellipse((9, 9), (1, 1)), "outside"),
        (Rectangle((-3, -3), (3, 3)), "nothing is left"),
        (Polygon(((0, 0), (1, 1), (1, 0), (0, 1))), "crosses itself"),
        (Polygon(((0, 0), (0, 0), (1, 1)), (1.0, 0, 0)), "ends where it begins"),
        (Polygon(((0, 0), (1, 0), (1, 1), (0, 1)), (-0.9, 0, -0.9, 0)), ""),
        (Polygon(((0, 0), (1, 0), (1, 0.8), (0, 0.8)), (-0.9, 0, -0.9, 0)), "itself"),
        (Polygon(((0, 0), (1e13, 0), (0, 1))), "coordinate"),
        (Polygon(((0, 0), (math.inf, 0), (0, 1))), "inf"),
    ],
)
def test_why_a_shape_cannot_be(shape, why):
    found = refusal(in_box(SQUARE), ("holes", 0), shape)
    assert (found is not None) == bool(why)
    assert found is None or why in found.text


def test_periodic_walls_and_arcs_do_not_go_together():
    scene = replace(
        in_box(Ellipse((0, 0), (0.2, 0.2))),
        walls=(PeriodicWall(("domain.left", "domain.right")),),
    )
    bowed = Polygon(((-2, -2), (2, -2), (2, 2), (-2, 2)), (0, 0, 0, 0.3))
    found = refusal(scene, ("outline",), bowed)
    assert "not one straight edge" in found.text
    with pytest.raises(SceneError, match="not one straight edge"):
        reshape(scene, ("outline",), bowed, "")


places = st.tuples(st.floats(-3, 3), st.floats(-3, 3))
gestures = st.lists(
    st.tuples(
        st.integers(0, 30), st.lists(places, min_size=1, max_size=3), st.booleans(), st.booleans(),
        st.sampled_from([PIXEL, 1e-9, 1.0]),
    ),
    max_size=5,
)  # fmt: skip
starts = st.sampled_from(
    [
        SQUARE,
        Rectangle((-0.5, -0.5), (0.5, 0.5)),
        Ellipse((0.1, 0.2), (0.4, 0.2), 30),
        Polygon(((0, -0.5), (0, 0.5)), (0.5, 0.3)),
        Polygon(((0, 0), (1, 0), (0, 1)), (-0.2, 0.7, 0)),
    ]
)


@settings(max_examples=60, deadline=None)
@given(starts, gestures, st.sampled_from(["holes", "outline"]))
def test_whatever_is_dragged_anywhere_the_scene_can_be_meshed(shape, drags, owner):
    scene = in_box(shape)
    if owner == "outline":
        scene = replace(scene, outline=shape, holes=())
    model = Model(scene, ("outline",) if owner == "outline" else ("holes", 0))
    for number, way, shift, ctrl, pixel in drags:
        found = handles(model.shape, pixel)
        if not found:
            continue
        grip = found[number % len(found)]
        model.tool.press(at(*grip.at, pixel=pixel))
        for point in way:
            model.tool.move(at(*point, pixel=pixel, shift=shift, ctrl=ctrl))
            overlay = model.tool.overlay()
            assert all(math.isfinite(c) for point in overlay.line for c in point)
            assert model.tool.hint
        model.tool.release(at(*way[-1], pixel=pixel, shift=shift, ctrl=ctrl))
        assert check_scene(model.scene) is model.scene
        assert outline_problem(smooth_outline(model.shape)[0]) is None
        assert all(abs(b) <= 1 for b in getattr(model.shape, "bulges", ()))
        for handle, middle in _bows(model.shape):
            assert math.dist(handle.at, middle) < 1e-9
    assert parse_scene(dump_scene(model.scene)) == model.scene


def _bows(shape):
    for h in handles(shape, PIXEL):
        if h.kind == "bow" and getattr(shape, "bulges", ()):
            ends = shape.vertices[h.number], shape.vertices[(h.number + 1) % len(shape.vertices)]
            yield h, middle_of(*ends, shape.bulges[h.number])
