"""Points by which a hand takes sources, and what comes of dragging them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from wavelab.scene.edges.edge_lines import drawn_edges, entrance, lines_of
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.sending.source_marks import Drag
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import (
    ArraySource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    Port,
    RegionSource,
)
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Ricker, Sine

W = Sine(2.0)
BOX, DISK = Rectangle((0.2, 0.3), (0.6, 0.7)), Ellipse((0.5, 0.5), (0.3, 0.1), 30)
TRIANGLE = Polygon(((0.1, 0.1), (0.9, 0.1), (0.5, 0.8)))
SCENE = Scene(
    "box",
    Solver(0.1),
    outline=Rectangle((0, 0), (2, 1)),
    holes=(Hole("step", Rectangle((1, 0.4), (1.2, 0.6))),),
    walls=(AbsorbingWall(("domain.left", "domain.bottom", "step.top")),),
)


def formula(text: str) -> Formula:
    return Formula.parse(text, ("t",))


def moving(x: str, y: str, waveform=W) -> MovingSource:
    return MovingSource("s", formula(x), formula(y), 0.02, 1.0, waveform)


SOURCES = {
    "point": (PointSource("s", (0.5, 0.5), 0.02, 1.0, W), "place"),
    "line": (LineSource("s", (0.2, 0.2), (0.4, 0.6), 0.02, 1.0, W), "place start end"),
    "array": (ArraySource("s", (0.2, 0.2), (0.4, 0.6), 4, 0.02, 1.0, W), "place start end"),
    "beam": (
        ArraySource("s", (0.2, 0.2), (0.4, 0.6), 4, 0.02, 1.0, W, direction=20.0),
        "place start end direction",
    ),
    "lens": (
        ArraySource("s", (0.2, 0.2), (0.4, 0.6), 4, 0.02, 1.0, W, focus=(1.0, 0.5)),
        "place start end focus",
    ),
    "region": (RegionSource("s", BOX, 1.0, W), "place"),
    "ellipse": (RegionSource("s", DISK, 1.0, W), "place"),
    "plane wave": (PlaneWave("s", -30.0, 1.0, W, TRIANGLE), "place direction"),
    "through walls": (PlaneWave("s", -30.0, 1.0, W, edges=("domain.left",)), "place direction"),
    "mode": (GuidedMode("s", "domain.left", 1.0, W), "place"),
    "port": (Port("s", (0.2, 0.2), (0.4, 0.6), 1.0, W), "place start end"),
    "straight": (moving("0.2 + 0.3*t", "0.5"), "place speed"),
    "at rest": (moving("0.2", "0.5"), "place speed"),
    "circling": (moving("0.5 + 0.2*cos(t)", "0.5 + 0.2*sin(t)"), "place"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_handle_is_where_it_was_dragged(kind):
    source, names = SOURCES[kind]
    found = {handle.name: handle for handle in source.handles(SCENE)}
    assert tuple(found) == tuple(names.split())
    for name, handle in found.items():
        if name == "place" and kind in ("through walls", "mode"):
            assert source.dragged(Drag(name, (0.5, 0.5)), SCENE) == source  # edits carry them
            continue
        to = (handle.at[0] + 0.031, handle.at[1] + 0.042)
        changed = source.dragged(Drag(name, to), SCENE)
        assert changed != source
        now = {h.name: h.at for h in changed.handles(SCENE)}[name]
        if name == "direction":
            shape = getattr(source, "shape", None)
            pivot = found["place"].at
            if shape is not None:
                lower, upper = shape.bounds()
                pivot = ((lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2)
            assert turn(pivot, now) == pytest.approx(turn(pivot, to), abs=0.06)
        else:
            assert now == pytest.approx(to, abs=1e-3)
        check_scene(replace(SCENE, sources=(changed,)))
        if kind != "at rest":
            # Dragged back it is as it was, so nothing else had changed.
            back = changed.dragged(Drag(name, handle.at), SCENE).handles(SCENE)
            for other in back:
                assert other.at == pytest.approx(found[other.name].at, abs=2e-3)


def turn(pivot, at) -> float:
    return math.degrees(math.atan2(at[1] - pivot[1], at[0] - pivot[0]))


def test_directions_snap_on_wish():
    beam = SOURCES["beam"][0]
    assert beam.dragged(Drag("direction", (1.0, 0.72), even=True), SCENE).direction == 30.0
    wave = SOURCES["through walls"][0]
    assert wave.dragged(Drag("direction", (0.5, 0.77), even=True), SCENE).direction == 30.0
    sped = SOURCES["straight"][0].dragged(Drag("speed", (0.7, 0.52), even=True), SCENE)
    assert sped.velocity() == pytest.approx((1.0, 0.0), abs=2e-3)


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("0.3", 0.0), ("0.2 - 0.5*t", -0.5), ("(t - 3)/2 + 2*(1 + t)", 2.5), ("t*t", None),
        ("1/(1 + t)", None), ("sin(t)", None), ("t if t < 3 else 3", None), ("0*t + 1", 0.0),
    ],
)  # fmt: skip
def test_which_ways_are_straight(text, speed):
    found = moving(text, "0").velocity()
    assert (found is None) == (speed is None)
    if found is not None:
        assert found == pytest.approx((speed, 0.0))


def test_a_moving_source_starts_where_it_is_first_heard():
    """One placed at the time 57 is not taken where it would have been at the time 0."""
    late = moving("0.2 + 0.5*(t - 57)", "0.3", Ricker(2.0, 57.75))
    assert late.handles(SCENE)[0].at == pytest.approx((0.2, 0.3))
    again = late.moved((0.4, 0.1))
    assert (again.x.text, again.y.text) == ("0.4 + 0.5*(t - 57)", "0.1")
    turned = again.sent((0.0, -0.25))
    assert (turned.x.text, turned.y.text) == ("0.4", "0.1 - 0.25*(t - 57)")


def test_a_way_that_is_not_straight_is_moved_as_it_is():
    circle = SOURCES["circling"][0]
    once = circle.moved((0.9, 0.4))
    twice = once.moved((1.0, 0.5))
    assert twice.x.text == "(0.5 + 0.2*cos(t)) + 0.3"
    assert twice.position(0.0) == pytest.approx((1.0, 0.5))
    assert twice.position(2.0) == pytest.approx(np.add(circle.position(2.0), (0.3, 0.0)))
    assert twice.moved((0.7, 0.5)).x.text == circle.x.text
    product = moving("(t) + (2) - 1.5 + t*t", "0")
    moved = product.moved((1.0, 0.0))
    assert moved.position(2.0) == pytest.approx(np.add(product.position(2.0), (0.5, 0.0)))


def test_waves_come_in_from_the_walls():
    """The domain is on the left of every edge, also of those of obstacles."""
    edges = drawn_edges(SCENE)
    inward = {name: entrance(lines).inward for name, lines in edges.items()}
    assert inward["domain.left"] == pytest.approx((1, 0))
    assert inward["domain.top"] == pytest.approx((0, -1))
    assert inward["step.top"] == pytest.approx((0, 1))
    assert len(lines_of("domain", edges)) == 4
    mode = SOURCES["mode"][0].mark(SCENE)
    (profile,) = mode.waves
    assert profile[[0, -1], 0] == pytest.approx([profile[:, 0].min()] * 2)
    assert np.ptp(profile[:, 1]) == pytest.approx(1.0)
    assert profile[32, 0] == profile[:, 0].max() < mode.arrow[1][0]


def test_several_waves_of_one_edge_stand_beside_each_other():
    two = (SOURCES["mode"][0], GuidedMode("other", "domain.left", 1.0, W, 2))
    scene = replace(SCENE, sources=two)
    assert [s.mark(scene).arrow[0][1] for s in two] == pytest.approx([2 / 3, 1 / 3])
