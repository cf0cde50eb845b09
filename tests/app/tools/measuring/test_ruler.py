"""The ruler, the stopwatch and what is under the pointer."""

from __future__ import annotations

import math

import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt
from wavelab.app.tools.measuring.ruler import RulerTool, Survey
from wavelab.app.tools.tool import EMPTY, PointerEvent

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


def test_a_ruler_snaps_like_a_corner_that_is_drawn_and_stays_until_escape():
    tool = RulerTool(Survey(vertices=lambda: [(3.04, 4.04)]))
    drag(tool, (0.03, -0.02), (3.0, 4.0))
    # The beginning went to the grid, the end to the vertex.
    assert tool.overlay().line == ((0.0, 0.0), (3.04, 4.04))
    assert labels(tool) == [f"{math.hypot(3.04, 4.04):.2f}, 53.0°"]
    drag(tool, (0, 0), (-2, 1), ctrl=True)
    assert labels(tool) == ["2.24, 153.4°"]
    drag(tool, (0, 0), (-2, 0.3), shift=True)
    assert tool.overlay().line == ((0.0, 0.0), (-2.0, 0.0))
    tool.leave()
    assert tool.overlay().line
    assert tool.key("Escape")
    assert tool.overlay() == EMPTY
    assert not tool.wants_key("Escape")


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
    QTest.mouseMove(canvas, end)
    driver.until(lambda: "long" in window.hint.text())
    # A quarter of vacuum and a quarter of index 2: 0.75 of time, 3 waves of frequency 4.
    assert "0.500 long at 0.0°: 3.00 wavelengths of frequency 4.00" in window.hint.text()
    assert "light takes 0.750" in window.hint.text()
    QTest.mouseRelease(canvas, Qt.LeftButton, pos=end)
    (label,) = canvas.tool.overlay().labels
    assert label.text == "0.500, 0.0°, 3.00 \u03bb, t 0.750"
    assert len(canvas.tool.overlay().strokes) == 3
    # What is under the pointer, with the numbers of the mesh itself.
    QTest.mouseMove(canvas, driver.place(0.7, 0.3))
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
    driver.click(0.25, 0.5)
    begun = driver.bench.presenter.frame.time
    driver.press("P")
    for _ in range(3):
        driver.press(".")
        driver.next_frame()
    driver.press("K")
    driver.click(0.75, 0.5)
    elapsed = driver.bench.presenter.frame.time - begun
    assert elapsed > 0
    assert canvas.tool.overlay().labels[1].text.startswith(f"t {elapsed:.4f}, 0.500: speed ")
    page.frequency.lineEdit().setText("8")
    page.frequency.editingFinished.emit()
    assert canvas.tool.overlay().labels[0].text == "0.500, 0.0°, 6.00 \u03bb, t 0.750"
    driver.press("Escape")
    assert not canvas.tool.overlay().labels
    assert window.actions_by_id["tool.ruler"].isChecked()
    window.message.clear()
    driver.press("Escape")
    assert window.actions_by_id["tool.ping"].isChecked()


def test_outside_of_the_domain_only_the_length_is_known(driver):
    driver.press("K")
    begin, end = driver.place(0.5, 0.5), driver.place(0.5, -0.05)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=begin)
    QTest.mouseMove(driver.canvas, end)
    QTest.mouseMove(driver.canvas, end)
    driver.until(lambda: "inside the domain" in driver.window.hint.text())
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=end)
    (label,) = driver.canvas.tool.overlay().labels
    assert label.text.endswith("\u221290.0°")


@pytest.mark.parametrize(("y", "angle"), [(-1e-9, "0.0°"), (-1.0, "\u221245.0°")])
def test_angles_have_a_true_minus_and_no_minus_zero(y, angle):
    tool = RulerTool()
    drag(tool, (0, 0), (1, y), ctrl=True)
    assert labels(tool)[0].endswith(f", {angle}")
