"""Probe samples on their way to the plot."""

from __future__ import annotations

import numpy as np

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
    probe_series.add(ProbeSamples(3, (), np.zeros(0), np.zeros((0, 0))))
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
