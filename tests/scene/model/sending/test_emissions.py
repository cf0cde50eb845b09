"""What sources send, as plain data."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sending.emissions import Area, GaussianLine, GaussianPoints, MovingGaussian
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.waveforms import Ricker, Sine

W = Sine(1.0)


def test_an_emission_knows_where_it_acts():
    line = GaussianLine((0.0, 0.0), (1.0, 2.0), 0.1, 1.0, W)
    np.testing.assert_array_equal(line.places(0.1), [(0, 0), (1, 2)])
    np.testing.assert_allclose(line.places(0.1, 3)[1], (0.5, 1.0))
    point = GaussianLine((0.3, 0.4), (0.3, 0.4), 0.1, 1.0, W)
    np.testing.assert_array_equal(point.places(0.1, 9), [(0.3, 0.4)])
    assert len(Area(Rectangle((0.0, 0.0), (1.0, 1.0)), 1.0, W).places(0.1)) == 4
    x, y = (Formula.parse(text, ("t",)) for text in ("t", "0"))
    assert MovingGaussian(x, y, 0.1, 1.0, W).places(0.1).shape == (0, 2)


def test_the_delays_of_points_are_those_of_their_leads():
    centers = ((0.0, 0.0), (0.0, 1.0), (0.0, 2.0))
    points = GaussianPoints(centers, 0.1, 1.0, W, leads=(3.0, 1.0, 2.0))
    assert points.delays(0.5).tolist() == [4.0, 0.0, 2.0]
    assert GaussianPoints(centers, 0.1, 1.0, W).delays(0.5).tolist() == [0.0, 0.0, 0.0]


def test_what_moves_is_looked_at_from_when_it_is_first_heard():
    x, y = (Formula.parse(text, ("t",)) for text in ("0.1*t", "0"))
    times, positions = MovingGaussian(x, y, 0.1, 1.0, Ricker(1.0, 4.5)).way(5.0, 3)
    assert times.tolist() == [3.0, 4.0, 5.0]
    np.testing.assert_allclose(positions, [(0.3, 0), (0.4, 0), (0.5, 0)])
    late, _ = MovingGaussian(x, y, 0.1, 1.0, Ricker(1.0, 8.5)).way(5.0)
    assert (late[0], late[-1]) == (7.0, pytest.approx(12.0))
