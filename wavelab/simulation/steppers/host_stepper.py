"""What steppers in NumPy have in common: all but the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.time.pieces import ALWAYS, Piece
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, fitting_auxiliary
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningSum, RunningTransform, Sums
from wavelab.physics.monitors.samples import Sampling, SamplingLog
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.stepper import KeptState, TimeScheme, ViewAtHand
from wavelab.physics.time.step_clock import StepClock


class HostStepper:
    """A :class:`wavelab.physics.stepper.Stepper` in NumPy, double precision only, without steps.

    Parameters
    ----------
    dt : time step.

    Raises
    ------
    WavelabError : the time step is no positive number.
    """

    backend = "numpy"
    device = "NumPy"
    precision = "double"

    def __init__(self, operator: Operator, dt: float, scheme: TimeScheme) -> None:
        self.operator, self.dt, self.scheme = operator, dt, scheme
        self.steps = 0
        self._part, self._piece = 0.0, ALWAYS
        self._clock = StepClock(dt)
        d = operator.discretization
        self._fields: Fields = operator.fields.zeros(d.shape)
        self._source_terms: tuple[SourceTerm, ...] = ()
        self._local: tuple[AuxiliaryEquations, ...] = ()
        self._probes = ProbePoints.none(d.nodes_per_element)
        self._sampling, self._sampled = Sampling(self._probes), SamplingLog()
        self._transforms: tuple[RunningSum, ...] = ()
        self._not_finite: tuple[int, Mask] | None = None

    def _step(self, part: float) -> None:
        """Advance the fields by a part of a step, or a whole one; the clock is set afterwards."""
        raise NotImplementedError

    @property
    def _now(self) -> float:
        """The time at which a step begins, before rounding is kept from leading past a jump."""
        return self._clock.after(self.steps, self._part)

    def _jumped(self) -> None:
        """Media may have other values than a moment before."""

    def _fields_changed(self) -> None:
        """The fields, or the time they are of, are others than the last step left."""

    def set_clock(self, time: float, steps: int) -> None:
        self.steps, self._part, self._not_finite = steps, 0.0, None
        self._clock = self._clock.set_to(time, steps)
        self._fields_changed()

    @property
    def time(self) -> float:
        return float(self._piece.within(self._now))

    def enter(self, piece: Piece) -> None:
        jumped = piece.follows(self._piece)
        self._piece = piece
        if jumped:
            self._jumped()

    def set_fields(self, fields: Fields) -> None:
        self._fields = replace(
            fields, auxiliary=fitting_auxiliary(self._local, fields.auxiliary)
        ).copy()
        self._not_finite = None
        self._fields_changed()

    def fields(self) -> Fields:
        return self._fields.copy()

    def _changing(self) -> list[NDArray[Any]]:
        """The arrays that the next steps depend on and change in place."""
        fields, sums = self._fields, [running.values for running in self._transforms]
        return [*fields.arrays, *fields.auxiliary, *sums]

    def keep(self) -> KeptState:
        durations = [running.duration for running in self._transforms]
        rest = self.steps, self._clock, self._piece, durations
        return KeptState(tuple(array.copy() for array in self._changing()), rest)

    def put_back(self, kept: KeptState) -> None:
        for array, before in zip(self._changing(), kept.arrays, strict=True):
            array[...] = before
        self.steps, self._clock, self._piece, durations = kept.rest
        self._part, self._not_finite = 0.0, None
        for running, duration in zip(self._transforms, durations, strict=True):
            running.duration = duration

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        self._source_terms = tuple(source_terms)

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        return False

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        self._local = tuple(equations)
        self.set_fields(replace(self._fields, auxiliary=()))

    def set_probes(self, probes: ProbePoints) -> None:
        self._probes = probes

    def set_sampling(self, sampling: Sampling, every: int) -> None:
        self._sampling, self._sampled = sampling, SamplingLog(len(sampling), every)

    def read_sampled(self) -> tuple[Array, Array]:
        return self._sampled.take()

    def sample_now(self) -> Array:
        return self._sampling.sample(self.operator, self._local, self._fields)

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        n = self.operator.discretization.nodes_per_element
        self._transforms = tuple(RunningSum(transform, n) for transform in transforms)

    def read_transforms(self, which: Sequence[int] | None = None) -> list[Sums]:
        chosen = self._transforms if which is None else [self._transforms[i] for i in which]
        return [running.read() for running in chosen]

    def ping(self, nodes: Indices, values: Array) -> None:
        for name, added in zip(self.operator.pinged, np.atleast_2d(values), strict=True):
            getattr(self._fields, name).reshape(-1)[nodes] += added
        self._fields_changed()

    def advance(self, n_steps: int) -> Array:
        samples = np.empty((n_steps, len(self._probes)))
        for i in range(n_steps):
            self._step(1 - self._part)
            self.steps, self._part = self.steps + 1, 0.0
            if self._not_finite is None:
                mask = ~np.isfinite(self._fields.ez[:, 0])  # which it is soon at all nodes
                self._not_finite = (self.steps, mask) if mask.any() else None
            samples[i] = self._probes.sample(self._fields)
            if self._sampled.due(self.steps):
                self._sampled.add(np.array([self.time]), self.sample_now()[None])
            for running in self._transforms:
                running.add(self._fields, self.time, self.steps, self.dt)
        return samples

    def advance_part(self, part: float) -> None:
        self._step(part)
        self._part += part

    def synchronize(self) -> None:
        """Nothing runs beside the caller."""

    def view(self, quantity: str) -> NDArray[np.float32]:
        if quantity == "energy":
            return self.operator.energy_density(self._fields, self.time).astype(np.float32)
        if quantity == "h":
            return np.hypot(self._fields.hx, self._fields.hy).astype(np.float32)
        if quantity == "pressure":
            return (-(self._fields.sxx + self._fields.syy) / 2).astype(np.float32)
        return getattr(self._fields, quantity).astype(np.float32)

    def begin_view(self, quantity: str) -> ViewAtHand:
        """:meth:`view`, which takes its time here."""
        return ViewAtHand(self.view(quantity))

    def begin_samples(self, points: ProbePoints) -> ViewAtHand:
        """:meth:`samples` in single precision."""
        return ViewAtHand(self.samples(points).astype(np.float32))

    def samples(self, points: ProbePoints) -> Array:
        return points.sample(self._fields)

    def element_energy(self) -> Array:
        return self.operator.element_energy(self._fields, self.time)

    def first_not_finite(self) -> tuple[int, Mask] | None:
        return self._not_finite

    def close(self) -> None:
        """Nothing is held outside this object."""
