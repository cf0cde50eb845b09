"""What plane waves that come in through edges have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.placing import Number
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import PLACE, Drag, EdgeLines, Line, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.entering import arrow_in, beside_edges, entrance_of
from wavelab.scene.sources.geometry import direction_to, turned

#: Half a wave front, in parts of the arrow that it crosses.
_FRONT = 0.25
TILT = Number(
    "tilt", "Angle", "From straight in through the edge, counterclockwise", 0.0, "degrees", most=85
)


@dataclass(frozen=True)
class PlaneFront(Source):
    """A plane wave in ``direction``, in degrees counterclockwise from the x axis."""

    direction: float
    amplitude: float
    waveform: Waveform

    collects = True

    def through(self, edges: tuple[str, ...], turn: float | None = None) -> Self:
        direction = self.direction if turn is None else turned(self.direction, turn)
        changed: dict[str, Any] = {"direction": direction, "edges": edges}  # which all kinds have
        return replace(self, **changed)

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        arrow = self.arrow(scene, edges)
        if arrow is None:
            return None
        lines, fronts = beside_edges(self, scene, edges), _wave_fronts(arrow)
        return SourceMark(self.name, arrow[1], lines, arrow=arrow, outline=True, waves=fronts)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        return arrow_in(self, self.direction, scene, edges)

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        arrow, entrance = self.arrow(scene, edges), entrance_of(self, scene, edges)
        place = None if entrance is None else entrance.at
        return {PLACE: place, "direction": None if arrow is None else arrow[1]}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> Self:
        entrance = entrance_of(self, scene, edges)
        if entrance is None:
            return self
        return replace(self, direction=direction_to(entrance.at, drag.to, drag.even))

    def reading(self, handle: str) -> str:
        return f"{self.direction:g}\u00b0" if handle == "direction" else ""


def _wave_fronts(arrow: tuple[Point, Point]) -> tuple[Line, ...]:
    """Lines across an arrow."""
    (x0, y0), (x1, y1) = arrow
    dx, dy = x1 - x0, y1 - y0
    across = np.array([-dy, dx]) * _FRONT
    middles = (np.array([x0 + part * dx, y0 + part * dy]) for part in (0.3, 0.5, 0.7))
    return tuple(np.array([middle - across, middle + across]) for middle in middles)
