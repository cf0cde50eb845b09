"""A line of receivers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require_one_of
from wavelab.scene.model.measuring.findings import TIME, Findings, MonitorResult, Tables, Variable
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import Gather
from wavelab.scene.model.measuring.requests import FIELDS, VERTICES, Receivers
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.scene.monitors.profile import profile
from wavelab.scene.monitors.rules import check_count, check_path

_GATHER = next(iter(LINE_PLOTS))


@dataclass(frozen=True)
class LineMonitor(Monitor):
    """Records a field at ``count`` points spread evenly over a polyline, after every step."""

    vertices: tuple[Point, ...] = field(metadata=VERTICES)
    count: int = field(default=50, metadata=about("How many points, evenly spread, ends included"))
    quantity: str = field(default="ez", metadata=about("Which field is recorded", choices=FIELDS))
    plot: str = field(
        default=_GATHER,
        metadata=about(
            "How the panel of monitors draws it: with time downwards, the field along the line, "
            "or the mean of its square",
            choices=tuple(LINE_PLOTS),
        ),
    )

    label = "receivers"
    plots = (Gather(),)
    variables: ClassVar = {
        "time": TIME,
        "along": Variable(("receiver",), "length", coordinate=True),
        "points": Variable(("receiver", "axis"), "length", coordinate=True),
        "values": Variable(("time", "receiver"), "field"),
    }
    placings: ClassVar = {
        "profile": Measurement(
            "profile along a line",
            "Drag a line. The field along it is drawn as a curve, with its amplitude or mean "
            "square: for fringes, standing waves, the width of a focus.",
            "line",
            lambda drawn: LineMonitor(
                drawn.name, drawn.corners, drawn.as_fine_as_nodes, plot="profile"
            ),
            "profile",
            "a line along which the field is drawn",
        ),
        "line": Measurement(
            "field along a line, over time",
            "Drag a line of 50 receivers. What they record is drawn with time downwards.",
            "line",
            lambda drawn: LineMonitor(drawn.name, drawn.corners),
            "line",
            "a line of receivers",
        ),
    }

    @property
    def where(self) -> Receivers:
        return Receivers(self.vertices, self.count)

    @property
    def recorded(self) -> tuple[str, ...]:
        return (self.quantity,)

    def check(self, item: ItemPath, until: float) -> None:
        check_path(self.vertices, item, self.what, closed=False)
        check_count(self.count, (*item, "count"), self.what, "points", least=1)
        require_one_of(self.quantity, FIELDS, (*item, "quantity"), "quantity")
        require_one_of(self.plot, LINE_PLOTS, (*item, "plot"), "plot")

    def arrays(self, found: Findings) -> dict[str, Any]:
        return {
            "time": found.times,
            "along": found.along,
            "points": found.points,
            "values": found.series,
        }

    def tables(self, result: MonitorResult) -> Tables:
        """Of each receiver a column such as "ez at x=0.1 y=0.9"; "_profile", if it is drawn as
        one: the newest field and its mean square along the line."""
        arrays = result.arrays
        places = [f"{self.quantity} at x={x!r} y={y!r}" for x, y in arrays["points"].tolist()]
        found: Tables = {
            "": {"time": arrays["time"]} | dict(zip(places, arrays["values"].T, strict=True))
        }
        if LINE_PLOTS[self.plot].curves and (lately := profile(result)) is not None:
            found["_profile"] = {
                "along": lately.along,
                "x": lately.points[:, 0],
                "y": lately.points[:, 1],
                self.quantity: lately.now,
                f"mean_{self.quantity}_squared": lately.mean_square,
                "duration": np.full(len(lately.along), lately.duration),
            }
        return found

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        lines = []
        if (found := profile(result)) is not None and found.frequency is not None:
            lines.append(f"Strongest f: {written.frequency(found.frequency)}")
            lines.append(f"Mean over t: {written.time(found.duration)}")
        return [*lines, f"{len(result.arrays['along'])} receivers"]

    @property
    def as_measured(self) -> LineMonitor:
        return replace(self, plot=_GATHER)

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        return [f"{len(summary['along'])} points, {len(summary['time'])} samples each"]
