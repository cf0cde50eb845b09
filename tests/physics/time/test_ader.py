"""Local time stepping converges like global steps, keeps energy in check, and saves updates."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from scripts.ader_upwinding import excess
from tests.sample_meshes import (
    jittered_square,
    mixed_operator,
    narrow_strip,
    random_fields,
    reference_mesh,
    vacuum_operator,
)
from wavelab.benchmark.meshes import with_small_elements
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.refine import refine
from wavelab.numerics.time.clusters import Clusters, cluster
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.dispersion import pole_equations
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import FormulaSourceTerm
from wavelab.physics.time.local_stepping import equivalent_step, local_clusters, stable_rates
from wavelab.physics.time.time_step import stable_step, suited_scheme
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.poles import Debye, Drude, Lorentz
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper
from wavelab.simulation.verification.dispersive import cavity_response


def local_stepper(
    operator: MaxwellTM,
    until: float,
    part: float = 0.9,
    equations: Sequence[AuxiliaryEquations] = (),
) -> LocalNumpyStepper:
    """Macro steps of at most ``part`` of the stable one, that end at ``until``."""
    clusters, step = local_clusters(operator, equations)
    n_steps = int(np.ceil(until / (part * step)))
    stepper = LocalNumpyStepper(operator, dt=until / n_steps, scheme=clusters)
    stepper.set_auxiliary_equations(equations)
    return stepper


def error(operator: MaxwellTM, stepper: LocalNumpyStepper, exact: Fields) -> float:
    found, d = stepper.fields(), operator.discretization
    squares = 0.0
    for name in ("hx", "hy", "ez"):
        off = getattr(found, name) - getattr(exact, name)
        squares += float(d.integrate_product(off, off).sum())
    return squares**0.5


def mode(x, y, t, big, small):
    """Ez = small(t) sin sin in the unit square with conducting walls; its integral is big(t)."""
    pi = np.pi
    return Fields(
        -pi * np.sin(pi * x) * np.cos(pi * y) * big(t),
        pi * np.cos(pi * x) * np.sin(pi * y) * big(t),
        np.sin(pi * x) * np.sin(pi * y) * small(t),
    )


def rate(order: int, sigma: float, jz: str, big, small, upwinding: float = 1.0) -> float:
    """Measured order of convergence, between two meshes of which one has half the size."""
    found, mesh = [], narrow_strip(2 if order > 3 else 4)
    for _ in range(2):
        d = discretize(mesh, order)
        sigmas = np.full(d.n_elements, sigma)
        operator = replace(vacuum_operator(d, upwinding), sigma=sigmas)
        stepper = local_stepper(operator, 0.3)
        assert stepper.scheme.n_levels >= 3
        stepper.set_source_terms(
            [FormulaSourceTerm(Formula.parse(jz, ("x", "y", "t")))] if jz else []
        )
        stepper.set_fields(mode(d.x, d.y, 0.0, big, small))
        stepper.advance(round(0.3 / stepper.dt))
        assert stepper.time == pytest.approx(0.3)
        found.append(error(operator, stepper, mode(d.x, d.y, 0.3, big, small)))
        mesh = refine(mesh)
    return float(np.log2(found[0] / found[1]))


@pytest.mark.parametrize(
    ("order", "upwinding"), [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0), (2, 0.5)]
)
def test_order_of_a_wave_that_crosses_clusters(order, upwinding):
    omega = np.pi * 2**0.5
    found = rate(
        order, 0.0, "", lambda t: np.sin(omega * t) / omega, lambda t: np.cos(omega * t), upwinding
    )
    assert found > order + 0.7


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_order_with_a_source_and_losses(order):
    # g' = -(sigma g + 2 pi^2 G + J) with G = sin 5t, g = 5 cos 5t
    jz = "(25*sin(5*t) - 2*pi^2*sin(5*t) - 3*5*cos(5*t))*sin(pi*x)*sin(pi*y)"
    found = rate(order, 3.0, jz, lambda t: np.sin(5 * t), lambda t: 5 * np.cos(5 * t))
    assert found > order + 0.7


@pytest.mark.parametrize("order", [2, 4])
def test_order_in_a_dispersive_medium(order):
    epsilon, poles = 1.5, (Drude(0.4, 0.3), Lorentz(0.8, 0.5, 0.1), Debye(0.7, 0.2))
    roots, weights = cavity_response(epsilon, poles)
    amplitude = float(np.real(np.exp(0.3 * roots) @ weights))
    found, mesh = [], narrow_strip(2 if order > 3 else 4)
    for _ in range(2):
        d = discretize(mesh, order)
        operator = replace(vacuum_operator(d), epsilon=np.full(d.n_elements, epsilon))
        equations = [pole_equations(poles, np.arange(d.n_elements), operator)]
        stepper = local_stepper(operator, 0.3, equations=equations)
        stepper.set_fields(mode(d.x, d.y, 0.0, lambda t: 0.0, lambda t: 1.0))
        start = stepper.fields().ez
        stepper.advance(round(0.3 / stepper.dt))
        off = stepper.fields().ez - amplitude * start
        found.append(d.integrate_product(off, off).sum() ** 0.5)
        mesh = refine(mesh)
    assert np.log2(found[0] / found[1]) > order + 0.7


@pytest.mark.parametrize("order", [1, 4])
def test_a_plasma_without_losses_does_not_gain(order):
    """All of it rings alike, by 0.3 radians in a step: no jump between elements damps it, and two
    or five terms of the exponential series would make it grow."""
    d = discretize(jittered_square(3), order)
    operator = vacuum_operator(d, reflection=1.0)
    rate = 0.3 * float(stable_rates(operator).max())
    equations = [pole_equations((Drude(rate / (2 * np.pi)),), np.arange(d.n_elements), operator)]
    stepper = LocalNumpyStepper(
        operator, dt=0.3 / rate, scheme=Clusters(np.zeros(d.n_elements, np.int32))
    )
    stepper.set_auxiliary_equations(equations)
    stepper.set_fields(replace(Fields.zeros(d.shape), ez=np.ones(d.shape)))
    energies = [0.5]
    for _ in range(2):
        stepper.advance(100)
        fields = stepper.fields()
        energies.append(
            stepper.element_energy().sum() + stored_energy(equations, fields.auxiliary, d)
        )
    assert 0.4 < energies[2] < energies[1] < energies[0]


@pytest.mark.parametrize(("order", "upwinding"), [(1, 1.0), (3, 1.0), (6, 1.0), (3, 0.3)])
def test_energy_never_grows(order, upwinding):
    """From noise that has every mode in it, between conductors that keep all."""
    operator = vacuum_operator(discretize(narrow_strip(4), order), upwinding)
    stepper = local_stepper(operator, 1.0, 1.0)
    stepper.set_fields(random_fields(operator.discretization))
    energies = [stepper.element_energy().sum()]
    for _ in range(15):
        stepper.advance(4)
        energies.append(stepper.element_energy().sum())
    assert (np.diff(energies) < 0).all()


def test_jumps_of_material_losses_and_walls_are_stable():
    operator = mixed_operator(3, mesh=narrow_strip(4))
    stepper = local_stepper(operator, 1.0, 1.0)
    stepper.set_fields(random_fields(operator.discretization))
    start = stepper.element_energy().sum()
    stepper.advance(60)
    assert stepper.element_energy().sum() < 0.5 * start


@pytest.mark.parametrize(("upwinding", "grows"), [(1.0, False), (0.3, False), (0.0, True)])
def test_with_the_central_flux_waves_grow(upwinding, grows):
    d = discretize(jittered_square(2), 2)
    operator = vacuum_operator(d, upwinding)
    step = 0.25 / float(stable_rates(operator).max())
    assert (excess(operator, step) > 1e-6) == grows


@pytest.mark.parametrize("order", [1, 2, 4])
def test_steps_twice_as_long_as_the_limits_blow_up(order):
    """So the limits waste less than half."""
    operator = vacuum_operator(discretize(jittered_square(4), order))
    stepper = local_stepper(operator, 1.0, 1.0)
    wild = LocalNumpyStepper(operator, dt=2 * stepper.dt, scheme=stepper.scheme)
    wild.set_fields(random_fields(operator.discretization))
    with np.errstate(all="ignore"):
        wild.advance(150)
        assert not wild.element_energy().sum() < 1e6


@pytest.mark.parametrize(("order", "times"), [(1, 5), (2, 4), (4, 2.5)])
def test_a_mesh_whose_smallest_hundredth_is_twenty_times_smaller_takes_fewer_updates(order, times):
    mesh = with_small_elements(jittered_square(60))
    small = mesh.inradii() < np.median(mesh.inradii()) / 10
    assert 0.005 < small.mean() < 0.02
    operator = vacuum_operator(discretize(mesh, order))
    clusters, step = local_clusters(operator)
    assert clusters.gain > 20
    # Beside global steps of the best Runge-Kutta scheme, which may be longer, by right-hand sides.
    globally = stable_step(operator, scheme=suited_scheme(operator))
    assert equivalent_step(operator, clusters, step) > times * globally


def test_clusters_fit_together():
    rng = np.random.default_rng(3)
    d = discretize(reference_mesh(), 1)
    neighbors = d.connectivity.neighbor_element
    rates = rng.uniform(1, 300, d.n_elements)
    clusters, step = cluster(rates, neighbors)
    levels = clusters.levels
    assert (abs(levels[neighbors] - levels[:, None]) <= 1).all()
    assert (step / 2.0 ** (clusters.n_levels - 1 - levels) <= 1 / rates * (1 + 1e-12)).all()
    done = [(act, level) for act, level, _ in clusters.schedule()]
    for level in range(clusters.n_levels):
        assert done.count(("predict", level)) == clusters.ticks >> level
        assert done.count(("correct", level)) == clusters.ticks >> level


def test_an_even_mesh_has_few_levels():
    d = discretize(jittered_square(6, jitter=0.0), 2)
    clusters, _ = local_clusters(vacuum_operator(d))
    assert clusters.n_levels == 1
    assert clusters.gain == 1
