"""Amplitude and mean square along a line of receivers."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.monitors.profile import profile, strongest_frequency


def recorded(times, values) -> MonitorResult:
    along = np.linspace(0, 1, values.shape[1])
    points = np.stack([along, 0 * along], axis=1)
    arrays = {"time": times, "along": along, "points": points, "values": values}
    return MonitorResult("line", "line", arrays=arrays)


def standing(times, frequency=4.0):
    """cos k x sin(omega t) at 61 receivers, and cos k x."""
    shape = np.cos(2 * np.pi * frequency * np.linspace(0, 1, 61))
    return np.sin(2 * np.pi * frequency * times)[:, None] * shape, shape


@pytest.mark.parametrize("end", [9.0, 9.03, 9.0625, 9.11])
def test_the_amplitude_of_a_standing_wave(end):
    times = np.arange(0, end, 0.013)
    values, shape = standing(times)
    found = profile(recorded(times, values))
    assert found.frequency == pytest.approx(4, rel=1e-3)
    assert found.duration == pytest.approx(2, abs=0.03)
    assert np.allclose(found.amplitude, abs(shape), atol=1e-4)
    assert np.allclose(found.mean_square, shape**2 / 2, atol=1e-4)
    assert np.array_equal(found.now, values[-1])


def test_only_what_is_new_counts():
    times = np.arange(0, 20, 0.01)
    values, shape = standing(times)
    found = profile(recorded(times, values * np.where(times < 15, 7, 1)[:, None]))
    assert np.allclose(found.amplitude, abs(shape), atol=1e-4)


def test_without_a_frequency_all_that_was_recorded_counts():
    times = np.arange(0, 1, 0.01)
    pulse = np.exp(-(((times - 0.5) / 0.2) ** 2))[:, None] * np.ones(5)
    assert strongest_frequency(times, pulse) is None
    assert strongest_frequency(times, 0 * pulse) is None
    found = profile(recorded(times, pulse))
    assert found.frequency is None
    assert found.duration == pytest.approx(0.99)
    assert 0.1 < found.mean_square[0] < 1


def test_a_few_rows_are_enough():
    assert profile(recorded(np.zeros(0), np.zeros((0, 3)))) is None
    one = profile(recorded(np.array([0.1]), np.array([[1.0, -2.0]])))
    assert one.mean_square.tolist() == [1, 4]
    assert one.duration == 0
