"""What is seen of the fields of a stepper: after each step, and between steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.extensions.media import MediaExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.opencl.observers.readback import ProbeSampler, Readback
from wavelab.opencl.observers.samples import DeviceSampling
from wavelab.opencl.observers.transforms import RunningSums
from wavelab.opencl.observers.watch import Watch
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform, Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.stepper import ComingView


class Observed:
    """The part of a :class:`wavelab.physics.stepper.Stepper` that looks at the fields and leaves
    them as they are; each method is as described there."""

    _around: Stages
    _readback: Readback

    @property
    def _memories(self) -> Sequence[AuxiliaryVariables]:
        """What keeps the variables of each set of auxiliary equations."""
        raise NotImplementedError

    def _observe(self, around: Stages, media: MediaExtension | None) -> None:
        """Begin without observers.

        Parameters
        ----------
        around : the stages after the last of which they look.
        """
        self._around, self._readback = around, Readback(around, media)
        self._sampler: ProbeSampler | None = None
        self._sampling: DeviceSampling | None = None
        self._transforms: list[RunningSums] = []
        self._watch = Watch(around)
        self._looks: list[Look] = []

    def set_probes(self, probes: ProbePoints) -> None:
        around = self._around

        def sampler() -> ProbeSampler | None:
            if not len(probes):
                return None
            fields = around.operator.fields
            return ProbeSampler(probes, around.batch, around.variant, around.memory, fields)

        self._sampler = around.memory.replaced(self._sampler, sampler)

    def _read_probes(self, n_steps: int) -> Array:
        """(n_steps, n_probes) samples of the batch that was queued last."""
        if self._sampler is None:
            return np.empty((n_steps, 0))
        return self._sampler.read(n_steps)

    def set_sampling(self, sampling: Sampling, every: int) -> None:
        before, around = self._sampling, self._around
        with around.memory.whole():
            made = DeviceSampling(sampling, every, self._memories, around, before)
        self._sampling = made
        if before is not None:
            before.release(but=made)

    def read_sampled(self) -> tuple[Array, Array]:
        if self._sampling is None:
            return np.zeros(0), np.zeros((0, 0))
        return self._sampling.take()

    def sample_now(self) -> Array:
        return self._sampling.now() if self._sampling is not None else np.zeros(0)

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        # First, because they are large; if the new ones fail there are none.
        before, self._transforms = self._transforms, []
        for old in before:
            old.release()
        with self._around.memory.whole():
            self._transforms = [RunningSums(transform, self._around) for transform in transforms]

    def read_transforms(self, which: Sequence[int] | None = None) -> list[Sums]:
        chosen = self._transforms if which is None else [self._transforms[i] for i in which]
        return [sums.read() for sums in chosen]

    def _prepare_to_look(self, times: Array, numbers: Indices) -> None:
        """Before a batch: simulated time and number of each of its steps, after it."""
        for sums in self._transforms:
            sums.prepare(times, numbers)
        looks = self._watch.looks(numbers)
        if self._sampler is not None:
            looks += self._sampler.looks(np.arange(len(numbers)))
        if self._sampling is not None:
            self._sampling.prepare(len(numbers))
            looks += self._sampling.looks(numbers, times)
        self._looks = looks + [look for sums in self._transforms for look in sums.looks()]

    def _look(self, step: int) -> None:
        """Look at the fields as step number ``step`` of the batch has left them."""
        due = [look.launch for look in self._looks if look.due(step)]
        self._around.variant.kernels.launch(*due)

    def view(self, quantity: str) -> NDArray[np.float32]:
        return self._readback.view(quantity)

    def begin_view(self, quantity: str) -> ComingView:
        """What :meth:`view` would give now; a device with memory of its own goes on meanwhile."""
        return self._readback.begin_view(quantity)

    def begin_samples(self, points: ProbePoints) -> ComingView:
        """(n_points,) the fields at points now; a device with memory of its own goes on."""
        return self._readback.begin_samples(points)

    def samples(self, points: ProbePoints) -> Array:
        return self._readback.samples(points)

    def element_energy(self) -> Array:
        return self._readback.element_energy()

    def first_not_finite(self) -> tuple[int, Mask] | None:
        return self._watch.first()
