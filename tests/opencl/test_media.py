"""Media that are graded or change, on the device against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.test_media import CHANGING, GRADED, graded_operator
from tests.sample_meshes import elliptic_disk, random_fields
from wavelab.opencl.layout import KernelShape
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.drives import FormulaDrive, NodalDrive
from wavelab.physics.pulse import gaussian
from wavelab.physics.time_step import stable_step
from wavelab.scene.formula import Formula
from wavelab.scene.scene import SPACE_AND_TIME, Wall
from wavelab.simulation.numpy_stepper import NumpyStepper

TOLERANCE = {"single": 2e-5, "double": 1e-12}
UNIFORM = {"epsilon": "1 + 0.5*sin(t)^2", "mu": "(1 + t)^2", "sigma": "t"}
BESSEL = {"epsilon": "2 + besselj(1, x + t)*y^3", "sigma": "1 if x < t else 0"}
WALLS = (Wall(("domain.top",), "impedance", 0.5), Wall(("domain.left",), "magnetic"))


def difference(tested, reference) -> float:
    right, found = reference.fields(), tested.fields()
    return max(
        float(np.abs(getattr(found, name) - getattr(right, name)).max())
        / float(np.abs(getattr(right, name)).max())
        for name in ("hx", "hy", "ez")
    )


@pytest.mark.parametrize(
    ("quantities", "order", "upwinding", "design", "precision"),
    [
        (GRADED, 3, 1.0, KernelShape(32, 1, rows=1, matrices="literal"), "double"),
        (CHANGING, 2, 0.3, KernelShape(32, 1, rows=2, matrices="constant"), "single"),
        (GRADED, 2, 1.0, KernelShape(8, 2, rows=2, tile=2), "double"),
        (GRADED, 4, 1.0, "interleaved", "single"),
        (GRADED, 2, 0.5, "per_node", "double"),
        (CHANGING, 3, 0.5, "interleaved", "double"),
        (CHANGING, 2, 1.0, "per_node", "single"),
        (UNIFORM, 2, 1.0, "interleaved", "single"),
        (BESSEL, 1, 0.0, "interleaved", "double"),
    ],
)
def test_steps_as_numpy_does(quantities, order, upwinding, design, precision):
    operator = graded_operator(order, quantities, upwinding=upwinding, walls=WALLS)
    compare(operator, design, precision)


@pytest.mark.parametrize(
    ("quantities", "design"), [(GRADED, "interleaved"), (CHANGING, "per_node")]
)
def test_steps_curved_elements_as_numpy_does(quantities, design):
    compare(graded_operator(3, quantities, mesh=elliptic_disk()), design, "double")


def compare(operator, design, precision):
    d = operator.discretization
    dt = 0.5 * stable_step(operator)
    nodes, profile = gaussian(d, (0.6, 0.4), 0.1, 1.0)
    drives = (
        NodalDrive(nodes, -profile / operator.epsilon[nodes // d.nodes_per_element], np.cos),
        FormulaDrive(Formula.parse("x*y*cos(t)", SPACE_AND_TIME)),
    )
    reference = NumpyStepper(operator, dt=dt)
    kernels = {"design": design} if isinstance(design, str) else {"shape": design}
    tested = OpenCLStepper(operator, dt=dt, precision=precision, **kernels)
    try:
        for stepper in (reference, tested):
            stepper.set_clock(0.3, 7)
            stepper.set_drives(drives)
            stepper.set_fields(random_fields(d, 1))
            stepper.advance(2)
            stepper.add_to_ez(nodes, profile)
            stepper.advance(2)
        tolerance = TOLERANCE[precision]
        assert difference(tested, reference) < tolerance
        np.testing.assert_allclose(
            tested.element_energy(), reference.element_energy(), rtol=20 * tolerance
        )
        shown = reference.view("energy")
        np.testing.assert_allclose(tested.view("energy"), shown, atol=2e-5 * np.abs(shown).max())
        # A field that is read and put back is the same field.
        tested.set_fields(tested.fields())
        for stepper in (reference, tested):
            stepper.advance(1)
        assert difference(tested, reference) < tolerance
        # The medium of another moment: the fields stay, what they mean changes.
        for stepper in (reference, tested):
            stepper.set_clock(0.1, 3)
            stepper.advance(1)
        assert difference(tested, reference) < tolerance
    finally:
        tested.close()
