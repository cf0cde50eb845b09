"""Graded and changing media against closed solutions, with their rates of convergence."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.refine import refine
from wavelab.paths import SCENES
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Material, Scene, Solver, Wall
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import MagneticWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

#: Sides of the coarsest mesh of the unit square.
COARSEST = {1: 6, 2: 4, 3: 3, 4: 2, 5: 2, 6: 2}


def run(problem: Problem, until: float, dt: float) -> Simulation:
    steps = math.ceil(until / dt)
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=until / steps))
    simulation.advance(steps)
    return simulation


def rate(
    scene: Scene, order: int, until: float, mesh: Mesh | None = None, levels: int = 3
) -> float:
    """Slope of the error, in all fields that the scene states, over some meshes."""
    mesh, errors = mesh or jittered_square(COARSEST[order]), []
    for level in range(levels):
        mesh = refine(mesh) if level else mesh
        problem = discretize_scene(scene, mesh, order=order)
        if not level:
            first = problem.dt_max / 2
        # The error in time must fall as fast as that in space.
        dt = min(problem.dt_max, first * 2 ** (-level * (order + 1) / problem.scheme.order))
        simulation = run(problem, until, dt)
        found = field_errors(problem, simulation.stepper.fields(), until)
        errors.append(math.sqrt(sum(e.l2**2 for e in found.values())))
    return -float(np.polyfit(range(levels), np.log2(errors), 1)[0])


def closed(background: Material, walls: tuple[Wall, ...] = (), **exact: str) -> Scene:
    fields = {k: Formula.parse(v, ("x", "y", "t")) for k, v in exact.items()}
    start = {k: Formula.parse(re.sub(r"\bt\b", "0", v), ("x", "y")) for k, v in exact.items()}
    return Scene(
        "closed", Solver(0.2), background=background, walls=walls,
        initial=FieldFormulas(**start), exact=FieldFormulas(**fields),
    )  # fmt: skip


@pytest.mark.parametrize("order", range(1, 7))
def test_a_graded_cavity_converges_at_the_full_rate(order):
    scene = load_scene(SCENES / "graded_cavity.toml")
    assert rate(scene, order, 0.3) > order + 0.7


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_a_changing_cavity_converges_at_the_full_rate(order):
    scene = load_scene(SCENES / "changing_cavity.toml")
    assert rate(scene, order, 0.3) > order + 0.7


@pytest.mark.parametrize("order", [2, 4])
def test_a_graded_and_changing_cavity_converges_at_the_full_rate(order):
    """epsilon(x, y) (1 + t)^2: the mode of the graded cavity, w = 4, with Euler's time."""
    scene = load_scene(SCENES / "graded_cavity.toml")
    assert isinstance(scene.background.epsilon, Formula)
    epsilon = f"({scene.background.epsilon.text})*(1 + t)^2"
    q, k = "sqrt(15.75)", 4.0
    of_e = f"(cos({q}*log(1 + t)) - sin({q}*log(1 + t))/(2*{q}))/(1 + t)^1.5"
    of_h = f"{k}/{q}*sin({q}*log(1 + t))/sqrt(1 + t)"

    def changed(formula: Formula, old: str, new: str) -> Formula:
        assert old in formula.text
        return Formula.parse(formula.text.replace(old, new), ("x", "y", "t"))

    exact = FieldFormulas(
        changed(scene.exact.hx, "sin(4*t)", f"({of_h})"),
        changed(scene.exact.hy, "sin(4*t)", f"({of_h})"),
        changed(scene.exact.ez, "cos(4*t)", f"({of_e})"),
    )
    scene = replace(scene, background=medium(epsilon=epsilon), exact=exact)
    assert rate(scene, order, 0.3) > order + 0.7


@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_graded_medium_in_curved_elements_converges_at_the_full_rate(order):
    """The disk is mapped to itself by w = (z - a) / (1 - a z), which makes vacuum a medium of
    epsilon = |dw/dz|^2; the mode J_0(j |w|) cos(j t) comes along."""
    a, j = 0.3, 2.404825557695773
    below = f"((1 - {a}*x)^2 + ({a}*y)^2)"
    mode = f"besselj(0, {j}*sqrt(((x - {a})^2 + y^2)/{below}))"
    scene = Scene(
        "Moebius", Solver(0.3), background=medium(epsilon=f"{(1 - a * a) ** 2}/{below}^2"),
        initial=FieldFormulas(ez=Formula.parse(mode, ("x", "y"))),
        exact=FieldFormulas(ez=Formula.parse(f"{mode}*cos({j}*t)", ("x", "y", "t"))),
    )  # fmt: skip
    mesh = elliptic_disk(center=(0.0, 0.0), radii=(1.0, 1.0), angle=0.0)
    if order < 4:
        mesh = refine(mesh)
    assert rate(scene, order, 0.3, mesh, levels=2) > order + 0.7


