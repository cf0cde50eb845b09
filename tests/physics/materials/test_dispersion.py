"""Dispersive media against the exact response of a cavity filled with them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.materials.dispersion import pole_equations
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.rates import rates_of_change
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import FieldMonitor
from wavelab.scene.poles import Debye, Drude, Lorentz, Pole
from wavelab.scene.walls import AbsorbingWall, OpenWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.verification.dispersive import (
    WAVE_NUMBER_SQUARED,
    cavity_response,
    characteristic,
)

SQUARE = Rectangle((0.0, 0.0), (1.0, 1.0))
START = FieldFormulas(ez=Formula.parse("sin(pi*x)*sin(pi*y)", ("x", "y")))

MEDIA: dict[str, tuple[Pole, ...]] = {
    "plasma": (Drude(0.9),),
    "metal": (Drude(0.6, 0.7),),
    "resonance": (Lorentz(0.5, 1.5, 0.2),),
    "water": (Debye(2.0, 0.3),),
    "all": (Drude(0.4, 0.3), Lorentz(0.8, 0.5, 0.1), Debye(0.7, 0.2)),
}
EPSILON = 1.5


def response(poles: tuple[Pole, ...], t: float) -> float:
    """Amplitude of the mode that starts with Ez = 1 and nothing else."""
    roots, weights = cavity_response(EPSILON, poles)
    return float(np.real(np.exp(t * roots) @ weights))


def cavity(poles, order: int, n: int = 0, size: float = 0.3):
    scene = Scene(
        "cavity", Solver(size, order), SQUARE, background=Material(EPSILON, poles=poles),
        initial=START,
    )  # fmt: skip
    return discretize_scene(scene, jittered_square(n) if n else mesh_scene(scene))


def error_at(problem, poles, until=2.5, stepper=NumpyStepper, **how) -> float:
    steps = math.ceil(until / problem.dt_max)
    made = stepper(problem.operator, dt=until / steps, scheme=problem.scheme, **how)
    simulation = Simulation(problem, made)
    simulation.advance(steps)
    ez = simulation.state().fields.ez
    simulation.close()
    d = problem.discretization
    exact = response(poles, until) * problem.initial.ez
    return math.sqrt(d.integrate_product(ez - exact, ez - exact).sum())


@pytest.mark.parametrize("name", MEDIA)
def test_error_falls_with_the_order(name):
    poles = MEDIA[name]
    coarse, fine = (error_at(cavity(poles, 3, n), poles) for n in (4, 8))
    assert fine < 4e-4
    assert math.log2(coarse / fine) > 3.6


@pytest.mark.parametrize("variant", ["aosoa", "per_node"])
@pytest.mark.parametrize("precision", ["single", "double"])
def test_on_the_device(variant, precision):
    poles = MEDIA["all"]
    error = error_at(
        cavity(poles, 5, 5), poles, stepper=OpenCLStepper, variant=variant, precision=precision
    )
    assert error < (2e-6 if precision == "double" else 5e-6)


@pytest.mark.parametrize("name", MEDIA)
def test_the_spectrum_has_the_resonances_and_no_growth(name):
    problem = cavity(MEDIA[name], 3, 3)
    local = problem.auxiliary_equations
    size = 3 * problem.discretization.x.size + sum(math.prod(e.shape) for e in local)
    matrix = np.array([rates_of_change(problem.operator, row, local) for row in np.eye(size)]).T
    spectrum = np.linalg.eigvals(matrix)
    assert spectrum.real.max() < 1e-9
    denominator, _ = characteristic(EPSILON, MEDIA[name])
    for root in denominator.roots:
        assert np.abs(spectrum - root).min() < 5e-3


@pytest.mark.parametrize("name", MEDIA)
def test_the_powers_account_for_what_the_medium_takes(name):
    """For any fields and memory; and no medium gives back more than it stored."""
    problem = cavity(MEDIA[name], 2, 3)
    (e,), d = problem.auxiliary_equations, problem.discretization
    rng = np.random.default_rng(1)
    memory = rng.normal(size=e.shape)
    fields = MaxwellFields(*(rng.normal(size=d.shape) for _ in range(3)), (memory,))
    vector = np.concatenate([a.ravel() for a in (fields.hx, fields.hy, fields.ez, memory)])
    rate, size = rates_of_change(problem.operator, vector, (e,)), d.x.size
    hx, hy, ez = rate[: 3 * size].reshape(3, *d.shape)
    gained = EPSILON * d.integrate_product(fields.ez, ez).sum()
    gained += (d.integrate_product(fields.hx, hx) + d.integrate_product(fields.hy, hy)).sum()
    step = 1e-4
    there = memory + step * rate[3 * size :].reshape(e.shape)
    back = memory - step * rate[3 * size :].reshape(e.shape)
    gained += (stored_energy((e,), (there,), d) - stored_energy((e,), (back,), d)) / (2 * step)
    found = powers(problem.operator, fields, auxiliary_equations=(e,))
    assert found.net == pytest.approx(gained, rel=1e-8)
    assert found.joule >= -1e-9 * abs(gained)
    assert (found.joule > 1e-4 * abs(gained)) == (name != "plasma")


@pytest.mark.parametrize("name", MEDIA)
def test_points_per_wavelength_are_those_of_the_medium(name):
    problem, plain = cavity(MEDIA[name], 3, 3), cavity((), 3, 3)
    for frequency in (0.2, 0.7, 3.0):
        s = 2j * np.pi * frequency
        denominator, numerator = characteristic(EPSILON, MEDIA[name])
        # Their ratio is s^2 epsilon + k^2 over epsilon(infinity) s.
        epsilon = (EPSILON * s * denominator(s) / numerator(s) - WAVE_NUMBER_SQUARED) / s**2
        found = points_per_wavelength(problem.operator, frequency, problem.auxiliary_equations)
        without = points_per_wavelength(plain.operator, frequency)
        assert found.points / without.points == pytest.approx((EPSILON / abs(epsilon)) ** 0.5)


def test_an_absorbing_wall_before_such_a_medium_is_spoken_of():
    scene = Scene(
        "s", Solver(0.3, 2), SQUARE, background=Material(poles=(Drude(1.0),)),
        walls=(AbsorbingWall(("domain.top",)),),
    )  # fmt: skip
    (notice,) = discretize_scene(scene, jittered_square(3)).notices
    assert "domain.top" in notice


def test_so_it_is_before_one_that_conducts():
    medium = Material(epsilon=2.0, sigma=0.3)
    scene = Scene(
        "s", Solver(0.3, 2), SQUARE, background=medium, walls=(AbsorbingWall(("domain.top",)),)
    )
    (notice,) = discretize_scene(scene, jittered_square(3)).notices
    assert "domain.top" in notice
    # What is said of its echo, for a wave of frequency 1: the impedances are those of theory.
    z, without = 1 / np.sqrt(2 + 0.3j / (2 * np.pi)), 1 / np.sqrt(2)
    assert abs((without - z) / (without + z)) == pytest.approx(0.3 / (8 * np.pi * 2), rel=1e-3)


def test_the_ledger_closes():
    problem = cavity(MEDIA["all"], 4, 4)
    made = NumpyStepper(problem.operator, dt=problem.dt_max / 2, scheme=problem.scheme)
    simulation = Simulation(problem, made)
    ledger = Ledger(simulation)
    for _ in range(120):
        simulation.advance(1)
        ledger.update(simulation)
    account = ledger.account
    assert account.conductors > 0.2 * account.initial
    assert abs(account.residual) < 5e-4 * account.initial


def test_a_fast_medium_shortens_the_step():
    plain, stiff = cavity((), 2, 4), cavity((Lorentz(60.0, 0.5, 1.0),), 2, 4)
    assert stiff.dt_max < 0.7 * plain.dt_max
    simulation = Simulation(stiff, NumpyStepper(stiff.operator, dt=stiff.dt_max))
    simulation.advance(300)  # the guard raises if it grows


def test_a_graded_medium_may_have_poles():
    """With a constant written as a formula it is the same medium."""
    poles = MEDIA["all"]
    solver, square = Solver(0.3, 3), jittered_square(4)
    ends = []
    for epsilon in (EPSILON, Formula.parse("1.5 + 1e-9*x", ("x", "y", "t"))):
        scene = Scene("c", solver, SQUARE, background=Material(epsilon, poles=poles), initial=START)
        problem = discretize_scene(scene, square)
        simulation = Simulation(problem, NumpyStepper(problem.operator, dt=0.01))
        simulation.advance(50)
        ends.append(simulation.state().fields.ez)
    assert np.abs(ends[1] - ends[0]).max() < 1e-6


def test_poles_stay_out_of_open_layers():
    block = MaterialRegion(
        "block", Material(poles=(Drude(1.0),)), Rectangle((0.3, 0.3), (0.9, 0.6))
    )
    scene = Scene(
        "s", Solver(0.1, 2), SQUARE, materials=(block,),
        walls=(OpenWall(("domain.right",), thickness=0.2),),
    )  # fmt: skip
    with pytest.raises(SceneError, match="dispersive"):
        discretize_scene(scene, mesh_scene(scene))
    smaller = replace(block, shape=Rectangle((0.3, 0.3), (0.6, 0.6)))
    problem = discretize_scene(scene, mesh_scene(replace(scene, materials=(smaller,))))
    assert sorted(e.kind for e in problem.auxiliary_equations) == ["medium", "open"]


def test_each_pole_is_counted():
    problem = cavity((), 2, 2)
    e = pole_equations((Drude(1.0), Drude(2.0)), np.arange(3), problem.operator)
    assert e.variables == ("j1", "j2")
    assert e.driven == ("ez",)


@pytest.mark.parametrize("poles", ["poles", "magnetic_poles"])
def test_at_the_resonance_of_a_pole_without_losses_no_mesh_carries_the_wave(poles):
    medium = Material(**{poles: (Lorentz(0.5, 1.0),)})
    scene = Scene(
        "box", Solver(0.5, 2), background=medium, outline=Rectangle((0.0, 0.0), (1.0, 1.0))
    )
    problem = discretize_scene(scene, mesh_scene(scene))
    at, beside = (
        points_per_wavelength(problem.operator, f, problem.auxiliary_equations).points
        for f in (0.5, 0.5 * (1 + 1e-4))
    )
    assert at < 1e-2 * beside < 1e-2


def test_what_a_dispersive_mesh_carries_is_not_told_as_one_highest_frequency():
    """Waves of more may be longer there."""
    medium = Material(poles=(Lorentz(0.5, 1.0),))
    monitor = FieldMonitor("map", (0.5,))
    scene = Scene(
        "box", Solver(0.5, 2), background=medium, outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
        monitors=(monitor,),
    )  # fmt: skip
    with pytest.raises(SceneError, match="carries nothing") as refused:
        discretize_scene(scene, mesh_scene(scene))
    assert "Leave it out" in refused.value.remedy
