"""A mode of a guide, from a line across it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import POSITIVE, ItemPath, require
from wavelab.scene.model.limits import MOST_MODES
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, PortIn
from wavelab.scene.model.sending.placing import Number, Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import Drag, EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, shifted_point
from wavelab.scene.sources.currents import check_wave
from wavelab.scene.sources.geometry import ARROW, arrow_from, between, size_of

MODE = Number("port_mode", "Mode", "0 for the fundamental mode, then as many zeros as its number",
              0, "whole", 0, MOST_MODES - 1)  # fmt: skip


@dataclass(frozen=True)
class Port(Source):
    """The mode number ``mode`` of the guide that the line from ``start`` to ``end`` goes across.

    It goes to the right of the way along the line, with the profile and the velocity that it has
    at ``frequency``; None takes that of the waveform.  Before the line there is only what comes
    back.  A sine of the amplitude 1 carries the mean power 1.
    """

    start: Point
    end: Point
    amplitude: float
    waveform: Waveform
    mode: int = field(
        default=0,
        metadata=about("Number of the mode: 0 for the fundamental one, then as many zeros"),
    )
    frequency: float | None = field(
        default=None,
        metadata=about("What the mode is computed for; empty: the frequency of the waveform"),
    )

    placings = (
        Placing(
            "mode of a guide",
            "line",
            "Drag across a guide, well out of it on both sides; the mode goes along the arrow",
            (MODE,),
        ),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> Port:
        waveform = placed.waveform
        frequency = settings.frequency if waveform.carrier is None else None
        start, end, height = placed.start, placed.end, settings.height
        return cls(name, start, end, height, waveform, int(settings[MODE]), frequency)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        require(
            math.dist(self.start, self.end) > 0,
            (*item, "end"),
            f"{self.what} starts and ends at ({self.start[0]:g}, {self.start[1]:g})",
            "Give two different points, one on either side of the guide.",
        )
        require(
            0 <= self.mode < MOST_MODES,
            (*item, "mode"),
            f"mode of {self.what} is {self.mode}",
            f"It is 0, 1, ..., {MOST_MODES - 1}.",
        )
        require(
            self.frequency is None or self.frequency > 0,
            (*item, "frequency"),
            f"frequency of {self.what} is {self.frequency}",
            POSITIVE,
        )
        require(
            self.frequency is not None or self.waveform.carrier is not None,
            (*item, "frequency"),
            f"{self.what} has no frequency",
            "A mode depends on it: give the one that matters, frequency = ...",
        )

    @property
    def carrier(self) -> float:
        """The frequency that it is made for."""
        found = self.waveform.carrier if self.frequency is None else self.frequency
        assert found is not None
        return found

    def emissions(self) -> tuple[Emission, ...]:
        mode, frequency, amplitude = self.mode, self.carrier, self.amplitude
        return (PortIn(self.start, self.end, mode, frequency, amplitude, self.waveform),)

    def points(self) -> tuple[Point, ...]:
        return (self.start, self.end)

    def spots(self) -> tuple[Point, ...]:
        # Its ends may reach beyond walls.
        return (between(self.start, self.end),)

    def shifted(self, by: Point) -> Port:
        return replace(self, start=shifted_point(self.start, by), end=shifted_point(self.end, by))

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark:
        arrow = self.arrow(scene, edges)
        lines = (np.array([self.start, self.end]),)
        return SourceMark(self.name, arrow[1], lines, arrow=arrow)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point]:
        dx, dy = np.subtract(self.end, self.start)
        towards = math.degrees(math.atan2(-dx, dy))
        return arrow_from(between(self.start, self.end), towards, ARROW * size_of(scene, edges))

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        return {"start": self.start, "end": self.end}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> Port:
        start, end = (drag.to, self.end) if drag.handle == "start" else (self.start, drag.to)
        return replace(self, start=start, end=end)