MAGNETIC = (MagneticWall(("domain.bottom", "domain.top")),)
TURNED = (MagneticWall(("domain.left", "domain.right")),)


@pytest.mark.parametrize("order", [1, 3, 5])
@pytest.mark.parametrize("along", ["x", "y"])
def test_a_medium_of_constant_impedance_only_delays(order, along):
    """epsilon = mu = n(x): a wave is a function of the optical path alone."""
    n, path = f"(1 + {along}^2)", f"({along} + {along}^3/3)"  # the whole path is 4/3
    standing = f"1.5*pi*{path}"
    field = {"x": "hy", "y": "hx"}[along]
    sign = {"x": "", "y": "-"}[along]
    scene = closed(
        medium(epsilon=n, mu=n),
        {"x": MAGNETIC, "y": TURNED}[along],
        ez=f"sin({standing})*cos(1.5*pi*t)",
        **{field: f"{sign}cos({standing})*sin(1.5*pi*t)", {"hx": "hy", "hy": "hx"}[field]: "0*t"},
    )
    assert rate(scene, order, 0.4) > order + 0.7


@pytest.mark.parametrize("order", [2, 4])
def test_a_changing_permeability_converges_at_the_full_rate(order):
    """mu = (1 + t)^2: B = mu H obeys Euler's equation, and dEz/dt its curl."""
    q = "sqrt(2*pi^2 - 0.25)"
    b = f"sin({q}*log(1 + t))/{q}/(1 + t)^1.5"  # of H = B / mu, over pi
    scene = closed(
        medium(mu="(1 + t)^2"),
        ez=f"sin(pi*x)*sin(pi*y)*(cos({q}*log(1 + t)) + sin({q}*log(1 + t))/(2*{q}))/sqrt(1 + t)",
        hx=f"-pi*sin(pi*x)*cos(pi*y)*{b}",
        hy=f"pi*cos(pi*x)*sin(pi*y)*{b}",
    )
    assert rate(scene, order, 0.3) > order + 0.7


def test_a_sudden_change_shifts_the_frequency_and_keeps_the_wavelength():
    """At t0 epsilon jumps from 1 to 4: D and H go on, and w falls to w / 2."""
    w, t0, until = math.sqrt(2) * math.pi, 0.6, 2.5
    scene = Scene(
        "time boundary", Solver(0.2, order=3, until=until),
        background=medium(epsilon="1 if t < 0.6 else 4"),
        initial=FieldFormulas(ez=Formula.parse("sin(pi*x)*sin(pi*y)", ("x", "y"))),
    )  # fmt: skip
    problem = discretize_scene(scene, jittered_square(3))
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=until / 1000))
    ledger = Ledger(simulation)
    for _ in range(1000):
        simulation.advance(1)
        ledger.update(simulation)
    # After it: dEz/dt = curl / 4 from Ez = cos(w t0) / 4 and H as it was.
    since = until - t0
    expected = math.cos(w * t0) / 4 * math.cos(w / 2 * since) - math.sin(w * t0) / 2 * math.sin(
        w / 2 * since
    )
    d, fields = problem.discretization, simulation.stepper.fields()
    mode = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)
    found = d.integrate_product(fields.ez, mode).sum() / d.integrate_product(mode, mode).sum()
    assert found == pytest.approx(expected, abs=5e-3)
    np.testing.assert_allclose(fields.ez, found * mode, atol=6e-3)
    account = ledger.account
    lost = math.cos(w * t0) ** 2 * account.initial * 3 / 4
    assert account.parametric == pytest.approx(-lost, rel=2e-2)
    assert abs(account.residual) < 1e-2 * account.initial


def test_a_medium_that_swings_pumps_and_the_account_closes():
    """Twice the frequency of a mode amplifies it; the guard does not take that for an error."""
    w = math.sqrt(2) * math.pi
    epsilon = f"1 - 0.3*sin({2 * w}*t)"
    scene = Scene(
        "pumped", Solver(0.2, order=3, until=8.0), background=medium(epsilon=epsilon),
        initial=FieldFormulas(ez=Formula.parse("sin(pi*x)*sin(pi*y)", ("x", "y"))),
    )  # fmt: skip
    problem = discretize_scene(scene, jittered_square(2))
    steps = math.ceil(16.0 / problem.dt_max)
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=8.0 / steps))
    ledger = Ledger(simulation)
    for _ in range(steps):
        simulation.advance(1)
        ledger.update(simulation)
    account = ledger.account
    # Slowly varying amplitudes: the energy grows as exp(m w t / 2), m the depth.
    grown = math.log(account.stored / account.initial)
    assert grown == pytest.approx(0.3 * w * 8.0 / 2, rel=0.1)
    assert abs(account.residual) < 2e-3 * account.turnover
    assert account.parametric > 0.99 * (account.stored - account.initial)
