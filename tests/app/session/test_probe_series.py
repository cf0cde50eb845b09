"""Probe samples on their way to the plot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavelab.app.session import probe_series as module
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.simulation.messages.frames import Frame, PastSpan, ProbeSamples


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


def seen(time, newest, *parts):
    """A frame at a time of a past up to ``newest``, with samples of these parts one by one."""
    chunks = [samples(*part) for part in parts] or [samples(0, 0)]
    times, values = (
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("times", "values")
    )
    past = PastSpan(0, 0.0, newest, float(newest), 1, 1, "")
    probes = ProbeSamples(1, ("a", "b"), times, values)
    return Frame(1, "ez", np.zeros((0, 0)), time, time, 1.0, 0.0, 0.0, False, probes, past=past)


def test_what_comes_after_is_kept_until_there_is_another_future():
    series = ProbeSeries()
    series.show(seen(9, 9, (0, 10)))
    series.show(seen(4, 9))
    assert series.times.tolist() == [0, 1, 2, 3, 4]
    series.show(seen(6, 9, (3, 5), (5, 7)))  # it came from a moment before
    assert len(series.times) == 7
    series.show(seen(9, 9))
    assert np.array_equal(series.times, np.arange(10.0))
    # Between two frames it went back and forward, and began another future at 6.
    other = samples(7, 9)
    other.values[:] = 5
    frame = seen(8, 8, (2, 7))
    series.show(replace(frame, probes=frame.probes.followed_by(other)))
    assert series.times.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert series.values[:, 0].tolist() == [0, 1, 2, 3, 4, 5, 6, 5, 5]
    series.show(seen(9, 9, (9, 10)))
    assert np.array_equal(series.times, np.arange(10.0))
