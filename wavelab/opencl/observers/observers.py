"""What looks at the fields after every step and leaves them as they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.readback import ProbeSampler
from wavelab.opencl.observers.samples import DeviceSampling
from wavelab.opencl.observers.transforms import RunningSums
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform, Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.maxwell_tm import MaxwellTM

Array = NDArray[np.float64]


class Observers:
    """Probes, taps and running sums of one stepper.

    Each is set and read as :class:`wavelab.physics.stepper.Stepper` says.

    Parameters
    ----------
    stages : those after the last of which they look.
    """

    def __init__(self, operator: MaxwellTM, stages: Stages) -> None:
        self._operator, self._stages = operator, stages
        self._sampler: ProbeSampler | None = None
        self._sampling: DeviceSampling | None = None
        self._transforms: list[RunningSums] = []
        self._times, self._numbers = np.zeros(0), np.zeros(0, np.int64)

    def set_probes(self, probes: ProbePoints) -> None:
        """Replace all probes."""
        stages = self._stages

        def sampler() -> ProbeSampler | None:
            if not len(probes):
                return None
            return ProbeSampler(probes, stages.batch, stages.variant, stages.memory)

        self._sampler = stages.memory.replaced(self._sampler, sampler)

    def read_probes(self, n_steps: int) -> Array:
        """(n_steps, n_probes) samples of the batch that was queued last."""
        if self._sampler is None:
            return np.empty((n_steps, 0))
        return self._sampler.read(n_steps)

    def set_sampling(
        self, sampling: Sampling, every: int, memories: Sequence[AuxiliaryVariables]
    ) -> None:
        """Replace all taps; ``memories`` are those of the stepper's auxiliary equations.

        Raises
        ------
        FormulaError : a number in a formula does not fit into single precision.
        """
        stages = self._stages

        def made() -> DeviceSampling:
            return DeviceSampling(
                sampling, every, stages.batch, memories, self._operator, stages.precision,
                stages.variant, stages.memory,
            )  # fmt: skip

        self._sampling = stages.memory.replaced(self._sampling, made)

    def read_sampled(self) -> tuple[Array, Array]:
        """What the taps have seen since they were last read: times (n,), values (n, n_values)."""
        if self._sampling is None:
            return np.zeros(0), np.zeros((0, 0))
        return self._sampling.take()

    def sample_now(self) -> Array:
        """(n_values,) what is sampled now now."""
        return self._sampling.now() if self._sampling is not None else np.zeros(0)

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        """Replace all running sums; they begin at 0.

        Raises
        ------
        DeviceError : the sums do not fit on the device.
        """
        # First, because they are large; if the new ones fail there are none.
        before, self._transforms = self._transforms, []
        for old in before:
            old.release()
        stages = self._stages
        n_nodes = self._operator.discretization.nodes_per_element
        with stages.memory.whole():
            self._transforms = [
                RunningSums(transform, n_nodes, stages.batch, stages.variant, stages.memory)
                for transform in transforms
            ]

    def read_transforms(self, which: Sequence[int] | None) -> list[Sums]:
        """Some of the running sums, or all."""
        chosen = self._transforms if which is None else [self._transforms[i] for i in which]
        return [sums.read(self._stages.dt) for sums in chosen]

    def prepare(self, times: Array, numbers: NDArray[np.int64]) -> None:
        """Before a batch: simulated time and number of each of its steps, after it."""
        self._times, self._numbers = times, numbers
        for sums in self._transforms:
            sums.prepare(times, numbers)
        if self._sampling is not None:
            self._sampling.prepare(len(numbers))

    def enqueue(self, step: int) -> None:
        """Look at the fields as step number ``step`` of the batch has left them."""
        if self._sampler is not None:
            self._sampler.enqueue(step)
        if self._sampling is not None:
            self._sampling.enqueue(int(self._numbers[step]), float(self._times[step]))
        for sums in self._transforms:
            sums.enqueue(step)
