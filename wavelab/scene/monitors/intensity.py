"""A map of the mean intensity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from wavelab.arrays import Array
from wavelab.scene.model.about import SHAPE
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.measuring.findings import (
    AT_NODES,
    Findings,
    MonitorResult,
    Tables,
    Variable,
    at_nodes,
    with_duration,
)
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.requests import BEGIN, END, Elements, Transform
from wavelab.scene.model.shapes import Shape
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.rules import check_times


@dataclass(frozen=True)
class IntensityMonitor(Monitor):
    """Mean of Ez^2 over time, in a shape or everywhere."""

    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    shape: Shape | None = field(default=None, metadata=SHAPE)

    label = "mean intensity"
    variables: ClassVar = {
        **AT_NODES,
        "mean_square": Variable(("element", "node"), "field^2"),
    }
    placings: ClassVar = {
        "intensity": Measurement(
            "mean intensity",
            "The mean of the squared field from now on. \u201cShow map\u201d in the panel of "
            "monitors puts it on the canvas.",
            "shape",
            lambda drawn: IntensityMonitor(drawn.name, shape=drawn.shape_or_none),
            "intensity",
            "a map of the mean intensity",
            everywhere=True,
        ),
    }

    @property
    def where(self) -> Elements:
        return Elements(self.shape)

    @property
    def transform(self) -> Transform:
        return Transform((0.0,), ("ez",), squared=True, begin=self.begin, end=self.end)

    def check(self, item: ItemPath, until: float) -> None:
        check_times(self.begin, self.end, item, self.what, until)

    def arrays(self, found: Findings) -> dict[str, Any]:
        x, y = found.nodes()
        return {"elements": found.elements, "x": x, "y": y, "mean_square": found.mean("ez")}

    def tables(self, result: MonitorResult) -> Tables:
        """A row for each node."""
        mean = {"mean_ez_squared": result.arrays["mean_square"].ravel()}
        return {"": with_duration(result, at_nodes(result.arrays) | mean)}

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        return [f"Mean Ez\u00b2 up to {written.figures(float(result.arrays['mean_square'].max()))}"]

    def shown(self, found: Findings, quantity: str, frequency: int, time: float) -> Array:
        return found.mean("ez")

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        return [f"mean Ez^2 up to {summary['largest_mean_square']:.6g}"]
