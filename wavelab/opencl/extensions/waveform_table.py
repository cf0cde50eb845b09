"""What the waveforms of sources are at every stage of the next steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.numerics.time.pieces import StepTimes
from wavelab.opencl.extensions.stage_table import StageTable
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.sources.source_terms import NodalSourceTerm


class WaveformTable(StageTable):
    """A column for each source term."""

    def __init__(self, source_terms: Sequence[NodalSourceTerm], stages: Stages) -> None:
        super().__init__(len(source_terms), stages)
        self.follow(source_terms)

    def follow(self, source_terms: Sequence[NodalSourceTerm]) -> None:
        """As many others from now on."""
        self._waveforms = [term.waveform for term in source_terms]

    def prepare(self, steps: StepTimes) -> None:
        """Evaluate and send them for the next steps."""
        at = self._stages.moments(steps)
        values = np.stack([np.broadcast_to(f(at), at.shape) for f in self._waveforms], axis=2)
        seen = self._stages.looked_at(values)
        self.send((seen[..., :-1] * seen[..., -1:]).sum(axis=2))
