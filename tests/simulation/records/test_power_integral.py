"""Integrals of powers from moments that are unequally far apart."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.simulation.records.power_integral import PowerIntegral


def integral(function, times, *, pieces=1) -> PowerIntegral:
    result = PowerIntegral(1)
    for part in np.array_split(times, pieces):
        result.add(part, function(part)[:, None])
    return result


def test_parabolas_are_exact_whatever_the_moments():
    times = np.sort(np.random.default_rng(1).uniform(0, 2, 12))

    def antiderivative(t):
        return t**3 - t**2 + 2 * t

    found = integral(lambda t: 3 * t**2 - 2 * t + 2, times, pieces=5)
    equal = integral(lambda t: 3 * t**2 - 2 * t + 2, np.linspace(0, 2, 9), pieces=5)
    assert equal.total[0] == pytest.approx(antiderivative(2.0), rel=1e-13)
    assert equal.doubt < 1e-13
    whole = antiderivative(times[-1]) - antiderivative(times[0])
    assert found.total[0] == pytest.approx(whole, rel=1e-13)


def test_pieces_do_not_matter():
    times = np.sort(np.random.default_rng(2).uniform(0, 2, 30))
    whole, parts = (integral(np.cos, times, pieces=n) for n in (1, 11))
    assert parts.total == pytest.approx(whole.total, rel=1e-13)
    assert parts.doubt == pytest.approx(whole.doubt, abs=1e-13)


def test_the_error_of_an_oscillation_stays_where_it_is():
    """Four moments in a period are enough for as long as one likes."""

    def power(t):
        return 1 + np.cos(t)

    errors, doubts = [], []
    for periods in (3, 300):
        end = 2 * np.pi * periods + 1
        found = integral(power, np.linspace(0, end, 4 * periods + 1), pieces=periods)
        errors.append(abs(found.total[0] - end - np.sin(end)))
        doubts.append(found.doubt)
    assert errors[1] < 0.3
    assert errors[1] < 2 * errors[0] + 0.02
    assert doubts[0] > errors[0]


def test_the_doubt_tells_when_there_are_too_few():
    times = np.linspace(0, 100, 41)  # 2.5 apart

    def power(t):
        return np.cos(3 * t) ** 2

    few = integral(power, times)
    many = integral(power, np.linspace(0, 100, 1001))
    assert few.doubt > abs(few.total[0] - many.total[0])
    assert many.doubt < 1e-3 * many.total[0]


def test_a_jump_is_not_bent_over():
    found = PowerIntegral(1)
    times = np.linspace(0, 1, 6)
    found.add(times, times[:, None] ** 2)
    found.jump()
    assert found.time is None
    found.add(times + 1, np.full((6, 1), 7.0))
    assert found.total[0] == pytest.approx(1 / 3 + 7, rel=1e-13)
    assert found.doubt < 1e-3
