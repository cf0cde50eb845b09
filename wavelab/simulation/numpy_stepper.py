"""The stepper without OpenCL: the oracle's right-hand side and the Runge-Kutta loop.

It is the reference in tests, and what runs where there is no OpenCL at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import WavelabError
from wavelab.numerics.runge_kutta import LowStorageScheme
from wavelab.physics.drives import Drive
from wavelab.physics.energy import element_energy, energy_density
from wavelab.physics.fields import Fields
from wavelab.physics.flux_densities import FluxDensities
from wavelab.physics.local_equations import (
    LocalEquations,
    add_local_rates,
    fitting_memory,
    no_memory,
)
from wavelab.physics.maxwell_tm import MaxwellTM, constant_right_hand_side
from wavelab.physics.probe_points import ProbePoints
from wavelab.physics.running_transform import RunningSum, RunningTransform, Sums
from wavelab.physics.stepper import ViewAtHand
from wavelab.physics.taps import TapLog, Taps
from wavelab.physics.time_step import suited_scheme

Array = NDArray[np.float64]


class NumpyStepper:
    """A :class:`wavelab.physics.stepper.Stepper` in NumPy, double precision only.

    Parameters
    ----------
    dt : time step.
    scheme : Runge-Kutta scheme; None for the one that suits the operator.
    """

    backend = "numpy"
    device = "NumPy"
    precision = "double"

    def __init__(
        self, operator: MaxwellTM, *, dt: float, scheme: LowStorageScheme | None = None
    ) -> None:
        if not (np.isfinite(dt) and dt > 0):
            raise WavelabError(f"the time step is {dt}", remedy="It must be a positive number.")
        self.operator = operator
        self.dt = dt
        self.scheme = scheme or suited_scheme(operator)
        self.steps = 0
        self._clock_set = (0.0, 0)
        shape = operator.discretization.shape
        self._fields = Fields.zeros(shape)
        self._residual = Fields.zeros(shape)
        self._densities = FluxDensities(operator.media, operator.epsilon)
        self._drives: tuple[Drive, ...] = ()
        self._local: tuple[LocalEquations, ...] = ()
        self._probes = ProbePoints.none(shape[1])
        self._taps, self._tapped = Taps(self._probes), TapLog()
        self._transforms: tuple[RunningSum, ...] = ()
        self._fields_changed()

    def set_clock(self, time: float, steps: int) -> None:
        self.steps = steps
        self._clock_set = (time, steps)
        self._fields_changed()

    @property
    def time(self) -> float:
        # Multiplied, not accumulated: a million additions of dt would drift.
        time, steps = self._clock_set
        return time + (self.steps - steps) * self.dt

    def set_fields(self, fields: Fields) -> None:
        memory = fitting_memory(self._local, fields.memory)
        self._fields = replace(fields, memory=memory).copy()
        self._residual = replace(Fields.zeros(fields.ez.shape), memory=no_memory(self._local))
        self._fields_changed()

    def _fields_changed(self) -> None:
        self._densities.restart(self._fields, self.time)

    def fields(self) -> Fields:
        return self._fields.copy()

    def set_drives(self, drives: Sequence[Drive]) -> None:
        self._drives = tuple(drives)

    def set_local_equations(self, equations: Sequence[LocalEquations]) -> None:
        self._local = tuple(equations)
        self.set_fields(replace(self._fields, memory=()))

    def set_probes(self, probes: ProbePoints) -> None:
        self._probes = probes

    def set_taps(self, taps: Taps, every: int) -> None:
        self._taps, self._tapped = taps, TapLog(len(taps), every)

    def read_taps(self) -> tuple[Array, Array]:
        return self._tapped.take()

    def sample_taps(self) -> Array:
        return self._taps.sample(self.operator, self._local, self._fields)

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        n = self.operator.discretization.nodes_per_element
        self._transforms = tuple(RunningSum(transform, n) for transform in transforms)

    def read_transforms(self, which: Sequence[int] | None = None) -> list[Sums]:
        chosen = self._transforms if which is None else [self._transforms[i] for i in which]
        return [running.read(self.dt) for running in chosen]

    def add_to_ez(self, nodes: NDArray[np.int64], values: Array) -> None:
        self._fields.ez.reshape(-1)[nodes] += values
        self._fields_changed()

    def advance(self, n_steps: int) -> Array:
        samples = np.empty((n_steps, len(self._probes)))
        for i in range(n_steps):
            self._step()
            samples[i] = self._probes.sample(self._fields)
            if self._tapped.due(self.steps):
                self._tapped.add(np.array([self.time]), self.sample_taps()[None])
            for running in self._transforms:
                running.add(self._fields, self.time, self.steps)
        return samples

    def synchronize(self) -> None:
        """Nothing runs beside the caller."""

    def view(self, quantity: str) -> NDArray[np.float32]:
        if quantity == "energy":
            return energy_density(self.operator, self._fields, self.time).astype(np.float32)
        return getattr(self._fields, quantity).astype(np.float32)

    def begin_view(self, quantity: str) -> ViewAtHand:
        """:meth:`view`, which takes its time here."""
        return ViewAtHand(self.view(quantity))

    def element_energy(self) -> Array:
        return element_energy(self.operator, self._fields, self.time)

    def close(self) -> None:
        """Nothing is held outside this object."""

    def _step(self) -> None:
        q, residual, dt = self._fields, self._residual, self.dt
        scheme = self.scheme
        ends = (*scheme.c[1:], 1.0)
        for a, b, c, end in zip(scheme.a, scheme.b, scheme.c, ends, strict=True):
            change = self._rates(self.time + c * dt)
            for old, step, rate in zip(_arrays(q), _arrays(residual), _arrays(change), strict=True):
                step *= a
                step += dt * rate
                old += b * step
            self._densities.follow(q, residual, b, self.time + end * dt)
        self.steps += 1

    def _rates(self, t: float) -> Fields:
        """Rates of change: the equations, then sources, then local equations."""
        change = constant_right_hand_side(self.operator, self._fields)
        for drive in self._drives:
            drive.rates(self.operator, t).add_to(change)
        self._densities.conduct(change.ez, self._fields.ez, t)
        return replace(change, memory=add_local_rates(self._local, self._fields, change))


def _arrays(fields: Fields) -> list[Array]:
    return [fields.hx, fields.hy, fields.ez, *fields.memory]
