"""The probe tool and the handles of monitors, driven by events without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.app.measuring_bench import SCENE
from tests.app.measuring_bench import MeasuringBench as Bench
from tests.app.tool_events import PIXEL, at, click, drag
from wavelab.app.edits.monitor_edits import (
    MEASURED,
    new_monitor,
    read_frequencies,
    written_frequencies,
)
from wavelab.app.edits.monitor_rules import MisplacedError, misplacement
from wavelab.app.tools.measuring.monitor_handles import drawn_line, handles, without_corner
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Material, Probe, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.monitors import (
    MONITORS,
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    LineMonitor,
)
from wavelab.scene.poles import Drude

AROUND = Rectangle((0.35, 0.35), (0.65, 0.65))


def test_a_click_places_a_probe_and_a_click_on_one_chooses_the_nearest():
    bench = Bench()
    click(bench.tool, 0.3, 0.4)
    assert bench.probes() == (Probe("probe 1", (0.3, 0.4)),)
    bench.scene = replace(SCENE, probes=(Probe("a", (0.5, 0.5)), Probe("b", (0.51, 0.5))))
    bench.tool.move(at(0.508, 0.5))
    assert "properties of b" in bench.tool.hint
    click(bench.tool, 0.508, 0.5)
    assert bench.name == "b"
    assert [probe.name for probe in bench.probes()] == ["a", "b"]
    # It is dragged by where it was taken, unless Escape gives up.
    drag(bench.tool, (0.512, 0.5), (0.612, 0.6))
    assert bench.probes()[1].position == pytest.approx((0.61, 0.6))
    bench.tool.press(at(0.61, 0.6, "left"))
    bench.tool.move(at(0.8, 0.8, "left"))
    assert bench.tool.key("Escape")
    bench.tool.release(at(0.8, 0.8, "left"))
    assert bench.probes()[1].position == pytest.approx((0.61, 0.6))
    for place in ((0.5, 0.5), (0.61, 0.6)):
        bench.tool.move(at(*place))
        assert bench.tool.key("Delete")
    assert bench.probes() == ()


@pytest.mark.parametrize("kind", MEASURED)
def test_what_would_be_placed_is_told_at_the_pointer(kind):
    bench = Bench(kind)
    bench.tool.move(at(0.2, 0.8))
    assert bench.tool.overlay().label == MEASURED[kind].becomes


def test_everything_that_can_be_measured_can_be_placed():
    kinds = {type(new_monitor(SCENE, k, AROUND, (1.0,))) for k, m in MEASURED.items()
             if m.placing == "shape"}  # fmt: skip
    lines = {type(new_monitor(SCENE, k, ((0.1, 0.1), (0.2, 0.2)), (1.0,))) for k, m in
             MEASURED.items() if m.placing == "line"}  # fmt: skip
    assert kinds | lines == set(MONITORS.values())


@pytest.mark.parametrize("kind", ["energy", "far_field", "field", "loop"])
def test_a_region_is_a_rectangle_an_ellipse_or_a_polygon(kind):
    bench = Bench(kind)
    drag(bench.tool, (0.36, 0.35), (0.65, 0.66))
    bench.settings = replace(bench.settings, shape="ellipse")
    drag(bench.tool, (0.3, 0.4), (0.7, 0.75))
    bench.settings = replace(bench.settings, shape="polygon")
    for x, y in ((0.2, 0.35), (0.9, 0.35), (0.6, 0.95)):
        click(bench.tool, x, y)
    assert bench.tool.key("Enter")
    assert bench.complaints == []
    rectangle, ellipse, polygon = bench.monitors()
    if kind == "loop":
        assert all(isinstance(m, FluxMonitor) and m.closed for m in bench.monitors())
        assert rectangle.vertices == ((0.35, 0.35), (0.65, 0.35), (0.65, 0.65), (0.35, 0.65))
        assert polygon.vertices == ((0.2, 0.35), (0.9, 0.35), (0.6, 0.95))
        assert len(ellipse.vertices) == 48
        return
    assert rectangle.shape == AROUND
    assert ellipse.shape.center == pytest.approx((0.5, 0.575))
    assert ellipse.shape.radii == pytest.approx((0.2, 0.175))
    assert polygon.shape == Polygon(((0.2, 0.35), (0.9, 0.35), (0.6, 0.95)))
    assert kind == "energy" or polygon.frequencies == (2.0,)


def test_a_map_takes_one_click():
    bench = Bench("field", "everywhere")
    click(bench.tool, 0.9, 0.9)
    assert bench.monitors() == (FieldMonitor("map 1", (2.0,)),)
    assert bench.tool.key("Delete")
    assert bench.monitors() == ()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ((0.52, 0.66), 'runs into the obstacle "disk"'),
        ((1.2, 0.66), "leaves the domain"),
        ((0.75, 0.66), 'crosses the border of "glass" to the background'),
        ((0.02, 0.66), "layer along an open wall"),
        ((0.2, 0.4), 'crosses the border of "lossy"'),
    ],
)
def test_a_contour_is_red_where_it_may_not_be(end, said):
    bench, start = Bench("far_field"), (0.34, 0.2)
    bench.tool.press(at(*start, "left"))
    bench.tool.move(at(*end, "left"))
    assert bench.tool.overlay().invalid
    assert said in bench.tool.overlay().label
    assert said in bench.tool.hint
    bench.tool.release(at(*end, "left"))
    assert bench.monitors() == ()
    (error,) = bench.complaints
    assert isinstance(error, MisplacedError)
    assert 'monitor "far field 1"' in error.message
    assert error.remedy
    assert error.spot is not None


@pytest.mark.parametrize(
    ("medium", "said"),
    [
        (Material(mu_axes=(1.0, 2.0)), "that is anisotropic"),
        (Material(magnetic_sigma=0.2), "with losses"),
        (Material(magnetic_poles=(Drude(0.5),)), "that is dispersive"),
    ],
)
def test_a_contour_needs_a_plain_medium(medium, said):
    scene = Scene("s", Solver(0.2), background=medium)
    box = Rectangle((0.2, 0.2), (0.8, 0.8))
    error = misplacement(scene, FarFieldMonitor("f", box, (1.0,)))
    assert error is not None
    assert said in error.message


def test_what_else_a_monitor_may_not_be():
    for monitor, said in (
        (FarFieldMonitor("f", Rectangle((0.15, 0.15), (0.25, 0.25)), (1.0,)), "with losses"),
        (FarFieldMonitor("f", AROUND, ()), "has no frequencies"),
        (LineMonitor("l", ((0.4, 0.5), (0.5, 0.5))), "leaves the domain"),
        (FluxMonitor("l", ((1.4, 0.5), (1.5, 0.5))), "outside the domain"),
        (EnergyMonitor("e", Rectangle((1.1, 0.0), (1.2, 0.1))), "outside the domain"),
        (EnergyMonitor("e", Polygon(((0.1, 0.1), (0.2, 0.2), (0.2, 0.1), (0.1, 0.2)))), "cross"),
    ):
        error = misplacement(SCENE, monitor)
        assert error is not None, monitor
        assert said in error.message
        assert error.remedy
    assert misplacement(SCENE, FluxMonitor("l", ((0.9, 0.5), (1.5, 0.5)))) is None
    assert misplacement(SCENE, FarFieldMonitor("f", AROUND, (1.0,))) is None


def test_a_polygon_that_may_not_be_keeps_its_corners():
    bench = Bench("far_field", "polygon")
    for x, y in ((0.34, 0.34), (0.66, 0.34), (0.5, 0.5)):
        click(bench.tool, x, y)
    bench.tool.key("Enter")
    assert "disk" in bench.tool.hint
    assert bench.monitors() == ()
    bench.tool.key("Backspace")
    click(bench.tool, 0.66, 0.9)
    click(bench.tool, 0.34, 0.9)
    bench.tool.key("Enter")
    assert len(bench.monitors()) == 1


def test_a_line_is_reshaped_by_its_handles():
    bench = Bench("flux")
    drag(bench.tool, (0.3, 0.8), (0.9, 0.85), shift=True)
    assert bench.chosen() == FluxMonitor("flux 1", ((0.3, 0.8), (0.9, 0.8)), frequencies=(2.0,))
    grips = {grip.kind: grip.at for grip in bench.tool.overlay().grips}
    assert grips["move"] == pytest.approx((0.6, 0.8))
    drag(bench.tool, (0.3, 0.8), (0.3, 0.7))
    assert bench.chosen().vertices == ((0.3, 0.7), (0.9, 0.8))
    (new,) = (h for h in handles(bench.chosen(), PIXEL) if h.kind == "insert")
    bench.tool.move(at(*new.at))
    drag(bench.tool, new.at, (0.5, 0.9))
    assert bench.chosen().vertices == ((0.3, 0.7), (0.5, 0.9), (0.9, 0.8))
    bench.tool.move(at(0.5, 0.9))
    assert "Backspace" in bench.tool.hint
    assert bench.tool.key("Backspace")
    assert bench.chosen().vertices == ((0.3, 0.7), (0.9, 0.8))
    assert bench.labels == [
        "Place monitor",
        "Move corner of monitor",
        "Add corner of monitor",
        "Remove corner of monitor",
    ]
    bench.tool.move(at(0.3, 0.7))
    assert not bench.tool.wants_key("Backspace")


def test_a_drag_on_the_line_moves_a_monitor_and_a_click_chooses_it():
    bench = Bench("far_field", "rectangle")
    bench.scene = replace(SCENE, monitors=(FarFieldMonitor("f", AROUND, (1.0,)),))
    click(bench.tool, 0.35, 0.45)
    assert bench.name == "f"
    assert bench.labels == []
    bench.tool.move(at(0.35, 0.42))
    drag(bench.tool, (0.35, 0.42), (0.3, 0.46))
    assert bench.chosen().shape == Rectangle((0.3, 0.4), (0.6, 0.7))
    bench.tool.move(at(0.3, 0.42))
    bench.tool.press(at(0.3, 0.42, "left"))
    bench.tool.move(at(0.55, 0.42, "left"))
    assert bench.tool.overlay().invalid
    assert "stays as it was" in bench.tool.hint
    bench.tool.release(at(0.55, 0.42, "left"))
    assert bench.chosen().shape == Rectangle((0.3, 0.4), (0.6, 0.7))
    bench.tool.move(at(0.3, 0.42))
    bench.tool.press(at(0.3, 0.42, "left"))
    bench.tool.move(at(0.35, 0.42, "left"))
    assert bench.tool.key("Escape")
    bench.tool.release(at(0.35, 0.42, "left"))
    assert bench.labels == ["Move of monitor"]


def test_a_corner_of_a_region_is_dragged_and_taken_away():
    bench = Bench("energy")
    square = Polygon(((0.2, 0.6), (0.4, 0.6), (0.4, 0.9), (0.2, 0.9)))
    bench.scene = replace(SCENE, monitors=(EnergyMonitor("e", square),))
    bench.name = "e"
    bench.tool.move(at(0.4, 0.9))
    drag(bench.tool, (0.4, 0.9), (0.5, 0.8))
    assert bench.chosen().shape.vertices[2] == (0.5, 0.8)
    bench.tool.move(at(0.5, 0.8))
    bench.tool.key("Backspace")
    assert bench.chosen().shape.vertices == ((0.2, 0.6), (0.4, 0.6), (0.2, 0.9))
    (corner, *_) = handles(bench.chosen(), PIXEL)
    assert without_corner(bench.chosen(), corner) is None


def test_an_ellipse_has_radii_and_what_is_everywhere_has_nothing():
    round_ = EnergyMonitor("e", Ellipse((0.5, 0.5), (0.2, 0.1)))
    assert {h.kind for h in handles(round_, PIXEL)} == {"radius", "move"}
    assert handles(FieldMonitor("map", (1.0,)), PIXEL) == []
    assert drawn_line(FieldMonitor("map", (1.0,))) == ()


@pytest.mark.parametrize("kind", ["line", "far_field"])
def test_a_click_places_no_line_and_no_region(kind):
    bench = Bench(kind)
    click(bench.tool, 0.4, 0.8)
    bench.tool.press(at(0.4, 0.8, "left"))
    bench.tool.move(at(0.9, 0.9, "left"))
    assert bench.tool.key("Escape")
    bench.tool.release(at(0.9, 0.9, "left"))
    assert bench.monitors() == ()
    assert bench.complaints == []


def test_frequencies_as_they_are_typed():
    assert read_frequencies(" 1.5, 2;3 4 ") == (1.5, 2.0, 3.0, 4.0)
    assert read_frequencies("") == ()
    for text in ("1,5 Hz", "nan", "1e999"):
        with pytest.raises(WavelabError, match="no frequency"):
            read_frequencies(text)
    third = 1 / 3
    assert read_frequencies(written_frequencies((1.5, third))) == (1.5, third)
