"""The kernel that steps computes the oracle's right-hand side."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.products import ALL, each_pair, only_in_hunt
from tests.sample_meshes import jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants import aosoa
from wavelab.opencl.variants.configs import cpu_config, gpu_config
from wavelab.opencl.variants.variants import VARIANTS
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled() -> None:
    """These are not, but as a program compiles them: what all else rests on."""


REALS = {"single": np.dtype(np.float32), "double": np.dtype(np.float64)}
TOLERANCE = {"single": 1e-5, "double": 1e-12}


def check(device, order: int, upwinding: float, precision: str, config: KernelConfig) -> None:
    assert mixed_operator(order, upwinding).discretization.n_elements % config.lanes
    compare(device, order, upwinding, precision, config=config)


def compare(device, order: int, upwinding: float, precision: str, **how) -> None:
    compare_operator(device, mixed_operator(order, upwinding), precision, **how)


def compare_operator(device, operator: MaxwellTM, precision: str, **how) -> None:
    fields = random_fields(operator)
    stepper = OpenCLStepper(operator, dt=1.0, precision=precision, device=device, **how)
    found = stepper.right_hand_side(fields)
    stepper.close()
    assert relative_error(found, right_hand_side(operator, fields)) < TOLERANCE[precision]


def orders_and_fluxes(odd: bool) -> list[tuple[int, float]]:
    """Odd or even orders with one of the fluxes, in turn: compiling takes nearly all of the time.

    So each order occurs in each layout and each precision, and so does each flux; all of them
    together: EVERY=all pytest tests/opencl/test_right_hand_side.py
    """
    fluxes = (0.0, 0.5, 1.0)
    return [
        (order, flux)
        for order in range(1, 11)
        for number, flux in enumerate(fluxes)
        if ALL or (order % 2 == odd and number == (order + odd) % len(fluxes))
    ]


@pytest.mark.parametrize(("order", "upwinding"), orders_and_fluxes(odd=True))
def test_a_work_item_per_block(device, order, upwinding):
    check(device, order, upwinding, "single", cpu_config(REALS["single"]))


@pytest.mark.parametrize(("order", "upwinding"), orders_and_fluxes(odd=False))
def test_a_work_item_per_block_in_double_precision(device, order, upwinding):
    check(device, order, upwinding, "double", cpu_config(REALS["double"]))


@pytest.mark.parametrize(("order", "upwinding"), orders_and_fluxes(odd=False))
def test_a_work_item_per_node(device, order, upwinding):
    compare(device, order, upwinding, "single", variant="per_node")


@pytest.mark.parametrize(("order", "upwinding"), orders_and_fluxes(odd=True))
def test_a_work_item_per_node_in_double_precision(device, order, upwinding):
    compare(device, order, upwinding, "double", variant="per_node")


# From order 4 on all are laid out alike; compiling the 10th takes as long as all before it.
@pytest.mark.parametrize("order", [1, 2, 3, 4, *only_in_hunt(5, 10)])
def test_work_items_side_by_side(device, order):
    upwinding = 1.0 if order % 2 == 0 else 0.5
    check(device, order, upwinding, "single", side_by_side(order, upwinding, "single"))


@pytest.mark.parametrize(("order", "upwinding"), [(2, 0.5), (7, 1.0), *only_in_hunt((9, 1.0))])
def test_work_items_side_by_side_in_double_precision(device, order, upwinding):
    check(device, order, upwinding, "double", side_by_side(order, upwinding, "double"))


def side_by_side(order: int, upwinding: float, precision: str) -> KernelConfig:
    """What a GPU with 48 KiB of local memory would get."""
    return gpu_config(order, 1 if upwinding == 1 else 2, REALS[precision], 48 * 1024)


@pytest.mark.parametrize(
    "config",
    [
        KernelConfig(16, 1, rows=3, tile=4),
        KernelConfig(8, 4, rows=2, tile=4),
        KernelConfig(4, 4, 1, 7),
        KernelConfig(4, 4, 1, tile=4, matrices="even_odd_cpu"),
        KernelConfig(16, 1, rows=1, matrices="literal"),
    ],
    ids=str,
)
def test_any_other_shape(device, config):
    """Tiles that do not divide the nodes, rows that do not divide the tiles."""
    check(device, 4, 0.3, "single", config)


@pytest.mark.parametrize("blocks", [2, 5])
def test_several_blocks_to_a_work_item(device, monkeypatch, blocks):
    """The last one has fewer, and not the same number of elements."""
    monkeypatch.setattr(aosoa, "blocks_each", lambda *_: blocks)
    config = cpu_config(REALS["double"])
    n_blocks = config.n_blocks(mixed_operator(2, 1.0).discretization.n_elements)
    assert n_blocks > 2 * blocks
    assert n_blocks % blocks
    check(device, 2, 1.0, "double", config)


# Each pair of a variant, a flux and a precision.
@pytest.mark.parametrize(
    ("variant", "upwinding", "precision"),
    each_pair(list(VARIANTS), [0.4, 1.0], list(REALS)),
)
def test_edges_glued_to_edges_of_another_direction(device, variant, upwinding, precision):
    """What the neighbour's H is here, the neighbour's frame turned into this one, counts."""
    glued = [(("domain.left",), ("domain.bottom",)), (("domain.right",), ("domain.top",))]
    operator = mixed_operator(4, upwinding, discretize(jittered_square(4), 4, glued))
    assert not operator.discretization.connectivity.is_boundary.any()
    compare_operator(device, operator, precision, variant=variant)


@pytest.mark.parametrize("variant", VARIANTS)
def test_given_fields_leave_those_of_the_stepper_alone(device, variant):
    operator = mixed_operator(3, 1.0)
    stepper = OpenCLStepper(operator, dt=1e-3, precision="double", device=device, variant=variant)
    fields = random_fields(operator)
    stepper.set_fields(fields)
    stepper.advance(1)
    before = stepper.fields()
    stepper.right_hand_side(MaxwellFields.zeros(operator.discretization.shape))
    assert relative_error(stepper.fields(), before) == 0
    stepper.close()
