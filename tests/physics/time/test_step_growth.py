"""What the numbers of two operators say of their steps, against their spectra."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.step_growth import growth
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.toml.toml_io import parse_scene

SQUARE = """
title = "Two media"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.3
order = 2
[[materials]]
name = "glass"
epsilon = 2
shape = "rectangle"
lower = [0.3, 0.3]
upper = [0.7, 1.0]
"""
values = st.floats(0.3, 4.0)
reflections = st.floats(-1.0, 1.0)


@pytest.fixture(scope="module")
def empty() -> MaxwellTM:
    scene = parse_scene(SQUARE)
    return discretize_scene(scene, mesh_scene(scene)).operator


def filled(operator: MaxwellTM, media: list[tuple[float, float]], reflection: float) -> MaxwellTM:
    """With (epsilon, mu) of the regions, and walls that all return the same."""
    regions = operator.discretization.mesh.regions
    epsilon, mu = np.array(media)[regions].T
    walls = np.full_like(operator.reflection, reflection)
    return replace(operator, epsilon=epsilon, mu=mu, reflection=walls)


@given(
    st.lists(st.tuples(values, values), min_size=2, max_size=2),
    st.lists(st.tuples(values, values), min_size=2, max_size=2),
    reflections,
    reflections,
)
def test_no_step_is_shorter_than_the_growth_says(empty, before, after, here, there):
    one, other = filled(empty, before, here), filled(empty, after, there)
    known = stable_step(one)
    assert stable_step(other) >= 0.93 * known / growth(one, other, known)


@given(st.floats(0.3, 3.0))
def test_the_speed_of_all_is_the_growth_of_all(empty, factor):
    faster = replace(empty, epsilon=empty.epsilon / factor, mu=empty.mu / factor)
    assert growth(empty, faster, 1.0) == pytest.approx(factor)


def test_what_conducts_well_is_looked_at(empty):
    conducting = replace(empty, sigma=np.full_like(empty.epsilon, 3.0))
    assert growth(empty, conducting, 0.01) == 1
    assert growth(empty, conducting, 1.0) == np.inf
    assert growth(conducting, empty, 1.0) == 1
