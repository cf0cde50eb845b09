"""What is to replace something on a device and finds no room there leaves that as it was."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.opencl.local_time.test_local_stepper import FORMULA, NODAL, case, equations
from wavelab.errors import DeviceError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.samples import Sampling
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def points(operator, n: int) -> ProbePoints:
    rng = np.random.default_rng(n)
    weights = rng.uniform(-1, 1, (n, operator.discretization.nodes_per_element))
    at = ProbePoints(("",) * n, rng.integers(0, 50, n).astype(np.int32), weights)
    return joined([at, at.of("hy")])


@pytest.fixture(params=["aosoa", "per_node", "local"])
def pair(request, device):
    """A stepper on the device and one in NumPy."""
    if request.param == "local":
        operator, clusters, dt = case(4)
        made = LocalOpenCLStepper(
            operator, dt=dt, clusters=clusters, precision="double", device=device
        )
        oracle = LocalNumpyStepper(operator, dt=dt, scheme=clusters)
    else:
        operator = mixed_operator(4, 1.0)
        made = OpenCLStepper(
            operator, dt=2e-3, precision="double", device=device, variant=request.param
        )
        oracle = NumpyStepper(operator, dt=2e-3)
    yield made, oracle
    made.close()


def test_nothing_is_replaced_by_half(pair, monkeypatch):
    stepper, oracle = pair
    operator = stepper.operator
    some = equations(operator)
    settings = [
        lambda s: s.set_auxiliary_equations(some),
        lambda s: s.set_source_terms([NODAL, FORMULA]),
        lambda s: s.set_probes(points(operator, 5)),
        lambda s: s.set_sampling(Sampling(points(operator, 3), tuple(some)), 1),
        lambda s: s.samples(points(operator, 9)),
        lambda s: s.begin_samples(points(operator, 4)),
    ]
    for s in pair:
        s.set_auxiliary_equations(some[:1])
        s.set_source_terms([NODAL])
        s.set_probes(points(operator, 7))
        s.set_sampling(Sampling(points(operator, 4)), 1)
        s.samples(points(operator, 6))
        s.begin_samples(points(operator, 6))
        s.set_fields(random_fields(operator))
    made, left, failures = DeviceMemory._made, np.inf, 0

    def limited(memory, n_bytes, holds=None):
        nonlocal left
        left -= 1
        if left == -1:
            raise DeviceError("no room left")
        return made(memory, n_bytes, holds)

    monkeypatch.setattr(DeviceMemory, "_made", limited)
    for apply in settings:
        apply(oracle)
        for room in (0, 3, 8, np.inf):
            held, left = stepper.memory.n_bytes, room
            try:
                apply(stepper)
            except DeviceError:
                left = np.inf
                failures += 1
                assert isinstance(stepper, LocalOpenCLStepper) or stepper.memory.n_bytes == held
                before = stepper.fields(), stepper.time, stepper.steps
                stepper.advance(1)  # whatever was released is not used
                stepper.set_fields(before[0])
                stepper.set_clock(*before[1:])
            else:
                break
        left = np.inf
        np.testing.assert_allclose(stepper.advance(2), oracle.advance(2), rtol=1e-10, atol=1e-12)
        assert relative_error(stepper.fields(), oracle.fields()) < 1e-11
    assert stepper.read_sampled()[1].shape[1] == oracle.read_sampled()[1].shape[1]
    assert failures > 10
