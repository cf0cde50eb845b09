"""Newest frame wins, no probe sample is lost, nothing grows without bound."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.messages import frames
from wavelab.simulation.messages.frames import Frame, Mailbox, ProbeSamples, SampleLog


def frame(steps: int, probes: ProbeSamples) -> Frame:
    return Frame(
        generation=1,
        quantity="ez",
        values=np.zeros((2, 3), np.float32),
        time=float(steps),
        steps=steps,
        dt=1.0,
        steps_per_second=0.0,
        energy=0.0,
        playing=True,
        probes=probes,
    )


def samples(series: int, first: int, last: int) -> ProbeSamples:
    times = np.arange(first, last, dtype=float)
    return ProbeSamples(series, ("a", "b"), times, np.column_stack([times, -times]))


def test_newest_frame_wins_and_is_taken_once():
    box = Mailbox()
    assert box.take() is None
    box.put(frame(1, samples(0, 0, 1)))
    box.put(frame(2, samples(0, 1, 2)))
    assert box.take().steps == 2
    assert box.take() is None


def test_a_frame_on_its_way_lowers_wanted_and_a_later_wish_counts():
    box = Mailbox()
    assert not box.wanted.is_set()
    box.request()
    assert box.wanted.is_set()
    box.accept()
    assert not box.wanted.is_set()
    box.request()
    box.put(frame(1, samples(0, 0, 1)))
    assert box.wanted.is_set()


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_samples_of_dropped_frames_reach_the_next_one(counts, taken):
    box, received, position = Mailbox(), [], 0
    for count, take in zip(counts, taken, strict=False):
        box.put(frame(position, samples(0, position, position + count)))
        position += count
        if take:
            received.append(box.take().probes)
    last = box.take()
    if last is not None:
        received.append(last.probes)
    times = np.concatenate([s.times for s in received])
    np.testing.assert_array_equal(times, np.arange(position))
    np.testing.assert_array_equal(np.concatenate([s.values for s in received])[:, 1], -times)


def test_a_new_series_replaces_the_old_one():
    box = Mailbox()
    box.put(frame(5, samples(1, 0, 5)))
    box.put(frame(1, samples(2, 0, 1)))
    probes = box.take().probes
    assert probes.series == 2
    np.testing.assert_array_equal(probes.times, [0.0])


def test_an_unread_mailbox_keeps_the_newest_samples_only(monkeypatch):
    monkeypatch.setattr(frames, "MAX_SAMPLES", 20)
    box = Mailbox()
    for i in range(50):
        box.put(frame(i, samples(0, i, i + 1)))
    np.testing.assert_array_equal(box.take().probes.times, np.arange(40, 50))


def test_an_undrained_log_is_bounded(monkeypatch):
    monkeypatch.setattr(frames, "MAX_SAMPLES", 20)
    log = SampleLog()
    log.restart(("a", "b"))
    for i in range(50):
        log.append(np.array([float(i)]), np.zeros((1, 2)))
    np.testing.assert_array_equal(log.drain().times, np.arange(40, 50))
    assert len(log.drain()) == 0


def test_restart_begins_a_series_and_drops_what_was_not_handed_out():
    log = SampleLog()
    log.restart(("a",))
    first = log.drain().series
    log.append(np.array([1.0]), np.zeros((1, 1)))
    log.restart(("a",))
    after = log.drain()
    assert after.series != first
    assert len(after) == 0
