"""Frames whose values come later."""

import threading

import numpy as np
import pytest

from tests.simulation.messages.test_frames import frame, samples
from wavelab.physics.stepper import ViewAtHand
from wavelab.simulation.messages.events import Failed
from wavelab.simulation.messages.frames import Mailbox
from wavelab.simulation.solver.commands import Load, Pause, Play, SetQuantity
from wavelab.simulation.solver.frame_delivery import FrameDelivery
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

PATIENCE = 60.0


class Gated:
    """Values that come when the gate opens."""

    here = False

    def __init__(self, values=None, error=None):
        self.gate = threading.Event()
        self._values, self._error = values, error

    def values(self):
        assert self.gate.wait(PATIENCE)
        if self._error is not None:
            raise self._error
        return self._values


@pytest.fixture
def box():
    return Mailbox()


@pytest.fixture
def delivery(box):
    made = FrameDelivery(box)
    yield made
    made.close()


def values_of(number: float):
    return np.full((2, 3), number, np.float32)


def test_a_frame_arrives_with_its_values(delivery, box):
    coming = Gated(values_of(7))
    delivery.send(frame(1, samples(0, 0, 1)), coming)
    assert delivery.busy
    assert box.take() is None
    with pytest.raises(RuntimeError, match="on its way"):
        delivery.send(frame(2, samples(0, 1, 2)), coming)
    coming.gate.set()
    delivery.settle(PATIENCE)
    assert not delivery.busy
    got = box.take()
    assert got.steps == 1
    np.testing.assert_array_equal(got.values, values_of(7))


def test_values_at_hand_need_no_thread(delivery, box):
    before = set(threading.enumerate())
    delivery.send(frame(1, samples(0, 0, 1)), ViewAtHand(values_of(3)))
    np.testing.assert_array_equal(box.take().values, values_of(3))
    assert set(threading.enumerate()) <= before


def test_a_frame_of_a_closed_stepper_is_dropped(delivery, box):
    coming = Gated(None)
    delivery.send(frame(1, samples(0, 0, 1)), coming)
    coming.gate.set()
    delivery.settle(PATIENCE)
    assert box.take() is None
    delivery.raise_trouble()
    # What the probes have seen comes with the next one, which is to be made.
    assert delivery.was_lost()
    assert not delivery.was_lost()
    delivery.send(frame(2, samples(0, 1, 2)), ViewAtHand(values_of(3)))
    np.testing.assert_array_equal(box.take().probes.times, [0, 1])


def test_trouble_is_told_once_and_the_next_frame_comes(delivery, box):
    failing, good = Gated(error=OSError("device lost")), Gated(values_of(1))
    delivery.send(frame(1, samples(0, 0, 1)), failing)
    failing.gate.set()
    delivery.settle(PATIENCE)
    with pytest.raises(OSError, match="device lost"):
        delivery.raise_trouble()
    delivery.raise_trouble()
    good.gate.set()
    delivery.send(frame(2, samples(0, 1, 2)), good)
    delivery.settle(PATIENCE)
    assert box.take().steps == 2


def test_no_trouble_takes_the_place_of_another(delivery):
    for text in ("device lost", "and the next"):
        failing = Gated(error=OSError(text))
        failing.gate.set()
        delivery.send(frame(1, samples(0, 0, 1)), failing)
        delivery.settle(PATIENCE)
    for text in ("device lost", "and the next"):
        with pytest.raises(OSError, match=text):
            delivery.raise_trouble()
    delivery.raise_trouble()


class Slow(NumpyStepper):
    """Its views are of the moment they were begun and come when they are let go."""

    begun: list[Gated]
    error: Exception | None = None

    def begin_view(self, quantity):
        self.begun.append(Gated(self.view(quantity), self.error))
        return self.begun[-1]


@pytest.fixture
def slow(problem):
    Slow.begun, Slow.error = [], None

    def make(operator, *, dt, scheme, **_):
        return Slow(operator, dt=dt, scheme=scheme)

    runner = Runner(make=make)
    for command in (Load(problem, 1), Play()):
        runner.commands.put(command)
    yield runner
    for coming in Slow.begun:
        coming.gate.set()
    runner.close()


def arrived(runner: Runner):
    Slow.begun[-1].gate.set()
    runner.framing.delivery.settle(PATIENCE)
    return runner.mailbox.take()


def test_the_wave_goes_on_while_a_frame_is_copied_and_none_overtakes_it(slow):
    slow.mailbox.request()
    slow.turn()
    for _ in range(5):
        slow.mailbox.request()
        slow.turn()
    assert len(Slow.begun) == 1
    assert slow.mailbox.take() is None
    first = arrived(slow)
    assert first.values.shape == (32, 10)
    assert slow.mailbox.wanted.is_set()  # somebody asked meanwhile
    slow.turn()
    second = arrived(slow)
    assert second.steps > first.steps + 4
    assert not np.array_equal(second.values, first.values)


def test_the_last_frame_before_a_pause_is_not_the_last_one_shown(slow):
    slow.mailbox.request()
    slow.turn()
    slow.commands.put(Pause())
    slow.mailbox.request()
    slow.turn()  # the frame before is still on its way
    before = arrived(slow)
    slow.turn()
    after = arrived(slow)
    assert before.playing
    assert not after.playing
    assert after.steps >= before.steps


def test_a_copy_that_fails_pauses_the_wave(slow):
    Slow.error = OSError("device lost")
    slow.mailbox.request()
    slow.turn()
    assert arrived(slow) is None
    slow.turn()
    events = []
    while not slow.events.empty():
        events.append(slow.events.get())
    (failed,) = [event for event in events if isinstance(event, Failed)]
    assert "device lost" in str(failed.error)
    Slow.error = None
    slow.commands.put(SetQuantity("energy"))
    slow.mailbox.request()
    slow.turn()
    assert not arrived(slow).playing


def test_a_dear_sum_of_the_energy_is_rarer(make_numpy, problem, monkeypatch):
    now = [0.0]
    runner = Runner(make=make_numpy, clock=lambda: now[0])
    for command in (Load(problem, 1), Play()):
        runner.commands.put(command)
    runner.turn()
    simulation, looks = runner.run.simulation, []
    check = simulation.check

    def dear():
        now[0] += 0.01
        looks.append(now[0])
        return check()

    monkeypatch.setattr(simulation, "check", dear)
    for _ in range(300):
        now[0] += 0.01
        runner.framing.energy_of(simulation, playing=True)
    runner.close()
    assert np.diff(looks).min() >= 0.5  # 2 % of the time


def test_a_frame_that_was_lost_is_made_again_though_nothing_changed(slow):
    slow.commands.put(Pause())
    slow.mailbox.request()
    slow.turn()
    assert not arrived(slow).playing
    slow.commands.put(SetQuantity("energy"))
    slow.mailbox.request()
    slow.turn()
    Slow.begun[-1]._values = None  # as where a stepper was closed meanwhile
    assert arrived(slow) is None
    slow.mailbox.request()
    slow.turn()
    assert arrived(slow).quantity == "energy"
