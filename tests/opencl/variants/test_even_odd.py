"""Halves of products, dealt out to the work items of an element, make what the oracle computes."""

from __future__ import annotations

import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.products import only_in_hunt
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

TOLERANCE = {"single": 1e-5, "double": 1e-12}
DT = 1e-4


def even_odd(rows: int, width: int = 1) -> KernelConfig:
    return KernelConfig(8, width, rows, matrices="even_odd_gpu")


# Compiling takes most of the time, so each order has one of each; all pairs of these occur up to 6,
# nearly all up to 4, and the 8th takes as long as all others: EVERY=all pytest THIS_FILE
@pytest.mark.parametrize("order", [1, 2, 3, 4, *only_in_hunt(5, 6, 8)])
def test_halves_of_products(device, order):
    """Rates, and a few steps: these read the residual, rates do not."""
    rows = (2, 4, 8)[order % 3]
    precision = ("single", "double")[order % 2]
    check(device, order, (1.0, 0.4)[order // 2 % 2], rows, precision)


def check(device, order: int, upwinding: float, rows: int, precision: str) -> None:
    operator = mixed_operator(order, upwinding)
    fields = random_fields(operator)
    stepper = OpenCLStepper(
        operator, dt=DT, precision=precision, device=device, config=even_odd(rows)
    )
    oracle = NumpyStepper(operator, dt=DT)
    rates = stepper.right_hand_side(fields)
    for s in (stepper, oracle):
        s.set_fields(fields)
        s.advance(3)
    after = stepper.fields()
    stepper.close()
    assert relative_error(rates, right_hand_side(operator, fields)) < TOLERANCE[precision]
    assert relative_error(after, oracle.fields()) < TOLERANCE[precision]


@pytest.mark.parametrize(("rows", "width"), [(1, 1), (3, 1), (16, 1), (4, 2)])
def test_halves_are_for_two_four_or_eight_rows(rows, width):
    with pytest.raises(ValueError, match="2, 4 or 8 rows"):
        even_odd(rows, width)
