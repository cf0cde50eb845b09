"""Curves between their points, and thinned for drawing."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.panels.plots.axes.curve import Curve, parabola, turning_points


@pytest.mark.parametrize("x", [np.linspace(0, 2, 21), np.linspace(0, 1, 24) ** 2 * 2])
def test_parabolas_are_exact(x):
    assert turning_points(x, 3 - (x - 0.633) ** 2) == pytest.approx((0.633, 3))
    assert turning_points(x, (x - 1.27) ** 2 - 1) == pytest.approx((1.27, -1))
    assert len(turning_points(x, x)[0]) == 0
    for at in (0, 0.02, 0.633, 1.27, 2):
        assert parabola(x, 3 - (x - 0.633) ** 2, at) == pytest.approx(3 - (at - 0.633) ** 2)


@pytest.mark.parametrize("n", [50, 1234, 40_000])
def test_thinning_keeps_the_peaks_and_the_live_end(n):
    times = np.linspace(0, 1, n)
    values = np.sin(40 * times)
    values[n // 3] = 7.0
    values[n // 2] = -9.0
    thin_times, thin = Curve("a", times, values, 0).shown(0.0, 1.0, 200)
    assert thin.max() == 7.0
    assert thin.min() == -9.0
    assert len(thin_times) == len(thin) <= 1000
    assert (np.diff(thin_times) >= 0).all()
    assert thin_times[-1] == pytest.approx(1.0, abs=2 / 200)


def test_thinning_does_not_shimmer_while_it_scrolls():
    values = np.random.default_rng(1).normal(size=20_000)
    curve = Curve("a", np.arange(20_000.0), values, 0)
    first, second = (
        dict(zip(*(a.tolist() for a in curve.shown(start, 20_000, 300)), strict=True))
        for start in (2000, 2333)
    )
    shared = first.keys() & second.keys()
    assert len(shared) > 250
    assert all(first[t] == second[t] for t in shared)


def test_only_what_is_in_view_is_drawn():
    times = np.arange(100.0)
    shown, _ = Curve("a", times, times, 0).shown(90.5, 95.5, 1000)
    assert (shown[0], shown[-1]) == (90.0, 96.0)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_points_are_read_too(n):
    curve = Curve("a", np.arange(float(n)), np.arange(float(n)), 0)
    assert len(curve.shown(0, 9, 10)[0]) == n
    assert len(curve.turns(0, 9)[0]) == 0
    assert np.isnan(curve.at(0.0)) if n == 0 else curve.at(0.0) == 0


def test_dots_are_read_where_they_are():
    curve = Curve("a", np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0, 1.0]), 0, dots=True)
    assert [curve.at(place) for place in (0, 1.4, 1.6, 9)] == [3, 3, 5, 1]
    assert curve.turns(1.5, 3.5)[0].tolist() == [1, 2, 4]
