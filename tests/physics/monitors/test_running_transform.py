"""Windows of running sums begin and end where they say, wherever the samples are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.physics.monitors.running_transform import MOST_CORRECTED, TimeWindow


def samples(interval: float, end: float, offset: float = 0.0) -> np.ndarray:
    return offset + interval * np.arange(1, int((end - offset) / interval) + 2)


@given(st.floats(0, 1), st.floats(1, 3), st.floats(0.01, 0.06), st.integers(0, MOST_CORRECTED - 1))
def test_cubics_are_integrated_exactly_between_any_two_moments(begin, length, interval, degree):
    times = samples(interval, begin + length + interval)
    weights = TimeWindow(begin, begin + length).weight(times, interval)
    exact = length ** (degree + 1) / (degree + 1)
    assert weights @ (times - begin) ** degree == pytest.approx(exact, rel=1e-9)
    assert not weights[(times < begin - 1e-6) | (times > begin + length + 1e-6)].any()


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_integral_of_an_oscillation_converges_with_the_fifth_power(begin, length):
    end = begin + 1 + length

    def error(interval: float) -> float:
        times = samples(interval, end)
        found = TimeWindow(begin, end).weight(times, interval) @ np.cos(5 * times) ** 2
        return abs(found - (end - begin) / 2 - (np.sin(10 * end) - np.sin(10 * begin)) / 20)

    for interval in (0.05, 0.025, 0.0125):  # 12, 25 and 50 samples to a period of the square
        assert error(interval) < 3 * (5 * interval) ** 5


@given(st.floats(0, 1), st.floats(0.01, 0.06), st.integers(1, 3))
def test_a_window_without_end_is_right_over_whole_periods(rest, interval, periods):
    period = 0.5
    newest = interval * int((2 + rest) / interval)
    begin = newest - periods * period
    times = interval * np.arange(1, round(newest / interval) + 1)
    weights = TimeWindow(begin).weight(times, interval)
    assert weights.sum() == pytest.approx(newest - begin, rel=1e-9)
    mean = weights @ np.cos(2 * np.pi * times / period) ** 2 / weights.sum()
    assert abs(mean - 0.5) < 0.5 * (2 * np.pi * interval / period) ** 5


def test_a_window_shorter_than_the_samples_are_apart_stands_for_its_own_length():
    weights = TimeWindow(0.95, 1.1).weight(samples(0.1, 2.0), 0.1)
    assert np.flatnonzero(weights).tolist() == [9, 10]
    assert weights.sum() == pytest.approx(0.15)


@pytest.mark.parametrize("power", [0, 1])
def test_a_window_that_has_no_time_takes_nothing(power):
    assert not TimeWindow(1.0, 1.0, power).weight(samples(0.1, 2.0), 0.1).any()
    assert not TimeWindow(1.5, 1.0, power).weight(samples(0.1, 2.0), 0.1).any()
