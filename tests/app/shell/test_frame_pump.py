"""Frames at display rate, and none for a window that nobody sees."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.app.session.readout import PointReader, at_point
from wavelab.numerics.fields.discretization import discretize
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.simulation.messages.frames import Frame, Mailbox, ProbeSamples


def frame(time: float) -> Frame:
    values = np.zeros((1, 3), np.float32)
    probes = ProbeSamples(0, (), np.zeros(0), np.zeros((0, 0)))
    return Frame(1, "ez", values, time, 0, 0.1, 0.0, 0.0, True, probes)


@pytest.fixture
def pump(application):
    from wavelab.app.shell.frame_pump import FramePump

    log, state = [], {"visible": True}
    mailbox = Mailbox()
    made = FramePump(
        mailbox, show=lambda shown: log.append(shown.time), visible=lambda: state["visible"]
    )
    return made, mailbox, log, state


def test_the_newest_frame_is_shown_once(pump):
    made, mailbox, log, _ = pump
    mailbox.put(frame(1.0))
    mailbox.put(frame(2.0))
    made.turn()
    made.turn()
    assert log == [2.0]


def test_the_next_frame_is_made_while_one_is_drawn(application):
    from wavelab.app.shell.frame_pump import FramePump

    mailbox, wanted = Mailbox(), []
    made = FramePump(
        mailbox,
        show=lambda shown: wanted.append(mailbox.wanted.is_set()),
        visible=lambda: True,
    )
    mailbox.put(frame(1.0))
    made.turn()
    assert wanted == [True]


def test_a_hidden_window_asks_for_nothing(pump):
    made, mailbox, _, state = pump
    state["visible"] = False
    made.turn()
    assert not mailbox.wanted.is_set()
    state["visible"] = True
    made.turn()
    assert mailbox.wanted.is_set()


def test_the_rate_counts_the_last_second(application):
    from wavelab.app.shell.frame_pump import RateMeter

    meter = RateMeter()
    for i in range(100):
        meter.count(i / 50)
    assert meter.rate(99 / 50) == 50
    assert meter.rate(99 / 50 + 0.5) == pytest.approx(25, abs=1)
    assert meter.rate(10.0) == 0


def test_the_field_at_a_point_is_the_polynomial_s():
    d = discretize(jittered_square(4), 3)
    reader = PointReader(d)
    values = d.x**3 - 2 * d.x * d.y
    assert reader.value(0.31, 0.77, values) == pytest.approx(0.31**3 - 2 * 0.31 * 0.77)
    assert reader.value(1.5, 0.5, values) is None


def test_the_line_for_a_point_is_always_as_long():
    lines = {
        len(at_point((0.5, -0.25), "ez", 1.5)),
        len(at_point((0.5, -0.25), "hy", -0.0123)),
        len(at_point((0.5, -0.25), "ez", None)),
    }
    assert len(lines) == 1


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_everything_that_can_be_shown_has_a_name_at_the_pointer(quantity):
    name = at_point((0.5, -0.25), quantity, 0.5).split()[0]
    assert name.lower() in QUANTITIES[quantity].label.lower()
