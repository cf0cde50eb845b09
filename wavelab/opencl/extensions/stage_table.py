"""Numbers that kernels need anew at every stage."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.extensions.stages import Stages


class StageTable:
    """(steps times stages, columns) numbers that kernels need anew at every stage, sent to the
    device once for a batch of steps.

    Parameters
    ----------
    columns : numbers that a stage needs.

    Attributes
    ----------
    buffer : with the numbers, row by row.
    """

    def __init__(self, columns: int, stages: Stages) -> None:
        self._memory, self._stages = stages.memory, stages
        rows = stages.batch * stages.scheme.n_stages
        self.buffer = stages.memory.empty(rows * columns * stages.memory.real.itemsize)
        self._upload: cl.Event | None = None

    def times(self, steps: StepTimes) -> Array:
        """When the stages of steps take place, row by row."""
        return self._stages.times(steps).ravel()

    def row(self, step: int, stage: int) -> int:
        """The row of a stage; ``step`` counts from the last :meth:`send`."""
        return step * self._stages.scheme.n_stages + stage

    def send(self, rows: Array) -> None:
        """Queue new numbers behind all that is queued.  Not blocking, so that the device does not
        run dry; the event keeps the numbers alive."""
        with np.errstate(over="ignore"):  # the field blows up, which is told
            numbers = np.ascontiguousarray(rows, dtype=self._memory.real)
        self._upload = cl.enqueue_copy(self._memory.queue, self.buffer, numbers, is_blocking=False)
