"""What sources on a device have in common."""

from __future__ import annotations

from collections.abc import Mapping

import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.stage_table import StageTable
from wavelab.opencl.extensions.stages import Stages


class SourceExtension(StageExtension):
    """A launch after each stage, whose last argument changes from step to step.

    Attributes
    ----------
    _after : by parity and stage, see :meth:`Stages.adding`.
    _buffers : to be freed.
    _table : what the kernel finds at the last argument.
    """

    _after: list[list[Launch]]
    _buffers: list[cl.Buffer]
    _table: StageTable

    def __init__(self, stages: Stages) -> None:
        self._stages, self._memory = stages, stages.memory
        self._launch = stages.variant.kernels.launch

    def lasts(self, n_steps: int) -> Mapping[int, Array | Indices]:
        """See :meth:`StageExtension.lasts`."""
        return {0: self._table.places(n_steps)}

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add to what a stage has just computed; ``step`` counts from :meth:`prepare`."""
        after = self._after[parity][stage]
        after.set_last(self._table.place(step, stage))
        self._launch(after)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
