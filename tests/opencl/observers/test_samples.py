"""Sampling on the device see what those of the NumPy stepper see, however steps are batched."""

from __future__ import annotations

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields
from tests.physics.operator.test_elastic import mixed_elastic, random_elastic
from tests.products import only_in_hunt
from tests.sample_meshes import elliptic_disk
from tests.sample_meshes import mixed_operator as operator_on
from wavelab.opencl.observers import lost_power, samples
from wavelab.opencl.stepper import BATCH, OpenCLStepper
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.power.sampled_power import SampledPowers
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

DT = 2e-3


def points(operator) -> ProbePoints:
    weights = np.random.default_rng(5).uniform(
        -1, 1, (3, operator.discretization.nodes_per_element)
    )
    one = ProbePoints(("a", "b", "c"), np.array([0, 49, 17], np.int32), weights)
    return joined([one.of("hy"), one, one.of("hx")])


def auxiliary_equations(operator, elements) -> AuxiliaryEquations:
    shape = (len(elements), operator.discretization.nodes_per_element)
    a = np.random.default_rng(2).uniform(1, 2, shape)
    rates = {"hx": "-a * hx", "ez": "-a * ez + p - q", "p": "ez - 2 * a * p", "q": "p - q"}
    return AuxiliaryEquations.written(np.array(elements), {"a": a}, rates, {"q": 0.3 * a})


@pytest.mark.parametrize(
    ("variant", "every", "precision", "curved"),
    [
        ("aosoa", 3, "double", False),
        ("per_node", 1, "single", True),
        *only_in_hunt(
            ("per_node", 1, "double", True),
            ("aosoa", 1, "single", True),
            ("per_node", 3, "single", False),
        ),
    ],
)
def test_samples_agree_with_numpy(device, variant, every, precision, curved, monkeypatch):
    monkeypatch.setattr(samples, "_BYTES", 8 * 12 * 40)  # few rows, so that some are fetched
    monkeypatch.setattr(lost_power, "_MOST_ITEMS", 4)
    operator = operator_on(2, mesh=elliptic_disk()) if curved else mixed_operator(2, 1.0)
    some = auxiliary_equations(operator, [9, 0, 33, 35, 12, 17])
    conductors = SampledPowers.of(operator).sampling.losses
    assert len(conductors) == 1
    wanted = Sampling(
        SampledPowers.of(operator).sampling.points if curved else points(operator),
        (some, *conductors),
    )
    stepper = OpenCLStepper(operator, dt=DT, precision=precision, device=device, variant=variant)
    oracle = NumpyStepper(operator, dt=DT)
    close = {"double": 1e-10, "single": 1e-4}[precision]
    for s in (stepper, oracle):
        s.set_auxiliary_equations([some])
        s.set_fields(random_fields(operator))
        s.set_clock(0.1, 50)
        s.set_sampling(wanted, every)
    for n in (1, 4, 2 * BATCH + 5):
        for s in (stepper, oracle):
            s.advance(n)
            s.advance(n)
        now, right_now = stepper.sample_now(), oracle.sample_now()
        assert right_now[-2] != 0 != right_now[-1]
        assert now == pytest.approx(right_now, rel=close, abs=close)
        (times, values), (right_times, right) = stepper.read_sampled(), oracle.read_sampled()
        assert times == pytest.approx(right_times, rel=1e-14)
        assert values == pytest.approx(right, rel=close, abs=close)
    assert len(times) == pytest.approx(2 * n / every, abs=1)
    assert len(stepper.read_sampled()[0]) == 0
    stepper.close()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_samples_of_elastic_waves_agree_too(device, precision):
    """Of walls, layers and solids that lose."""
    operator = mixed_elastic(3, 1.0, walls=(1.0, 0.0, 0.4), fluids=0.0)
    shape = (4, operator.discretization.nodes_per_element)
    a = np.random.default_rng(2).uniform(1, 2, shape)
    rates = {"sxx": "-a * sxx + p", "syy": "-a * vx", "vy": "-a * vy", "p": "syy - 2 * a * p"}
    e = AuxiliaryEquations.written(
        np.array([7, 2, 30, 11]), {"a": a}, rates, {"p": 0.3 * a}, of=ElasticFields
    )
    wanted = SampledPowers.of(operator, (), (e,)).sampling
    stepper = OpenCLStepper(operator, dt=DT, precision=precision, device=device)
    oracle = NumpyStepper(operator, dt=DT)
    close = {"double": 1e-10, "single": 1e-4}[precision]
    for s in (stepper, oracle):
        s.set_auxiliary_equations([e])
        s.set_fields(random_elastic(operator))
        s.set_sampling(wanted, 2)
        s.advance(5)
    right = oracle.read_sampled()[1]
    assert stepper.read_sampled()[1] == pytest.approx(right, rel=close, abs=close)
    assert len(right) == 2
    assert right[:, -1].all()
    stepper.close()
