"""What monitors have measured: collected while a simulation runs, evaluated when asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.monitors.far_field import (
    far_field,
    mean_power_through,
    power_through,
    radiated_power,
    tangential,
)
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.operator.fields import Fields
from wavelab.scene.model.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    monitor_kind,
)

Array = NDArray[np.float64]

#: Numbers that the time series of one monitor keeps; the oldest are dropped in a run without end.
MOST_NUMBERS = 16_000_000


@dataclass(frozen=True, eq=False)
class MonitorResult:
    """What one monitor has measured.

    ``arrays`` by the kind of the monitor:

    ===========  ======================================================================
    line         time (n,), along (p,), points (p, 2), values (n, p)
    flux         time (n,), power (n,); frequency (f,), mean_power (f,)
    energy       time (n,), energy (n,)
    field        frequency (f,), elements (k,), x, y (k, nodes), hx, hy, ez (f, k, nodes)
    intensity    elements (k,), x, y (k, nodes), mean_square (k, nodes)
    far_field    frequency (f,), angle (a,) in degrees, pattern (f, a), power (f,)
    ===========  ======================================================================

    hx, hy, ez and pattern are complex: Re[X exp(-2 pi i f t)].

    Attributes
    ----------
    numbers : ``duration``, the weighted time of a transform; ``energy`` that went through a flux.
    """

    name: str
    kind: str
    numbers: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, NDArray] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """Everything but nodal values, of which the largest are told, as real numbers."""
        found: dict[str, Any] = {"kind": self.kind, **self.numbers}
        for name, values in self.arrays.items():
            if self.kind in ("field", "intensity") and name != "frequency":
                if name in ("hx", "hy", "ez"):
                    found[f"largest_{name}"] = np.abs(values).max(axis=(1, 2))
                elif name == "mean_square":
                    found["largest_mean_square"] = float(values.max())
                continue
            found[name] = np.abs(values) if np.iscomplexobj(values) else values
        return found


class MonitorRecords:
    """Collects what the monitors of a problem need.

    Attributes
    ----------
    energy_every : steps after which :meth:`add_energy` wants to be called; None for never.
    """

    def __init__(self, monitors: Sequence[DiscreteMonitor]) -> None:
        self.monitors = tuple(monitors)
        looks = [m.monitor.every for m in monitors if isinstance(m.monitor, EnergyMonitor)]
        self.energy_every = int(np.gcd.reduce(looks)) if looks else None
        self.restart()

    def restart(self) -> None:
        """Forget everything; another run begins."""
        self._series = [_Series() for _ in self.monitors]
        self._passed = [0.0 for _ in self.monitors]
        self._last: dict[int, tuple[float, float]] = {}

    def begin(self, time: float, fields: Fields) -> None:
        """The fields before the first step, from which on energy goes through lines."""
        for i, discrete in enumerate(self.monitors):
            if isinstance(discrete.monitor, FluxMonitor):
                assert discrete.line is not None
                sampled = np.split(discrete.samples.sample(fields)[None], 3, axis=1)
                self._last[i] = time, float(power_through(discrete.line, *sampled)[0])

    def append(self, times: Array, values: Array) -> None:
        """Samples (m, columns) of all monitors after steps at ``times`` (m,)."""
        first = 0
        for i, (discrete, series) in enumerate(zip(self.monitors, self._series, strict=True)):
            columns = values[:, first : first + len(discrete.samples)]
            first += len(discrete.samples)
            if isinstance(discrete.monitor, LineMonitor):
                series.append(times, columns)
            elif isinstance(discrete.monitor, FluxMonitor):
                assert discrete.line is not None
                power = power_through(discrete.line, *np.split(columns, 3, axis=1))
                series.append(times, power[:, None])
                if len(times):
                    self._add_up(i, times, power)

    def _add_up(self, number: int, times: Array, power: Array) -> None:
        """Energy by the trapezoidal rule, step by step, so that it does not depend on batches."""
        before = self._last.get(number, (times[0], power[0]))
        t, p = np.append(before[0], times), np.append(before[1], power)
        steps = (p[1:] + p[:-1]) / 2 * np.diff(t)
        self._passed[number] = float(np.cumsum(np.append(self._passed[number], steps))[-1])
        self._last[number] = (times[-1], power[-1])

    def add_energy(self, step: int, time: float, element_energy: Array) -> None:
        """Energies (n_elements,) after a step."""
        for discrete, series in zip(self.monitors, self._series, strict=True):
            if isinstance(discrete.monitor, EnergyMonitor) and step % discrete.monitor.every == 0:
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
        discrete, series = self.monitors[number], self._series[number]
        found = _result(discrete, series, sums, x, y, newest)
        if isinstance(discrete.monitor, FluxMonitor):
            found.numbers["energy"] = self._passed[number]
        return found


class _Series:
    """Rows over time, the newest ``MOST_NUMBERS`` numbers."""

    def __init__(self) -> None:
        self._chunks: deque[tuple[Array, Array]] = deque()
        self._size = 0

    def append(self, times: Array, values: Array) -> None:
        if not len(times):
            return
        self._chunks.append((times, values.copy()))
        self._size += values.size
        while self._size > MOST_NUMBERS and len(self._chunks) > 1:
            self._size -= self._chunks.popleft()[1].size

    def rows(self, columns: int, newest: int | None) -> tuple[Array, Array]:
        """Times (n,) and values (n, columns)."""
        chunks: deque[tuple[Array, Array]] = deque()
        found = 0
        for chunk in reversed(self._chunks):
            if newest is not None and found >= newest:
                break
            chunks.appendleft(chunk)
            found += len(chunk[0])
        if not chunks:
            return np.zeros(0), np.zeros((0, columns))
        times, values = (np.concatenate(part) for part in zip(*chunks, strict=True))
        return times, values


def _result(
    discrete: DiscreteMonitor,
    series: _Series,
    sums: Sums | None,
    x: Array,
    y: Array,
    newest: int | None,
) -> MonitorResult:
    monitor = discrete.monitor
    numbers: dict[str, float] = {"duration": sums.duration} if sums is not None else {}
    arrays: dict[str, NDArray] = {}
    match monitor:
        case LineMonitor():
            assert discrete.along is not None
            assert discrete.positions is not None
            times, values = series.rows(len(discrete.samples), newest)
            arrays = {
                "time": times, "along": discrete.along, "points": discrete.positions,
                "values": values,
            }  # fmt: skip
        case FluxMonitor():
            assert discrete.line is not None
            times, values = series.rows(1, newest)
            arrays = {"time": times, "power": values[:, 0]}
            if sums is not None:
                fields = np.split(sums.amplitude, 3, axis=1)
                arrays["frequency"] = np.array(monitor.frequencies)
                arrays["mean_power"] = mean_power_through(discrete.line, *fields)
        case EnergyMonitor():
            times, values = series.rows(1, newest)
            arrays = {"time": times, "energy": values[:, 0]}
        case FieldMonitor() | IntensityMonitor():
            chosen = discrete.elements
            assert chosen is not None
            assert sums is not None
            arrays = {"elements": chosen, "x": x[chosen], "y": y[chosen]}
            if isinstance(monitor, IntensityMonitor):
                arrays["mean_square"] = sums.mean[0, 0]
            else:
                arrays["frequency"] = np.array(monitor.frequencies)
                for i, name in enumerate(discrete.transforms[0].components):
                    arrays[name] = sums.amplitude[:, i]
        case FarFieldMonitor():
            assert sums is not None
            arrays = _far_field(discrete, monitor, sums)
    return MonitorResult(monitor.name, monitor_kind(monitor), numbers, arrays)


def _far_field(
    discrete: DiscreteMonitor, monitor: FarFieldMonitor, sums: Sums
) -> dict[str, NDArray]:
    line = discrete.line
    assert line is not None
    angles = 2 * np.pi * np.arange(monitor.directions) / monitor.directions
    ez, hx, hy = np.split(sums.amplitude, 3, axis=1)
    h = tangential(line, hx, hy)
    patterns = np.array(
        [
            far_field(
                line, ez[i], h[i], f, angles, speed=discrete.speed, impedance=discrete.impedance
            )
            for i, f in enumerate(monitor.frequencies)
        ]
    )
    return {
        "frequency": np.array(monitor.frequencies),
        "angle": 360.0 * np.arange(monitor.directions) / monitor.directions,
        "pattern": patterns,
        "power": np.array([radiated_power(p, discrete.impedance) for p in patterns]),
    }
