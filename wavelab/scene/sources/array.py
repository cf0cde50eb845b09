"""A phased array: points in a row that send one after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, GaussianPoints
from wavelab.scene.model.sending.placing import Number, Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import Drag, EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, shifted_point
from wavelab.scene.sources.currents import ADDS_IN_FORM, check_wave
from wavelab.scene.sources.geometry import ARROW, arrow_from, between, direction_to, size_of

#: Each element is a source of its own.
LARGEST_ARRAY = 1000
#: Degrees counterclockwise from x; plane waves have it too.
DIRECTION = Number(
    "direction",
    "Direction",
    "Where the plane wave goes or the array sends, counterclockwise from the right",
    0.0,
    "degrees",
    most=180,
)
COUNT = Number("count", "Elements", "Elements of the array", 8, "whole", 1, LARGEST_ARRAY)


@dataclass(frozen=True)
class ArraySource(Source):
    """``count`` points evenly from ``start`` to ``end``, each as a point source, with a delay.

    The delays make the waves of all points arrive together far away in ``direction`` (degrees
    counterclockwise from the x axis), or at the point ``focus``; without either all points are in
    step.  The first ones to send have the delay 0.
    """

    start: Point
    end: Point
    count: int
    radius: float
    amplitude: float
    waveform: Waveform
    direction: float | None = None
    focus: Point | None = field(
        default=None,
        metadata=about(
            "Point in which all waves of the array meet; empty: a direction, or all in step"
        ),
    )
    adds: str = field(default="current", metadata=ADDS_IN_FORM)

    placings = (
        Placing(
            "array",
            "line",
            "Points in a row that send one after the other; drag from the first to the last",
            (DIRECTION, COUNT),
        ),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> ArraySource:
        count = int(settings[COUNT])
        each = settings.amplitude / math.sqrt(count)
        start, end, waveform = placed.start, placed.end, placed.waveform
        return cls(name, start, end, count, settings.radius, each, waveform, settings[DIRECTION])

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        require(
            1 <= self.count <= LARGEST_ARRAY,
            (*item, "count"),
            f"{self.what} has {self.count} elements",
            f"It can have 1 to {LARGEST_ARRAY}.",
        )
        require(
            math.dist(self.start, self.end) > 0 or self.count == 1,
            (*item, "end"),
            f"all {self.count} elements of {self.what} are at the same point",
            "Give two different points for start and end.",
        )
        require(
            self.direction is None or self.focus is None,
            (*item, "focus"),
            f"{self.what} has a direction and a focus",
            "Give one of them: a beam is steered, or made to meet in a point.",
        )

    def emissions(self) -> tuple[Emission, ...]:
        centers, leads = self.spots(), self._leads()
        amplitude, waveform = self.amplitude, self.waveform
        return (GaussianPoints(centers, self.radius, amplitude, waveform, leads, self.adds),)

    def _leads(self) -> tuple[float, ...] | None:
        points = np.array(self.spots())
        if self.focus is not None:
            return tuple((-np.linalg.norm(points - self.focus, axis=1)).tolist())
        if self.direction is not None:
            turn = math.radians(self.direction)
            return tuple((points @ np.array([math.cos(turn), math.sin(turn)])).tolist())
        return None

    def points(self) -> tuple[Point, ...]:
        return (self.start, self.end)

    def spots(self) -> tuple[Point, ...]:
        """Where the elements are."""
        (x0, y0), (x1, y1) = self.start, self.end
        last = max(self.count - 1, 1)
        parts = [i / last for i in range(self.count)]
        return tuple((x0 + (x1 - x0) * p, y0 + (y1 - y0) * p) for p in parts)

    def whereabouts(self) -> tuple[object, ...]:
        return (self.start, self.end, self.count)

    def shifted(self, by: Point) -> ArraySource:
        return replace(self, start=shifted_point(self.start, by), end=shifted_point(self.end, by))

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark:
        ends, arrow = np.array([self.start, self.end]), self.arrow(scene, edges)
        return SourceMark(self.name, self.end, (ends,), self.spots(), arrow, outline=True)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        middle = between(self.start, self.end)
        if self.focus is not None:
            return middle, self.focus
        if self.direction is not None:
            return arrow_from(middle, self.direction, ARROW * size_of(scene, edges))
        return None

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        found: dict[str, Point | None] = {"start": self.start, "end": self.end}
        if (arrow := self.arrow(scene, edges)) is not None:
            found["direction" if self.focus is None else "focus"] = arrow[1]
        return found

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> ArraySource:
        changed: dict[str, Any] = {drag.handle: drag.to}
        if drag.handle == "direction":
            middle = between(self.start, self.end)
            changed = {"direction": direction_to(middle, drag.to, drag.even)}
        return replace(self, **changed)

    def reading(self, handle: str) -> str:
        return f"{self.direction or 0.0:g}\u00b0" if handle == "direction" else ""
