"""Kerr media: D = epsilon E + chi E^3 against perturbation theory, and what they keep."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.physics.operator.test_media import energy_rate, graded_operator
from tests.sample_meshes import elliptic_disk, random_fields
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator import kerr
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.power.power import powers
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Material, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import MagneticWall, PeriodicWall
from wavelab.schemes import FACTORS
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import make_stepper

EPSILON = 2.25
KERR = {"epsilon": 2.0, "chi": 0.3}
amplitudes = st.floats(-1e6, 1e6)


@given(st.floats(1e-12, 1e6), amplitudes)
def test_the_root_is_that_of_the_cubic(kappa, e):
    assert kerr.field(kappa, np.array(kerr.scaled_of(kappa, e))) == pytest.approx(e, rel=1e-12)


@given(st.floats(1e-3, 1e3), st.floats(-10, 10))
def test_energy_is_the_integral_of_the_field_over_its_flux_density(kappa, e):
    h = 1e-5 * (1 + abs(e))
    change = kerr.energy(kappa, e + h) - kerr.energy(kappa, e - h)
    along = kerr.scaled_of(kappa, e + h) - kerr.scaled_of(kappa, e - h)
    assert change == pytest.approx(e * along, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("mesh", [None, "curved"])
def test_a_field_says_its_flux_density_however_strong_it_is(mesh):
    operator = graded_operator(3, KERR, mesh=elliptic_disk() if mesh else None)
    for profile in operator.media.kerr:
        for size in (1e-3, 1.0, 30.0):
            nodal = size * random_fields(operator.discretization, 3).ez[profile.elements]
            again = profile.field(profile.scaled(nodal, 0.0), 0.0)
            np.testing.assert_allclose(again, nodal, atol=1e-11 * size)


@pytest.mark.parametrize("upwinding", [0.0, 1.0])
@pytest.mark.parametrize("mesh", [None, "curved"])
def test_the_energy_is_balanced(upwinding, mesh):
    """With its quartic part, and as exactly as that of linear media: nothing aliases into it."""
    operator = graded_operator(
        3, KERR, upwinding=upwinding, mesh=elliptic_disk(hole=0.3) if mesh else None
    )
    fields = random_fields(operator.discretization, 1)
    rate = energy_rate(operator, fields, 0.0, 1e-5)
    lost = powers(operator, fields, (), 0.0)
    assert rate == pytest.approx(-float(lost.upwind) - float(lost.wall), rel=1e-7, abs=1e-7)


# A plane wave in a periodic box: no dispersion, so all harmonics run along with it


def box(chi: float, *, length: float = 1.0, across: float = 0.25, **how) -> Problem:
    scene = Scene(
        "box",
        Solver(how.pop("size", 0.15), how.pop("order", 5), until=10.0, **how),
        Rectangle((0.0, 0.0), (length, across)),
        background=Material(EPSILON, chi=chi),
        walls=(
            PeriodicWall(("domain.left", "domain.right")),
            PeriodicWall(("domain.bottom", "domain.top")),
        ),
    )
    return discretize_scene(scene, mesh_scene(scene))


def forward(problem: Problem, fields: Fields, harmonic: int) -> complex:
    """Amplitude of exp(-i m k x) of what goes to the right."""
    d, index = problem.discretization, math.sqrt(EPSILON)
    right = (fields.ez - fields.hy / index) / 2
    phase = 2 * np.pi * harmonic * d.x
    area = float(d.integrate(np.ones(d.shape)).sum())
    parts = (float(d.integrate(right * wave(phase)).sum()) for wave in (np.cos, np.sin))
    c, s = parts
    return 2 * complex(c, s) / area


def run_plane_wave(problem: Problem, periods: float, backend: str = "numpy") -> Fields:
    d, index = problem.discretization, math.sqrt(EPSILON)
    ez = np.cos(2 * np.pi * d.x)
    steps = math.ceil(periods * index / problem.dt_max)
    dt = periods * index / steps
    stepper = make_stepper(
        problem.operator, dt=dt, scheme=problem.scheme, backend=backend, precision="double"
    )
    stepper.set_fields(MaxwellFields(np.zeros_like(ez), -index * ez, ez))
    stepper.advance(steps)
    fields = stepper.fields()
    stepper.close()
    return fields


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_third_harmonic_and_index_are_those_of_perturbation_theory(backend):
    """Of E = A cos(k x - w t) the cubic part chi E^3 has 1/4 chi A^3 at 3 w, which runs along, so
    that A_3 grows by 3 w chi A^3 / (8 epsilon) per time, and 3/4 chi A^3 at w: the index grows by
    n2 A^2 with n2 = 3 chi / (8 n), and at a given k the frequency falls by that part."""
    chi, periods = 0.004, 3.0
    problem = box(chi)
    fields = run_plane_wave(problem, periods, backend)
    elapsed = 2 * np.pi * periods  # w t
    small = 3 * chi / (8 * EPSILON) * elapsed
    # The next order is as small again.
    assert -forward(problem, fields, 3).imag == pytest.approx(small, rel=3 * small)
    one = forward(problem, fields, 1)
    assert -np.angle(one * np.exp(-1j * elapsed)) == pytest.approx(small, rel=3 * small)
    assert abs(forward(problem, fields, 2)) < small**2


def test_twice_the_amplitude_is_four_times_chi():
    weak, strong = (run_plane_wave(box(chi), 1.0) for chi in (0.01, 0.04))
    problem = box(0.01)
    d, index = problem.discretization, math.sqrt(EPSILON)
    ez = 2 * np.cos(2 * np.pi * d.x)
    steps = math.ceil(index / problem.dt_max)
    stepper = NumpyStepper(problem.operator, dt=index / steps, scheme=problem.scheme)
    stepper.set_fields(MaxwellFields(np.zeros_like(ez), -index * ez, ez))
    stepper.advance(steps)
    np.testing.assert_allclose(stepper.fields().ez, 2 * strong.ez, atol=1e-9)
    assert np.abs(stepper.fields().ez - 2 * weak.ez).max() > 1e-3


def test_a_strong_wave_keeps_its_energy_under_the_central_flux():
    """Also where it steepens and its harmonics alias: only the steps in time lose any."""
    problem = box(0.3, order=2, size=0.25, upwinding=0.0)
    d, index = problem.discretization, math.sqrt(EPSILON)
    lost = []
    for refined in (2, 4):
        steps = refined * math.ceil(index / problem.dt_max)
        stepper = NumpyStepper(problem.operator, dt=index / steps, scheme=problem.scheme)
        ez = np.cos(2 * np.pi * d.x)
        stepper.set_fields(MaxwellFields(np.zeros_like(ez), -index * ez, ez))
        before = stepper.element_energy().sum()
        stepper.advance(steps)
        lost.append(abs(stepper.element_energy().sum() / before - 1))
    assert lost[0] < 1e-3
    assert lost[1] < lost[0] / 16


def test_a_beam_is_narrower_than_a_linear_one_by_what_theory_says():
    """The mean square of x of a beam E = A exp(-x^2 / w^2) in a medium of index n obeys

        k^2 <x^2>'' = 2 <|dA/dx|^2> - k g <|A|^4> / <|A|^2>,    g = 3 k chi / (8 epsilon),

    along its way (Vlasov, Petrishchev & Talanov 1971, in one dimension across): the second term
    is what makes it narrower, by g A^2 s^2 / (2 sqrt(2) k) on a short way s."""
    width, across, chi, periods = 1.3, 8.5, 0.02, 1.0

    def variance(chi: float) -> float:
        problem = box(chi, across=across, size=0.4, order=4)
        d, index = problem.discretization, math.sqrt(EPSILON)
        ez = np.cos(2 * np.pi * d.x) * np.exp(-(((d.y - across / 2) / width) ** 2))
        steps = math.ceil(periods * index / problem.dt_max)
        stepper = NumpyStepper(problem.operator, dt=periods * index / steps, scheme=problem.scheme)
        stepper.set_fields(MaxwellFields(np.zeros_like(ez), -index * ez, ez))
        stepper.advance(steps)
        square = stepper.fields().ez ** 2
        moment = d.integrate(square * (d.y - across / 2) ** 2).sum()
        return float(moment / d.integrate(square).sum())

    wave_number = 2 * np.pi
    g = 3 * wave_number * chi / (8 * EPSILON)
    expected = g * periods**2 / (2 * math.sqrt(2) * wave_number)
    assert variance(0.0) - variance(chi) == pytest.approx(expected, rel=0.04)


@pytest.mark.parametrize("upwinding", [0.0, 1.0])
def test_the_step_is_stable_for_strong_fields(upwinding):
    operator = graded_operator(
        2, {"epsilon": 1.0, "chi": 5.0}, upwinding=upwinding, walls=(MagneticWall(("domain",)),)
    )
    stepper = NumpyStepper(operator, dt=0.95 * stable_step(operator))
    stepper.set_fields(random_fields(operator.discretization, 2))
    before = stepper.element_energy().sum()
    stepper.advance(300)
    assert stepper.element_energy().sum() < 1.01 * before


def test_a_ping_adds_to_the_flux_density_what_it_adds_in_a_linear_medium():
    operator: MaxwellTM = graded_operator(3, KERR)
    d = operator.discretization
    stepper = NumpyStepper(operator, dt=1e-3)
    stepper.set_fields(random_fields(d, 4))
    (profile,) = operator.media.kerr
    before = profile.scaled(stepper.fields().ez[profile.elements], 0.0)
    stepper.ping(np.array([5, 17]), np.array([0.3, -2.0]))
    after = profile.scaled(stepper.fields().ez[profile.elements], 0.0)
    change = np.zeros(d.shape)
    change.reshape(-1)[[5, 17]] = 0.3, -2.0
    np.testing.assert_allclose(after - before, change[profile.elements], atol=1e-11)
    assert operator.element_energy(stepper.fields()).sum() > 0


# What a scene may say


SCENE = """
title = "Kerr"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.5
order = 2
[background]
epsilon = 2
chi = 0.5
"""


def test_a_file_says_chi():
    scene = parse_scene(SCENE)
    assert scene.background.chi == 0.5
    assert parse_scene(dump_scene(scene)) == scene
    text = SCENE.replace("[solver]", "[parameters]\nc = 0.25\n[solver]")
    turned = parse_scene(text.replace("chi = 0.5", 'chi = "c"'))
    assert float(turned.background.chi) == 0.25


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t.replace("chi = 0.5", "chi = -0.5"), "chi of .* is -0.5"),
        (lambda t: t.replace("epsilon = 2", 'epsilon = "2 + x"'), "both chi and an epsilon"),
        (lambda t: 'physics = "te"\n' + t, "chi"),
        (lambda t: 'physics = "sound"\n' + t.replace("epsilon = 2", "speed = 2"), "chi"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_read(change, says):
    with pytest.raises(SceneError, match=says):
        parse_scene(change(SCENE))


@pytest.mark.parametrize("stepper", ["local", *FACTORS])
def test_steppers_that_cannot_are_refused(stepper):
    scene = parse_scene(SCENE)
    scene = replace(scene, solver=replace(scene.solver, stepper=stepper))
    with pytest.raises(SceneError, match="Kerr media"):
        discretize_scene(scene, mesh_scene(scene))


def test_a_layer_does_not_reach_into_it():
    wall = '[[walls]]\nedges = ["domain.left"]\nkind = "open"\nthickness = 0.45\n'
    scene = parse_scene(SCENE + wall)
    with pytest.raises(SceneError, match="reaches a material that is a Kerr medium"):
        discretize_scene(scene, mesh_scene(scene, 0.1))


def test_other_waves_lose_it_and_say_so():
    _, notes = switched(parse_scene(SCENE), "te")
    assert any("chi" in note for note in notes)


def test_another_chi_is_a_change_of_numbers():
    scene = parse_scene(SCENE)
    problem = discretize_scene(scene, mesh_scene(scene))
    other = replace(scene, background=replace(scene.background, chi=0.7))
    assert can_be_revised(scene, other)
    assert revised(problem, other).operator.media.kerr[0].kerr == pytest.approx(0.35)


@settings(max_examples=10)
@given(st.floats(0.1, 10.0))
def test_small_waves_see_epsilon(size):
    """chi that is small beside 1 / E^2 does nothing."""
    operator = graded_operator(2, {"epsilon": 2.0, "chi": 1e-14})
    linear = graded_operator(2, {"epsilon": 2.0})
    fields = random_fields(operator.discretization, 5)
    fields = MaxwellFields(size * fields.hx, size * fields.hy, size * fields.ez)
    one, other = (o.element_energy(fields) for o in (operator, linear))
    np.testing.assert_allclose(one, other, rtol=1e-10)
