"""Outlines of ellipses, also of those that a hand passes through and a scene would refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.model.shapes import Ellipse, smooth_outline
from wavelab.scene.model.shapes.ellipse import LARGEST_ELONGATION

#: Down to the smallest number there is, and as far up as a screen's arithmetic goes.
radii = st.floats(5e-324, 1e150)


@given(radii, radii, st.sampled_from([math.inf, 1e12, 0.1, 1e-100]), st.floats(0.01, 90))
def test_whatever_its_radii_an_ellipse_has_finite_corners_and_not_too_many(a, b, size, most_turn):
    corners, edges = Ellipse((0, 0), (a, b)).outline(size, most_turn)
    assert np.isfinite(corners).all()
    assert len(edges) == len(corners)
    assert (np.abs(corners) <= (a, b)).all()
    assert 3 <= len(corners) <= 5 * LARGEST_ELONGATION + 4096 + 360 / most_turn


@given(st.floats(1, 1.5 * LARGEST_ELONGATION))
def test_the_smooth_outline_of_an_ellipse_encloses_nearly_all_of_it(elongation):
    corners, _ = smooth_outline(Ellipse((0, 0), (elongation, 1)))
    x, y = corners.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert area == pytest.approx(math.pi * elongation, rel=3e-3)


def test_drawing_a_needle_costs_no_more_than_drawing_the_longest_ellipse_of_a_scene():
    longest = len(smooth_outline(Ellipse((0, 0), (LARGEST_ELONGATION, 1)))[0])
    for radius in (1e-3, 1e-14, 1e-100, 5e-324):
        assert len(smooth_outline(Ellipse((0, 0), (1, radius)))[0]) == longest
