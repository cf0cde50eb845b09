"""Solids that lose are Zener bodies: their qualities, their balance of energy."""

import math

import numpy as np
import pytest

from tests.physics.operator.test_elastic import random_elastic
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.materials.index_factor import index_factor
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.problem import discretize_scene
from wavelab.scene.systems import zener
from wavelab.scene.toml.toml_io import parse_scene

SCENE = """
title = "solid"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
density = 1.5
p_speed = 2
{rest}
[solver]
element_size = 0.4
order = 2
"""


def problem_of(rest):
    rest = rest if "s_speed" in rest else f"s_speed = 1\n{rest}"
    scene = parse_scene(SCENE.format(rest=rest))
    return discretize_scene(scene, mesh_scene(scene))


@pytest.mark.parametrize(("p", "s"), [(30, 20), (0, 15), (50, 0), (3, 2.5), (200, 100)])
def test_plane_waves_have_the_qualities_that_are_said(p, s):
    """Stress of a strain that goes with exp(i w t), from the equations of one node."""
    frequency = 1.7
    problem = problem_of(f"p_quality = {p}\ns_quality = {s}\nq_frequency = {frequency}")
    (equations,) = problem.auxiliary_equations
    operator, matrix = problem.operator, equations.matrices()[0, 0]
    k, i_omega = len(ElasticFields.names), 2j * math.pi * frequency
    n = len(matrix)
    lame, mu = operator.lame[0], operator.mu[0]

    def stress(rate):
        """Of rates of stress that the strain makes at once."""
        of = np.zeros(n, complex)
        of[:k] = rate
        return np.linalg.solve(i_omega * np.eye(n) - matrix, of)[:k]

    along = stress(i_omega * np.array([0, 0, lame + 2 * mu, lame, 0]))[2]
    across = stress(i_omega * np.array([0, 0, 0, 0, mu]))[4]
    if s:
        assert across.imag / across.real == pytest.approx(1 / s, rel=1e-9)
    else:
        assert across == pytest.approx(mu)
    if p:
        assert along.imag / along.real == pytest.approx(1 / p, rel=1e-9)
    else:
        assert 0 < along.imag / along.real < 1 / s


@pytest.mark.parametrize(
    ("p", "s", "explosion", "slip"), [(12, 8, 0.932, 0.883), (100, 100, 0.990, 0.990)]
)
def test_what_slips_or_swells_relaxes_as_strains_do(p, s, explosion, slip):
    """The moment of docs/systems.md, in parts of the amplitude: what a rate of stress becomes."""
    frequency = 1.7
    problem = problem_of(f"p_quality = {p}\ns_quality = {s}\nq_frequency = {frequency}")
    (equations,) = problem.auxiliary_equations
    matrix, k = equations.matrices()[0, 0], len(ElasticFields.names)
    i_omega, of = 2j * math.pi * frequency, np.zeros((2, len(matrix)), complex)
    of[:, :k] = [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]
    whole = np.linalg.solve(i_omega * np.eye(len(matrix)) - matrix, of.T).T[:, :k] * i_omega
    assert abs(whole[0, 2]) == pytest.approx(explosion, abs=1e-3)
    assert abs(whole[1, 4]) == pytest.approx(slip, abs=1e-3)


def test_what_is_lost_is_what_the_energies_lose_and_never_negative():
    problem = problem_of("p_quality = 12\ns_quality = 7")
    operator, (equations,) = problem.operator, problem.auxiliary_equations
    rng = np.random.default_rng(0)
    for seed in range(4):
        fields = random_elastic(operator, seed)
        memory = rng.standard_normal(equations.shape)
        with_memory = ElasticFields.of(fields.arrays, (memory,))
        powers = elastic_powers(operator, with_memory, auxiliary_equations=(equations,))
        assert powers.joule > 0
        assert powers.parametric == 0


@pytest.mark.parametrize(
    ("rest", "key"),
    [
        ("s_quality = 5\np_quality = 400", "p_quality"),
        ("p_quality = 0.3", "p_quality"),
        ("s_quality = -4", "s_quality"),
        ("q_frequency = 0", "q_frequency"),
    ],
)
def test_qualities_that_cannot_be_are_refused(rest, key):
    with pytest.raises(SceneError) as caught:
        parse_scene(SCENE.format(rest=rest))
    assert key in caught.value.message
    assert caught.value.remedy


def test_a_solid_resists_compression():
    with pytest.raises(SceneError, match="s_speed"):
        parse_scene(SCENE.format(rest="s_speed = 1.9"))


@pytest.mark.parametrize(
    ("medium", "modulus"),
    [
        ("s_quality = 20", lambda solid: solid.relaxing[1]),
        ("s_speed = 0\np_quality = 9", lambda solid: solid.relaxing[0]),
        ("p_quality = 30", lambda solid: 1.0),
    ],
)
def test_the_slowest_wave_is_as_slow_as_its_modulus_says(medium, modulus):
    """Which counts where the points of a wavelength are counted, and along a ruler."""
    problem = problem_of(f"{medium}\nq_frequency = 1.7")
    operator, (equations,) = problem.operator, problem.auxiliary_equations
    s = modulus(problem.scene.background)
    at_peak = index_factor(operator, equations, 1.7)
    assert at_peak == pytest.approx(np.full(len(at_peak), 1 / zener.factor(s)), rel=1e-9)
    assert index_factor(operator, equations, 1e6)[0] == pytest.approx(1.0, rel=1e-4)
    assert index_factor(operator, equations, 1e-6)[0] == pytest.approx(1 / s**2, rel=1e-4)
    plain = points_per_wavelength(operator, 1.7)
    found = points_per_wavelength(operator, 1.7, problem.auxiliary_equations)
    assert found.points == pytest.approx(plain.points * abs(zener.factor(s)) ** 0.5)


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize(
    ("p_quality", "s_quality", "what", "remedy"),
    [
        # Of speeds of 1 and 0.6 shear alone leaves P waves Q = 9.6 where it has 5 itself.
        (100, 5, "more than shear alone leaves it", "Make it smaller"),
        (1.5, 0, "less than compression alone makes it", "Make it larger"),
    ],
)
def test_a_quality_that_cannot_be_says_which_way_to_go(graded, p_quality, s_quality, what, remedy):
    speed = '"1"' if not graded else '"1 + 1e-6*x"'
    text = f"""
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
p_speed = {speed}
s_speed = 0.6
p_quality = {p_quality}
s_quality = {s_quality}
[solver]
element_size = 0.5
order = 1
"""
    with pytest.raises(SceneError, match=what) as error:
        scene = parse_scene(text)
        discretize_scene(scene, mesh_scene(scene))
    assert error.value.remedy.startswith(remedy)


@pytest.mark.parametrize("s_speed", ["1", "0"])
def test_a_formula_slows_waves_down_as_the_number_does(s_speed):
    """By what 1 / speed^2 is multiplied follows from the quality alone, however the speed grows."""
    loses = "p_quality = 8" if s_speed == "0" else "s_quality = 8"
    found = []
    for density, speed in (("1.5", s_speed), ('"1.5 + x"', f'"{s_speed}*(1 + 0.3*y)"')):
        text = SCENE.replace("density = 1.5", f"density = {density}")
        scene = parse_scene(text.format(rest=f"s_speed = {speed}\n{loses}"))
        operator = (problem := discretize_scene(scene, mesh_scene(scene))).operator
        (equations,) = problem.auxiliary_equations
        found.append(index_factor(operator, equations, 0.8))
    assert abs(found[0].imag).min() > 0.05
    np.testing.assert_allclose(found[1], found[0], rtol=1e-3)
