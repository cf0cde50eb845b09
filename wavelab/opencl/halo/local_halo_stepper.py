"""Local time stepping of one rank's part of a mesh."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab.arrays import Indices, Mask
from wavelab.numerics.time.clusters import Act, Levels
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.halo.direct_exchange import DirectExchange
from wavelab.opencl.halo.trace_exchange import TraceExchange
from wavelab.opencl.local_time.local_sources import DrivenCluster
from wavelab.opencl.local_time.local_stepper import INSIDE, LocalOpenCLStepper
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import FaceList, Subdomain
from wavelab.ranks.communicator import Communicator

#: Of faces by the levels of who publishes and who reads, and by the slowest level that begins a
#: step: which of them are read of the first, and of the second half of a buffer.
_Read = Callable[[Levels, Levels, int], tuple[Mask, Mask]]


def read_by_predictions(of: Levels, by: Levels, slowest: int) -> tuple[Mask, Mask]:
    """Which traces predictions read that begin together, of all levels up to ``slowest``: those at
    the begin of the step; in the middle of it of neighbours whose step is twice as long.

    But for the begin of a macro step, when ``slowest`` is the slowest of all, its step is then the
    second of two.
    """
    return np.maximum(of, by) <= slowest, (by == slowest) & (of == slowest + 1)


def read_by_corrections(of: Levels, by: Levels, slowest: int) -> tuple[Mask, Mask]:
    """Which integrals corrections read, of those that the predictions of all levels up to
    ``slowest`` have made and of those that have been there: over the step or its first half; over
    two steps, with the second of them; over the second half of a step."""
    whole = (by <= of) & (of <= slowest)
    both = (of == slowest) & (by == slowest + 1)
    return whole | both, (by == slowest) & (of == slowest + 1)


@dataclass(frozen=True)
class _Moment:
    """What begins and ends steps together.

    Attributes
    ----------
    slowest : level that begins one.
    predicted, corrected : levels and numbers of their steps, but for those that go together.
    together : whether these have one of their common steps.
    """

    slowest: int
    predicted: tuple[tuple[int, int], ...]
    corrected: tuple[tuple[int, int], ...]
    together: bool


class LocalHaloOpenCLStepper(LocalOpenCLStepper):
    """Exchanges traces with other ranks before predictions, and their integrals before corrections.

    Only those are exchanged that somebody reads then.  Elements inside are predicted, or corrected,
    while they are on their way.

    Parameters
    ----------
    operator : of :func:`wavelab.physics.subdomains.restriction.operator_on`.
    sharing : as for :class:`wavelab.opencl.halo.halo_stepper.HaloOpenCLStepper`.
    how : of :class:`LocalOpenCLStepper`, with the clusters of this part.

    Attributes
    ----------
    direct : whether traces go from device to device, and not through the host.
    """

    #: Whether the halo is asked for; a measurement of what that costs does without.
    exchanging = True

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        subdomain: Subdomain,
        communicator: Communicator,
        sharing: Sequence[cl.Device] = (),
        **how: Any,
    ) -> None:
        self._subdomain, self._communicator = subdomain, communicator
        self.direct = bool(sharing)
        self._neighbors = operator.discretization.connectivity.neighbor_element
        self._moments: list[_Moment] = []
        super().__init__(operator, sharing=sharing, **how)

    def _blocks_inside(self) -> range:
        # Of these alone: in the last one there may be some of the halo, or curved ones.
        parts, lanes = self._subdomain, self._variant.lanes
        return range(-(-parts.n_border // lanes), parts.n_straight // lanes)

    def _met_levels(self) -> set[int]:
        levels, sends = self._levels.levels, self._subdomain.sends.values()
        met = [
            np.minimum(levels[elements], levels[self._neighbors[elements, faces]]).min()
            for elements, faces in sends
        ]
        return set(range(min(met, default=self._levels.n_levels), self._levels.n_levels))

    def _make_stages(self) -> None:
        super()._make_stages()
        kernels, levels = self._clusters, range(self._levels.n_levels)
        self._traces = [
            self._exchange(kernels.leaving, read_by_predictions, level) for level in levels
        ]
        self._integrals = [
            self._exchange(kernels.outgoing, read_by_corrections, level) for level in levels
        ]

    def _exchange(
        self, buffer: cl.Buffer, read: _Read, slowest: int
    ) -> TraceExchange | DirectExchange:
        variant, parts = self._variant, self._subdomain
        assert isinstance(variant, AoSoA)
        out = self._places(parts.sends, read, slowest)
        in_ = self._places(parts.receives, read, slowest)
        # With some in one direction at least.
        others = [rank for rank in out if out[rank].size or in_[rank].size]
        out, in_ = ({rank: of[rank] for rank in others} for of in (out, in_))
        exchange = DirectExchange if self.direct else TraceExchange
        return exchange(out, in_, self._communicator, variant, self.memory, [[buffer]])

    def _places(
        self, faces: Mapping[int, FaceList], read: _Read, slowest: int
    ) -> dict[int, Indices]:
        """By rank, where in a buffer with a second half lies what somebody reads."""
        levels, found = self._levels.levels, {}
        for rank, (elements, of) in faces.items():
            first, second = read(levels[elements], levels[self._neighbors[elements, of]], slowest)
            assert isinstance(self._variant, AoSoA)
            places = self._variant.trace_places(elements, of)
            found[rank] = np.concatenate(
                [places[first].ravel(), places[second].ravel() + self._clusters.second]
            )
        return found

    def _planned(self, driven: Sequence[DrivenCluster | None]) -> tuple[list[Act], list[Launch]]:
        schedule, together = super()._planned(driven)
        self._moments = _moments(schedule)
        return schedule, together

    def _queue_step(self, step: int, extensions: Sequence[StageExtension]) -> None:
        launch = self._variant.kernels.launch
        predict, correct = self._clusters.predict, self._clusters.correct
        for moment in self._moments:
            exchange = self._traces[moment.slowest]
            self._begin(exchange)
            for level, number in moment.predicted:
                driven = self._driven[level]
                inside = predict[level][INSIDE] if driven is None else driven.inside
                launch(*inside[number % 2])
            exchange.end(0, 0)
            for level, number in moment.predicted:
                self._predict(step, level, number)
            exchange = self._integrals[moment.slowest]
            self._begin(exchange)
            if moment.together:
                launch(*self._together)
            for level, number in moment.corrected:
                launch(*correct[level][INSIDE][number % 2])
            exchange.end(0, 0)
            for level, number in moment.corrected:
                self._correct(level, number)

    def _begin(self, exchange: TraceExchange | DirectExchange) -> None:
        if self.exchanging:
            exchange.begin(0, 0)


def _moments(schedule: Sequence[Act]) -> list[_Moment]:
    """The acts of a macro step, moment by moment: predictions, what goes together, corrections."""
    found: list[list[Act]] = []
    before = "correct"
    for act in schedule:
        if before == "correct" and act[0] != "correct":
            found.append([])
        found[-1].append(act)
        before = act[0]
    moments = []
    for acts in found:
        of = {
            kind: tuple((level, number) for act, level, number in acts if act == kind)
            for kind in ("predict", "correct", "together")
        }
        slowest = max(level for level, _ in of["predict"])
        moments.append(_Moment(slowest, of["predict"], of["correct"], bool(of["together"])))
    return moments
