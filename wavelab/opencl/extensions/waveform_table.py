"""What the waveforms of sources are at every stage of the next steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.extensions.stage_table import StageTable
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.sources.source_terms import NodalSourceTerm


class WaveformTable:
    """A column for each source term.

    Attributes
    ----------
    buffer : what kernels read.
    """

    def __init__(self, source_terms: Sequence[NodalSourceTerm], stages: Stages) -> None:
        self._stages = stages
        self._waveforms = [term.waveform for term in source_terms]
        self._table = StageTable(len(source_terms), stages)
        self.buffer: cl.Buffer = self._table.buffer

    def prepare(self, steps: StepTimes) -> None:
        """Evaluate and send them for the next steps."""
        at = self._stages.moments(steps)
        values = np.stack([np.broadcast_to(f(at), at.shape) for f in self._waveforms], axis=2)
        seen = self._stages.looked_at(values)
        self._table.send((seen[..., :-1] * seen[..., -1:]).sum(axis=2))

    def place(self, step: int, stage: int) -> np.number:
        """Where a kernel begins to read."""
        return self._table.place(step, stage)
