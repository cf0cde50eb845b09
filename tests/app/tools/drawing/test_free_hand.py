"""Drawing by free hand: what a stroke is meant as, the tool, and a person at the window."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PyQt5.QtCore import Qt

from tests.meshing.conftest import Mesher
from wavelab.app.base.refusal import Refusal
from wavelab.app.tools.drawing.draft import FREE_PIXELS
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.free_line import crossings, free_outline, free_wall
from wavelab.app.tools.purpose import FixedPurpose, Purpose
from wavelab.app.tools.tool import PointerEvent
from wavelab.meshing.graph.drawing import drawing_of
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.shapes import Polygon, Rectangle, area_of, smooth_outline
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

#: A logical pixel, and the size of the elements, in scene units.
PIXEL, ELEMENT = 0.002, 0.05


def along(points, step: float = 6.0) -> list[tuple[float, float]]:
    """A hand from point to point, in whole pixels."""
    line = shapely.LineString([(x / PIXEL, y / PIXEL) for x, y in points])
    way = np.linspace(0, line.length, max(2, round(line.length / step)))
    found = [line.interpolate(w) for w in way]
    return [(round(p.x) * PIXEL, round(p.y) * PIXEL) for p in found]


def test_a_line_that_rests_where_it_was_meets_itself_no_more_often():
    """The end of what was sewn together may lie on a corner of the line."""
    line = np.array([[-8, 6], [-19, 7], [-19, 20], [-12, 20], [-12, 0], [-8, 6], [-8, 6]], float)
    _, _, met = crossings(line)
    assert len(crossings(line[:-1])[2]) == len(met)
    assert np.isfinite(met).all()


def round_about(radius: float, turn: float = 360.0, inward: float = 0.0):
    """Round (0.5, 0.5), coming nearer by a part of the radius."""
    parts = np.linspace(0, 1, max(20, round(turn * radius)))
    return along(
        [
            (0.5 + r * math.cos(a), 0.5 + r * math.sin(a))
            for a, r in zip(np.radians(turn) * parts, radius * (1 - inward * parts), strict=True)
        ]
    )


def at(x: float, y: float, button: str = "left", **more: bool) -> PointerEvent:
    return PointerEvent(x, y, PIXEL, button, **more)


def stroke(tool: DrawTool, points, **more: bool) -> None:
    tool.move(at(*points[0], button="", **more))
    tool.press(at(*points[0], **more))
    for point in points:
        tool.move(at(*point, **more))
    tool.release(at(*points[-1], **more))


def drawn_by(points, **options) -> tuple[DrawTool, list[Polygon]]:
    finished: list[Polygon] = []
    tool = DrawTool(finished.append, element_size=lambda: ELEMENT, **options)
    stroke(tool, points)
    return tool, finished


SQUARE = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8), (0.2, 0.2)]
#: A line that crosses itself far from its ends.
EIGHT = [(0.1, 0.5), (0.3, 0.8), (0.7, 0.2), (0.9, 0.5), (0.7, 0.8), (0.3, 0.2), (0.12, 0.45)]


# What a stroke is meant as


@pytest.mark.parametrize(
    ("turn", "inward"), [(360, 0.0), (345, 0.0), (375, 0.03), (375, -0.03), (390, 0.0), (400, 0.06)]
)
@pytest.mark.parametrize("radius", [0.05, 0.3])
def test_a_round_of_the_hand_is_round_and_has_few_edges(radius, turn, inward):
    """However the ends pass or miss each other."""
    found = free_outline(round_about(radius, turn, inward), PIXEL, ELEMENT)
    assert found.problem is None
    area = math.pi * radius**2 * (1 - inward / 2) ** 2
    # A pixel all the way round.
    assert area_of(found.shape).area == pytest.approx(area, rel=2 * PIXEL / radius + abs(inward))
    rim = 2 * math.pi * radius
    assert 6 <= len(found.shape.vertices) <= max(24, rim / (ELEMENT / 2))
    ring = shapely.LinearRing(smooth_outline(found.shape)[0])
    circle = shapely.Point(0.5, 0.5).buffer(radius * (1 - inward / 2), 64).exterior
    assert ring.hausdorff_distance(circle) < (4 + abs(inward) * radius / PIXEL) * PIXEL


def test_elements_follow_it_without_being_much_smaller():
    for element in (0.02, 0.05, 0.2):
        found = free_outline(round_about(0.3, 370), PIXEL, element)
        ring, _ = found.shape.outline(element)
        lengths = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
        rim = 2 * math.pi * 0.3
        assert lengths.min() > 0.7 * min(element / 2, rim / 24)


def test_a_corner_of_the_hand_stays_a_corner():
    found = free_outline(along(SQUARE, 2.0), PIXEL, ELEMENT)
    assert area_of(found.shape).area == pytest.approx(0.36, rel=0.01)
    for corner in SQUARE[:-1]:
        assert min(math.dist(corner, v) for v in found.shape.vertices) < 3 * PIXEL
    assert not any(found.shape.bulges)


def test_a_hand_that_hesitates_makes_no_crossing():
    curl = [(0.5, 0.2), (0.508, 0.208), (0.504, 0.21), (0.504, 0.194)]
    found = free_outline(along([*SQUARE[:1], *curl, *SQUARE[1:]]), PIXEL, ELEMENT)
    assert found.problem is None
    assert area_of(found.shape).area == pytest.approx(0.36, rel=0.01)


def test_a_small_crossing_of_the_ends_is_where_it_closes():
    crossed = [(0.16, 0.2), *SQUARE[1:4], (0.2, 0.8), (0.2, 0.14)]
    found = free_outline(along(crossed), PIXEL, ELEMENT)
    assert found.problem is None
    assert area_of(found.shape).area == pytest.approx(0.36, rel=0.01)
    assert min(math.dist((0.2, 0.2), v) for v in found.shape.vertices) < 4 * PIXEL


def test_a_true_crossing_is_named_and_the_line_kept():
    found = free_outline(along(EIGHT), PIXEL, ELEMENT)
    assert found.shape is None
    assert found.lasting
    assert found.problem.where == pytest.approx((0.5, 0.5), abs=0.01)
    assert "crosses itself at (" in found.problem.message
    for corner in EIGHT:
        assert min(math.dist(corner, c) for c in found.corners) < 3 * PIXEL


def test_there_and_back_encloses_nothing():
    found = free_outline(along([(0.2, 0.2), (0.8, 0.2), (0.8, 0.202), (0.2, 0.202)]), PIXEL, 0.05)
    assert "encloses hardly anything" in found.problem.message
    assert not found.lasting


def test_a_wall_follows_the_hand_on_either_side():
    bow = along([(0.2 + 0.6 * s, 0.3 + 0.8 * s * (1 - s)) for s in np.linspace(0, 1, 60)])
    found = free_wall(bow, PIXEL, ELEMENT, 0.04)
    line = shapely.LineString(bow)
    assert found.problem is None
    assert area_of(found.shape).area == pytest.approx(0.04 * line.length, rel=0.03)
    rim = area_of(found.shape).exterior
    away = [line.distance(shapely.Point(p)) for p in rim.coords]
    assert max(away) == pytest.approx(0.02, abs=3 * PIXEL)
    assert len(found.shape.vertices) < 40
    straight = free_wall(along([(0.2, 0.2), (0.8, 0.2)]), PIXEL, ELEMENT, 0.04)
    assert len(straight.shape.vertices) == 4
    assert area_of(straight.shape).area == pytest.approx(0.6 * 0.04)


def test_a_wall_may_cross_itself_but_not_close_round_an_area():
    cross = [(0.2, 0.5), (0.8, 0.5), (0.8, 0.505), (0.5, 0.5), (0.5, 0.2)]
    assert free_wall(along(cross), PIXEL, ELEMENT, 0.04).shape is not None
    for line in (round_about(0.2), EIGHT):
        found = free_wall(along(line), PIXEL, ELEMENT, 0.04)
        assert found.shape is None
        assert "closes round an area" in found.problem.message
        assert found.lasting


@pytest.fixture(scope="module")
def mesher():
    mesher = Mesher()
    yield mesher
    mesher.close()


places = st.tuples(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9))
hands = st.lists(places, min_size=2, max_size=7).map(lambda points: along(points, 8.0))


@settings(max_examples=60)
@given(
    hands,
    st.sampled_from([0.03, 0.1, 0.5]),
    st.sampled_from([1e-9, 1.0, 1e6]),
    st.sampled_from([0.0, 0.01, 0.1]),
)
@example([(0.0, 0.0)] * 3, 0.1, 1.0, 0.0)
@example([(0.0, 0.0)] * 3, 0.1, 1.0, 0.1)
@example(along([(0.0, 0.0), (0.3, 0.0), (0.0, 0.0)]), 0.1, 1.0, 0.0)
@example(along([(0.0, 0.0), (0.3, 0.0), (0.0, 0.0)]), 0.1, 1.0, 0.1)
@example(along([(0.0, 0.0), (0.3, 0.3), (0.3, 0.0), (0.0, 0.3)]), 0.1, 1.0, 0.0)
def test_any_path_is_a_shape_that_can_be_meshed_or_a_clear_refusal(
    mesher, hand, element, unit, thick
):
    points = [(unit * x, unit * y) for x, y in hand]
    if thick:
        found = free_wall(points, unit * PIXEL, unit * element, unit * thick)
    else:
        found = free_outline(points, unit * PIXEL, unit * element)
    assert found.corners[0] == pytest.approx(points[0], abs=unit * PIXEL)
    if found.shape is None:
        assert len(found.corners) < 3 or found.problem.message
        where = found.problem.where if found.problem is not None else None
        assert where is None or all(abs(c) <= unit for c in where)
        return
    assert found.problem is None
    for ring in (smooth_outline(found.shape)[0], found.shape.outline(unit * element)[0]):
        assert outline_problem(ring) is None
    # No further from the hand than a person would see, or elements.
    line = shapely.LineString(points)
    corners = shapely.points(found.shape.vertices)
    # A sharp corner of the middle is round outside, which straight edges may cut the corner of.
    assert shapely.distance(line, corners).max() <= unit * (0.6 * thick + 3 * PIXEL)
    box = Rectangle((-unit, -unit), (unit, unit))
    scene = check_scene(
        Scene("drawn", outline=box, holes=(Hole("h", found.shape),), solver=Solver(unit * 0.5))
    )
    assert parse_scene(dump_scene(scene)).holes == scene.holes
    answer = mesher(drawing_of(scene, unit * 0.5))
    assert answer.mesh is not None, answer
    left = 4 - area_of(found.shape).area / unit**2
    assert answer.mesh.signed_areas().sum() / unit**2 == pytest.approx(left, rel=0.02)


# The tool


def test_a_drag_is_closed_when_it_is_let_go():
    tool, finished = drawn_by(round_about(0.2, 350))
    ((shape),) = finished
    assert area_of(shape).area == pytest.approx(math.pi * 0.04, rel=0.03)
    assert tool.vertices == ()
    assert not tool.busy
    assert not tool.overlay().invalid


def test_a_click_that_shakes_is_a_click():
    tool = DrawTool(lambda _: None)
    shake = FREE_PIXELS * 0.6 * PIXEL
    for x, y in SQUARE[:3]:
        stroke(tool, [(x, y), (x + shake, y - shake), (x + shake, y)])
    assert tool.vertices == tuple(SQUARE[:3])


def test_while_it_is_drawn_it_shows_what_it_becomes_and_tab_switches():
    told = []
    purpose = Purpose(inside=lambda _: True, changed=lambda: told.append(1))
    finished = []
    tool = DrawTool(finished.append, purpose=purpose)
    points = round_about(0.2, 300)
    tool.press(at(*points[0]))
    tool.move(at(*points[1]))
    assert "Click the next corner" in tool.hint
    for point in points:
        tool.move(at(*point))
    overlay = tool.overlay()
    assert overlay.closed
    assert overlay.label == "an obstacle"
    assert "Let go to close: it becomes an obstacle (Tab: a new domain)" in tool.hint
    assert tool.key("Tab")
    assert tool.overlay().label == "a new domain"
    assert told == [1]
    tool.release(at(*points[-1]))
    assert len(finished) == 1


def test_with_shift_it_is_a_wall_of_a_thickness_that_keys_change():
    finished = []
    tool = DrawTool(
        finished.append, purpose=Purpose(inside=lambda _: True), element_size=lambda: ELEMENT
    )
    assert "Shift: a wall" in tool.hint
    way = along([(0.2, 0.2), (0.8, 0.3), (0.8, 0.6)])
    tool.press(at(*way[0], shift=True))
    for point in way:
        tool.move(at(*point))
    assert tool.overlay().label == "0.025 thick, an obstacle"
    assert tool.overlay().closed
    assert len(tool.overlay().line) < 60
    assert "[ and ]: its thickness" in tool.hint
    assert tool.wants_key("]")
    for _ in range(3):
        tool.key("]")
    assert tool.overlay().label == "0.049 thick, an obstacle"
    tool.release(at(*way[-1]))
    ((wall),) = finished
    assert area_of(wall).area == pytest.approx(0.049 * shapely.LineString(way).length, rel=0.05)
    # The next one is as thick, and a straight one is a wall as well.
    assert not tool.wants_key("]")
    stroke(tool, along([(0.2, 0.8), (0.6, 0.8)]), shift=True)
    assert area_of(finished[1]).area == pytest.approx(0.4 * 0.049, rel=0.02)
    assert tool.vertices == ()
    # One click with Shift is a corner.
    stroke(tool, [(0.2, 0.2)], shift=True)
    assert tool.vertices == ((0.2, 0.2),)


@pytest.mark.parametrize("key", ["Escape", "Backspace"])
def test_escape_takes_all_of_a_stroke_back(key):
    tool = DrawTool(pytest.fail)
    tool.press(at(0.2, 0.2))
    for point in round_about(0.2, 300):
        tool.move(at(*point))
    assert tool.key(key)
    assert not tool.busy
    tool.release(at(0.3, 0.3))
    assert tool.vertices == ()


def test_a_stroke_that_crosses_itself_is_red_and_can_be_corrected():
    tool, finished = drawn_by(along(EIGHT))
    assert finished == []
    assert tool.overlay().invalid
    assert tool.overlay().trouble == pytest.approx((0.5, 0.5), abs=0.01)
    assert "crosses itself" in tool.hint
    # The last lobe is taken back, and the line goes on another way.
    tool.leave()
    while len(tool.vertices) > 4:
        assert tool.key("Backspace")
    assert not tool.overlay().invalid
    (x, y), first = tool.vertices[-1], tool.vertices[0]
    stroke(tool, along([(x, y), (0.9, 0.9), (0.05, 0.9), first]))
    ((shape),) = finished
    assert outline_problem(shape.vertices) is None
    assert tool.vertices == ()


def test_what_helps_a_crossing_is_said_as_it_is_while_the_button_is_down():
    tool, way = DrawTool(lambda shape: None), along(EIGHT)
    tool.press(at(*way[0]))
    for point in way:
        tool.move(at(*point))
    assert "Let go, then Backspace takes a corner back" in tool.hint
    tool.release(at(*way[-1]))
    assert "Backspace takes a corner back" in tool.hint
    assert "Let go" not in tool.hint
    corners = len(tool.vertices)
    tool.key("Backspace")
    assert len(tool.vertices) == corners - 1


def test_a_line_by_hand_goes_on_from_corners_and_closes_at_the_first():
    finished = []
    tool = DrawTool(finished.append)
    for x, y in SQUARE[:3]:
        stroke(tool, [(x, y)])
    bay = [(0.8, 0.8), (0.6, 0.6), (0.4, 0.8), (0.3, 0.8)]
    stroke(tool, along(bay))
    assert tool.vertices[:3] == tuple(SQUARE[:3])
    assert 6 <= len(tool.vertices) <= 8
    assert finished == []
    end = tool.vertices[-1]
    stroke(tool, along([end, (0.15, 0.5), (0.2 + 5 * PIXEL, 0.2)]))
    ((shape),) = finished
    assert shape.vertices[:3] == tuple(SQUARE[:3])
    assert outline_problem(shape.vertices) is None


def test_a_straight_drag_is_an_edge_between_corners():
    tool, finished = drawn_by(along(SQUARE[:2]))
    assert tool.vertices == tuple(SQUARE[:2])
    stroke(tool, along(SQUARE[1:3]))
    stroke(tool, along(SQUARE[2:4]))
    assert tool.vertices == tuple(SQUARE[:4])
    assert finished == []
    stroke(tool, along(SQUARE[3:]))
    assert finished == [Polygon(tuple(SQUARE[:4]))]


def test_what_its_purpose_refuses_is_said_and_kept():
    purpose = FixedPurpose(lambda: "a contour", lambda _: Refusal("it leaves the domain", (0, 0)))
    tool, finished = drawn_by(round_about(0.2), purpose=purpose)
    assert finished == []
    assert "The outline leaves the domain" in tool.hint
    assert tool.overlay().trouble == (0, 0)
    assert len(tool.vertices) > 5
    tool.key("Escape")
    assert not tool.busy


def test_a_stroke_let_go_where_nobody_told_is_given_up():
    tool = DrawTool(pytest.fail)
    tool.press(at(0.2, 0.2))
    for point in round_about(0.2, 300):
        tool.move(at(*point))
    tool.move(at(0.9, 0.9, button=""))
    assert not tool.busy


def test_two_rounds_in_quick_succession_are_two_shapes():
    """The second press is that of a double click."""
    tool, finished = drawn_by(round_about(0.1))
    points = round_about(0.1)
    tool.press(at(*points[0], double=True))
    for point in points:
        tool.move(at(*point))
    tool.release(at(*points[-1]))
    assert len(finished) == 2


@settings(max_examples=20)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("stroke"), st.lists(places, min_size=1, max_size=4)),
            st.tuples(st.sampled_from(["Enter", "Backspace", "Escape", "Tab"]), st.none()),
        ),
        max_size=8,
    )
)
def test_whatever_hands_and_keys_do_only_outlines_come_out(acts):
    finished = []
    tool = DrawTool(finished.append, element_size=lambda: ELEMENT)
    for name, points in acts:
        if points is None:
            tool.key(name)
        else:
            stroke(tool, along(points, 25.0) if len(points) > 1 else points)
        overlay = tool.overlay()
        assert all(math.isfinite(c) for point in overlay.line for c in point)
        assert tool.hint
    for shape in finished:
        assert outline_problem(smooth_outline(shape)[0]) is None


# A person at the window


def test_a_person_draws_an_obstacle_a_domain_and_a_crossing(driver):
    pixel = driver.canvas.view.pixel
    driver.press("D")
    assert "drag a free line" in driver.canvas.tool.hint
    driver.drag(*round_about(0.2, 350))
    driver.settled()
    (hole,) = driver.session.scene.holes
    assert area_of(hole.shape).area == pytest.approx(math.pi * 0.04, rel=0.05)
    assert hole.shape.bulges
    driver.drag(*along([(0.1, 0.1), (0.9, 0.12), (0.9, 0.05), (0.1, 0.25), (0.15, 0.3)]))
    assert len(driver.session.scene.holes) == 1
    assert "crosses itself" in driver.canvas.tool.hint
    driver.press("Escape")
    driver.drag(*along([(0.1, 0.1), (0.9, 0.1)]), modifier=Qt.ShiftModifier)
    wall = driver.session.scene.holes[1].shape
    assert area_of(wall).area == pytest.approx(0.8 * 0.1, rel=0.03)  # elements are 0.2
    driver.press("Ctrl+Z")
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.holes == ()
    driver.drag(*round_about(0.6, 355))
    driver.settled()
    outline = driver.session.scene.outline
    assert isinstance(outline, Polygon)
    (x0, _), (x1, _) = outline.bounds()
    assert x1 - x0 == pytest.approx(1.2, abs=10 * pixel)
