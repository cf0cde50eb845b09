"""The ruler, the stopwatch and what is under the pointer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PyQt5.QtTest import QTest

from tests.app.pointer import move_to
from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt
from wavelab.app.tools.measuring.ruler import RulerTool
from wavelab.app.tools.measuring.survey import Survey
from wavelab.app.tools.tool import EMPTY, PointerEvent
from wavelab.scene.edges.normals import Foot

HALF_GLASS = boxed(
    "Half of glass",
    """\
[[materials]]
name = "glass"
epsilon = 4
shape = "rectangle"
lower = [0.5, 0]
upper = [1, 1]
[[sources]]
position = [0.2, 0.2]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 6 }
[[sources]]
position = [0.2, 0.8]
radius = 0.1
amplitude = 1
waveform = { kind = "ricker", frequency = 4, delay = 0.5 }
[solver]
element_size = 0.2
order = 3
precision = "double"
""",
)


def at(x: float, y: float, button: str = "", **modifiers: bool) -> PointerEvent:
    return PointerEvent(x, y, 0.01, button, **modifiers)


def click(tool: RulerTool, x: float, y: float, **modifiers: bool) -> None:
    tool.move(at(x, y, **modifiers))
    tool.press(at(x, y, "left", **modifiers))
    tool.release(at(x, y, "left", **modifiers))


def drag(tool: RulerTool, start, end, **modifiers: bool) -> None:
    tool.press(at(*start, "left", **modifiers))
    tool.move(at(*end, "left", **modifiers))
    tool.release(at(*end, "left", **modifiers))


def labels(tool: RulerTool) -> list[str]:
    return [label.text for label in tool.overlay().labels]


def test_rulers_snap_like_corners_that_are_drawn_and_stay():
    tool = RulerTool(Survey(vertices=lambda: [(3.04, 4.04)]))
    drag(tool, (0.03, -0.02), (3.0, 4.0))
    # The beginning went to the grid, the end to the vertex.
    assert tool.measures[0].ends == ((0.0, 0.0), (3.04, 4.04))
    assert labels(tool) == [f"{math.hypot(3.04, 4.04):.2f}, 53.0°"]
    drag(tool, (0, 0), (-2, 1), ctrl=True)
    assert labels(tool)[1:] == ["2.24, 153.4°"]
    drag(tool, (0, 0), (-2, 0.3), shift=True)
    assert tool.measures[2].ends == ((0.0, 0.0), (-2.0, 0.0))
    tool.leave()
    assert len(tool.overlay().strokes) == len(labels(tool)) == 3
    assert not tool.wants_key("Escape")
    # The newest goes first; one that was clicked goes before it.
    assert tool.key("Delete")
    assert len(labels(tool)) == 2
    click(tool, 1.52, 2.02)
    assert tool.key("Delete")
    assert labels(tool) == ["2.24, 153.4°"]
    assert tool.key("Delete")
    assert tool.overlay().labels == ()
    assert not tool.wants_key("Delete")


def test_a_chosen_ruler_is_moved_and_its_ends_are_dragged():
    tool = RulerTool()
    drag(tool, (0, 0), (2, 0))
    drag(tool, (0, 0), (0, 2))  # begins anew, at the end of another
    click(tool, 1.0, 0.0)
    assert [grip.at for grip in tool.overlay().grips] == [(0, 0), (2, 0)]
    drag(tool, (2, 0), (3, 0))
    assert tool.measures[0].ends == ((0, 0), (3, 0))
    drag(tool, (1, 0), (1.5, 1))
    assert tool.measures[0].ends == ((0.5, 1), (3.5, 1))
    tool.press(at(3.5, 1, "left"))
    tool.move(at(5, 5, "left"))
    assert tool.key("Escape")
    tool.release(at(5, 5, "left"))
    assert tool.measures[0].ends == ((0.5, 1), (3.5, 1))
    # Beside it a click only lets it go; the next one starts the stopwatch.
    click(tool, 2, 3)
    assert not tool.overlay().grips
    assert len(labels(tool)) == 2
    click(tool, 2, 3)
    assert labels(tool)[2:] == ["t 0.0000"]


def test_snapping_can_be_switched_off_and_ctrl_does_it_the_other_way():
    tool = RulerTool(Survey(vertices=lambda: [(1.0, 1.0)]))
    ends = (0.013, 0.021), (1.03, 1.04)
    drag(tool, *ends, ctrl=True)
    tool.snapping = False
    assert "Ctrl" in tool.gestures[5][0]
    drag(tool, *ends)
    drag(tool, *ends, ctrl=True)
    free, off, other = tool.measures
    assert free.ends == off.ends == ends
    assert other.ends == ((0.0, 0.0), (1.0, 1.0))
    drag(tool, (0.013, 0.021), (1.03, 0.3), shift=True)
    assert tool.measures[3].ends == ((0.013, 0.021), (1.03, 0.021))


@given(st.floats(-180, 180), st.floats(-180, 180))
def test_an_angle_is_that_to_the_normal_on_either_side(edge, arm):
    along = (math.cos(math.radians(edge)), math.sin(math.radians(edge)))
    normal = (-along[1], along[0])
    tool = RulerTool(Survey(foot=lambda p: Foot((0.0, 0.0), normal, math.hypot(*p))))
    tool.measuring = "angle"
    end = (3 * math.cos(math.radians(arm)), 3 * math.sin(math.radians(arm)))
    # It begins on the edge, where that is near.
    drag(tool, (0.05, 0.02), end)
    (measure,) = tool.measures
    assert measure.start == (0, 0)
    drag(tool, (0.0, 0.0), end, ctrl=True)
    steep = abs((tool.measures[1].end[0] * normal[0] + tool.measures[1].end[1] * normal[1]) / 3)
    assert math.cos(math.radians(tool.measures[1].degrees)) == pytest.approx(steep, abs=1e-9)
    assert labels(tool)[1] == f"{tool.measures[1].degrees:.1f}° to the normal"
    # The arc goes from the normal to the arm, on its side.
    arc = tool.measures[1].marks(Survey(), 0.01)[1].points
    assert math.dist((0, 0), arc[0]) == pytest.approx(1.2)
    assert abs(arc[0][0] * along[0] + arc[0][1] * along[1]) < 1e-9
    assert arc[-1] == pytest.approx((0.4 * end[0], 0.4 * end[1]), abs=1e-9)


def test_without_an_edge_there_is_no_normal_and_the_hint_says_so():
    tool = RulerTool()
    tool.measuring = "angle"
    tool.press(at(0, 0, "left"))
    tool.move(at(1, 1, "left"))
    assert "no edge" in tool.hint
    tool.release(at(1, 1, "left"))
    assert tool.measures == []


def test_two_clicks_take_the_time_of_when_the_button_went_down():
    now = [1.0]
    tool = RulerTool(Survey(now=lambda: now[0]))
    tool.press(at(0, 0, "left"))
    now[0] = 1.25
    tool.release(at(0, 0, "left"))
    assert tool.time_passed()
    now[0] = 3.0
    tool.move(at(1.0, 0.0))
    assert labels(tool) == ["t 2.0000, 1.00: speed 0.500"]
    click(tool, 1.2, 1.6)
    now[0] = 9.0
    assert not tool.time_passed()
    assert labels(tool) == ["t 2.0000, 2.00: speed 1.00"]
    click(tool, 0.0, 0.0)
    assert labels(tool) == ["t 0.0000"]
    now[0] = 0.0  # the run begins anew
    assert tool.time_passed()
    assert not labels(tool)


def test_a_person_measures(start, tmp_path):
    path = tmp_path / "glass.toml"
    path.write_text(HALF_GLASS)
    driver = start(path)
    window, canvas = driver.window, driver.canvas
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    driver.press("K")
    assert window.actions_by_id["tool.ruler"].isChecked()
    # The lowest frequency of the sources, until another is typed.
    page = window.tool_panel.ruler
    assert page.frequency.value == 4.0
    begin, end = driver.place(0.25, 0.5), driver.place(0.75, 0.5)
    QTest.mousePress(canvas, Qt.LeftButton, pos=begin)
    move_to(canvas, end)
    driver.until(lambda: "long" in window.hint.text())
    # A quarter of vacuum and a quarter of index 2: 0.75 of time, 3 waves of frequency 4.
    assert "0.500 long at 0.0°: 3.00 wavelengths of frequency 4.00" in window.hint.text()
    assert "a wave takes 0.750" in window.hint.text()
    QTest.mouseRelease(canvas, Qt.LeftButton, pos=end)
    (label,) = canvas.tool.overlay().labels
    assert label.text == "0.500, 0.0°, 3.00 \u03bb, t 0.750"
    assert len(canvas.tool.overlay().strokes) == 1 + 3
    # What is under the pointer, with the numbers of the mesh itself.
    move_to(canvas, driver.place(0.7, 0.3))
    # A pixel is a place of its own.
    pixel = driver.place(0.7, 0.3)
    spot = canvas.view.to_scene((pixel.x(), pixel.y()))
    discretization = driver.session.running.problem.discretization
    (element,), _ = driver.session.running.reader.locator.locate(spot)
    corners = discretization.mesh.vertices[discretization.mesh.triangles[element]]
    longest = max(math.dist(corners[i - 1], corners[i]) for i in range(3))
    driver.until(lambda: f"Element {element}, edge {longest:.3f}" in window.hint.text())
    assert "order 3; n 2.00, wavelength 0.125" in window.hint.text()
    assert f"{4 * 0.125 / longest:.2f} points in it" in window.hint.text()
    # The stopwatch takes simulated time, whatever tool is used meanwhile.
    driver.click(0.25, 0.4)
    begun = driver.bench.presenter.frame.time
    driver.press("P")
    for _ in range(3):
        driver.press(".")
        driver.next_frame()
    driver.press("K")
    driver.click(0.75, 0.4)
    elapsed = driver.bench.presenter.frame.time - begun
    assert elapsed > 0
    assert canvas.tool.overlay().labels[1].text.startswith(f"t {elapsed:.4f}, 0.500: speed ")
    page.frequency.lineEdit().setText("8")
    page.frequency.editingFinished.emit()
    assert canvas.tool.overlay().labels[0].text == "0.500, 0.0°, 6.00 \u03bb, t 0.750"
    driver.press("Escape")
    assert len(canvas.tool.overlay().labels) == 1
    assert window.actions_by_id["tool.ruler"].isChecked()
    window.message.clear()
    driver.press("Escape")
    assert window.actions_by_id["tool.ping"].isChecked()


def test_a_pupil_measures_angles_to_the_normal_of_glass(start, tmp_path):
    path = tmp_path / "glass.toml"
    path.write_text(HALF_GLASS)
    driver = start(path)
    driver.press("Space")
    page, canvas = driver.window.tool_panel.ruler, driver.canvas
    driver.press("K")
    QTest.mouseClick(page.measured["angle"], Qt.LeftButton)
    assert not page.clear.isEnabled()
    for end in ((0.2, 0.7), (0.8, 0.4)):
        driver.drag((0.502, 0.5), end)
    measured = [label.text for label in canvas.tool.overlay().labels]
    assert [text.split("°")[1] for text in measured] == [" to the normal"] * 2
    assert [float(text.split("°")[0]) for text in measured] == pytest.approx(
        [math.degrees(math.atan2(2, 3)), math.degrees(math.atan2(1, 3))], abs=0.1
    )
    # They stay under other tools, and follow what is looked at.
    driver.press("V")
    assert [label.text for label in canvas._over.kept.labels] == measured
    driver.press("H")
    bare = canvas.grab_rgb()
    driver.press("H")
    assert (canvas.grab_rgb() != bare).any()
    driver.press("K")
    assert canvas._over.kept == EMPTY
    QTest.mouseClick(page.clear, Qt.LeftButton)
    assert canvas.tool.overlay().labels == ()
    QTest.mouseClick(page.snapping, Qt.LeftButton)
    assert not canvas.tool.snapping
    driver.press("V")
    assert canvas._over.kept == EMPTY


def test_outside_of_the_domain_only_the_length_is_known(driver):
    driver.press("K")
    begin, end = driver.place(0.5, 0.5), driver.place(0.5, -0.05)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=begin)
    move_to(driver.canvas, end)
    move_to(driver.canvas, end)
    driver.until(lambda: "inside the domain" in driver.window.hint.text())
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=end)
    (label,) = driver.canvas.tool.overlay().labels
    assert label.text.endswith("\u221290.0°")


@pytest.mark.parametrize(("y", "angle"), [(-1e-9, "0.0°"), (-1.0, "\u221245.0°")])
def test_angles_have_a_true_minus_and_no_minus_zero(y, angle):
    tool = RulerTool()
    drag(tool, (0, 0), (1, y), ctrl=True)
    assert labels(tool)[0].endswith(f", {angle}")
