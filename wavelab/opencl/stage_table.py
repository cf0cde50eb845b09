"""Numbers that kernels need anew at every stage, sent to the device once for a batch of steps."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.runge_kutta import LowStorageScheme
from wavelab.opencl.memory import DeviceMemory

Array = NDArray[np.float64]


class StageTable:
    """(steps times stages, columns) numbers on the device.

    Parameters
    ----------
    batch : most steps that are sent at once.

    Attributes
    ----------
    buffer : with the numbers, row by row.
    """

    def __init__(
        self, columns: int, batch: int, dt: float, scheme: LowStorageScheme, memory: DeviceMemory
    ) -> None:
        self._memory, self._scheme, self._dt = memory, scheme, dt
        self.buffer = memory.empty(batch * scheme.n_stages * columns * memory.real.itemsize)
        self._upload: cl.Event | None = None

    def times(self, starts: Array) -> Array:
        """When the stages of steps take place that begin at these times, row by row."""
        return stage_times(starts, self._dt, self._scheme).ravel()

    def row(self, step: int, stage: int) -> int:
        """The row of a stage; ``step`` counts from the last :meth:`send`."""
        return step * self._scheme.n_stages + stage

    def send(self, rows: Array) -> None:
        """Queue new numbers behind all that is queued.  Not blocking, so that the device does not
        run dry; the event keeps the numbers alive."""
        self._upload = cl.enqueue_copy(
            self._memory.queue,
            self.buffer,
            np.ascontiguousarray(rows, dtype=self._memory.real),
            is_blocking=False,
        )


def stage_times(starts: Array, dt: float, scheme: LowStorageScheme) -> Array:
    """(steps, stages) of steps that begin at these times."""
    return starts[:, None] + np.array(scheme.c) * dt
