"""The powers of modes over the frequency, as pixels."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.panels.plots.test_polar_plot import THEME, inked
from wavelab.app.panels.plots.monitor_plot import MonitorPlot
from wavelab.scene.model.measuring.findings import MonitorResult

FREQUENCIES = np.array([1.2, 0.8, 1.0])


def result(forward: np.ndarray, backward: np.ndarray, frequencies=FREQUENCIES) -> MonitorResult:
    arrays = {
        "frequency": frequencies,
        "index": np.ones(forward.shape),
        "forward": forward,
        "backward": backward,
        "mean_power": np.ones(len(forward)),
    }
    return MonitorResult("m", "modes", {"duration": 1.0}, arrays)


@pytest.fixture
def plot(application):
    plot = MonitorPlot(THEME)
    plot.resize(500, 300)
    yield plot
    plot.deleteLater()


def test_each_mode_has_a_curve_each_way(plot):
    steady = np.full((3, 2), 1 + 0j) * np.sqrt([0.9, 0.5])
    plot.show_result(result(steady, np.sqrt(0.1) * steady))
    heights = []
    for number in range(4):
        drawn = inked(plot, plot.color(number))
        drawn = drawn[drawn[:, 0] > 80]
        assert len(drawn), number
        heights.append(np.median(drawn[:, 1]))
    # Mode 0 forward and backward, mode 1 forward and backward: 0.9, 0.09, 0.5, 0.05.
    assert np.argsort(heights).tolist() == [3, 1, 2, 0]


def test_one_frequency_is_told_in_words(plot):
    one = np.ones((1, 1), complex)
    plot.show_result(result(one, one, np.array([1.0])))
    assert not len(inked(plot, plot.color(0)))
