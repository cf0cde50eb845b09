"""Power through a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.measuring.findings import (
    FREQUENCY,
    TIME,
    Findings,
    MonitorResult,
    Tables,
    Variable,
    at_frequencies,
    with_duration,
)
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import Spectrum, TimeSeries
from wavelab.scene.model.measuring.requests import (
    BEGIN,
    END,
    FREQUENCIES,
    POWER,
    VERTICES,
    WINDOW,
    Section,
    Transform,
)
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.rules import check_path, check_transform


@dataclass(frozen=True)
class FluxMonitor(Monitor):
    """Power through a polyline, over time and at frequencies.

    It counts from left to right for someone who walks along the vertices, and outwards if the line
    is ``closed``.
    """

    vertices: tuple[Point, ...] = field(metadata=VERTICES)
    closed: bool = field(
        default=False,
        metadata=about(
            "Whether the last corner is joined to the first; then power counts outwards"
        ),
    )
    frequencies: tuple[float, ...] = field(default=(), metadata=FREQUENCIES)
    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    window: str = field(default="none", metadata=WINDOW)

    label = "power"
    plots = (TimeSeries("power", "power"), Spectrum("mean_power", "mean power"))
    variables: ClassVar = {
        "time": TIME,
        "power": Variable(("time",), "power"),
        "frequency": FREQUENCY,
        "mean_power": Variable(("frequency",), "power"),
        "forward_power": Variable(("frequency",), "power"),
        "backward_power": Variable(("frequency",), "power"),
    }
    placings: ClassVar = {
        "flux": Measurement(
            "power through a line",
            "Drag a line. Power counts in the direction of its arrow; at frequencies it is the "
            "mean of a steady wave.",
            "line",
            lambda drawn: FluxMonitor(drawn.name, drawn.corners, frequencies=drawn.frequencies),
            "flux",
            "a line through which power is measured",
            frequencies=True,
        ),
        "loop": Measurement(
            "power out of a region",
            "Draw a region. What leaves it counts as positive, through all of its rim together.",
            "shape",
            lambda drawn: FluxMonitor(drawn.name, drawn.corners, True, drawn.frequencies),
            "outflow",
            "a region whose outflow of power is measured",
            frequencies=True,
        ),
    }

    @property
    def where(self) -> Section:
        return Section(self.vertices, self.closed)

    @property
    def recorded(self) -> tuple[str, ...]:
        return POWER

    @property
    def transform(self) -> Transform | None:
        return self._sums if self.frequencies else None

    @property
    def _sums(self) -> Transform:
        return Transform(self.frequencies, begin=self.begin, end=self.end, window=self.window)

    def check(self, item: ItemPath, until: float) -> None:
        check_path(self.vertices, item, self.what, self.closed)
        check_transform(self._sums, item, self.what, until, least=0)

    def numbers(self, found: Findings) -> dict[str, float]:
        return {"energy": found.integral}

    def arrays(self, found: Findings) -> dict[str, Any]:
        arrays = {"time": found.times, "power": found.series[:, 0]}
        if self.frequencies:
            arrays["frequency"] = np.array(self.frequencies)
            arrays["mean_power"] = found.mean_power()
            if found.split_power is not None:
                arrays["forward_power"], arrays["backward_power"] = found.split_power()
        return arrays

    def tables(self, result: MonitorResult) -> Tables:
        """Time and power; "_spectrum": frequency, mean_power, duration; forward_power and
        backward_power of a straight line through one medium without losses."""
        arrays = result.arrays
        found: Tables = {"": {name: arrays[name] for name in ("time", "power")}}
        if "frequency" in arrays:
            names = ("frequency", "mean_power", "forward_power", "backward_power")
            spectrum = {name: arrays[name] for name in names if name in arrays}
            found["_spectrum"] = with_duration(result, spectrum)
        return found

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        arrays, lines = result.arrays, []
        if len(arrays["power"]):
            lines.append(f"Power now: {written.figures(float(arrays['power'][-1]))}")
        lines.append(f"Energy so far: {written.figures(result.numbers['energy'])}")
        if "frequency" in arrays:
            for f, power in zip(arrays["frequency"], arrays["mean_power"], strict=True):
                lines.append(f"Mean power at {written.asked(f)}: {written.figures(float(power))}")
        return lines

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        powers = at_frequencies(summary, "mean_power", "mean power", written)
        return [f"energy {summary['energy']:.6g}", *powers]
