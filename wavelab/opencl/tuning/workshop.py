"""Builds what a tuner times: steppers of different kernel configs, which must agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyopencl as cl

from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.memory import REALS
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.patch import patch
from wavelab.opencl.variants.tuned import Case, case_of, elements_in_cache
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator

#: Largest difference of two right-hand sides, relative to the largest value.
_TOLERANCE = {"single": 1e-4, "double": 1e-11}


@dataclass(frozen=True, eq=False)
class Work:
    """What is stepped with kernels of several configs.

    Attributes
    ----------
    dt, scheme : a stable step and its Runge-Kutta scheme, None for the one that suits the operator.
    device, precision : as of the stepper.
    """

    operator: Operator
    dt: float
    device: cl.Device
    precision: str
    scheme: LowStorageScheme | None = None

    @property
    def case(self) -> Case:
        """What is remembered of it."""
        return case_of(self.operator, self.device, np.dtype(REALS[self.precision]))

    def stepper(self, operator: Operator, config: KernelConfig) -> OpenCLStepper:
        """One of the same kind for an operator."""
        return OpenCLStepper(
            operator, dt=self.dt, scheme=self.scheme, precision=self.precision, device=self.device,
            config=config,
        )  # fmt: skip


class Workshop:
    """Makes contestants that step alike; the first elements of an operator take its place if it is
    much larger than the device's cache."""

    def __init__(self, work: Work) -> None:
        nodes = work.operator.discretization.nodes_per_element
        in_cache = elements_in_cache(work.device, nodes, np.dtype(REALS[work.precision]))
        self._work, self._operator = work, patch(work.operator, 2 * in_cache + 1)
        self._fields = _lively(self._operator)
        self._rates: Fields | None = None
        self._tolerance = _TOLERANCE[work.precision]

    def made(self, config: KernelConfig) -> OpenCLStepper:
        """A contestant, which has taken a step.

        Raises
        ------
        ArithmeticError : it computes something else than the first that was made.
        Exception : it does not compile; drivers fail in every way there is.
        """
        stepper = self._work.stepper(self._operator, config)
        try:
            rates = stepper.right_hand_side(self._fields)
            if self._rates is None:
                self._rates = rates
            elif not _difference(rates, self._rates) <= self._tolerance:
                raise ArithmeticError("its right-hand side is another one")
            stepper.set_fields(self._fields)
            stepper.compile_at_once()
            # Drivers compile the last bit when a kernel is first launched.
            stepper.advance(1)
            stepper.synchronize()
        except BaseException:
            stepper.close()
            raise
        return stepper


def _lively(operator: Operator) -> Fields:
    """Fields without zeros, which are cheaper to compute with on some devices."""
    rng = np.random.default_rng(0)
    shape = (len(operator.fields.names), *operator.discretization.shape)
    return operator.fields.of(list(rng.uniform(-1, 1, shape)))


def _difference(one: Fields, other: Fields) -> float:
    """Largest difference over largest value; NaN if there is one."""
    ones, others = np.stack(one.arrays), np.stack(other.arrays)
    return float(np.abs(ones - others).max() / np.abs(others).max())
