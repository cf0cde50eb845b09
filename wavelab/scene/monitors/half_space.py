"""The far field in front of an opening in a screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require, require_one_of
from wavelab.scene.model.measuring.findings import Findings, MonitorResult, Tables
from wavelab.scene.model.measuring.monitor import Measurement, Monitor
from wavelab.scene.model.measuring.plots import Polar
from wavelab.scene.model.measuring.requests import (
    BEGIN,
    END,
    FREQUENCIES,
    SCREENS,
    WINDOW,
    BesideScreen,
    Transform,
)
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Written
from wavelab.scene.monitors.far_field import FarFieldMonitor, far_field_arrays, far_field_tables
from wavelab.scene.monitors.rules import check_count, check_path, check_transform

_VERTICES = about("The two ends of a line along the opening, x and y of each")


@dataclass(frozen=True)
class HalfSpaceMonitor(Monitor):
    """What leaves an opening in a screen that goes on for ever, far away in front of it.

    The front is to the right of the way from the first end to the second; behind, the far field
    is 0.
    """

    vertices: tuple[Point, ...] = field(metadata=_VERTICES)
    frequencies: tuple[float, ...] = field(metadata=FREQUENCIES)
    screen: str = field(
        default="conductor",
        metadata=about(
            "What the screen is on both sides of the line: \u201cconductor\u201d, Ez is 0, or "
            "\u201cmagnetic\u201d, its slope is 0",
            choices=SCREENS,
        ),
    )
    begin: float = field(default=0.0, metadata=BEGIN)
    end: float | None = field(default=None, metadata=END)
    window: str = field(default="none", metadata=WINDOW)
    directions: int = field(
        default=360,
        metadata=about("In how many directions, evenly spread, the far field is found"),
    )

    of_scalar_waves = True
    label = "far field of an opening"
    plots = (Polar(),)
    variables: ClassVar = FarFieldMonitor.variables
    placings: ClassVar = {
        "half_space": Measurement(
            "far field of an opening",
            "Drag a line along an opening in a straight screen, from edge to edge. In front, where "
            "the arrow points, there must be nothing but one medium.",
            "line",
            lambda drawn: HalfSpaceMonitor(drawn.name, drawn.corners, drawn.frequencies),
            "opening",
            "an opening whose far field is found",
            frequencies=True,
        ),
    }

    @property
    def where(self) -> BesideScreen:
        return BesideScreen(self.vertices, self.screen)

    @property
    def transform(self) -> Transform:
        return Transform(self.frequencies, begin=self.begin, end=self.end, window=self.window)

    def check(self, item: ItemPath, until: float) -> None:
        check_path(self.vertices, item, self.what, closed=False)
        require(
            len(self.vertices) == 2,
            (*item, "vertices"),
            f"{self.what} has {len(self.vertices)} vertices",
            "An opening in a screen is straight: give its two ends.",
        )
        require_one_of(self.screen, SCREENS, (*item, "screen"), "screen")
        check_count(self.directions, (*item, "directions"), self.what, "directions", least=2)
        check_transform(self.transform, item, self.what, until)

    def arrays(self, found: Findings) -> dict[str, Any]:
        return far_field_arrays(found, self.frequencies, self.directions)

    def tables(self, result: MonitorResult) -> Tables:
        """As of a far field."""
        return far_field_tables(result)

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        return FarFieldMonitor.told(result, written)

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        return FarFieldMonitor.in_short(summary, written)
