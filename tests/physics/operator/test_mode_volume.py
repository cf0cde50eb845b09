"""Mode volumes of exact fields."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.physics.operator.mode_volume import mode_volume
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Scene, Solver

SQUARE = Scene("square", Solver(0.25, order=6, precision="double"))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 1), (2, 3)])
def test_a_mode_of_a_square_has_a_quarter_of_its_area(m, n):
    """sin^2 is 1/2 on average each way, whatever the phase and the size of the amplitude are."""
    p = discretize_scene(SQUARE, jittered_square(5))
    d = p.discretization
    ez = (0.3 - 2j) * np.sin(m * np.pi * d.x) * np.sin(n * np.pi * d.y)
    assert mode_volume(p.operator, ez[None]) == pytest.approx(0.25, rel=1e-4)


def test_a_wave_that_runs_fills_all_of_it_and_one_that_stands_half():
    p = discretize_scene(SQUARE, jittered_square(4))
    d = p.discretization
    running = np.exp(2j * np.pi * d.x)
    assert mode_volume(p.operator, running[None]) == pytest.approx(1.0, rel=1e-4)
    assert mode_volume(p.operator, running.real[None] + 0j) == pytest.approx(0.5, rel=1e-4)
    assert mode_volume(p.operator, 0 * running[None]) == 0.0


@pytest.mark.parametrize(
    "medium", [Material(epsilon=9.0), Material(epsilon=Formula.parse("1 + x", ("x", "y", "t")))]
)
def test_the_permittivity_weighs_the_field(medium):
    """A constant one cancels; of 1 + x it is 3/2 on average and 2 at most."""
    p = discretize_scene(replace(SQUARE, background=medium), jittered_square(4))
    d = p.discretization
    exact = 1.0 if isinstance(medium.epsilon, float) else 0.75
    assert mode_volume(p.operator, np.ones((1, *d.shape), complex)) == pytest.approx(
        exact, rel=1e-9
    )


def test_elements_of_a_part_count_alone():
    p = discretize_scene(SQUARE, jittered_square(4))
    d = p.discretization
    half = np.flatnonzero(d.x.mean(axis=1) < 0.5).astype(np.int32)
    area = 2 * d.geometry.jacobian[half].sum()
    ones = np.ones((len(half), d.nodes_per_element), complex)
    assert mode_volume(p.operator, ones[None], half) == pytest.approx(area, rel=1e-12)
