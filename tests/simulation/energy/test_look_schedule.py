"""Looks of the ledger that cost much more than steps."""

import pytest

from wavelab.simulation.energy import look_schedule
from wavelab.simulation.energy.look_schedule import LookSchedule


@pytest.mark.parametrize("dear", [0.02, 2.0])
def test_looks_take_no_more_than_their_share(monkeypatch, dear):
    """Also those that take longer than what counts as a pause, from the first one on."""
    now = [0.0]
    monkeypatch.setattr(look_schedule, "thread_time", lambda: now[0])
    schedule = LookSchedule(2, False, 0, clock=lambda: now[0])
    now[0] += dear  # the look that begins the account
    steps = looks = 0
    while now[0] < 200 * dear:
        taken = min(10, schedule.steps_until_look(steps))
        steps += taken
        now[0] += 1e-3 * taken
        schedule.seen(steps)
        if schedule.full_due:
            looks += 1
            with schedule.spent_on("full"):
                now[0] += dear
    assert looks >= 2
    assert dear * looks < 0.1 * now[0]


def test_looks_stay_as_far_apart_where_nothing_has_changed_the_field():
    """One that follows has what was learnt, and the one before goes on by itself."""
    schedule = LookSchedule(64, looks=False, steps=0, clock=lambda: 0.0)
    steps = 0
    for _ in range(5):
        steps += schedule.steps_until_look(steps)
        schedule.seen(steps)
        with schedule.spent_on("full"):
            pass
    apart = schedule.steps_until_look(steps)
    assert apart > 3
    followed = schedule.followed(looks=False, steps=steps + 2)
    assert followed.steps_until_look(steps + 2) == apart
    assert LookSchedule(64, False, steps + 2, lambda: 0.0).steps_until_look(steps + 2) == 1
    followed.jumped(steps + 2)
    assert followed.steps_until_look(steps + 2) == 1
    assert schedule.steps_until_look(steps) == apart
