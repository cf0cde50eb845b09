"""What the plot of the probes makes of small and large values."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from wavelab.app.session.probe_series import ProbeSeries
from wavelab.output.numbers import labelled_ticks
from wavelab.simulation.messages.frames import ProbeSamples


@pytest.fixture
def plot(application):
    from wavelab.app.base.theme import THEMES
    from wavelab.app.panels.plots.probe_plot import ProbePlot

    made = ProbePlot(ProbeSeries(), THEMES["dark"])
    made.resize(400, 160)
    return made


def record(plot, peak: float) -> float:
    """Draw a trace of this height; half the height of the value axis."""
    times = np.linspace(0, 1, 50)
    plot.probe_series.clear()
    plot.probe_series.add(ProbeSamples(1, ("a",), times, peak * np.sin(20 * times)[:, None]))
    plot.refresh()
    plot.grab()
    return plot.limits()[2]


def test_a_trace_of_rounding_errors_looks_like_rest(plot):
    plot.floor = 1e-7
    assert record(plot, 1e-14) == pytest.approx(1e-7)
    assert record(plot, 0.8) == pytest.approx(1.0)


@pytest.mark.parametrize("power", range(-16, 13))
def test_the_labels_of_the_value_axis_fit_beside_it(plot, power):
    for mantissa in (1, 1.5, 2, 3, 5, 7.5):
        height = mantissa * 10.0**power
        for _, text in labelled_ticks(-height, height, 4):
            assert plot.fontMetrics().horizontalAdvance(text) <= plot.up.label_width


@pytest.mark.parametrize("height", [20, 60, 70, 100, 300])
@pytest.mark.parametrize("peak", [0.0, 0.9, 1.4, 2.9, 4.9, 7.4])
def test_any_height_of_the_plot_and_of_the_trace_can_be_drawn(plot, monkeypatch, height, peak):
    errors = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: errors.append(error))
    plot.resize(150, height)
    for plot.span in (0.03, 1.0, 1.9, 7.0, 1e6):
        record(plot, peak)
    assert not errors
