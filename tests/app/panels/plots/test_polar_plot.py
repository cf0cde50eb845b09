"""The polar plot of a far field, as pixels."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.base.qt import QColor, QImage
from wavelab.app.base.theme import THEMES
from wavelab.app.panels.plots.monitor_plot import MonitorPlot
from wavelab.output.figures.polar import DEEPEST
from wavelab.scene.model.measuring.findings import MonitorResult

THEME = THEMES["dark"]


def result(pattern: np.ndarray) -> MonitorResult:
    """Of a pattern (360,) at one frequency."""
    arrays = {
        "frequency": np.array([2.0]),
        "angle": np.arange(360.0),
        "pattern": pattern[None].astype(complex),
        "power": np.array([1.0]),
    }
    return MonitorResult("m", "far_field", {"duration": 1.0}, arrays)


def beam(to: float) -> MonitorResult:
    """A beam, 26 dB above what goes elsewhere."""
    away = np.abs((np.arange(360.0) - to + 180) % 360 - 180)
    return result(0.05 + 0.95 * np.exp(-((away / 20) ** 2)))


def inked(plot: MonitorPlot, ink: QColor) -> np.ndarray:
    """(n, 2) pixels in a colour."""
    image = plot.grab().toImage().convertToFormat(QImage.Format_RGB32)
    memory = image.bits().asarray(image.sizeInBytes())
    pixels = np.array(memory, np.uint8).reshape(image.height(), image.width(), 4)
    wanted = np.array([ink.blue(), ink.green(), ink.red()])
    y, x = np.nonzero(np.abs(pixels[..., :3].astype(int) - wanted).max(axis=2) < 12)
    return np.column_stack([x, -y]) * (plot.height() / image.height())


def curve(plot: MonitorPlot) -> np.ndarray:
    """(n, 2) pixels of the first curve, right of the names of the frequencies."""
    found = inked(plot, plot.color(0))
    return found[found[:, 0] > 80]


def polar(plot: MonitorPlot, shown: MonitorResult) -> tuple[np.ndarray, np.ndarray]:
    """Direction in degrees and distance from the middle, in parts of the rim, of the curve."""
    plot.show_result(result(np.ones(360)))
    plot.decibels, wished = True, plot.decibels
    plot.draw_again()
    rim = curve(plot)  # 0 dB everywhere
    plot.decibels = wished
    middle = (rim.max(axis=0) + rim.min(axis=0)) / 2
    radius = np.ptp(rim[:, 0]) / 2
    plot.show_result(shown)
    x, y = (curve(plot) - middle).T
    return np.degrees(np.arctan2(y, x)) % 360, np.hypot(x, y) / radius


@pytest.fixture
def plot(application):
    made = MonitorPlot(THEME)
    made.resize(420, 320)
    yield made
    made.deleteLater()


@pytest.mark.parametrize("to", [20.0, 130.0, 250.0])
def test_the_beam_points_where_it_goes(plot, to):
    plot.decibels = False
    direction, distance = polar(plot, beam(to))
    tip = direction[distance > 0.9 * distance.max()]
    assert tip.mean() == pytest.approx(to, abs=5)
    assert distance.max() == pytest.approx(1, abs=0.1)


def test_decibels_show_what_is_weak(plot):
    for decibels, there in ((True, 1 + 20 * np.log10(0.05) / DEEPEST), (False, 0.05)):
        plot.decibels = decibels
        direction, distance = polar(plot, beam(20.0))
        behind = distance[np.abs(direction - 200) < 60]
        # Near the middle the pixels lie a little farther out than the line.
        assert behind.mean() == pytest.approx(there, abs=0.05)


def test_nothing_summed_up_is_said_and_a_small_plot_is_no_trouble(plot):
    quiet = beam(0.0)
    quiet.arrays["pattern"] = np.zeros((1, 360), complex)
    plot.show_result(quiet)
    words = inked(plot, QColor(THEME.muted))
    assert len(words) > 50
    assert words.mean(axis=0) == pytest.approx((plot.width() / 2, -plot.height() / 2), abs=20)
    assert len(curve(plot)) == 0
    plot.show_result(beam(0.0))
    assert len(curve(plot)) > 100
    for size in ((40, 30), (1200, 60), (1200, 180)):
        plot.resize(*size)
        plot.grab()
