"""Numbers as the window writes them."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.base.numbers import count, three_figures
from wavelab.output.numbers import nice_ticks, tick_label


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.00"),
        (-0.01234, "\u22120.0123"),
        (9.999, "10.0"),
        (123.4, "123"),
        (4567.0, "4567"),
        (1.5e6, "1.50\u00d710\u2076"),
        (-2.346e-7, "\u22122.35\u00d710\u207b\u2077"),
        (math.nan, "\u2013"),
        (math.inf, "\u2013"),
    ],
)
def test_three_figures(value, text):
    assert three_figures(value) == text


def test_thousands_are_set_apart():
    assert count(1234567.4) == "1\u202f234\u202f567"


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 12))
def test_ticks_are_few_round_and_inside(low, width, most):
    ticks = nice_ticks(low, low + width, most)
    assert len(ticks) <= most + 1
    if len(ticks) > 1:
        step = ticks[1] - ticks[0]
        tolerance = 1e-6 * (abs(low) + width)
        assert all(low - tolerance <= tick <= low + width + tolerance for tick in ticks)
        assert all(b - a == pytest.approx(step, abs=tolerance) for a, b in pairwise(ticks))


@pytest.mark.parametrize("span", [(0, 0), (1, 0), (0, math.inf), (math.nan, 1)])
def test_no_span_no_ticks(span):
    assert nice_ticks(*span, 5) == []


def test_tick_labels_have_the_decimals_of_their_step():
    assert [tick_label(t, 0.05) for t in (-0.1, 0.0, 0.05)] == ["\u22120.10", "0", "0.05"]
    assert tick_label(20.0, 10.0) == "20"
    assert tick_label(-1.5e-14, 5e-15) == "\u22121.5\u00d710\u207b\u00b9\u2074"
    assert tick_label(2e-14, 2e-14) == "2\u00d710\u207b\u00b9\u2074"
    assert tick_label(300000.0, 1e5) == "3\u00d710\u2075"


@given(st.floats(-1e6, 1e6), st.floats(1e-12, 1e6), st.integers(2, 12))
def test_tick_labels_tell_the_ticks_apart(low, width, most):
    ticks = nice_ticks(low, low + width, most)
    if len(ticks) < 2 or ticks[1] - ticks[0] < 1e-12 * abs(low):
        return
    labels = [tick_label(tick, ticks[1] - ticks[0]) for tick in ticks]
    assert len(set(labels)) == len(labels)
