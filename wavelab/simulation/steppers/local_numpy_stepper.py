"""Local time stepping in NumPy: the oracle of the OpenCL one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.time import ader
from wavelab.physics.time.ader_sources import held_elements, source_coefficients
from wavelab.simulation.steppers.host_stepper import HostStepper


class LocalNumpyStepper(HostStepper):
    """Takes macro steps.

    Parameters
    ----------
    dt : macro step, that of the slowest cluster.
    """

    scheme: Clusters

    operator: MaxwellTM

    def __init__(self, operator: MaxwellTM, *, dt: float, scheme: Clusters) -> None:
        super().__init__(operator, dt, scheme)
        d = operator.discretization
        self._members = [scheme.members(level) for level in range(scheme.n_levels)]
        faces = (2, *d.connectivity.is_boundary.shape, d.element.nodes_per_face)
        # Ez and H at the faces now, at the begin of a step; and in the middle of it.
        self._leaving = np.zeros((2, *faces))
        # Of each step their integrals over its halves; and their sum over the steps in one
        # step of the next level.
        self._halves = np.zeros((2, *faces))
        self._summed = np.zeros(faces)
        self._held = held_elements((), d.n_elements)
        self._length = dt  # of the step that is taken
        # Of each level: the number of the equations, those on its elements, and which rows of all
        # of them these are.
        self._on_level: list[list[tuple[int, AuxiliaryEquations, Indices]]] = [
            [] for _ in self._members
        ]

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        super().set_source_terms(source_terms)
        self._held = held_elements(source_terms, len(self._fields.ez))

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        self._on_level = [
            [
                (number, part, e.rows_of(members[part.elements]))
                for number, e in enumerate(equations)
                if (part := e.on_part(members)) is not None
            ]
            for members in self._members
        ]
        super().set_auxiliary_equations(equations)

    def _step(self, part: float) -> None:
        self._length = part * self.dt
        # The fields may have been changed since the last step.
        everything = np.arange(len(self._fields.ez))
        self._leaving[0] = ader.traces(self.operator, everything, self._fields)
        before = ""
        for act, level, number in self.scheme.schedule():
            if act != before:
                self._before(act)
            (self._predict if act == "predict" else self._correct)(level, number)
            before = act

    def _before(self, act: str) -> None:
        """Predictions, or corrections, of one moment come next."""

    def _predict(self, level: int, number: int) -> None:
        elements = self._members[level]
        dt = self._length / (self.scheme.ticks >> level)
        sources = source_coefficients(
            self.operator, self._source_terms, elements, self._now + number * dt, dt
        )
        incoming = self._across(level, self._leaving[0], self._leaving[number % 2])
        here = self._on_level[level]
        found = ader.predict(
            self.operator,
            elements,
            self._fields,
            incoming,
            dt,
            sources=sources,
            held=self._held[elements],
            equations=[part for _, part, _ in here],
            auxiliary=[self._fields.auxiliary[number][:, rows] for number, _, rows in here],
        )
        for (of, _, rows), change in zip(here, found.change.auxiliary, strict=True):
            self._fields.auxiliary[of][:, rows] += change
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
