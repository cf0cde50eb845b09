"""The right stepper, or a reason why not."""

import sys

import numpy as np
import pytest

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.time.runge_kutta import SCHEMES, LowStorageScheme
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants import tuned
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.simulation.steppers import one_device
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.self_test import self_test
from wavelab.simulation.steppers.steppers import make_stepper


class Sloppy(NumpyStepper):
    """A device that drops the material of one element."""

    device = "Sloppy 9000"

    def __init__(self, operator: MaxwellTM, *, dt: float, scheme: LowStorageScheme) -> None:
        epsilon = operator.epsilon.copy()
        epsilon[3] *= 1.01
        super().__init__(
            MaxwellTM(
                operator.discretization,
                epsilon,
                operator.mu,
                operator.sigma,
                operator.reflection,
                operator.upwinding,
            ),
            dt=dt,
            scheme=scheme,
        )


def test_numpy_when_asked_for(problem):
    stepper = make_stepper(problem.operator, dt=0.01, backend="numpy")
    assert (stepper.backend, stepper.precision, stepper.dt) == ("numpy", "double", 0.01)


def test_unknown_backends_are_refused(problem):
    with pytest.raises(WavelabError, match="cuda"):
        make_stepper(problem.operator, dt=0.01, backend="cuda")


def test_numpy_has_no_devices(problem):
    with pytest.raises(DeviceError, match="no device"):
        make_stepper(problem.operator, dt=0.01, backend="numpy", device="0")


def test_without_opencl_numpy_takes_over_and_says_so(problem, monkeypatch):
    monkeypatch.setitem(sys.modules, "wavelab.opencl.device.device", None)
    told = []
    stepper = make_stepper(problem.operator, dt=0.01, notify=told.append)
    assert stepper.backend == "numpy"
    assert len(told) == 1
    assert "NumPy" in told[0]
    with pytest.raises(DeviceError, match="cannot be loaded"):
        make_stepper(problem.operator, dt=0.01, backend="opencl")
    with pytest.raises(DeviceError, match="cannot be loaded"):
        make_stepper(problem.operator, dt=0.01, device="some card")


SCHEME = SCHEMES["ndb144"]


def numpy_maker(operator, dt, scheme):
    return NumpyStepper(operator, dt=dt, scheme=scheme)


@pytest.mark.parametrize("order", [1, 4, 10])
@pytest.mark.parametrize("upwinding", [0.0, 1.0])
def test_the_self_test_accepts_what_is_right(make_problem, order, upwinding):
    like = make_problem(n=2, order=order).operator
    like = MaxwellTM(
        like.discretization, like.epsilon, like.mu, like.sigma, like.reflection, upwinding
    )
    self_test(numpy_maker, numpy_maker, like, SCHEME, "double", "NumPy")


@pytest.mark.parametrize("precision", ["single", "double"])
def test_the_self_test_notices_what_is_wrong(problem, precision):
    with pytest.raises(DeviceError, match="Sloppy 9000: computes wrong fields"):
        self_test(
            lambda op, dt, scheme: Sloppy(op, dt=dt, scheme=scheme),
            numpy_maker,
            problem.operator,
            SCHEME,
            precision,
            "Sloppy 9000",
        )


def test_the_self_test_notices_nan(problem):
    class Broken(NumpyStepper):
        def fields(self):
            fields = super().fields()
            fields.ez[0, 0] = np.nan
            return fields

    with pytest.raises(DeviceError, match="nan"):
        self_test(
            lambda op, dt, scheme: Broken(op, dt=dt, scheme=scheme),
            numpy_maker,
            problem.operator,
            SCHEME,
            "single",
            "Broken",
        )


@pytest.mark.parametrize("variant", ["aosoa", "per_node"])
def test_every_variant_passes_the_self_test(problem, variant):
    stepper = make_stepper(problem.operator, dt=0.01, backend="opencl", variant=variant)
    assert stepper.variant == variant
    stepper.close()


def test_variants_that_there_are_not(problem):
    with pytest.raises(WavelabError, match="aosoa or per_node"):
        make_stepper(problem.operator, dt=0.01, variant="per_face")
    with pytest.raises(WavelabError, match="has no kernel variant"):
        make_stepper(problem.operator, dt=0.01, backend="numpy", variant="per_node")


def test_the_self_test_runs_the_shape_that_the_problem_will(problem, monkeypatch):
    config = KernelConfig(4, 4, rows=1, tile=3)
    monkeypatch.setattr(tuned, "best_config", lambda operator, device, real: config)
    ran = []

    def watched(make, *given):
        def noted(*how):
            ran.append(make(*how))
            return ran[-1]

        self_test(noted, *given)

    monkeypatch.setattr(one_device, "self_test", watched)
    monkeypatch.setattr(one_device, "_passed", set())
    stepper = make_stepper(problem.operator, dt=0.01, backend="opencl", precision="double")
    assert [s.config for s in (*ran, stepper)] == [config, config]
    stepper.close()
