"""Where a click lands."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from tests.app.tool_events import at
from wavelab.app.tools.snapping import GRID_PIXELS, grid_spacing, snap, to_grid


@given(st.floats(1e-12, 1e12))
def test_the_grid_is_round_and_wide_enough_on_the_screen(pixel):
    spacing = grid_spacing(pixel)
    mantissa = spacing / 10 ** math.floor(math.log10(spacing * 1.000001))
    assert min(abs(mantissa - m) for m in (1, 2, 5)) < 1e-6
    assert GRID_PIXELS * (1 - 1e-6) <= spacing / pixel <= 2.5 * GRID_PIXELS * (1 + 1e-6)


@given(st.floats(-100, 100), st.sampled_from([0.001, 0.02, 0.5, 1.0, 20.0]))
def test_grid_points_are_written_without_rounding_noise(value, spacing):
    snapped = to_grid(value, spacing)
    assert abs(snapped - value) <= 0.5 * spacing * (1 + 1e-9)
    assert len(f"{snapped!r}".lstrip("-")) <= 7


def test_a_vertex_within_reach_wins_over_the_grid():
    vertices = ((0.1234, 0.5), (0.14, 0.5))
    assert snap(at(0.125, 0.501), vertices).point == (0.1234, 0.5)
    assert snap(at(0.3, 0.5), vertices).to == "grid"


def test_control_takes_the_pointer_as_it_is():
    assert snap(at(0.12345, 0.6789, ctrl=True), ((0.12345, 0.679),)).point == (0.12345, 0.6789)


def test_shift_keeps_the_nearer_axis_of_the_previous_vertex():
    assert snap(at(0.9, 0.53, shift=True), (), (0.5, 0.5)).point == (0.9, 0.5)
    assert snap(at(0.53, 0.9, shift=True), (), (0.5, 0.5)).point == (0.5, 0.9)
