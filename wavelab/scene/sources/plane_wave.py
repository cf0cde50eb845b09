"""A plane wave, through the border of a shape or through walls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, PlaneWaveIn
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source_marks import Drag, EdgeLines, SourceMark
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.sources.array import DIRECTION
from wavelab.scene.sources.currents import check_wave
from wavelab.scene.sources.entering import check_edges
from wavelab.scene.sources.geometry import (
    ARROW,
    arrow_from,
    between,
    direction_to,
    rims,
    size_of,
    turned,
)
from wavelab.scene.sources.plane_front import TILT, PlaneFront


@dataclass(frozen=True)
class PlaneWave(PlaneFront):
    """Ez = amplitude f(t - s / c), s the way in ``direction`` from where the wave is first felt.

    ``direction`` is in degrees counterclockwise from the x axis.  The wave comes in at the border
    of ``shape``, inside of which there is the total field and outside only what is scattered, or,
    if there is no shape, through the absorbing ``edges``.
    """

    shape: Shape | None = None
    edges: tuple[str, ...] = ()

    placings = (
        Placing(
            "plane wave",
            "box",
            "Comes in at the border of a box, inside of which the field is all of it and outside "
            "only what is scattered; drag from corner to corner",
            (DIRECTION,),
        ),
        Placing(
            "wave through walls",
            "edges",
            "A plane wave that comes in through edges, which absorb what leaves; click one, or "
            "drag over several",
            (TILT,),
        ),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> PlaneWave:
        if not placed.edges:
            direction, box = settings[DIRECTION], placed.box
            return cls(name, direction, settings.height, placed.waveform, box)
        direction = turned(placed.inward, settings[TILT])
        return cls(name, direction, settings.height, placed.waveform, edges=placed.edges)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        if self.shape is not None:
            self.shape.check(item, self.what)
        require(
            (self.shape is None) != (not self.edges),
            (*item, "edges"),
            f"{self.what} has both a shape and edges"
            if self.shape
            else f"{self.what} has no way in",
            'Give a shape, at whose border the wave comes in, or edges = ["domain.left"], '
            "absorbing walls that it comes through.",
        )
        check_edges(self, scene, (*item, "edges"))

    def emissions(self) -> tuple[Emission, ...]:
        amplitude, waveform = self.amplitude, self.waveform
        return (PlaneWaveIn(self.direction, amplitude, waveform, self.shape, self.edges),)

    @property
    def entrances(self) -> tuple[str, ...]:
        return self.edges

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        arrow = self.arrow(scene, edges)
        if arrow is None or self.shape is None:
            return super().mark(scene, edges)
        outlines = rims(self.shape, size_of(scene, edges))
        at = self.shape.bounds()[1]
        return SourceMark(self.name, at, outlines, arrow=arrow, outline=True)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        if self.shape is None:
            return super().arrow(scene, edges)
        (x0, y0), (x1, y1) = self.shape.bounds()
        middle, length = between((x0, y0), (x1, y1)), ARROW * max(x1 - x0, y1 - y0)
        turn = math.radians(self.direction)
        # Across the border where the wave comes in, and not over what stands in its way.
        (outline,) = rims(self.shape, size_of(scene, edges))
        reach = float(((outline - middle) @ [math.cos(turn), math.sin(turn)]).max())
        tail = arrow_from(middle, self.direction + 180, reach + length / 2)[1]
        return arrow_from(tail, self.direction, length)

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        if self.shape is None:
            return super()._handles(scene, edges)
        arrow = self.arrow(scene, edges)
        assert arrow is not None
        # The tail is the outer end, by which the arrow swings round the shape.
        return {"direction": arrow[0]}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> PlaneWave:
        if self.shape is None:
            return super()._dragged(drag, scene, edges)
        direction = direction_to(drag.to, between(*self.shape.bounds()), drag.even)
        return replace(self, direction=direction)
