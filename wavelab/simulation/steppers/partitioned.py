"""One mesh on many ranks, which looks like one stepper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.time.pieces import Piece
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, fitting_auxiliary
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform, Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.stepper import KeptState, Stepper, TimeScheme, ViewAtHand
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.physics.subdomains.restriction import nodes_on, points_on, sources_on, transform_on
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.subdomain_stepper import RankFacts, pieces

#: Where a part of something is: rank, its number among those of its kind there, and which rows of
#: the whole it has.
_Part = tuple[int, int, Indices]


class PartitionedStepper:
    """A :class:`wavelab.physics.stepper.Stepper` made of those of many ranks.

    What is summed up over the mesh is summed up here, in the order of its elements, so that no
    number depends on how many ranks there are by more than what the fields do.

    Parameters
    ----------
    operator : of the whole mesh.
    parts : what each rank has of it; the steppers of the ranks have been made.
    closed : called at the end.
    scheme : of the whole mesh.
    is_excerpt : whether the operator is that of an excerpt of a mesh, of which the ranks have more.

    Attributes
    ----------
    ranks, parts, scheme : as given.
    facts : what computes on each rank.
    """

    def __init__(
        self,
        operator: Operator,
        ranks: RankGroup,
        parts: Sequence[Subdomain],
        closed: Callable[[], None],
        scheme: TimeScheme,
        *,
        is_excerpt: bool = False,
    ) -> None:
        self.operator, self._is_excerpt = operator, is_excerpt
        self.ranks, self.parts, self._closed, self.scheme = ranks, parts, closed, scheme
        self.facts: list[RankFacts] = ranks.ask("facts")
        self.backend, self.precision = self.facts[0].backend, self.facts[0].precision
        names = list(dict.fromkeys(of.device for of in self.facts))
        self.device = f"{' and '.join(names)} on {len(parts)} ranks"
        self.dt, self.steps = self._first.dt, self._first.steps
        self._d = operator.discretization
        self._mine = [part.mine for part in parts]
        self._places = [part.place(self._d.n_elements) for part in parts]
        self._equations: tuple[AuxiliaryEquations, ...] = ()
        self._auxiliary: list[list[_Part]] = []
        self._probes: list[Indices] = [np.zeros(0, np.int64) for _ in parts]
        self._sampling = self._probes
        self._n_points = self._n_losses = self._n_probes = 0
        self._losses: list[list[int]] = [[] for _ in parts]
        self._transforms: list[tuple[tuple[int, ...], list[_Part]]] = []

    @property
    def _first(self) -> Stepper:
        """That of this rank, which has the clock of all."""
        return self.ranks.own.stepper

    @property
    def time(self) -> float:
        return self._first.time

    def enter(self, piece: Piece) -> None:
        self.ranks.ask("enter", piece)

    def set_clock(self, time: float, steps: int) -> None:
        self.ranks.ask("set_clock", time, steps)
        self.steps = steps

    def set_fields(self, fields: Fields) -> None:
        whole = fitting_auxiliary(self._equations, fields.auxiliary) if fields.auxiliary else ()
        auxiliary: list[list[Array]] = [[] for _ in self.parts]
        for values, places in zip(whole, self._auxiliary, strict=False):
            for rank, _, rows in places:
                auxiliary[rank].append(values[:, rows])

        def own(rank: int) -> tuple[Fields]:
            mine = self._mine[rank]
            return (replace(fields.at(mine), auxiliary=tuple(auxiliary[rank])),)

        self.ranks.ask_each("set_fields", own)

    def fields(self) -> Fields:
        found = self.ranks.ask("fields")
        whole = [
            pieces(list(arrays), self._mine, self._d.shape)
            for arrays in zip(*(f.arrays for f in found), strict=True)
        ]
        memory = []
        for e, places in zip(self._equations, self._auxiliary, strict=True):
            values = np.zeros(e.shape)
            for rank, number, rows in places:
                values[:, rows] = found[rank].auxiliary[number]
            memory.append(values)
        return type(found[0]).of(whole, tuple(memory))

    def keep(self) -> KeptState:
        kept: list[KeptState] = self.ranks.ask("keep")
        arrays = tuple(array for state in kept for array in state.arrays)
        return KeptState(arrays, tuple((len(state.arrays), state.rest) for state in kept))

    def put_back(self, kept: KeptState) -> None:
        states, first = [], 0
        for count, rest in kept.rest:
            states.append((KeptState(kept.arrays[first : first + count], rest),))
            first += count
        self.ranks.ask_each("put_back", lambda rank: states[rank])
        self.steps = self._first.steps

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        self.ranks.ask_each(
            "set_source_terms", lambda rank: (sources_on(source_terms, self._d, self.parts[rank]),)
        )

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        return False

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        given: list[list[AuxiliaryEquations]] = [[] for _ in self.parts]
        places: list[list[_Part]] = [[] for _ in equations]
        for e, of in zip(equations, places, strict=True):
            for rank, subdomain in enumerate(self.parts):
                part = e.on_part(subdomain.origin)
                if part is not None:
                    rows = e.rows_of(subdomain.elements[part.elements])
                    of.append((rank, len(given[rank]), rows))
                    given[rank].append(part)
        self.ranks.ask_each("set_auxiliary_equations", lambda rank: (given[rank],))
        self._equations, self._auxiliary = tuple(equations), places

    def set_probes(self, probes: ProbePoints) -> None:
        found = [points_on(probes, place) for place in self._places]
        self.ranks.ask_each("set_probes", lambda rank: (found[rank][1],))
        self._probes, self._n_probes = [rows for rows, _ in found], len(probes)

    def set_sampling(self, sampling: Sampling, every: int) -> None:
        found = [points_on(sampling.points, place) for place in self._places]
        losses: list[list[int | AuxiliaryEquations]] = [[] for _ in self.parts]
        columns: list[list[int]] = [[] for _ in self.parts]
        for column, e in enumerate(sampling.losses):
            for rank, part in self._loss_on_ranks(e):
                losses[rank].append(part)
                columns[rank].append(column)
        self.ranks.ask_each("set_sampling", lambda rank: (found[rank][1], losses[rank], every))
        self._sampling, self._losses = [rows for rows, _ in found], columns
        self._n_points, self._n_losses = len(sampling.points), len(sampling.losses)

    def _loss_on_ranks(self, e: AuxiliaryEquations) -> list[tuple[int, int | AuxiliaryEquations]]:
        """Rank by rank what is sampled of a loss: the number of equations that are there, or others
        without variables."""
        for own, places in zip(self._equations, self._auxiliary, strict=True):
            if own is e:
                return [(rank, number) for rank, number, _ in places]
        parts = ((rank, e.on_part(part.origin)) for rank, part in enumerate(self.parts))
        return [(rank, part) for rank, part in parts if part is not None]

    def read_sampled(self) -> tuple[Array, Array]:
        found = self.ranks.ask("read_sampled")
        times = max((times for times, _ in found), key=len)
        return times, self._sampled([values for _, values in found], len(times))

    def sample_now(self) -> Array:
        return self._sampled([values[None] for values in self.ranks.ask("sample_now")], 1)[0]

    def _sampled(self, found: Sequence[Array], n_rows: int) -> Array:
        """(n_rows, n_values) of what each rank has of them."""
        whole = np.zeros((n_rows, self._n_points + self._n_losses))
        for values, rows, columns in zip(found, self._sampling, self._losses, strict=True):
            if values.size:
                whole[:, rows] = values[:, : len(rows)]
                for i, column in enumerate(columns):
                    whole[:, self._n_points + column] += values[:, len(rows) + i]
        return whole

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        given: list[list[RunningTransform]] = [[] for _ in self.parts]
        found: list[tuple[tuple[int, ...], list[_Part]]] = []
        for transform in transforms:
            places: list[_Part] = []
            for rank, place in enumerate(self._places):
                rows, part = transform_on(transform, place)
                if part is not None:
                    places.append((rank, len(given[rank]), rows))
                    given[rank].append(part)
            found.append((transform.shape(self._d.nodes_per_element), places))
        self._transforms = []
        self.ranks.ask_each("set_transforms", lambda rank: (given[rank],))
        self._transforms = found

    def read_transforms(self, which: Sequence[int] | None = None) -> list[Sums]:
        chosen = self._transforms if which is None else [self._transforms[i] for i in which]
        numbers: list[list[int]] = [[] for _ in self.parts]
        for _, places in chosen:
            for rank, number, _ in places:
                numbers[rank].append(number)
        sums_of = self.ranks.ask_each("read_transforms", lambda rank: (numbers[rank],))
        answers = [iter(sums) for sums in sums_of]
        result = []
        for shape, places in chosen:
            values, duration = np.zeros(shape, np.complex128), 0.0
            for rank, _, rows in places:
                sums: Sums = next(answers[rank])
                duration = sums.duration
                # Of points the last axis, of nodes of elements the one before.
                values[(..., rows) if len(shape) == 2 else (..., rows, slice(None))] = sums.values
            result.append(Sums(values, duration))
        return result

    def ping(self, nodes: Indices, values: Array) -> None:
        found = [nodes_on(nodes, self._d.nodes_per_element, place) for place in self._places]
        self.ranks.ask_each("ping", lambda rank: (found[rank][1], values[..., found[rank][0]]))

    def advance(self, n_steps: int) -> Array:
        found = self.ranks.ask("advance", n_steps)
        self.steps = self._first.steps
        samples = np.zeros((n_steps, self._n_probes))
        for values, rows in zip(found, self._probes, strict=True):
            samples[:, rows] = values
        return samples

    def advance_part(self, part: float) -> None:
        self.ranks.ask("advance_part", part)

    def synchronize(self) -> None:
        self.ranks.ask("synchronize")

    def view(self, quantity: str) -> NDArray[np.float32]:
        return pieces(self.ranks.ask("view", quantity), self._mine, self._d.shape)

    def begin_view(self, quantity: str) -> ViewAtHand:
        """:meth:`view`, which is waited for."""
        return ViewAtHand(self.view(quantity))

    def begin_samples(self, points: ProbePoints) -> ViewAtHand:
        """:meth:`samples` in single precision, which are waited for."""
        return ViewAtHand(self.samples(points).astype(np.float32))

    def samples(self, points: ProbePoints) -> Array:
        found = [points_on(points, place) for place in self._places]
        values = self.ranks.ask_each("samples", lambda rank: (found[rank][1],))
        return pieces(values, [rows for rows, _ in found], (len(points),))

    def element_energy(self) -> Array:
        found = self.ranks.ask("element_energy")
        shown = pieces([values for values, _ in found], self._mine, (self._d.n_elements,))
        if not self._is_excerpt:
            return shown
        return np.append(shown, sum(others for _, others in found))

    def first_not_finite(self) -> tuple[int, Mask] | None:
        found = self.ranks.ask("first_not_finite")
        seen = [(answer, mine) for answer, mine in zip(found, self._mine, strict=True) if answer]
        if not seen:
            return None
        first = min(step for (step, _), _ in seen)
        where = np.zeros(self._d.n_elements, dtype=bool)
        for (step, mask), mine in seen:
            where[mine] = mask & (step == first)
        return first, where

    def close(self) -> None:
        if not self.ranks.failed:
            self.ranks.ask("close")
        self._closed()


def facts_of(stepper: Stepper) -> list[RankFacts]:
    """What computes on each of its ranks, of which there may be one."""
    if isinstance(stepper, PartitionedStepper):
        return stepper.facts
    return [RankFacts.of(stepper)]
