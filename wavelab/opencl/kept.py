"""What a stepper goes on from, copied to the host and back."""

from __future__ import annotations

import pyopencl as cl

from wavelab.numerics.time.pieces import Piece
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.observers.observed import Observed
from wavelab.physics.stepper import KeptState
from wavelab.physics.time.step_clock import StepClock


class Kept(Observed):
    """The part of a :class:`wavelab.physics.stepper.Stepper` that keeps its state and puts it back;
    each method is as described there."""

    memory: DeviceMemory
    steps: int
    _clock: StepClock
    _piece: Piece
    _part: float
    _parity: int

    def _changing(self) -> list[tuple[cl.Buffer, int]]:
        """The buffers that the next steps depend on, and how many bytes at the begin of each."""
        raise NotImplementedError

    def keep(self) -> KeptState:
        memory, size = self.memory, self.memory.real.itemsize
        arrays = tuple(memory.read(b, (n // size,), memory.real) for b, n in self._changing())
        durations = [sums.duration for sums in self._transforms]
        return KeptState(arrays, (self.steps, self._clock, self._piece, self._parity, durations))

    def put_back(self, kept: KeptState) -> None:
        self.steps, self._clock, self._piece, self._parity, durations = kept.rest
        self._part = 0.0
        for (buffer, _), array in zip(self._changing(), kept.arrays, strict=True):
            self.memory.write(buffer, array)
        for sums, duration in zip(self._transforms, durations, strict=True):
            sums.duration = duration
        self._watch.restart(self.steps)
