"""Probe samples on their way to the plot."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.session import probe_series as module
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.simulation.messages.frames import ProbeSamples


def samples(start, stop, series=1, names=("a", "b")):
    times = np.arange(start, stop, dtype=float)
    return ProbeSamples(series, names, times, np.stack([times, -times], axis=1)[:, : len(names)])


def test_samples_are_joined_in_order():
    probe_series = ProbeSeries()
    for start in range(0, 5000, 500):
        probe_series.add(samples(start, start + 500))
    assert np.array_equal(probe_series.times, np.arange(5000.0))
    assert np.array_equal(probe_series.values[:, 1], -np.arange(5000.0))


def test_a_new_series_begins_afresh():
    probe_series = ProbeSeries()
    probe_series.add(samples(0, 10))
    probe_series.add(samples(0, 3, series=2, names=("c",)))
    assert probe_series.names == ("c",)
    assert len(probe_series.times) == 3
    probe_series.add(ProbeSamples.none(3, ()))
    assert probe_series.names == ()


def test_the_oldest_samples_go_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(module, "CAPACITY", 200)
    probe_series = ProbeSeries()
    for start in range(0, 1000, 7):
        probe_series.add(samples(start, start + 7))
        assert 7 <= len(probe_series.times) <= 100
        assert probe_series.times[-1] == start + 6
        assert (np.diff(probe_series.times) == 1).all()
    probe_series.add(samples(2000, 2500))
    assert probe_series.times[-1] == 2499


@pytest.mark.parametrize("n", [50, 1234, 40_000])
def test_thinning_keeps_the_peaks_and_the_live_end(n):
    probe_series = ProbeSeries()
    times = np.linspace(0, 1, n)
    values = np.sin(40 * times)
    values[n // 3] = 7.0
    values[n // 2] = -9.0
    probe_series.add(ProbeSamples(1, ("a",), times, values[:, None]))
    thin_times, thin = probe_series.since(0.0, 200)
    assert thin.max() == 7.0
    assert thin.min() == -9.0
    assert len(thin_times) == len(thin) <= 1000
    assert (np.diff(thin_times) >= 0).all()
    assert thin_times[-1] == pytest.approx(1.0, abs=2 / 200)


def test_thinning_does_not_shimmer_while_it_scrolls():
    probe_series = ProbeSeries()
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20_000, 1))
    probe_series.add(ProbeSamples(1, ("a",), np.arange(20_000.0), values))
    first = dict(zip(*(a.tolist() for a in probe_series.since(2000.0, 300)), strict=True))
    second = dict(zip(*(a.tolist() for a in probe_series.since(2333.0, 300)), strict=True))
    shared = first.keys() & second.keys()
    assert len(shared) > 250
    assert all(first[t] == second[t] for t in shared)


def test_only_the_window_is_given_out():
    probe_series = ProbeSeries()
    probe_series.add(samples(0, 100))
    times, _ = probe_series.since(90.5, 1000)
    assert times[0] == 90.0
