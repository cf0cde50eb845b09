"""The tools, driven by events without a window."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
import qtawesome
from hypothesis import given
from hypothesis import strategies as st

from tests.app.measuring_bench import MeasuringBench
from wavelab.app.tools import (
    TOOLS,
    DrawTool,
    HandTool,
    PingTool,
    Purpose,
    ShapeTool,
    SourceTool,
)
from wavelab.app.tools.free_line import crossing
from wavelab.app.tools.monitor_hand import MonitorHand
from wavelab.app.tools.snapping import GRID_PIXELS, grid_spacing, snap, to_grid
from wavelab.app.tools.source_access import Preview, SourceGrip, Target
from wavelab.app.tools.tool import EMPTY, PointerEvent
from wavelab.scene.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.source_handles import Handle

#: One logical pixel in these tests, in scene units.
PIXEL = 0.002


def at(x: float, y: float, button: str = "", **modifiers: bool) -> PointerEvent:
    return PointerEvent(x, y, PIXEL, button, **modifiers)


def click(tool, x: float, y: float, **modifiers: bool) -> None:
    tool.move(at(x, y, **modifiers))
    tool.press(at(x, y, "left", **modifiers))
    tool.release(at(x, y, "left", **modifiers))


def drag(tool, start, end, **modifiers: bool) -> None:
    tool.press(at(*start, "left", **modifiers))
    tool.move(at(*end, "left", **modifiers))
    tool.release(at(*end, "left", **modifiers))


class Calls(list):
    """Records the arguments it is called with."""

    def __call__(self, *arguments) -> None:
        self.append(arguments)


# Ping


def test_a_click_pings_once():
    calls = Calls()
    click(PingTool(calls, radius=0.1, height=lambda: 2.0), 0.25, 0.5)
    assert calls == [(0.25, 0.5, 0.1, 2.0)]


def test_shift_turns_the_sign_of_a_ping_and_of_its_ring():
    calls = Calls()
    tool = PingTool(calls)
    tool.move(at(0.5, 0.5))
    assert tool.overlay().rings[0].tone == "positive"
    click(tool, 0.5, 0.5, shift=True)
    assert calls[0][3] == -1.0
    assert tool.overlay().rings[0].tone == "negative"


def test_holding_the_button_repeats_the_pulse_at_the_height_it_began_with():
    calls, height = Calls(), [2.0]
    tool = PingTool(calls, radius=0.1, height=lambda: height[0], negative=True)
    assert not tool.hold()
    tool.press(at(0.5, 0.5, "left"))
    height[0] = 9.0
    assert tool.hold()
    tool.move(at(0.5, 0.5, "left", shift=True))
    tool.hold()
    assert calls == [(0.5, 0.5, 0.1, -2.0), (0.5, 0.5, 0.1, -2.0), (0.5, 0.5, 0.1, 2.0)]
    tool.release(at(0.5, 0.5, "left"))
    assert not tool.hold()
    assert len(calls) == 3


def test_only_the_left_button_pings():
    calls = Calls()
    PingTool(calls).press(at(0.5, 0.5, "right"))
    assert calls == []


def test_a_trail_is_evenly_spaced_however_the_mouse_is_reported():
    coarse, fine = Calls(), Calls()
    drag(PingTool(coarse, radius=0.1), (0.0, 0.0), (1.02, 0.0))
    tool = PingTool(fine, radius=0.1)
    tool.press(at(0.0, 0.0, "left"))
    for x in np.linspace(0, 1.02, 37):
        tool.move(at(float(x), 0.0, "left"))
    assert np.allclose(coarse, fine)
    assert np.allclose(np.diff([call[0] for call in coarse]), 0.05)


def test_a_long_trail_is_as_high_as_a_click():
    calls = Calls()
    drag(PingTool(calls, radius=0.1), (0.0, 0.0), (4.0, 0.0))
    x, _, radius, amplitude = np.array(calls[1:]).T
    height = np.sum(amplitude * np.exp(-((x - 2.0) ** 2) / (2 * radius**2)))
    assert height == pytest.approx(1.0, abs=1e-6)


def test_moving_without_the_button_leaves_no_trail():
    calls = Calls()
    tool = PingTool(calls)
    click(tool, 0.0, 0.0)
    tool.move(at(1.0, 0.0))
    assert len(calls) == 1


def test_a_jump_across_a_huge_scene_adds_a_bounded_number_of_pulses():
    calls = Calls()
    drag(PingTool(calls, radius=1e-6), (0.0, 0.0), (1e3, 0.0))
    assert len(calls) <= 201


def test_brackets_change_the_radius_and_tell():
    told = Calls()
    tool = PingTool(Calls(), radius=0.1, radius_changed=told)
    assert tool.key("]")
    assert tool.radius == pytest.approx(0.125)
    assert tool.key("[")
    assert tool.radius == pytest.approx(0.1)
    assert told == [(pytest.approx(0.125),), (pytest.approx(0.1),)]
    assert not tool.key("a")


def test_the_radius_stays_visible():
    tool = PingTool(Calls(), radius=0.1)
    tool.move(at(0.5, 0.5))
    for _ in range(100):
        tool.key("[")
    assert tool.radius == pytest.approx(2 * PIXEL)


def test_the_ring_shows_the_radius_and_goes_with_the_pointer():
    tool = PingTool(Calls(), radius=0.07)
    tool.move(at(0.3, 0.4))
    (ring,) = tool.overlay().rings
    assert (ring.center, ring.radius) == ((0.3, 0.4), 0.07)
    tool.leave()
    assert tool.overlay() == EMPTY


# Snapping


@given(st.floats(1e-12, 1e12))
def test_the_grid_is_round_and_wide_enough_on_the_screen(pixel):
    spacing = grid_spacing(pixel)
    mantissa = spacing / 10 ** math.floor(math.log10(spacing * 1.000001))
    assert min(abs(mantissa - m) for m in (1, 2, 5)) < 1e-6
    assert GRID_PIXELS * (1 - 1e-6) <= spacing / pixel <= 2.5 * GRID_PIXELS * (1 + 1e-6)


@given(st.floats(-100, 100), st.sampled_from([0.001, 0.02, 0.5, 1.0, 20.0]))
def test_grid_points_are_written_without_rounding_noise(value, spacing):
    snapped = to_grid(value, spacing)
    assert abs(snapped - value) <= 0.5 * spacing * (1 + 1e-9)
    assert len(f"{snapped!r}".lstrip("-")) <= 7


def test_a_vertex_within_reach_wins_over_the_grid():
    vertices = ((0.1234, 0.5), (0.14, 0.5))
    assert snap(at(0.125, 0.501), vertices).point == (0.1234, 0.5)
    assert snap(at(0.3, 0.5), vertices).to == "grid"


def test_control_takes_the_pointer_as_it_is():
    assert snap(at(0.12345, 0.6789, ctrl=True), ((0.12345, 0.679),)).point == (0.12345, 0.6789)


def test_shift_keeps_the_nearer_axis_of_the_previous_vertex():
    assert snap(at(0.9, 0.53, shift=True), (), (0.5, 0.5)).point == (0.9, 0.5)
    assert snap(at(0.53, 0.9, shift=True), (), (0.5, 0.5)).point == (0.5, 0.9)


# Polygon


SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


def drawn(points, **options) -> tuple[DrawTool, Calls]:
    finished = Calls()
    tool = DrawTool(finished, **options)
    for x, y in points:
        click(tool, x, y)
    return tool, finished


def test_enter_closes_the_polygon():
    tool, finished = drawn(SQUARE)
    assert tool.key("Enter")
    assert finished == [(Polygon(SQUARE),)]
    assert tool.vertices == ()


def test_the_first_corner_closes_the_polygon_and_shows_so():
    tool, finished = drawn(SQUARE)
    tool.move(at(0.2 + 6 * PIXEL, 0.2, ctrl=True))
    assert tool.overlay().snap_closes
    assert "close" in tool.hint
    click(tool, 0.2 + 6 * PIXEL, 0.2, ctrl=True)
    assert finished == [(Polygon(SQUARE),)]


def test_a_double_click_closes_without_an_extra_corner():
    tool, finished = drawn(SQUARE)
    tool.press(PointerEvent(0.2, 0.8, PIXEL, "left", double=True))
    assert finished == [(Polygon(SQUARE),)]


def test_backspace_takes_back_one_corner_and_escape_all():
    tool, _ = drawn(SQUARE)
    tool.key("Backspace")
    assert tool.vertices == SQUARE[:3]
    tool.key("Escape")
    assert tool.vertices == ()
    assert not tool.wants_key("Escape")


def test_a_crossing_segment_is_shown_before_it_is_placed():
    tool, _ = drawn([(0.0, 0.0), (0.4, 0.0), (0.4, 0.4)])
    assert not tool.overlay().invalid
    tool.move(at(0.2, -0.2))
    overlay = tool.overlay()
    assert overlay.invalid
    assert overlay.trouble == pytest.approx((0.2667, 0.0), abs=1e-3)
    assert "crosses itself" in tool.hint
    tool.move(at(0.0, 0.4))
    assert not tool.overlay().invalid


def test_a_polygon_that_crosses_itself_cannot_be_closed():
    tool, finished = drawn([(0.0, 0.0), (0.4, 0.4), (0.4, 0.0), (0.0, 0.4)])
    tool.leave()
    tool.key("Enter")
    assert finished == []
    assert "crosses itself" in tool.hint
    assert tool.overlay().trouble == pytest.approx((0.2, 0.2))
    tool.key("Backspace")
    assert not tool.overlay().invalid


def test_two_corners_are_no_polygon():
    tool, finished = drawn(SQUARE[:2])
    tool.key("Enter")
    assert finished == []
    assert "3 different vertices" in tool.hint


def test_the_same_corner_twice_counts_once():
    tool, _ = drawn([(0.2, 0.2), (0.2, 0.2), (0.8, 0.2)])
    assert tool.vertices == ((0.2, 0.2), (0.8, 0.2))


def test_corners_snap_to_vertices_of_the_scene():
    tool, _ = drawn([(0.503, 0.5)], snap_points=lambda: [(0.5011, 0.4987)])
    assert tool.vertices == ((0.5011, 0.4987),)


@pytest.mark.parametrize("make", [DrawTool, ShapeTool])
def test_the_hint_names_the_purpose_before_anything_is_drawn(make):
    assert "becomes an obstacle" in make(Calls(), purpose=Purpose("hole")).hint
    automatic = make(Calls(), purpose=Purpose()).hint
    assert "obstacle" in automatic
    assert "new domain" in automatic


def small(shape) -> bool:
    """Stands in for "within the domain": narrower than 0.7."""
    (x0, _), (x1, _) = shape.bounds()
    return x1 - x0 < 0.7


def test_the_hint_says_what_a_polygon_becomes_before_it_is_closed():
    tool, _ = drawn(SQUARE, purpose=Purpose(inside=small))
    assert "becomes an obstacle (Tab: a new domain)" in tool.hint
    tool.move(at(0.2, 0.2))
    assert "becomes an obstacle" in tool.hint
    assert tool.overlay().label == "an obstacle"
    click(tool, -0.2, 0.5)
    assert "becomes a new domain (Tab: an obstacle)" in tool.hint


def test_tab_switches_what_is_drawn_and_is_left_alone_before():
    told = Calls()
    purpose = Purpose(inside=small, changed=told)
    tool, _ = drawn(SQUARE[:2], purpose=purpose)
    assert not tool.key("Tab")
    click(tool, *SQUARE[2])
    assert tool.key("Tab")
    assert purpose.of(Polygon(SQUARE)) == "domain"
    assert "becomes a new domain" in tool.hint
    tool.key("Tab")
    assert "becomes an obstacle" in tool.hint
    assert len(told) == 2


def test_a_dragged_shape_says_what_it_becomes_and_tab_switches():
    tool = ShapeTool(Calls(), kind="ellipse", purpose=Purpose(inside=small))
    assert not tool.wants_key("Tab")
    tool.press(at(0.2, 0.2, "left"))
    tool.move(at(0.6, 0.6, "left"))
    assert "becomes an obstacle" in tool.hint
    tool.key("Tab")
    assert "becomes a new domain" in tool.hint
    assert tool.overlay().label == "0.4 \u00d7 0.4, a new domain"


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=9))
def test_whatever_is_clicked_only_simple_polygons_come_out(points):
    from shapely import Polygon as Region

    tool, finished = drawn([(x / 10, y / 10) for x, y in points])
    tool.key("Enter")
    for (polygon,) in finished:
        assert Region(polygon.vertices).is_valid
    if not finished:
        assert tool.overlay().invalid


def test_where_a_line_crosses_itself():
    assert crossing([(0, 0), (1, 0), (1, 1)]) is None
    assert crossing([(0, 0), (1, 0), (1, 1), (0, 0)]) is None
    assert crossing([(0, 0), (2, 0), (2, 1), (1, 1), (1, -1)]) == (1, 0)
    assert crossing([(0, 0), (2, 0), (1, 0)]) is not None


# Rectangle and ellipse


def test_a_drag_spans_a_rectangle_in_any_direction():
    finished = Calls()
    drag(ShapeTool(finished, kind="rectangle"), (0.8, 0.6), (0.2, 0.1))
    assert finished == [(Rectangle((0.2, 0.1), (0.8, 0.6)),)]


def test_shift_makes_a_circle_and_alt_starts_from_the_centre():
    finished = Calls()
    drag(ShapeTool(finished, kind="ellipse"), (0.5, 0.5), (0.7, 0.6), shift=True, alt=True)
    ((shape,),) = finished
    assert isinstance(shape, Ellipse)
    assert shape.center == pytest.approx((0.5, 0.5))
    assert shape.radii == pytest.approx((0.2, 0.2))


def test_too_small_a_shape_is_taken_back():
    finished = Calls()
    tool = ShapeTool(finished, kind="rectangle")
    drag(tool, (0.5, 0.5), (0.5, 0.9))
    assert finished == []
    assert "Too small" in tool.hint


def test_escape_ends_a_drag():
    finished = Calls()
    tool = ShapeTool(finished, kind="ellipse")
    tool.press(at(0.2, 0.2, "left"))
    tool.move(at(0.8, 0.8, "left"))
    assert len(tool.overlay().line) >= 12
    assert tool.overlay().label == "0.6 \u00d7 0.6, a new domain"
    tool.key("Escape")
    tool.release(at(0.8, 0.8, "left"))
    assert finished == []


# Source and hand


class FakeSources:
    """One point source, and what the tool asked for."""

    def __init__(self, placing: str = "click") -> None:
        self.kind = placing
        self.calls = Calls()

    def placing(self):
        return self.kind

    def grips(self, pixel):
        return [
            SourceGrip("lamp", Handle("place", (0.5, 0.5), "lamp")),
            SourceGrip("lamp", Handle("end", (0.9, 0.9), "the end of lamp")),
        ]

    def edges(self):
        corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
        names = ("bottom", "right", "top", "left")
        return {name: (corners[i : i + 2],) for i, name in enumerate(names)}

    def obstacle(self, edge):
        return "no guide" if edge == "top" else ""

    def entering(self, edges):
        return Preview((), "+".join(edges))

    def any_way(self):
        return True

    def collecting(self):
        return "beam", ("bottom",)

    def changing(self, grip, target):
        return Preview((), f"{grip.handle.name} {target.edge}")

    def __getattr__(self, name):
        return lambda *arguments: self.calls.append((name, *arguments))


def test_a_click_places_a_source_and_a_click_on_one_removes_it():
    sources = FakeSources()
    tool = SourceTool(sources)
    click(tool, 0.3, 0.4)
    assert sources.calls == [("place", (0.3, 0.4), (0.3, 0.4))]
    tool.move(at(0.505, 0.5))
    assert "remove lamp" in tool.hint
    click(tool, 0.505, 0.5)
    assert sources.calls[1:] == [("remove", "lamp")]


def test_a_handle_is_dragged_and_escape_leaves_it():
    sources = FakeSources()
    tool = SourceTool(sources)
    place, end = sources.grips(PIXEL)
    drag(tool, (0.5, 0.5), (0.7, 0.6))
    assert sources.calls == [("change", place, Target(at(0.7, 0.6, "left")))]
    tool.move(at(0.9, 0.9))
    assert "the end of lamp" in tool.hint
    tool.press(at(0.9, 0.9, "left"))
    tool.release(at(0.9, 0.9, "left"))  # a click on an end does nothing
    tool.press(at(0.9, 0.9, "left"))
    tool.move(at(1.0, 0.6, "left"))
    assert tool.overlay().pending == ((0.9, 0.9), (1.0, 0.6))
    assert tool.overlay().label == "end right"
    tool.key("Escape")
    tool.release(at(0.7, 0.6, "left"))
    assert len(sources.calls) == 1
    drag(tool, (0.9, 0.9), (1.0, 0.6), shift=True)
    assert sources.calls[1:] == [("change", end, Target(at(1.0, 0.6, "left", shift=True), "right"))]


@pytest.mark.parametrize(("placing", "corners"), [("line", 2), ("box", 4)])
def test_a_source_that_is_dragged_shows_where_it_will_be(placing, corners):
    sources = FakeSources(placing)
    tool = SourceTool(sources)
    assert placing in tool.hint
    click(tool, 0.2, 0.2)
    assert sources.calls == []  # too short
    tool.press(at(0.2, 0.3, "left"))
    tool.move(at(0.7, 0.6, "left"))
    overlay = tool.overlay()
    assert len(overlay.line) == corners
    assert overlay.closed == (placing == "box")
    tool.release(at(0.7, 0.6, "left"))
    assert sources.calls == [("place", (0.2, 0.3), (0.7, 0.6))]
    assert tool.overlay().line == ()


def test_a_wave_goes_in_through_the_edges_that_were_clicked_or_dragged_over():
    sources = FakeSources("edges")
    tool = SourceTool(sources)
    tool.move(at(0.005, 0.3))
    assert [stroke.tone for stroke in tool.overlay().strokes] == ["hover"]
    assert tool.overlay().label == "left"
    assert tool.hint.endswith("Shift+click: beam comes in here too")
    click(tool, 0.005, 0.3)
    click(tool, 0.3, 0.3)  # no edge there
    tool.press(at(0.0, 0.2, "left"))
    tool.move(at(0.3, 0.0, "left"))
    assert tool.hint.startswith("Release to send the wave in through left, bottom")
    tool.release(at(0.5, 0.4, "left"))
    click(tool, 1.0, 0.3, shift=True)
    assert sources.calls == [
        ("send_in", ("left",)), ("send_in", ("left", "bottom")), ("toggle", "right"),
    ]  # fmt: skip


def test_an_edge_that_no_mode_comes_through_says_why():
    sources = FakeSources("edge")
    tool = SourceTool(sources)
    tool.move(at(0.3, 1.0))
    assert tool.hint == "No guide"
    assert tool.overlay().strokes[0].tone == "faint"
    tool.press(at(0.0, 0.2, "left"))
    tool.move(at(0.3, 0.0, "left"))
    tool.release(at(0.3, 0.0, "left"))
    assert sources.calls == [("send_in", ("left",))]  # a mode has one edge
    tool.press(at(0.0, 0.2, "left"))
    tool.key("Escape")
    tool.release(at(0.0, 0.2, "left"))
    assert len(sources.calls) == 1


def test_the_hand_leaves_everything_to_the_canvas():
    tool = HandTool()
    assert not tool.press(at(0, 0, "left"))
    assert tool.overlay() == EMPTY


# The registry


def test_every_tool_is_offered_under_its_own_key_letter_and_icon():
    assert all(key == info.key for key, info in TOOLS.items())
    assert len({info.shortcut for info in TOOLS.values()}) == len(TOOLS)
    assert len({info.icon for info in TOOLS.values()}) == len(TOOLS)


def made(key: str):
    """A tool of each kind."""
    needed = {"hand": (), "ruler": (), "source": (FakeSources(),), "probe": (MeasuringBench(),)}
    return TOOLS[key].factory(*needed.get(key, (Calls(),)))


@pytest.mark.parametrize("key", TOOLS)
def test_every_factory_makes_a_tool_that_explains_itself(key):
    tool = made(key)
    assert len(tool.hint) > 10
    assert tool.cursor in ("cross", "hand", "none")
    assert not tool.wants_key("q")


@pytest.mark.parametrize("key", TOOLS)
def test_the_gestures_of_a_tool_name_every_key_it_listens_to(key):
    tool = made(key)
    told = " ".join(gesture for gesture, _ in tool.gestures)
    assert told
    code = inspect.getsource(type(tool))
    names = {"Escape": "Esc", "Tab": "Tab", "Backspace": "Backspace", "Delete": "Delete"}
    if key == "probe":
        code += inspect.getsource(MonitorHand)  # a part of it
    else:
        names["Enter"] = "Enter"  # it hands that on to the tool that draws a polygon
    for name, word in names.items():
        assert (f'"{name}"' in code) == (word in told), name
    for name in ("shift", "alt"):
        assert (f"event.{name}" in code or name.title() in told) == (name.title() in told)


@pytest.mark.parametrize("info", TOOLS.values(), ids=list(TOOLS))
def test_every_icon_exists(info):
    import json
    from pathlib import Path

    prefix, name = info.icon.split(".")
    assert prefix == "ph"
    (charmap,) = (Path(qtawesome.__file__).parent / "fonts").glob("phosphor-charmap*.json")
    assert name in json.loads(charmap.read_text(encoding="utf-8"))
