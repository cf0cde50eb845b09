"""Local time stepping in NumPy: the oracle of the OpenCL one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import WavelabError
from wavelab.numerics.clusters import Clusters
from wavelab.physics import ader
from wavelab.physics.drives import Drive
from wavelab.physics.energy import element_energy, energy_density
from wavelab.physics.fields import Fields
from wavelab.physics.local_equations import LocalEquations, fitting_memory
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.probe_points import ProbePoints
from wavelab.physics.running_transform import RunningSum, RunningTransform, Sums
from wavelab.physics.stepper import ViewAtHand
from wavelab.physics.taps import TapLog, Taps

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class LocalNumpyStepper:
    """A :class:`wavelab.physics.stepper.Stepper` whose steps are macro steps.

    Parameters
    ----------
    dt : macro step, that of the slowest cluster.
    """

    backend = "numpy"
    device = "NumPy"
    precision = "double"

    def __init__(self, operator: MaxwellTM, *, dt: float, scheme: Clusters) -> None:
        if not (np.isfinite(dt) and dt > 0):
            raise WavelabError(f"the time step is {dt}", remedy="It must be a positive number.")
        d = operator.discretization
        self.operator, self.dt, self.scheme = operator, dt, scheme
        self.steps = 0
        self._clock_set = (0.0, 0)
        self._members = [np.flatnonzero(scheme.levels == k) for k in range(scheme.n_levels)]
        faces = (2, *d.connectivity.is_boundary.shape, d.element.nodes_per_face)
        # Ez and H at the faces now, at the begin of a step; and in the middle of it.
        self._leaving = np.zeros((2, *faces))
        # Of each step their integrals over its halves; and their sum over the steps in one
        # step of the next level.
        self._halves = np.zeros((2, *faces))
        self._summed = np.zeros(faces)
        self._fields = Fields.zeros(d.shape)
        self._drives: tuple[Drive, ...] = ()
        self._held = ader.held_elements((), d.n_elements)
        self._local: tuple[LocalEquations, ...] = ()
        # Of each level: the number of the equations, those on its elements, and which rows of all
        # of them these are.
        self._on_level: list[list[tuple[int, LocalEquations, Indices]]] = [
            [] for _ in self._members
        ]
        self._probes = ProbePoints.none(d.nodes_per_element)
        self._taps, self._tapped = Taps(self._probes), TapLog()
        self._transforms: tuple[RunningSum, ...] = ()

    def set_clock(self, time: float, steps: int) -> None:
        self.steps = steps
        self._clock_set = (time, steps)

    @property
    def time(self) -> float:
        time, steps = self._clock_set
        return time + (self.steps - steps) * self.dt

    def set_fields(self, fields: Fields) -> None:
        self._fields = replace(fields, memory=fitting_memory(self._local, fields.memory)).copy()

    def fields(self) -> Fields:
        return self._fields.copy()

    def set_drives(self, drives: Sequence[Drive]) -> None:
        self._drives = tuple(drives)
        self._held = ader.held_elements(drives, len(self._fields.ez))

    def set_local_equations(self, equations: Sequence[LocalEquations]) -> None:
        self._local = tuple(equations)
        self._on_level = [
            [
                (number, part, e.rows_of(members[part.elements]))
                for number, e in enumerate(equations)
                if (part := e.on_part(members)) is not None
            ]
            for members in self._members
        ]
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

    def advance(self, n_steps: int) -> Array:
        samples = np.empty((n_steps, len(self._probes)))
        for i in range(n_steps):
            # The fields may have been changed since the last step.
            everything = np.arange(len(self._fields.ez))
            self._leaving[0] = ader.traces(self.operator, everything, self._fields)
            for act, level, number in self.scheme.schedule():
                getattr(self, f"_{act}")(level, number)
            self.steps += 1
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
            return energy_density(self.operator, self._fields).astype(np.float32)
        return getattr(self._fields, quantity).astype(np.float32)

    def begin_view(self, quantity: str) -> ViewAtHand:
        """:meth:`view`, which takes its time here."""
        return ViewAtHand(self.view(quantity))

    def element_energy(self) -> Array:
        return element_energy(self.operator, self._fields)

    def close(self) -> None:
        """Nothing is held outside this object."""

    def _predict(self, level: int, number: int) -> None:
        elements = self._members[level]
        dt = self.dt / (self.scheme.ticks >> level)
        sources = ader.source_coefficients(
            self.operator, self._drives, elements, self.time + number * dt, dt
        )
        incoming = self._across(level, self._leaving[0], self._leaving[number % 2])
        here = self._on_level[level]
        found = ader.predict(
            self.operator, elements, self._fields, incoming, dt, sources, self._held[elements],
            [part for _, part, _ in here],
            [self._fields.memory[number][:, rows] for number, _, rows in here],
        )  # fmt: skip
        for (of, _, rows), change in zip(here, found.change.memory, strict=True):
            self._fields.memory[of][:, rows] += change
        for name in ("hx", "hy", "ez"):
            getattr(self._fields, name)[elements] += getattr(found.change, name)
        self._leaving[1][:, elements] = found.middle
        self._halves[:, :, elements] = found.halves
        whole = found.halves.sum(axis=0)
        before = self._summed[:, elements] if number % 2 else 0.0
        self._summed[:, elements] = before + whole

    def _correct(self, level: int, number: int) -> None:
        elements = self._members[level]
        incoming = self._across(
            level, self._halves.sum(axis=0), self._halves[number % 2], self._summed
        )
        own = self._halves[:, :, elements].sum(axis=0)
        ader.correct(self.operator, elements, self._fields, own, incoming)
        self._leaving[0][:, elements] = ader.traces(self.operator, elements, self._fields)

    def _across(
        self, level: int, published: Array, of_slower: Array, of_faster: Array | None = None
    ) -> Array:
        """What neighbours publish, node by node as the elements of a level see it; at walls it is
        of no use.

        Parameters
        ----------
        of_slower, of_faster : what counts of a neighbour that is slower, or faster.
        """
        elements = self._members[level]
        c = self.operator.discretization.connectivity
        neighbor, face = c.neighbor_element[elements], c.neighbor_face[elements]
        relation = (self.scheme.levels[neighbor] - level)[:, :, None]
        found = np.where(relation > 0, of_slower[:, neighbor, face], published[:, neighbor, face])
        if of_faster is not None:
            found = np.where(relation < 0, of_faster[:, neighbor, face], found)
        return np.asarray(found[..., ::-1])
