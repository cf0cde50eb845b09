"""Arrows over pictures: where they are, how long, and what of the picture they touch."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.output.arrows import (
    HEAD,
    LONGEST,
    MOST_ARROWS,
    Arrows,
    draw_arrows,
    lattice,
    lattice_spacing,
    longest_shown,
    strokes,
)


def one(vector, at=(0.5, 0.5), spacing=0.5) -> Arrows:
    return Arrows("power", np.array([at], float), np.array([vector], float), spacing)


def test_a_lattice_is_even_and_stays_where_it_is():
    points = lattice((-1.0, 0.2, 2.0, 1.7), 0.25)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    np.testing.assert_allclose(apart.min(axis=1), 0.25)
    assert len(points) == pytest.approx(3.0 * 1.5 / (0.25**2 * np.sqrt(3) / 2), rel=0.1)
    moved = lattice((-0.9, 0.2, 2.1, 1.7), 0.25)
    both = (points[:, 0] >= -0.9).sum()
    assert (np.linalg.norm(points[:, None] - moved, axis=2).min(axis=1) < 1e-12).sum() == both


@pytest.mark.parametrize("least", [0.5, 1e-4])
def test_no_view_has_too_many_arrows(least):
    spacing = lattice_spacing((0.0, 0.0, 16.0, 9.0), least)
    assert spacing >= least
    assert len(lattice((0.0, 0.0, 16.0, 9.0), spacing)) <= 1.05 * MOST_ARROWS


@pytest.mark.parametrize(("size", "part"), [(4.0, 1.0), (1.0, 0.5), (100.0, 1.0)])
def test_the_length_grows_with_the_square_root_up_to_the_longest(size, part):
    lines = strokes(one((0.0, size)), limit=4.0, scale=100.0)
    tail, tip = lines[0, 0]
    np.testing.assert_allclose(tip - tail, (0, -LONGEST * 50 * part), atol=1e-9)  # up
    np.testing.assert_allclose((tip + tail) / 2, (50, -50))
    np.testing.assert_allclose(lines[0, 1:, 1], [tip, tip])
    barbs = np.linalg.norm(lines[0, 1:, 0] - tip, axis=1)
    assert barbs == pytest.approx([min(HEAD * 50, 0.4 * LONGEST * 50 * part)] * 2)


@pytest.mark.parametrize("vector", [(0.0, 0.0), (0.01, 0.0), (np.nan, 1.0), (np.inf, 0.0)])
def test_nothing_is_drawn_where_nothing_flows(vector):
    assert len(strokes(one(vector), limit=4.0, scale=100.0)) == 0
    assert len(strokes(one((1.0, 0.0)), limit=0.0, scale=100.0)) == 0


def test_a_source_does_not_make_all_others_short():
    sizes = np.full(200, 1.0)
    sizes[0] = 3.0
    assert longest_shown(sizes) == 1.0
    sizes[0] = 100.0
    assert longest_shown(sizes) == 25.0
    assert longest_shown(np.zeros(0)) == 0.0


@pytest.mark.parametrize(
    ("palette", "below", "line"), [("berlin", 20, (236, 239, 244)), ("vik", 235, (28, 32, 40))]
)
def test_an_arrow_in_a_picture(palette, below, line):
    picture = np.full((100, 100, 3), below, np.uint8)
    draw_arrows(picture, one((1.0, 0.0)), 1.0, (0.0, 0.0, 1.0, 1.0), palette)
    np.testing.assert_allclose(picture[50, 40:60].astype(int), [line] * 20, atol=14)
    changed = (picture != below).any(axis=2)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    assert (columns[0], columns[-1]) == (pytest.approx(26, abs=2), pytest.approx(73, abs=2))
    assert 40 < rows[0] < 46 < 54 < rows[-1] < 60
    assert changed[:, :50].sum() < changed[:, 50:].sum()  # the head is at the right


def test_arrows_at_the_rim_are_cut():
    picture = np.zeros((40, 60, 3), np.uint8)
    for at in ((0.0, 0.0), (1.5, 1.0), (-0.2, 0.5), (9.0, 9.0)):
        draw_arrows(picture, one((1.0, 1.0), at), 1.0, (0.0, 0.0, 1.5, 1.0), "berlin")
    assert picture[-1, 0].any()
    assert picture[0, -1].any()
    assert not picture[20, 30].any()
