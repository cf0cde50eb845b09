"""The curve along a line: placed, read off and measured with the mouse on the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import pick
from tests.app.pointer import move_to
from tests.sample_scenes import boxed
from wavelab.app.base.qt import QPoint, Qt
from wavelab.app.base.theme import THEMES
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.profile_plot import ProfilePlot
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.scene.toml.toml_io import load_scene

#: Crests of |Ez| at x = 1/6, 1/2 and 5/6.
STANDING = boxed(
    "Standing",
    """\
[initial]
ez = "sin(3*pi*x)*sin(pi*y)"
[solver]
element_size = 0.2
order = 4
precision = "double"
""",
)


@pytest.fixture
def standing(start, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text(STANDING)
    return start(path)


def test_a_wavelength_is_measured_on_the_curve(standing):
    window, panel = standing.window, standing.window.monitor_panel
    standing.press("B")
    pick(window.tool_panel.probe.measured, "profile along a line")
    standing.drag((0, 0.5), (1, 0.5))
    standing.settled()
    (line,) = standing.session.scene.monitors
    assert (line.plot, line.count) == ("profile", 50)
    plot = panel.profile
    assert plot.isVisible()
    assert not panel.plot.isVisible()
    # The period is 2 / sqrt(10): some of them give the frequency.
    standing.press("U")
    standing.until(lambda: "Strongest f: 1.58" in panel.numbers.text())
    standing.until(lambda: standing.bench.presenter.frame.time > 6)
    standing.press("Space")
    standing.until(lambda: not standing.bench.presenter.frame.playing)
    # A crest attracts the pointer, which is a little off it, and the canvas shows where that is.
    move_to(plot.viewport(), plot.pixel(0.5, 0.9))
    move_to(plot.viewport(), plot.pixel(0.5, 1.0) + QPoint(3, 4))
    assert plot.reading.startswith("at 0.500: amplitude 1.00, Ez ")
    ((x, y),) = window.canvas.reading
    assert (x, y) == pytest.approx((0.5, 0.5), abs=1e-3)
    # From crest to crest is half a wavelength.
    QTest.mousePress(plot.viewport(), Qt.LeftButton, pos=plot.pixel(1 / 6, 1.0) + QPoint(2, 2))
    move_to(plot.viewport(), plot.pixel(0.4, 0.0))
    move_to(plot.viewport(), plot.pixel(0.5, 1.0) - QPoint(2, -2))
    QTest.mouseRelease(plot.viewport(), Qt.LeftButton, pos=plot.pixel(0.5, 1.0) - QPoint(2, -2))
    assert plot.reading.startswith("0.333 from 0.167 to 0.500; amplitude ")
    ends = window.canvas.reading[0], window.canvas.reading[-1]
    assert np.allclose(ends, [(1 / 6, 0.5), (0.5, 0.5)], atol=1e-3)
    # A click takes it away; with Ctrl nothing attracts.
    free = plot.pixel(0.5, 1.0) + QPoint(6, 4)
    QTest.mouseClick(plot.viewport(), Qt.LeftButton, Qt.ControlModifier, free)
    assert not plot.reading.startswith("at 0.500")


def test_a_line_that_no_wave_has_reached_is_flat(start, tmp_path):
    path = tmp_path / "still.toml"
    path.write_text(STANDING.replace("sin(3*pi*x)*sin(pi*y)", "0"))
    still = start(path)
    still.press("B")
    pick(still.window.tool_panel.probe.measured, "profile along a line")
    still.drag((0.1, 0.5), (0.9, 0.5))
    still.settled()
    plot = still.window.monitor_panel.profile
    still.until(lambda: plot.table()[0][1:])
    for way in ("Profile: mean square", "Profile: field, amplitude"):
        pick(still.window.monitor_panel.drawn, way)
        move_to(plot.viewport(), plot.pixel(0.3, 0.1))
        move_to(plot.viewport(), plot.pixel(0.4, 0.0))
        plot.grab()
        assert plot.viewRange()[1][1] == 1
        assert plot.reading.startswith("at 0.40")
    assert not still.dialogs.errors


def test_how_a_line_is_drawn_is_in_the_scene(standing, tmp_path):
    window, panel = standing.window, standing.window.monitor_panel
    standing.press("B")
    pick(window.tool_panel.probe.measured, "field along a line, over time")
    standing.drag((0.1, 0.5), (0.9, 0.5))
    standing.settled()
    generation = standing.session.generation
    standing.until(lambda: "receivers" in panel.numbers.text())
    assert panel.plot.isVisible()
    pick(panel.drawn, "Profile: mean square")
    standing.until(lambda: panel.profile.isVisible())
    assert panel.profile.drawn is LINE_PLOTS["intensity"]
    # It costs nothing: what was recorded stays, and the wave goes on.
    assert standing.session.generation == generation
    assert "receivers" in panel.numbers.text()
    assert standing.session.scene.monitors[0].plot == "intensity"
    standing.press("Ctrl+Z")
    standing.until(lambda: panel.plot.isVisible())
    assert panel.drawn.currentText() == "Over time, downwards"
    standing.press("Ctrl+Y")
    standing.until(lambda: panel.profile.isVisible())
    standing.dialogs.path = tmp_path / "lesson.toml"
    standing.press("Ctrl+Shift+S")
    assert load_scene(standing.dialogs.path).monitors[0].plot == "intensity"
    standing.bench.files.open_path(standing.dialogs.path)
    standing.settled()
    standing.until(lambda: panel.profile.isVisible() and not panel.profile.drawn.signed)


def test_what_is_read_is_seen_whole_in_a_narrow_plot(application):
    plot = ProfilePlot(THEMES["dark"])
    plot.resize(300, 160)
    plot.show()
    along = np.linspace(0, 1, 50)
    curves = [
        Curve(name, along, np.sin(9 * along), i) for i, name in enumerate(("Ez", "amplitude"))
    ]
    plot.show_curves(curves, (0.0, 1.0), (-1.0, 1.0))
    plot._cursor.at = 0.31
    plot._draw()
    assert "amplitude" in plot.reading
    assert plot._labels._read.width() >= plot._labels._read.sizeHint().width()
    assert plot.rect().contains(plot._labels._read.geometry())
    assert plot._labels._names.isHidden()
    plot._cursor.at = None
    plot._draw()
    assert plot._labels._names.isVisible()
    plot.close()
    plot.deleteLater()
