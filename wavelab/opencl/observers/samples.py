"""Samples of the fields after every few steps, kept on the device until there is no room left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.opencl.observers.lost_power import LostPower
from wavelab.opencl.observers.readback import ProbeSampler
from wavelab.physics.monitors.samples import Sampling, SamplingLog

#: Memory for samples that wait to be read, unless a batch of steps needs more.
_BYTES = 16 << 20


class DeviceSampling:
    """:class:`wavelab.physics.monitors.samples.Sampling` of one stepper.

    Parameters
    ----------
    every : steps between two samples.
    memories : those of the stepper's auxiliary equations.
    before : what this takes the place of, and goes on with parts of.
    """

    def __init__(
        self,
        sampling: Sampling,
        every: int,
        memories: Sequence[AuxiliaryVariables],
        stages: Stages,
        before: DeviceSampling | None = None,
    ) -> None:
        memory = stages.memory
        self._log = SamplingLog(len(sampling), every)
        self._every, self._times, self._memory = every, list[float](), memory
        in_batch = stages.batch // every + 1
        fitting = _BYTES // (max(1, len(sampling)) * memory.real.itemsize)
        self._rows = max(in_batch, min(4 * in_batch, fitting))
        kept = {id(m.equations): m for m in memories}
        self._samplers: list[ProbeSampler | LostPower] = []
        if len(sampling.points):
            fields = stages.operator.fields
            self._samplers.append(
                ProbeSampler(sampling.points, self._rows, stages.variant, memory, fields)
            )
        there = [] if before is None else [s for s in before._samplers if isinstance(s, LostPower)]
        for e in sampling.losses:
            of = e, kept.get(id(e)), self._rows
            serving = (s for s in there if s.serves(*of, stages.operator))
            sampler = next(serving, None) or LostPower(*of, stages)
            self._samplers.append(sampler)

    def prepare(self, n_steps: int) -> None:
        """Make room for what is sampled in the next ``n_steps`` steps."""
        if len(self._times) + n_steps // self._every + 1 > self._rows:
            self._fetch()

    def looks(self, steps: Indices, times: Array) -> list[Look]:
        """At the fields after those of the next steps, by number and time, that are sampled."""
        rows = np.full(len(steps), -1)
        for i, (step, time) in enumerate(zip(steps.tolist(), times.tolist(), strict=True)):
            if self._log.due(step):
                rows[i] = len(self._times)
                self._times.append(time)
        return [look for sampler in self._samplers for look in sampler.looks(rows)]

    def take(self) -> tuple[Array, Array]:
        """What was sampled since the last call: times (n,) and values (n, n_values)."""
        self._fetch()
        return self._log.take()

    def now(self) -> Array:
        """(n_values,) as the fields are now."""
        self._fetch()
        with self._memory.guarded():
            for sampler in self._samplers:
                sampler.sample()
        return self._read(1)[0]

    def release(self, but: DeviceSampling | None = None) -> None:
        """Free the device memory, but for what another one goes on with."""
        for sampler in self._samplers:
            if but is None or sampler not in but._samplers:
                sampler.release()

    def _fetch(self) -> None:
        if self._times:
            times, self._times = np.array(self._times), []
            self._log.add(times, self._read(len(times)))

    def _read(self, n_rows: int) -> Array:
        parts = [sampler.read(n_rows).reshape(n_rows, -1) for sampler in self._samplers]
        return np.concatenate(parts, axis=1) if parts else np.zeros((n_rows, 0))
