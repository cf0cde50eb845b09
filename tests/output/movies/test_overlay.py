"""Lines over the pictures of a movie: mixed in exactly, in all pictures from one on."""

from __future__ import annotations

import numpy as np

from wavelab.output.movies.overlay import MovieOverlay


def test_what_is_covered_is_mixed_and_the_rest_is_not_touched():
    rgba = np.zeros((3, 4, 4), np.uint8)
    rgba[0, 1] = 255, 10, 0, 255  # covers
    rgba[2, 3] = 50, 0, 100, 128  # half of (100, 0, 200)
    rgb = np.random.default_rng(1).integers(0, 256, (3, 4, 3), dtype=np.uint8)
    below = rgb.copy()
    overlay = MovieOverlay.of(rgba)
    assert overlay.size == (4, 3)
    overlay.draw(rgb)
    assert rgb[0, 1].tolist() == [255, 10, 0]
    half = np.array([50, 0, 100]) + (1 - 128 / 255) * below[2, 3]
    assert np.abs(rgb[2, 3] - half).max() <= 0.51
    rgb[0, 1], rgb[2, 3] = below[0, 1], below[2, 3]
    assert np.array_equal(rgb, below)


def test_white_over_white_stays_white():
    rgba = np.full((2, 2, 4), 190, np.uint8)
    rgb = np.full((2, 2, 3), 255, np.uint8)
    MovieOverlay.of(rgba).draw(rgb)
    assert (rgb == 255).all()
