"""Which moments stay where there is no room for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.past.ring import MOST, Ring

SIZE = 10


@dataclass(frozen=True)
class Moment:
    step: int
    n_bytes: int = SIZE


def filled(count: int, steps: int) -> Ring[Moment]:
    """Of so many moments, with one put at each of so many steps."""
    ring: Ring[Moment] = Ring(count * SIZE)
    for step in range(steps):
        ring.put(Moment(step), step)
    return ring


def kept(ring: Ring[Moment]) -> list[int]:
    return [moment.step for moment in ring.moments]


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 40), st.integers(0, 300)), max_size=60),
    st.integers(0, 200),
)
def test_whatever_is_put_the_budget_holds_and_all_is_in_order(put, budget):
    ring: Ring[Moment] = Ring(budget)
    for step, size, now in put:
        ring.put(Moment(step, size), now)
        assert ring.n_bytes == sum(moment.n_bytes for moment in ring.moments) <= budget
        steps = kept(ring)
        assert steps == sorted(set(steps))


def test_the_beginning_and_the_newest_stay_and_no_gap_is_wide():
    ring, steps, count = filled(60, 20_000), 20_000, 60
    found = np.array(kept(ring))
    assert (found[0], found[-1], len(found)) == (0, steps - 1, count)
    gaps, ages = np.diff(found), steps - 1 - found[:-1]
    # Half of them would lie 2 steps / count apart if they were even; the ladder is the other half.
    assert gaps.max() < 3 * steps / count
    rung = 2 * np.log(steps) / count
    assert (gaps <= 2 * np.maximum(1, rung * (1 + ages))).all()


def test_those_around_now_stay_where_now_goes_back():
    ring = filled(60, 5000)
    for now in range(4000, 3000, -7):
        for back in (0, 1, 2, 4, 8, 16):
            ring.put(Moment(now - back), now)
    found = np.array(kept(ring))
    near = found[(found <= now) & (found > now - 40)]
    assert {now, now - 1, now - 2, now - 4} <= set(near.tolist())
    assert np.diff(found).max() < 1000  # neither the far past nor what comes again is given up
    assert (found[0], found[-1]) == (0, 4999)


def test_there_are_never_more_than_can_be_looked_through():
    ring = filled(10**6, MOST + 50)
    assert len(ring.moments) == MOST


@pytest.mark.parametrize(("budget", "steps"), [(0, []), (SIZE - 1, []), (SIZE, [0])])
def test_with_little_room_the_beginning_is_all_there_is(budget, steps):
    ring: Ring[Moment] = Ring(budget)
    for step in range(5):
        ring.put(Moment(step), step)
    assert kept(ring) == steps


def test_the_one_before_and_what_is_forgotten():
    ring = filled(100, 30)
    ring.forget_after(20)
    assert ring.before(25) == Moment(20)
    assert ring.before(7) == Moment(7)
    assert ring.before(-1) is None
    assert ring.n_bytes == 21 * SIZE
