"""The error estimate follows the error, and the points per wavelength are those of the mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square, vacuum_operator
from wavelab.numerics.elements.reference_element import triangle_quadrature
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.numerics.mesh.geometry import map_to_mesh
from wavelab.physics.notices.resolution import (
    ERROR_DECADES,
    POINTS_FOR_1_PERCENT,
    POINTS_FOR_10_PERCENT,
    error_decades,
    error_estimate,
    judgement,
    points_per_wavelength,
    shells,
)
from wavelab.physics.operator.energy import element_energy
from wavelab.physics.operator.fields import Fields


def plane_wave(x, y, frequency=2.2):
    phase = 2 * np.pi * frequency * (0.8 * x + 0.6 * y)
    ez = np.sin(phase)
    return 0.6 * ez, -0.8 * ez, ez


@pytest.mark.parametrize("order", range(1, 9))
@pytest.mark.parametrize("frequency", [1.0, 1.5])
def test_the_estimate_is_the_error_of_the_interpolant_within_a_factor(order, frequency):
    operator = vacuum_operator(discretize(jittered_square(4), order))
    d = operator.discretization
    fields = Fields(*plane_wave(d.x, d.y, frequency))
    r, s, weights = triangle_quadrature(2 * order + 6)
    to_points = interpolation_weights(d.element, np.column_stack([r, s]))
    wrong = sum(
        (getattr(fields, name) @ to_points.T - exact) ** 2 @ weights / 4
        for name, exact in zip(
            ("hx", "hy", "ez"), plane_wave(*map_to_mesh(d.mesh, r, s), frequency), strict=True
        )
    )
    strongest = shells(operator, fields).sum(axis=1).max()
    true = np.sqrt(np.mean(wrong) / strongest)
    found = np.sqrt(np.mean(error_estimate(operator, fields) ** 2))
    assert 0.3 < found / true < 4


def test_the_shells_hold_the_energy():
    rng = np.random.default_rng(2)
    operator = vacuum_operator(discretize(jittered_square(3), 4))
    operator = replace(operator, epsilon=rng.uniform(1, 5, 18), mu=rng.uniform(1, 3, 18))
    fields = Fields(*rng.standard_normal((3, *operator.discretization.shape)))
    areas = operator.discretization.mesh.signed_areas()
    assert shells(operator, fields).sum(axis=1) * areas == pytest.approx(
        element_energy(operator, fields)
    )


def test_it_points_at_the_element_with_a_kink():
    operator = vacuum_operator(discretize(jittered_square(6), 4))
    d = operator.discretization
    center = d.x.mean(axis=1)
    ez = np.exp(-((d.x - 0.3) ** 2))
    kinked = int(np.argmin(np.hypot(center - 0.5, d.y.mean(axis=1) - 0.5)))
    ez[kinked] += 0.3 * np.abs(d.x[kinked] - center[kinked]) / np.ptp(d.x[kinked])
    fields = Fields(0 * ez, 0 * ez, ez)
    estimate = error_estimate(operator, fields)
    assert int(np.argmax(estimate)) == kinked
    assert estimate[kinked] > 100 * np.median(estimate)


def test_it_is_shown_in_decades_from_rounding_to_all_wrong():
    operator = vacuum_operator(discretize(jittered_square(3), 3))
    shape = operator.discretization.shape
    constant = Fields(np.zeros(shape), np.zeros(shape), np.ones(shape))
    assert error_decades(operator, constant).max() == 0
    assert error_decades(operator, Fields.zeros(shape)).max() == 0
    rng = np.random.default_rng(0)
    noise = error_decades(operator, Fields(*rng.standard_normal((3, *shape))))
    assert noise.shape == shape
    assert (np.ptp(noise, axis=1) == 0).all()
    assert 5 < noise.min() <= noise.max() <= ERROR_DECADES


def test_points_per_wavelength_are_counted_where_the_wave_is_shortest():
    operator = vacuum_operator(discretize(jittered_square(4, jitter=0.0), 3))
    slow = np.ones(32)
    slow[7] = 9.0
    plain = points_per_wavelength(operator, 2.0)
    assert plain.points == pytest.approx(0.5 * 4 / np.hypot(0.25, 0.25))
    found = points_per_wavelength(replace(operator, epsilon=slow), 2.0)
    assert found.element == 7
    assert found.wavelength == pytest.approx(0.5 / 3)
    assert found.points == pytest.approx(plain.points / 3)


def test_the_judgement_follows_the_measured_table():
    assert judgement(4, POINTS_FOR_1_PERCENT[4]) == "good"
    assert judgement(4, POINTS_FOR_10_PERCENT[4]) == "rough"
    assert judgement(4, POINTS_FOR_10_PERCENT[4] - 0.1) == "too coarse"
    assert judgement(10, POINTS_FOR_1_PERCENT[8]) == "good"
    assert all(POINTS_FOR_1_PERCENT[n] > POINTS_FOR_10_PERCENT[n] for n in range(1, 9))
