"""A series that is gone back in, and forward again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.records.series import Series


def rows(first: int, count: int, future: int = 0) -> tuple[np.ndarray, np.ndarray]:
    times = np.arange(first, first + count, dtype=float)
    return times, np.stack([times, times + future], axis=1)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 30), st.booleans()), max_size=30))
def test_it_is_as_if_it_had_never_been_elsewhere(acts):
    series, line, now = Series(2), np.zeros((0, 2)), 0
    for future, (count, place, branches) in enumerate(acts):
        if branches:
            series.forget_later()
            line = line[:now]
        # Where it was before, the same comes once more.
        again = line[now : now + count]
        new = rows(now + len(again), count - len(again), future)[1]
        values = np.concatenate([again, new])
        series.append(np.arange(now, now + count, dtype=float), values)
        line = np.concatenate([line[:now], values, line[now + count :]])
        now += count
        assert series.count == now
        assert np.array_equal(series.rows()[1], line[:now])
        now = min(place, len(line))
        series.go_to(now)
        assert np.array_equal(series.rows()[0], np.arange(now, dtype=float))
        assert np.array_equal(series.rows()[1], line[:now])


def test_of_one_that_has_lost_its_oldest_rows_the_others_come_back():
    series = Series(2, most=20)
    for first in range(0, 50, 5):
        series.append(*rows(first, 5))
    series.go_to(43)
    assert series.rows()[0].tolist() == [40.0, 41.0, 42.0]
    series.go_to(3)
    assert (series.count, len(series.rows()[0])) == (3, 0)
    series.append(*rows(3, 47))
    assert series.rows()[0].tolist() == list(range(40, 50))
