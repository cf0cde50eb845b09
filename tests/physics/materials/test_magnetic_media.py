"""Losses and poles that act on H: the dual of what sigma and the poles of epsilon do."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.materials.test_dispersion import EPSILON, MEDIA, SQUARE
from tests.products import each_value
from tests.sample_meshes import jittered_square, random_fields
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.power.power import powers
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.time.rates import rates_of_change
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, MaterialRegion, Scene, Solver, Wall
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.poles import Debye, Drude
from wavelab.scene.walls import AbsorbingWall, OpenWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.verification.dispersive import characteristic

pytestmark = pytest.mark.usefixtures("not_optimised")

ALL = MEDIA["all"]
#: Everything that a medium can have at once.
WHOLE = Material(
    Formula.parse("1.5 + x", SPACE_AND_TIME),
    sigma=0.3,
    poles=(Drude(0.4, 0.2), Debye(0.5, 0.3)),
    mu_axes=(1.0, 3.0),
    mu_angle=35.0,
    magnetic_sigma=0.4,
    magnetic_poles=ALL,
)


def problem_of(
    material: Material, order: int = 3, n: int = 3, walls: tuple[Wall, ...] = ()
) -> Problem:
    scene = Scene("s", Solver(0.3, order), SQUARE, background=material, walls=walls)
    return discretize_scene(scene, jittered_square(n))


def spectrum(problem: Problem) -> np.ndarray:
    local = problem.auxiliary_equations
    size = 3 * problem.discretization.x.size + sum(math.prod(e.shape) for e in local)
    matrix = [rates_of_change(problem.operator, row, local) for row in np.eye(size)]
    return np.linalg.eigvals(np.array(matrix).T)


@pytest.mark.parametrize("name", ["plasma", "resonance", "water", "metal"])
def test_the_spectrum_has_the_resonances_and_no_growth(name):
    """Between conductors too: the mode feels epsilon mu alone."""
    found = spectrum(problem_of(Material(mu=EPSILON, magnetic_poles=MEDIA[name])))
    assert found.real.max() < 1e-9
    roots = characteristic(EPSILON, MEDIA[name])[0].roots
    for root in roots[np.abs(roots) > 1e-6]:  # 0 is not one of this cavity
        assert np.abs(found - root).min() < 5e-3


@pytest.mark.parametrize("central", [False, True])
def test_nothing_grows_where_a_medium_has_everything(central):
    material = replace(WHOLE, sigma=0.0, magnetic_sigma=0.0) if central else WHOLE
    scene = Scene("s", Solver(0.3, 2, upwinding=0.0 if central else 1.0), SQUARE)
    problem = discretize_scene(replace(scene, background=material), jittered_square(2))
    assert spectrum(problem).real.max() < 1e-9


@pytest.mark.parametrize(
    "material",
    [*(Material(magnetic_poles=poles) for poles in MEDIA.values()), WHOLE],
    ids=[*MEDIA, "whole"],
)
def test_the_powers_account_for_what_the_medium_takes(material):
    """For any fields and memory; and no medium gives back more than it stored."""
    problem = problem_of(material, order=2)
    (e,), d = problem.auxiliary_equations, problem.discretization
    memory = np.random.default_rng(1).normal(size=e.shape)
    fields = replace(random_fields(d, 1), auxiliary=(memory,))
    vector = np.concatenate([a.ravel() for a in (fields.hx, fields.hy, fields.ez, memory)])
    rate, size = rates_of_change(problem.operator, vector, (e,)), d.x.size

    def energy(step: float) -> float:
        moved = vector + step * rate
        hx, hy, ez = moved[: 3 * size].reshape(3, *d.shape)
        of_fields = problem.operator.element_energy(MaxwellFields(hx, hy, ez)).sum()
        return of_fields + stored_energy((e,), (moved[3 * size :].reshape(e.shape),), d)

    gained = (energy(1e-3) - energy(-1e-3)) / 2e-3  # of a square, so exact
    found = powers(problem.operator, fields, auxiliary_equations=(e,))
    assert found.net == pytest.approx(gained, rel=1e-8)
    assert found.joule >= -1e-9 * abs(gained)


def test_losses_of_h_are_those_of_ez_in_the_others_place():
    """(Ez, H) -> (Z H, Ez / Z): a conductor's walls become magnetic, and the spectrum stays.

    Elements do not know that, since H has two components, so it holds as the mesh resolves it.
    """
    lossy = spectrum(problem_of(Material(2.0, sigma=0.7), order=4, n=2))
    dual = spectrum(problem_of(Material(mu=2.0, magnetic_sigma=0.7), order=4, n=2))
    decay, frequency = 0.7 / 4, math.sqrt(math.pi**2 - (0.7 / 4) ** 2)
    for found in (lossy, dual):
        assert np.abs(found - (-decay + 1j * frequency)).min() < 2e-3


def test_a_formula_without_variables_is_a_number():
    number, formula = (
        problem_of(Material(magnetic_sigma=sigma))
        for sigma in (0.5, Formula.parse("1/2", SPACE_AND_TIME))
    )
    assert not formula.operator.media
    (one,), (other,) = number.auxiliary_equations, formula.auxiliary_equations
    assert {n: v.tolist() for n, v in one.coefficients.items()} == {
        n: v.tolist() for n, v in other.coefficients.items()
    }
    assert one.rates == other.rates


@pytest.mark.parametrize(
    ("material", "variant"),
    each_value([WHOLE, Material(magnetic_poles=ALL, magnetic_sigma=0.3)], ["aosoa", "per_node"]),
)
def test_on_the_device(material, variant):
    problem = problem_of(material, order=4)
    d, dt = problem.discretization, problem.dt_max / 2
    steppers = (
        NumpyStepper(problem.operator, dt=dt, scheme=problem.scheme),
        OpenCLStepper(
            problem.operator, dt=dt, scheme=problem.scheme, precision="double", variant=variant
        ),
    )
    simulations = [Simulation(problem, stepper) for stepper in steppers]
    ledgers = []
    for simulation in simulations:
        simulation.stepper.set_fields(
            MaxwellFields(0 * d.x, 0 * d.x, np.sin(np.pi * d.x) * np.sin(np.pi * d.y))
        )
        ledgers.append(Ledger(simulation))
        for _ in range(40):
            simulation.advance(1)
            ledgers[-1].update(simulation)
    expected, found = (simulation.stepper.fields() for simulation in simulations)
    largest = np.abs(expected.ez).max()
    for name in ("hx", "hy", "ez"):
        assert np.abs(getattr(found, name) - getattr(expected, name)).max() < 1e-11 * largest
    for one, other in zip(found.auxiliary, expected.auxiliary, strict=True):
        assert np.abs(one - other).max() < 1e-11 * np.abs(other).max()
    for simulation, ledger in zip(simulations, ledgers, strict=True):
        account = ledger.account
        assert account.conductors > 0.02 * account.initial
        assert abs(account.residual) < 5e-4 * account.initial
        simulation.close()


@pytest.mark.parametrize("name", ["metal", "all"])
def test_points_per_wavelength_are_those_of_the_medium(name):
    """As many as with the same poles of epsilon; with both, the product."""
    medium = Material(EPSILON, EPSILON, magnetic_sigma=0.2)
    plain, electric, magnetic, both = (
        problem_of(replace(medium, **poles), order=2, n=2)
        for poles in (
            {},
            {"poles": MEDIA[name]},
            {"magnetic_poles": MEDIA[name]},
            {"poles": MEDIA[name], "magnetic_poles": MEDIA[name]},
        )
    )

    def points(problem: Problem, f: float) -> float:
        return points_per_wavelength(problem.operator, f, problem.auxiliary_equations).points

    for f in (0.2, 0.7, 3.0):
        assert points(magnetic, f) == pytest.approx(points(electric, f))
        assert points(both, f) * points(plain, f) == pytest.approx(points(electric, f) ** 2)


def test_a_good_magnetic_conductor_makes_the_step_no_shorter():
    """A block of it is a magnetic wall, and is said to be."""
    block = Rectangle((0.4, 0.3), (0.8, 0.8))

    def problem(sigma: float) -> Problem:
        medium = MaterialRegion("block", Material(magnetic_sigma=sigma), block)
        scene = Scene("s", Solver(0.15, 3), SQUARE, materials=(medium,))
        return discretize_scene(scene, mesh_scene(scene))

    weak, strong = problem(0.1), problem(1e6)
    assert strong.dt_max > 0.75 * weak.dt_max
    assert not weak.notices
    (notice,) = strong.notices
    assert "block" in notice
    assert "acts like a wall" in notice
    simulation = Simulation(strong, NumpyStepper(strong.operator, dt=strong.dt_max))
    simulation.ping(0.2, 0.2, 0.08, 1.0)
    simulation.advance(int(1.5 / strong.dt_max))  # the guard raises if it grows
    d, h = strong.discretization, simulation.stepper.fields()
    inside = ((d.x > 0.42) & (d.x < 0.78) & (d.y > 0.32) & (d.y < 0.78)).all(axis=1)
    assert inside.any()
    assert np.abs(h.hx[inside]).max() < 1e-3 * np.abs(h.hx).max()
    assert np.abs(h.ez[inside]).max() < 1e-2 * np.abs(h.ez).max()


@pytest.mark.parametrize(
    "material",
    [
        Material(magnetic_poles=(Drude(1.0),)),
        Material(magnetic_sigma=0.3),
        Material(magnetic_sigma=Formula.parse("x", SPACE_AND_TIME)),
    ],
)
def test_an_absorbing_wall_before_it_is_spoken_of(material):
    problem = problem_of(material, walls=(AbsorbingWall(("domain.top",)),))
    (notice,) = problem.notices
    assert "domain.top" in notice


@pytest.mark.parametrize(
    "material",
    [
        Material(magnetic_poles=(Drude(1.0),)),
        Material(magnetic_sigma=Formula.parse("x", SPACE_AND_TIME)),
        Material(mu_axes=(1.0, 2.0)),
    ],
)
def test_it_stays_out_of_open_layers(material):
    block = MaterialRegion("block", material, Rectangle((0.3, 0.3), (0.9, 0.6)))
    scene = Scene(
        "s", Solver(0.1, 2), SQUARE, materials=(block,),
        walls=(OpenWall(("domain.right",), thickness=0.2),),
    )  # fmt: skip
    with pytest.raises(SceneError, match="reaches a material"):
        discretize_scene(scene, mesh_scene(scene))
    smaller = replace(block, shape=Rectangle((0.3, 0.3), (0.6, 0.6)))
    discretize_scene(scene, mesh_scene(replace(scene, materials=(smaller,))))


def test_an_open_layer_takes_over_what_damps_h_in_it():
    """Each element has it once, and the layer may step locally."""
    block = MaterialRegion("block", Material(magnetic_sigma=0.3), Rectangle((0.3, 0.3), (1.0, 0.6)))
    scene = Scene(
        "s", Solver(0.1, 2, stepper="local"), SQUARE, materials=(block,),
        walls=(OpenWall(("domain.right",), thickness=0.2),),
    )  # fmt: skip
    equations = discretize_scene(scene, mesh_scene(scene)).auxiliary_equations
    everywhere = np.concatenate([e.elements for e in equations])
    assert len(np.unique(everywhere)) == len(everywhere)
    assert sorted({e.kind for e in equations}) == ["medium", "open"]
    assert any("m" in e.coefficients for e in equations if e.kind == "open")
