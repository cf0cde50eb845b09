"""Where copies of items find room."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.edits.paste_placement import shifts_beside, shifts_near

BOUNDS = ((0.0, 0.0), (1.0, 1.0))
STEP = 0.02


def test_beside_is_inside_of_the_bounds_and_does_not_touch():
    found = shifts_beside(((0.0, 0.4), (0.3, 0.6)), BOUNDS, STEP)
    assert found == [pytest.approx(way) for way in ((0.34, 0.0), (0.0, -0.24), (0.0, 0.24))]


lengths = st.floats(0, 1)


@given(
    st.tuples(lengths, lengths), st.tuples(lengths, lengths),
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
)  # fmt: skip
def test_after_the_wish_comes_what_is_inside_and_nearest(a, b, by):
    span = ((min(a[0], b[0]), min(a[1], b[1])), (max(a[0], b[0]), max(a[1], b[1])))
    wish, second, *rest = shifts_near(by, span, BOUNDS, STEP)
    assert wish == by
    for axis in range(2):
        start, end = span[0][axis] + by[axis], span[1][axis] + by[axis]
        if end - start <= 1 - 2 * STEP and not (start >= STEP and end <= 1 - STEP):
            assert span[0][axis] + second[axis] >= -1e-9
            assert span[1][axis] + second[axis] <= 1 + 1e-9
    away = [math.dist(shift, second) for shift in rest[:24]]
    assert max(away[:8]) < min(away[8:]) + 1e-9 or second == pytest.approx(rest[0])
