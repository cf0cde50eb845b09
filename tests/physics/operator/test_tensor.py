"""A permeability that is a tensor: its energy, walls before it, the step, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.physics.operator.test_media import energy_rate, moved
from tests.sample_meshes import elliptic_disk, jittered_square, random_fields
from wavelab.errors import SceneError
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.materials import refractive_index
from wavelab.physics.materials.media_numbers import media_numbers
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.operator.tensor import Tensor
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.time_step import element_rates, stable_step
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, MaterialRegion, Scene, Solver
from wavelab.scene.systems.te_light import MaterialTE
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall

CRYSTAL = Material(epsilon=1.5, mu_axes=(1.0, 4.0), mu_angle=30.0)


def formula(text: str) -> Formula:
    return Formula.parse(text, SPACE_AND_TIME)


def operator_of(material=CRYSTAL, *, order=3, mesh=None, upwinding=1.0, walls=(), n=3) -> MaxwellTM:
    solver = Solver(0.3, order=order, upwinding=upwinding)
    scene = Scene("crystal", solver, background=material, walls=walls)
    return discretize_scene(scene, mesh or jittered_square(n)).operator


axes = st.floats(0.2, 5.0)
angles = st.floats(-400.0, 400.0)


@given(first=axes, second=axes, angle=angles, way=angles)
def test_what_a_tensor_says(first, second, angle, way):
    tensor = Tensor(np.arange(3), (first, second), math.radians(angle))
    along = [math.cos(math.radians(angle)), math.sin(math.radians(angle))]
    np.testing.assert_allclose(tensor.matrix @ along, first * np.array(along), atol=1e-11)
    assert np.linalg.eigvalsh(tensor.matrix) == pytest.approx(sorted((first, second)))
    product = tensor.share @ tensor.matrix
    np.testing.assert_allclose(product, tensor.reference * np.eye(2), atol=1e-11)
    # mu det M / (n M n), the same in words that have no inverse in them.
    n = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    seen = first * second / (n @ tensor.matrix @ n)
    assert float(tensor.towards(*n)) == pytest.approx(seen)
    assert tensor.range[0] * (1 - 1e-12) <= seen <= tensor.range[1] * (1 + 1e-12)


@settings(max_examples=12, deadline=None)
@given(
    order=st.integers(1, 5),
    upwinding=st.floats(0, 1),
    seed=st.integers(0, 2**16),
    axes=st.tuples(axes, axes),
    angle=angles,
)
def test_energy_is_balanced(order, upwinding, seed, axes, angle):
    """Whatever the flux, beside walls that take some of it, and with epsilon and losses graded."""
    material = Material(
        formula("1 + x"), mu_axes=axes, mu_angle=angle, magnetic_sigma=formula("max(x - y, 0)")
    )
    walls = (AbsorbingWall(("domain.left",)), ImpedanceWall(("domain.top",), 0.4))
    operator = operator_of(material, order=order, upwinding=upwinding, walls=walls)
    fields = random_fields(operator.discretization, seed)
    found = powers(operator, fields)
    scale = found.wall + found.joule + found.upwind
    assert found.net == pytest.approx(energy_rate(operator, fields, 0.0, 1e-2), abs=1e-10 * scale)
    assert min(found.wall, found.joule, found.upwind) >= 0
    assert found.joule > 0


@pytest.mark.parametrize("mesh", [None, elliptic_disk()])
def test_the_central_flux_conserves_energy_and_the_operator_is_skew(mesh):
    operator = operator_of(upwinding=0.0, mesh=mesh)
    u, v = (random_fields(operator.discretization, seed) for seed in (1, 2))

    def product(one: Fields, other: Fields) -> float:
        both, difference = moved(one, other, 1.0), moved(one, other, -1.0)
        return float((operator.element_energy(both) - operator.element_energy(difference)).sum())

    left = product(u, right_hand_side(operator, v))
    assert left == pytest.approx(-product(right_hand_side(operator, u), v), rel=1e-10)
    assert abs(left) > 1e-2


def test_energy_density_is_that_of_b_and_h():
    operator = operator_of()
    one = np.ones(operator.discretization.shape)
    density = operator.energy_density(MaxwellFields(2 * one, -one, 0 * one))
    b = operator.media.tensors[0].matrix @ [2.0, -1.0]
    np.testing.assert_allclose(density, (2 * b[0] - b[1]) / 2, rtol=1e-12)


def test_equal_axes_are_a_number():
    crystal = operator_of(Material(2.0, mu_axes=(3.0, 3.0), mu_angle=20.0))
    plain = operator_of(Material(2.0, 3.0))
    fields = random_fields(plain.discretization)
    one, other = right_hand_side(crystal, fields), right_hand_side(plain, fields)
    for name in ("hx", "hy", "ez"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-9)
    assert stable_step(crystal) == pytest.approx(stable_step(plain), rel=1e-9)


def test_the_step_is_stable_below_and_unstable_above():
    operator = operator_of(n=4)
    dt = stable_step(operator)

    def growth(step: float) -> float:
        stepper = OpenCLStepper(operator, dt=step, precision="double")
        stepper.set_fields(random_fields(operator.discretization))
        start = stepper.element_energy().sum()
        stepper.advance(400)
        end = stepper.element_energy().sum()
        stepper.close()
        return end / start

    assert growth(0.95 * dt) < 1.001
    assert not growth(1.1 * dt) < 1e6


def test_the_fastest_direction_sets_rates_and_the_slowest_what_is_resolved():
    crystal, fast, slow = (
        operator_of(material) for material in (CRYSTAL, Material(1.5, 1.0), Material(1.5, 4.0))
    )
    np.testing.assert_allclose(element_rates(crystal), element_rates(fast))
    assert points_per_wavelength(crystal, 1.0).points == pytest.approx(
        points_per_wavelength(slow, 1.0).points
    )
    np.testing.assert_allclose(refractive_index(crystal, 0.0), math.sqrt(6.0))


def test_an_absorbing_wall_is_matched_to_the_waves_that_run_straight_at_it():
    walls = (AbsorbingWall(("domain.left", "domain.top")),)
    operator = operator_of(walls=walls)
    found = operator.media.tensors[0].matrix
    for edge, n in (("domain.left", (1.0, 0.0)), ("domain.top", (0.0, 1.0))):
        k, f = np.nonzero(face_selection(operator.discretization.mesh, (edge,)))
        r = operator.reflection[k, f]
        own = operator.impedance[k] * (1 + r) / (1 - r)
        mu = np.linalg.det(found) / (n @ found @ n)
        np.testing.assert_allclose(own, math.sqrt(mu / 1.5), rtol=1e-12)


@pytest.mark.parametrize("physics", ["light", "te"])
def test_files_have_the_components(physics):
    square = jittered_square(4)
    right = square.vertices[square.triangles].mean(axis=1)[:, 0] > 0.5
    mesh = replace(square, regions=right.astype(np.int32), region_names=("background", "crystal"))
    te = MaterialTE(epsilon_axes=CRYSTAL.mu_axes, epsilon_angle=CRYSTAL.mu_angle, mu=1.5)
    crystal, around = {"light": (CRYSTAL, Material()), "te": (te, MaterialTE())}[physics]
    materials = (MaterialRegion("crystal", crystal),)
    scene = Scene("s", Solver(0.3, 2), physics=physics, background=around, materials=materials)
    problem = discretize_scene(scene, mesh)
    d = problem.discretization
    said = {number.name: number for number in media_numbers(scene, d, 0.0)}
    tensor = said["mu" if physics == "light" else "epsilon"]
    inside = d.mesh.regions == 1
    assert 0 < inside.sum() < len(inside)
    matrix = problem.operator.media.tensors[0].matrix
    for name, place in (("xx", (0, 0)), ("xy", (0, 1)), ("yy", (1, 1))):
        np.testing.assert_allclose(tensor.components[name][inside], matrix[place])
        np.testing.assert_allclose(tensor.components[name][~inside], float(place[0] == place[1]))
    plain = replace(scene, materials=(MaterialRegion("crystal", around),))
    assert not any(number.components for number in media_numbers(plain, d, 0.0))


def test_steps_of_their_own_are_refused():
    scene = Scene("s", Solver(0.3, 2, stepper="local"), background=CRYSTAL)
    with pytest.raises(SceneError, match="does not work with anisotropic materials"):
        discretize_scene(scene, jittered_square(3))
