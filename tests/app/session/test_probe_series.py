"""Probe samples on their way to the plot."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.session import probe_series as module
from wavelab.app.session.probe_series import Traces
from wavelab.simulation.messages.frames import ProbeSamples


def samples(start, stop, series=1, names=("a", "b")):
    times = np.arange(start, stop, dtype=float)
    return ProbeSamples(series, names, times, np.stack([times, -times], axis=1)[:, : len(names)])


def test_samples_are_joined_in_order():
    traces = Traces()
    for start in range(0, 5000, 500):
        traces.add(samples(start, start + 500))
    assert np.array_equal(traces.times, np.arange(5000.0))
    assert np.array_equal(traces.values[:, 1], -np.arange(5000.0))


def test_a_new_series_begins_afresh():
    traces = Traces()
    traces.add(samples(0, 10))
    traces.add(samples(0, 3, series=2, names=("c",)))
    assert traces.names == ("c",)
    assert len(traces.times) == 3
    traces.add(ProbeSamples.none(3, ()))
    assert traces.names == ()


def test_the_oldest_samples_go_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(module, "CAPACITY", 200)
    traces = Traces()
    for start in range(0, 1000, 7):
        traces.add(samples(start, start + 7))
        assert 7 <= len(traces.times) <= 100
        assert traces.times[-1] == start + 6
        assert (np.diff(traces.times) == 1).all()
    traces.add(samples(2000, 2500))
    assert traces.times[-1] == 2499


@pytest.mark.parametrize("n", [50, 1234, 40_000])
def test_thinning_keeps_the_peaks_and_the_live_end(n):
    traces = Traces()
    times = np.linspace(0, 1, n)
    values = np.sin(40 * times)
    values[n // 3] = 7.0
    values[n // 2] = -9.0
    traces.add(ProbeSamples(1, ("a",), times, values[:, None]))
    thin_times, thin = traces.since(0.0, 200)
    assert thin.max() == 7.0
    assert thin.min() == -9.0
    assert len(thin_times) == len(thin) <= 1000
    assert (np.diff(thin_times) >= 0).all()
    assert thin_times[-1] == pytest.approx(1.0, abs=2 / 200)


def test_thinning_does_not_shimmer_while_it_scrolls():
    traces = Traces()
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20_000, 1))
    traces.add(ProbeSamples(1, ("a",), np.arange(20_000.0), values))
    first = dict(zip(*(a.tolist() for a in traces.since(2000.0, 300)), strict=True))
    second = dict(zip(*(a.tolist() for a in traces.since(2333.0, 300)), strict=True))
    shared = first.keys() & second.keys()
    assert len(shared) > 250
    assert all(first[t] == second[t] for t in shared)


def test_only_the_window_is_given_out():
    traces = Traces()
    traces.add(samples(0, 100))
    times, _ = traces.since(90.5, 1000)
    assert times[0] == 90.0
