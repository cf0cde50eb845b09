"""The kernel that steps computes the oracle's right-hand side."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from wavelab.opencl.layout import KernelShape
from wavelab.opencl.shapes import cpu_shape, gpu_shape
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import right_hand_side

REALS = {"single": np.dtype(np.float32), "double": np.dtype(np.float64)}
TOLERANCE = {"single": 1e-5, "double": 1e-12}


def check(device, order: int, upwinding: float, precision: str, shape: KernelShape) -> None:
    operator = mixed_operator(order, upwinding)
    assert operator.discretization.n_elements % shape.lanes
    fields = random_fields(operator)
    stepper = OpenCLStepper(operator, dt=1.0, precision=precision, device=device, shape=shape)
    found = stepper.right_hand_side(fields)
    stepper.close()
    assert relative_error(found, right_hand_side(operator, fields)) < TOLERANCE[precision]


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("upwinding", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("order", range(1, 11))
def test_a_work_item_per_block(device, order, upwinding, precision):
    check(device, order, upwinding, precision, cpu_shape(order, REALS[precision]))


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("order", range(1, 11))
def test_work_items_side_by_side(device, order, precision):
    upwinding = 1.0 if (order % 2 == 0) == (precision == "single") else 0.5
    n_fluxes = 1 if upwinding == 1 else 2
    check(device, order, upwinding, precision, gpu_shape(order, n_fluxes, REALS[precision], 48 * 1024))


@pytest.mark.parametrize("order", [2, 3, 7])
@pytest.mark.parametrize(
    "shape",
    [KernelShape(16, 1, rows=3, tile=5), KernelShape(8, 4, rows=2, tile=4), KernelShape(4, 4, 1, 7)],
    ids=str,
)
def test_any_other_shape(device, order, shape):
    """Tiles that do not divide the nodes, rows that do not divide the tiles."""
    check(device, order, 0.3, "single", shape)


def test_given_fields_leave_those_of_the_stepper_alone(device):
    operator = mixed_operator(3, 1.0)
    stepper = OpenCLStepper(operator, dt=1e-3, precision="double", device=device)
    fields = random_fields(operator)
    stepper.set_fields(fields)
    stepper.advance(1)
    before = stepper.fields()
    stepper.right_hand_side(Fields.zeros(operator.discretization.shape))
    assert relative_error(stepper.fields(), before) == 0
    stepper.close()
