"""The stages of a step, as those see them that act around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import StepTimes
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.variants.variant import Placement, by_parity
from wavelab.physics.operator.operator import Operator

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Stages:
    """What extensions (``opencl/extensions/extension.py``) and observers
    (``opencl/observers/observed.py``) are made with.

    Attributes
    ----------
    operator : what is stepped.
    dt : time step; a :class:`wavelab.opencl.device.launch.StepLength` where steps may be cut.
    precision : "single" or "double".
    batch : most steps between two calls of ``StageExtension.prepare``.
    """

    operator: Operator
    dt: float
    precision: str
    batch: int
    scheme: LowStorageScheme
    variant: Placement
    memory: DeviceMemory

    def each(self, make: Callable[[int, int], T]) -> list[list[T]]:
        """``make(stage, parity)`` of every stage, by parity."""
        numbers = range(self.scheme.n_stages)
        return by_parity(len(numbers), lambda parity: [make(stage, parity) for stage in numbers])

    def adding(
        self,
        kernel: str,
        *arguments: Argument,
        last: float | int,
        items: int,
        group: int | None = None,
        program: cl.Program | None = None,
    ) -> list[list[Launch]]:
        """Launches, by parity and stage, of a kernel that adds to what a stage has computed.

        It takes fields, residual, traces, ``arguments``, dt, the stage's b and what changes from
        step to step, which ``last`` gives the type of.
        """
        variant = self.variant

        def launch(stage: int, parity: int) -> Launch:
            return variant.kernels.bound(
                kernel, variant.fields, variant.residual, *variant.traces(stage, parity),
                *arguments, self.dt, float(self.scheme.b[stage]), last,
                items=items, group=group, program=program,
            )  # fmt: skip

        return self.each(launch)

    def moments(self, steps: StepTimes) -> Array:
        """(steps, n_moments) when sources are looked at."""
        return steps.at(self.scheme.moments)

    @property
    def looks(self) -> int:
        """Moments at which a stage looks at sources."""
        return len(self.scheme.moments) if self.scheme.linear else 1

    def looked_at(self, values: Array) -> Array:
        """(steps, stages, looks, n) what the stages see of values at the moments, and how much of
        it they take in one column more.

        Parameters
        ----------
        values : (steps, n_moments, n) at :meth:`moments`.
        """
        scheme = self.scheme
        if scheme.linear:
            seen = np.repeat(values[:, None], scheme.n_stages, axis=1)
            shares = scheme.shares
        else:
            seen, shares = values[:, :, None], np.ones((scheme.n_stages, 1))
        shares = np.broadcast_to(shares[:, :, None], (*seen.shape[:3], 1))
        return np.concatenate([seen, shares], axis=3)
