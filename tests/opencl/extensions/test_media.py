"""Media that are graded or change, on the device against NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import CHANGING, GRADED, graded_operator, medium
from tests.products import ALL, only_in_hunt
from tests.sample_meshes import elliptic_disk, jittered_square, random_fields
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.problem import discretize_scene
from wavelab.physics.sources.gaussian import gaussian
from wavelab.physics.sources.source_terms import FormulaSourceTerm, NodalSourceTerm
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene, Solver
from wavelab.scene.poles import Drude
from wavelab.scene.walls import ImpedanceWall, MagneticWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

TOLERANCE = {"single": 2e-5, "double": 1e-12}
UNIFORM = {"epsilon": "1 + 0.5*sin(t)^2", "mu": "(1 + t)^2", "sigma": "t"}
BESSEL = {"epsilon": "2 + besselj(1, x + t)*y^3", "sigma": "1 if x < t else 0"}
CRYSTAL = {"epsilon": 1.5, "mu_axes": (1.0, 4.0), "mu_angle": 30.0}
LOSSY_CRYSTAL = CRYSTAL | {"epsilon": "2 + x + 0.3*sin(5*t)", "magnetic_sigma": "t*x^2"}
MAGNETIC = {"mu": "1 + x*y", "magnetic_sigma": "1 + t"}
KERR = {"epsilon": 2.0, "chi": 0.3, "sigma": "x*x"}
WALLS = (ImpedanceWall(("domain.top",), 0.5), MagneticWall(("domain.left",)))


def difference(apply_mass, reference) -> float:
    right, found = reference.fields(), apply_mass.fields()
    return max(
        float(np.abs(getattr(found, name) - getattr(right, name)).max())
        / float(np.abs(getattr(right, name)).max())
        for name in ("hx", "hy", "ez")
    )


# Each kind of kernels with a crystal, most with one more medium; and what makes media differ
# (graded, of the time, both, crystals, magnetic, Kerr) with the usual kernels.
@pytest.mark.parametrize(
    ("quantities", "order", "upwinding", "variant", "precision"),
    [
        (CHANGING, 2, 0.3, KernelConfig(32, 1, rows=2, matrices="even_odd_gpu"), "single"),
        (GRADED, 4, 1.0, "aosoa", "single"),
        (UNIFORM, 2, 1.0, "aosoa", "single"),
        (BESSEL, 1, 0.0, "aosoa", "double"),
        (CRYSTAL, 2, 1.0, KernelConfig(32, 1, rows=1, matrices="literal"), "double"),
        (CRYSTAL, 4, 0.3, KernelConfig(32, 1, rows=2, matrices="even_odd_gpu"), "single"),
        (LOSSY_CRYSTAL, 2, 1.0, KernelConfig(8, 1, rows=4, matrices="tensor"), "double"),
        (CRYSTAL, 2, 1.0, KernelConfig(8, 2, rows=2, tile=2), "double"),
        (LOSSY_CRYSTAL, 4, 1.0, "aosoa", "double"),
        (LOSSY_CRYSTAL, 3, 1.0, "per_node", "double"),
        (MAGNETIC, 2, 1.0, "aosoa", "double"),
        (MAGNETIC, 2, 1.0, "per_node", "single"),
        (KERR, 2, 1.0, KernelConfig(8, 2, rows=2, tile=2), "double"),
        (KERR, 4, 0.3, "aosoa", "single"),
        (KERR, 3, 1.0, "per_node", "double"),
        (LOSSY_CRYSTAL, 2, 1.0, KernelConfig(16, 1, rows=6, matrices="by_node"), "double"),
        (KERR, 2, 0.3, KernelConfig(16, 1, rows=6, matrices="by_node"), "double"),
        *only_in_hunt(
            (GRADED, 3, 1.0, KernelConfig(32, 1, rows=1, matrices="literal"), "double"),
            (GRADED, 2, 1.0, KernelConfig(8, 2, rows=2, tile=2), "double"),
            (GRADED, 2, 0.5, "per_node", "double"),
            (CHANGING, 3, 0.5, "aosoa", "double"),
            (CRYSTAL, 6, 0.5, "aosoa", "single"),
            (CHANGING, 2, 1.0, KernelConfig(8, 1, rows=4, matrices="tensor"), "double"),
            (CHANGING, 2, 1.0, "per_node", "single"),
            (CHANGING, 3, 0.5, KernelConfig(8, 1, rows=10, matrices="by_node"), "single"),
            (UNIFORM, 2, 1.0, KernelConfig(16, 1, rows=6, matrices="by_node"), "single"),
        ),
    ],
)
def test_steps_as_numpy_does(quantities, order, upwinding, variant, precision):
    operator = graded_operator(order, quantities, upwinding=upwinding, walls=WALLS)
    compare(operator, variant, precision)


@pytest.mark.parametrize(
    ("quantities", "variant"),
    [
        (CHANGING, "per_node"),
        (LOSSY_CRYSTAL, "aosoa"),
        (CRYSTAL, "per_node"),
        (MAGNETIC, "aosoa"),
        (KERR, "aosoa"),
        (GRADED, KernelConfig(8, 1, rows=10, matrices="by_node")),
        *only_in_hunt(
            (LOSSY_CRYSTAL, KernelConfig(8, 1, rows=10, matrices="by_node")), (GRADED, "aosoa")
        ),
    ],
)
def test_steps_curved_elements_as_numpy_does(quantities, variant):
    compare(graded_operator(3, quantities, mesh=elliptic_disk()), variant, "double")


def compare(operator, variant, precision):
    d = operator.discretization
    dt = 0.5 * stable_step(operator)
    nodes, profile = gaussian(d, (0.6, 0.4), 0.1, 1.0)
    source_terms = [
        NodalSourceTerm(nodes, -profile / operator.epsilon[nodes // d.nodes_per_element], np.cos)
    ]
    # What other kernels do beside the stage is the same for each of its shapes.
    whole = isinstance(variant, str) or ALL
    if whole:
        source_terms.append(FormulaSourceTerm(Formula.parse("x*y*cos(t)", SPACE_AND_TIME)))
    reference = NumpyStepper(operator, dt=dt)
    kernels = {"variant": variant} if isinstance(variant, str) else {"config": variant}
    apply_mass = OpenCLStepper(operator, dt=dt, precision=precision, **kernels)
    try:
        for stepper in (reference, apply_mass):
            stepper.set_clock(0.3, 7)
            stepper.set_source_terms(source_terms)
            stepper.set_fields(random_fields(d, 1))
            stepper.advance(2)
            stepper.ping(nodes, profile)
            stepper.advance(2)
        tolerance = TOLERANCE[precision]
        assert difference(apply_mass, reference) < tolerance
        if whole:
            np.testing.assert_allclose(
                apply_mass.element_energy(), reference.element_energy(), rtol=20 * tolerance
            )
            shown = reference.view("energy")
            np.testing.assert_allclose(
                apply_mass.view("energy"), shown, atol=2e-5 * np.abs(shown).max()
            )
        # A field that is read and put back is the same field.
        apply_mass.set_fields(apply_mass.fields())
        for stepper in (reference, apply_mass):
            stepper.advance(1)
        assert difference(apply_mass, reference) < tolerance
        # The medium of another moment: the fields stay, what they mean changes.
        for stepper in (reference, apply_mass):
            stepper.set_clock(0.1, 3)
            stepper.advance(1)
        assert difference(apply_mass, reference) < tolerance
    finally:
        apply_mass.close()


@pytest.mark.parametrize("variant", ["aosoa", "per_node"])
def test_dispersive_media_may_be_graded_and_change(variant):
    """The current of a pole is a part of dD/dt like any other."""
    material = replace(
        medium(epsilon="1 + x + 0.3*sin(5*t)"), poles=(Drude(frequency=0.7, damping=0.5),)
    )
    scene = Scene("plasma", Solver(0.3, order=3, until=0.5), background=material)
    problem = discretize_scene(scene, jittered_square(3))
    assert problem.operator.media
    dt = problem.dt_max / 2
    reference = Simulation(problem, NumpyStepper(problem.operator, dt=dt))
    apply_mass = Simulation(
        problem, OpenCLStepper(problem.operator, dt=dt, precision="double", variant=variant)
    )
    d = problem.discretization
    smooth = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)
    ledger = None
    try:
        for simulation in (reference, apply_mass):
            simulation.ping(0.4, 0.6, 0.15, 1.0)
        ledger = Ledger(reference)
        for _ in range(60):
            for simulation in (reference, apply_mass):
                simulation.advance(1)
            ledger.update(reference)
        assert difference(apply_mass.stepper, reference.stepper) < 1e-12
        assert np.abs(d.integrate_product(apply_mass.stepper.fields().ez, smooth).sum()) > 1e-4
    finally:
        apply_mass.close()
    account = ledger.account
    assert account.conductors > 1e-3 * account.initial
    assert abs(account.parametric) > 1e-2 * account.initial
    assert abs(account.residual) < 1e-3 * account.initial
