"""A straight line of current."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, GaussianLine
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import Drag, EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, shifted_point
from wavelab.scene.sources.currents import ADDS_IN_FORM, check_wave


@dataclass(frozen=True)
class LineSource(Source):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from a line of two ends."""

    start: Point
    end: Point
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = field(default="current", metadata=ADDS_IN_FORM)

    placings = (Placing("line", "line", "Drag from one end to the other"),)
    partial = True

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> LineSource:
        # A line makes Ez = I / 2 on both sides, I the current across it.
        k, radius = 2 * math.pi * settings.frequency, settings.radius
        across = math.sqrt(2 * math.pi) * radius * math.exp(-((k * radius) ** 2) / 2)
        amplitude = 2 * settings.height / across
        return cls(name, placed.start, placed.end, radius, amplitude, placed.waveform)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        require(
            math.dist(self.start, self.end) > 0,
            (*item, "end"),
            f"{self.what} starts and ends at ({self.start[0]:g}, {self.start[1]:g})",
            'Give two different points, or use kind = "point".',
        )

    def emissions(self) -> tuple[Emission, ...]:
        amplitude, waveform = self.amplitude, self.waveform
        return (GaussianLine(self.start, self.end, self.radius, amplitude, waveform, self.adds),)

    def points(self) -> tuple[Point, ...]:
        return (self.start, self.end)

    def shifted(self, by: Point) -> LineSource:
        return replace(self, start=shifted_point(self.start, by), end=shifted_point(self.end, by))

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark:
        return SourceMark(self.name, self.end, (np.array([self.start, self.end]),))

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        return {"start": self.start, "end": self.end}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> LineSource:
        start, end = (drag.to, self.end) if drag.handle == "start" else (self.start, drag.to)
        return replace(self, start=start, end=end)
