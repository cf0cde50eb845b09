"""Polygons, rectangles and ellipses, drawn by events without a window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.tool_events import PIXEL, Calls, at, click, drag
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.free_line import crossing
from wavelab.app.tools.drawing.shape import EllipseTool, RectangleTool
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.tool import PointerEvent
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle

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


@pytest.mark.parametrize("make", [DrawTool, RectangleTool])
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
    tool = EllipseTool(Calls(), purpose=Purpose(inside=small))
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


def test_a_drag_spans_a_rectangle_in_any_direction():
    finished = Calls()
    drag(RectangleTool(finished), (0.8, 0.6), (0.2, 0.1))
    assert finished == [(Rectangle((0.2, 0.1), (0.8, 0.6)),)]


def test_shift_makes_a_circle_and_alt_starts_from_the_centre():
    finished = Calls()
    drag(EllipseTool(finished), (0.5, 0.5), (0.7, 0.6), shift=True, alt=True)
    ((shape,),) = finished
    assert isinstance(shape, Ellipse)
    assert shape.center == pytest.approx((0.5, 0.5))
    assert shape.radii == pytest.approx((0.2, 0.2))


def test_too_small_a_shape_is_taken_back():
    finished = Calls()
    tool = RectangleTool(finished)
    drag(tool, (0.5, 0.5), (0.5, 0.9))
    assert finished == []
    assert "Too small" in tool.hint


def test_escape_ends_a_drag():
    finished = Calls()
    tool = EllipseTool(finished)
    tool.press(at(0.2, 0.2, "left"))
    tool.move(at(0.8, 0.8, "left"))
    assert len(tool.overlay().line) >= 12
    assert tool.overlay().label == "0.6 \u00d7 0.6, a new domain"
    tool.key("Escape")
    tool.release(at(0.8, 0.8, "left"))
    assert finished == []
