"""What monitors have measured: collected while a simulation runs, evaluated when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.monitors.findings import findings
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.operator.fields import Fields
from wavelab.physics.stepper import Stepper
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.measuring.requests import POWER
from wavelab.scene.monitors import monitor_kind
from wavelab.simulation.records.power_integral import PowerIntegral
from wavelab.simulation.records.series import Series

#: Numbers that the time series of one monitor keeps; the oldest are dropped in a run without end.
MOST_NUMBERS = 16_000_000


@dataclass(frozen=True, eq=False)
class RecordsMark:
    """How far monitors had come: rows of their series, their integrals, and what transforms of
    earlier steppers have summed up."""

    rows: tuple[int, ...]
    integrals: tuple[PowerIntegral, ...]
    earlier: dict[int, Sums]


class MonitorRecords:
    """Collects what the monitors of a problem need.

    Attributes
    ----------
    energy_every : steps after which :meth:`add_energy` wants to be called; None for never.
    transforms : what a stepper is to sum up for them.
    earlier : what has been summed up before the present stepper began to, by the transform.
    """

    def __init__(self, monitors: Sequence[DiscreteMonitor]) -> None:
        self.monitors = tuple(monitors)
        looks = [every for m in monitors if (every := m.monitor.energy_every) is not None]
        self.transforms = [t for m in self.monitors for t in m.transforms]
        self.energy_every = int(np.gcd.reduce(looks)) if looks else None
        self.restart()

    def restart(self) -> None:
        """Forget everything; another run begins."""
        self._series = [_series_of(discrete) for discrete in self.monitors]
        self._integrals = [PowerIntegral(1) for _ in self.monitors]
        self.earlier: dict[int, Sums] = {}

    def mark(self) -> RecordsMark:
        """For :meth:`go_to`."""
        rows = tuple(series.count for series in self._series)
        return RecordsMark(rows, tuple(map(copy, self._integrals)), dict(self.earlier))

    def go_to(self, mark: RecordsMark) -> None:
        """Back to a mark, or forward again."""
        for series, count in zip(self._series, mark.rows, strict=True):
            series.go_to(count)
        self._integrals = [copy(integral) for integral in mark.integrals]
        self.earlier = dict(mark.earlier)

    def recorded(self) -> list[tuple[Array, Array]]:
        """What the series hold: times (n,) and values (n, columns) of each."""
        return [series.rows() for series in self._series]

    def resume(self, mark: RecordsMark, recorded: Sequence[tuple[Array, Array]]) -> None:
        """Be as others were that had this mark and this :meth:`recorded`."""
        for series, count, rows in zip(self._series, mark.rows, recorded, strict=True):
            series.resume(count, *rows)
        self.go_to(mark)

    def forget_later(self) -> None:
        """Another future begins here."""
        for series in self._series:
            series.forget_later()

    def follow(self, before: MonitorRecords, sums: Sequence[Sums] = ()) -> None:
        """Go on with the time series of monitors that were there before; on another mesh, of those
        that record as much there.

        Parameters
        ----------
        sums : what the transforms of those before have summed up, to go on from that too.
        """
        numbers = {discrete.monitor: j for j, discrete in enumerate(before.monitors)}
        for i, discrete in enumerate(self.monitors):
            j = numbers.get(discrete.monitor)
            if j is None or self._series[i].columns != before._series[j].columns:
                continue
            self._series[i], self._integrals[i] = before._series[j], before._integrals[j]
            if sums and discrete.transforms:
                mine, theirs = (
                    records.transforms.index(monitor.transforms[0])
                    for records, monitor in ((self, discrete), (before, before.monitors[j]))
                )
                self.earlier[mine] = sums[theirs]

    def sums(self, stepper: Stepper, which: Sequence[int] | None = None) -> list[Sums]:
        """What has been summed up, by the present stepper and those before it."""
        numbers = range(len(self.transforms)) if which is None else which
        return [
            self.earlier[i].joined(now) if i in self.earlier else now
            for i, now in zip(numbers, stepper.read_transforms(which), strict=True)
        ]

    def begin(self, time: float, fields: Fields) -> None:
        """The fields before the first step, from which on energy goes through lines."""
        for i, discrete in enumerate(self.monitors):
            if discrete.monitor.recorded == POWER and self._integrals[i].time is None:
                sampled = discrete.samples.sample(fields)[None]
                self._integrals[i].add(np.array([time]), discrete.kept(sampled)[:, :1])

    def append(self, times: Array, values: Array) -> None:
        """Samples (m, columns) of all monitors after steps at ``times`` (m,)."""
        first = 0
        for i, (discrete, series) in enumerate(zip(self.monitors, self._series, strict=True)):
            columns = values[:, first : first + len(discrete.samples)]
            first += len(discrete.samples)
            if not len(discrete.samples):
                continue
            kept = discrete.kept(columns)
            series.append(times, kept)
            if discrete.monitor.recorded == POWER:
                for time, power in zip(times, kept[:, :1], strict=True):
                    # One by one, so that rounding does not depend on batches.
                    self._integrals[i].add(np.array([time]), power[None])

    def add_energy(self, step: int, time: float, element_energy: Array) -> None:
        """Energies (n_elements,) after a step."""
        for discrete, series in zip(self.monitors, self._series, strict=True):
            every = discrete.monitor.energy_every
            if every is not None and step % every == 0:
                inside = float(element_energy[discrete.elements].sum())
                series.append(np.array([time]), np.array([[inside]]))

    def result(
        self, number: int, sums: Sums | None, x: Array, y: Array, newest: int | None = None
    ) -> MonitorResult:
        """What one monitor has measured.

        Parameters
        ----------
        sums : of its transform; None if it has none.
        x, y : (n_elements, nodes_per_element) positions of the nodes.
        newest : rows of a time series to give, those in the batches that hold the last so many;
            None for all.
        """
        discrete = self.monitors[number]
        monitor = discrete.monitor
        times, series = self._series[number].rows(newest)
        gone_through = float(self._integrals[number].total[0])
        found = findings(discrete, sums, x, y, times, series, gone_through)
        duration = {} if sums is None else {"duration": sums.duration}
        return MonitorResult(
            monitor.name,
            monitor_kind(monitor),
            duration | monitor.numbers(found),
            monitor.arrays(found),
            monitor.variables,
        )


def _series_of(discrete: DiscreteMonitor) -> Series:
    nothing = discrete.kept(np.zeros((0, len(discrete.samples) or 1)))
    return Series(nothing.shape[1], MOST_NUMBERS)
