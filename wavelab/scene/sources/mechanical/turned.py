"""What sources of elastic waves with a direction have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.placing import Placed, SourceSettings
from wavelab.scene.model.sending.source_marks import PLACE, Drag, EdgeLines, SourceMark
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.array import DIRECTION
from wavelab.scene.sources.geometry import ARROW, arrow_from, direction_to, size_of
from wavelab.scene.sources.mechanical.source import MechanicalSource


@dataclass(frozen=True)
class TurnedSource(MechanicalSource):
    """``direction`` is in degrees counterclockwise from the x axis."""

    direction: float = 0.0

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> Self:
        return replace(super().placed(name, settings, placed), direction=settings[DIRECTION])

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        return arrow_from(self.position, self.direction, ARROW * size_of(scene, edges) / 2)

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        at = self.position
        return SourceMark(self.name, at, dots=(at,), arrow=self.arrow(scene, edges))

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        arrow = self.arrow(scene, edges)
        return {PLACE: self.position, "direction": None if arrow is None else arrow[1]}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> Self:
        return replace(self, direction=direction_to(self.position, drag.to, drag.even))

    def reading(self, handle: str) -> str:
        return f"{self.direction:g}\u00b0" if handle == "direction" else ""
