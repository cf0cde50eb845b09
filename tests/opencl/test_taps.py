"""Taps on the device see what those of the NumPy stepper see, however steps are batched."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields
from wavelab.opencl import readback
from wavelab.opencl.stepper import BATCH, OpenCLStepper
from wavelab.physics.probe_points import ProbePoints, joined
from wavelab.simulation.numpy_stepper import NumpyStepper

DT = 2e-3


def points(operator) -> ProbePoints:
    weights = np.random.default_rng(5).uniform(
        -1, 1, (3, operator.discretization.nodes_per_element)
    )
    one = ProbePoints(("a", "b", "c"), np.array([0, 49, 17], np.int32), weights)
    return joined([one.of("hy"), one, one.of("hx")])


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("design", ["interleaved", "per_node"])
def test_samples_agree_with_numpy(device, design, every, monkeypatch):
    monkeypatch.setattr(readback, "_TAP_BYTES", 8 * 9 * 40)  # few rows, so that some are fetched
    operator = mixed_operator(2, 1.0)
    stepper = OpenCLStepper(operator, dt=DT, precision="double", device=device, design=design)
    oracle = NumpyStepper(operator, dt=DT)
    for s in (stepper, oracle):
        s.set_fields(random_fields(operator))
        s.set_clock(0.1, 50)
        s.set_taps(points(operator), every)
    for n in (1, 4, 2 * BATCH + 5):
        for s in (stepper, oracle):
            s.advance(n)
            s.advance(n)
        now, right_now = stepper.sample_taps(), oracle.sample_taps()
        assert now == pytest.approx(right_now, rel=1e-10, abs=1e-12)
        (times, values), (right_times, right) = stepper.read_taps(), oracle.read_taps()
        assert times == pytest.approx(right_times, rel=1e-14)
        assert values == pytest.approx(right, rel=1e-10, abs=1e-12)
    assert len(times) == pytest.approx(2 * n / every, abs=1)
    assert len(stepper.read_taps()[0]) == 0
    stepper.close()
