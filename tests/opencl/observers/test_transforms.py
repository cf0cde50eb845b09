"""Running transforms on the device against those of the NumPy stepper."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields
from tests.products import only_in_hunt
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import BATCH, OpenCLStepper
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.running_transform import RunningTransform, TimeWindow
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

DT = 2e-3
N_STEPS = BATCH + 7


def transforms(operator) -> list[RunningTransform]:
    rng = np.random.default_rng(5)
    weights = rng.uniform(-1, 1, (3, operator.discretization.nodes_per_element))
    points = ProbePoints(("a", "b", "c"), np.array([0, 49, 17], np.int32), weights)
    points = joined([points.of("hy"), points, points.of("hx")])
    all_elements = np.arange(operator.discretization.n_elements, dtype=np.int32)
    later = TimeWindow(5 * DT, 40 * DT, power=1)
    return [
        RunningTransform((3.0, 11.0), points=points),
        RunningTransform((20.0,), points=points, window=later),
        RunningTransform((2.0, 7.0), elements=all_elements, every=3),
        RunningTransform((5.0,), elements=all_elements[3:24:2], components=("ez",), window=later),
        RunningTransform((0.0,), elements=all_elements, components=("ez",), squared=True),
    ]


TOLERANCE = {"double": 1e-12, "single": 2e-5}
HOW = {
    "default": {},
    "side by side": {"config": KernelConfig(32, 1, rows=2, tile=4)},
    "per node": {"variant": "per_node"},
}


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        ("default", "double"), ("side by side", "single"), ("per node", "double"),
        *only_in_hunt(("default", "single"), ("side by side", "double"), ("per node", "single")),
    ],
)  # fmt: skip
def test_sums_agree_with_numpy(device, name, precision):
    variant, tolerance = HOW[name], TOLERANCE[precision]
    operator = mixed_operator(3, 1.0)
    stepper = OpenCLStepper(operator, dt=DT, precision=precision, device=device, **variant)
    oracle = NumpyStepper(operator, dt=DT)
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
        s.set_clock(0.1, 50)
        s.advance(2)
        s.set_transforms(transforms(operator))
        s.set_clock(0.0, 0)
        s.advance(5)
        s.advance(N_STEPS - 5)
    for found, right in zip(stepper.read_transforms(), oracle.read_transforms(), strict=True):
        assert found.values.shape == right.values.shape
        assert found.duration == pytest.approx(right.duration, rel=1e-12)
        assert right.duration > 0
        scale = np.abs(right.values).max()
        assert np.abs(found.values - right.values).max() < tolerance * scale
    stepper.set_transforms(transforms(operator))
    assert all(not sums.values.any() and sums.duration == 0 for sums in stepper.read_transforms())
    stepper.close()
