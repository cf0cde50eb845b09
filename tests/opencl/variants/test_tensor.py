"""Products by matrix units make what the oracle computes.

Where a device has none, as here, work items do what the units do, with operands, matrices and
results in the same places.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.products import only_in_hunt
from wavelab.opencl.device.properties import has_matrix_units
from wavelab.opencl.elements.layout import KernelConfig, fragments
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants import configs
from wavelab.opencl.variants.configs import TENSOR_CONFIG, candidate_configs, kernel_config
from wavelab.physics.operator.maxwell_tm import right_hand_side
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

DT = 1e-4


def tensor(lanes: int, rows: int = 4, width: int = 1) -> KernelConfig:
    return KernelConfig(lanes, width, rows, matrices="tensor")


@pytest.mark.parametrize("order", [1, 2, 3, 6, *only_in_hunt(8, 9)])
def test_products_by_matrix_units(device, order):
    """Rates, and a few steps: these read the residual, rates do not."""
    operator = mixed_operator(order, (1.0, 0.4)[order % 2])
    fields, config = random_fields(operator), tensor((8, 16)[order // 2 % 2])
    stepper = OpenCLStepper(operator, dt=DT, precision="double", device=device, config=config)
    oracle = NumpyStepper(operator, dt=DT)
    rates = stepper.right_hand_side(fields)
    for s in (stepper, oracle):
        s.set_fields(fields)
        s.advance(3)
    after = stepper.fields()
    stepper.close()
    assert relative_error(rates, right_hand_side(operator, fields)) < 1e-12
    assert relative_error(after, oracle.fields()) < 1e-12


@pytest.mark.parametrize(("lanes", "rows", "width"), [(12, 4, 1), (8, 2, 1), (8, 4, 2)])
def test_matrix_units_are_for_warps(lanes, rows, width):
    with pytest.raises(ValueError, match="4 rows and a multiple of 8 lanes"):
        tensor(lanes, rows, width)


def test_matrix_units_are_for_double_precision(device):
    operator = mixed_operator(2, 1.0)
    with pytest.raises(ValueError, match="double precision"):
        OpenCLStepper(operator, dt=DT, precision="single", device=device, config=tensor(8))


def test_fragments_hold_every_entry_once():
    rng = np.random.default_rng(0)
    first, second, third = (rng.uniform(1, 2, (10, n)) for n in (10, 10, 3))
    tiles = fragments([first, second], [third])
    assert tiles.shape == (2, 32 * (2 * 3 + 1))
    pairs, last = tiles[:, :192].reshape(2, 3, 8, 4, 2), tiles[:, 192:].reshape(2, 1, 8, 4)
    for i, j in np.ndindex(10, 10):
        found = pairs[i // 8, j // 4, i % 8, j % 4]
        assert (found == (first[i, j], second[i, j])).all()
    assert (last[0, 0, :, :3] == third[:8]).all()
    assert tiles.sum() == pytest.approx(first.sum() + second.sum() + third.sum())


def card(**properties: object) -> SimpleNamespace:
    """What is asked of a graphics card."""
    usual = {"extensions": "cl_khr_fp64 cl_nv_device_attribute_query"}
    usual |= {"compute_capability_major_nv": 9, "local_mem_size": 49152}
    return SimpleNamespace(**(usual | {"max_work_group_size": 1024, "type": 4} | properties))


@pytest.mark.parametrize("properties", [{"compute_capability_major_nv": 7}, {"extensions": ""}])
def test_who_has_matrix_units(properties):
    assert has_matrix_units(card())
    assert not has_matrix_units(card(**properties))


def test_matrix_units_are_taken_where_they_are_faster(monkeypatch):
    monkeypatch.setattr(configs, "kind_of", lambda device: "GPU")
    double = {"n_fluxes": 1, "real": np.dtype(np.float64)}
    single = double | {"real": np.dtype(np.float32)}
    for order in (6, 9):
        assert kernel_config(card(), order=order, **double) == TENSOR_CONFIG
        assert kernel_config(card(extensions=""), order=order, **double) != TENSOR_CONFIG
    assert kernel_config(card(), order=5, **double) != TENSOR_CONFIG
    assert TENSOR_CONFIG in candidate_configs(card(), order=5, **double)
    assert TENSOR_CONFIG not in candidate_configs(card(), order=9, **single)
