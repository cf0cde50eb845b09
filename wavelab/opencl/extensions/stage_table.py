"""Numbers that kernels need anew at every stage."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
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
        self._memory, self._stages, self._columns = stages.memory, stages, columns
        rows = stages.batch * stages.scheme.n_stages
        self.buffer = stages.memory.empty(rows * columns * stages.memory.real.itemsize)
        self._upload: cl.Event | None = None

    def place(self, step: int, stage: int) -> np.int32:
        """Where the row of a stage begins; ``step`` counts from the last :meth:`send`."""
        return np.int32((step * self._stages.scheme.n_stages + stage) * self._columns)

    def places(self, n_steps: int) -> Indices:
        """(n_steps, n_stages) of :meth:`place`."""
        n_stages = self._stages.scheme.n_stages
        rows = np.arange(n_steps * n_stages)
        return rows.reshape(n_steps, n_stages) * self._columns

    def send(self, rows: Array) -> None:
        """Queue new numbers (steps, stages, ...) behind all that is queued.  Not blocking, so that
        the device does not run dry; the event keeps the numbers alive."""
        with np.errstate(over="ignore"):  # the field blows up, which is told
            numbers = np.ascontiguousarray(rows, dtype=self._memory.real)
        self._upload = cl.enqueue_copy(self._memory.queue, self.buffer, numbers, is_blocking=False)
