"""A spot that moves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, check_variables
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import MovingGaussian
from wavelab.scene.model.sending.placing import Number, Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import Drag, EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.currents import ADDS_IN_FORM, check_wave
from wavelab.scene.sources.geometry import direction_to, size_of
from wavelab.scene.sources.straight_way import displaced, is_linear, straight_way

#: Times as long as light needs for this part of the domain show how fast it moves.
LIGHT = 0.25
#: Where the handle for the speed of a source at rest is, in parts of the domain.
_AT_REST = 0.03
#: Points on the path that is drawn.
_ON_PATH = 200
_AT_TIME = about("Where it is at the time t, a formula of t", variables=("t",))
SPEED = Number("speed", "Speed", "Of the moving source, in length units per time unit", 0.5)


@dataclass(frozen=True)
class MovingSource(Source):
    """A point source whose position is a formula of t; silent while it is outside the domain."""

    x: Formula = field(metadata=_AT_TIME)
    y: Formula = field(metadata=_AT_TIME)
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = field(default="current", metadata=ADDS_IN_FORM)

    placings = (
        Placing(
            "moving",
            "line",
            "A spot that starts where the drag starts and goes on in its direction",
            (SPEED,),
        ),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> MovingSource:
        (x0, y0), (x1, y1) = placed.start, placed.end
        pace = settings[SPEED] / max(math.dist(placed.start, placed.end), 1e-300)
        x, y = straight_way(placed.start, (pace * (x1 - x0), pace * (y1 - y0)), 0.0)
        return cls(name, x, y, settings.radius, settings.amplitude, placed.waveform)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        check_variables(self.x, (*item, "x"), ("t",))
        check_variables(self.y, (*item, "y"), ("t",))

    def emissions(self) -> tuple[MovingGaussian]:
        amplitude, waveform = self.amplitude, self.waveform
        return (MovingGaussian(self.x, self.y, self.radius, amplitude, waveform, self.adds),)

    @property
    def begin(self) -> float:
        """When it is first heard; never before time 0."""
        return self.emissions()[0].begin

    def way(self, until: float) -> Array:
        return self.emissions()[0].way(until)[1]

    def position(self, t: float) -> Point | None:
        """Where it is; None where a formula has no value."""
        try:
            return float(self.x.evaluate(t=t)), float(self.y.evaluate(t=t))
        except FormulaError:
            return None

    def velocity(self) -> Point | None:
        """How fast it goes, and where; None if it does not go straight on."""
        straight = is_linear(self.x.expression) and is_linear(self.y.expression)
        return self._rate(0.0) if straight else None

    def _rate(self, t: float) -> Point | None:
        try:
            return float(self.x.rate("t", t=t)), float(self.y.rate("t", t=t))
        except FormulaError:
            return None

    def sent(self, speed: Point) -> MovingSource:
        """From the same place, straight on with another velocity."""
        start = self.anchor()
        if start is None:
            return self
        x, y = straight_way(start, speed, self.begin)
        return replace(self, x=x, y=y)

    def moved(self, to: Point) -> MovingSource:
        """The same way, from another place on."""
        speed, here = self.velocity(), self.anchor()
        if here is None:
            return self
        if speed is not None:
            x, y = straight_way(to, speed, self.begin)
        else:
            x, y = displaced(self.x, to[0] - here[0]), displaced(self.y, to[1] - here[1])
        return replace(self, x=x, y=y)

    def points(self) -> tuple[Point, ...]:
        at = self.anchor()
        return () if at is None else (at,)

    def anchor(self) -> Point | None:
        return self.position(self.begin)

    def whereabouts(self) -> tuple[object, ...]:
        return (self.x, self.y)

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        at, begin = self.anchor(), self.begin
        if at is None:
            return None
        times = np.linspace(begin, begin + scene.solver.until, _ON_PATH)
        try:
            path = np.column_stack([self.x.evaluate(t=times), self.y.evaluate(t=times)])
        except FormulaError:
            return None
        arrow = self.arrow(scene, edges)
        return SourceMark(self.name, at, (path,), (at,), arrow, outline=True)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        """As long as its way in the time that light needs for a quarter of the domain."""
        size = size_of(scene, edges)
        at, rate = self.anchor(), self._rate(self.begin)
        if at is None or rate is None or not any(rate):
            return None
        x, y = rate
        return at, (at[0] + x * LIGHT * size, at[1] + y * LIGHT * size)

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        at, arrow = self.anchor(), self.arrow(scene, edges)
        if at is None or self.velocity() is None:
            return {}
        rest = (at[0] + _AT_REST * size_of(scene, edges), at[1])
        return {"speed": rest if arrow is None else arrow[1]}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> MovingSource:
        start, to = self.anchor(), drag.to
        if start is None:
            return self
        way = (to[0] - start[0], to[1] - start[1])
        if drag.even:
            turn, length = math.radians(direction_to(start, to, True)), math.hypot(*way)
            way = (length * round(math.cos(turn), 12), length * round(math.sin(turn), 12))
        time = LIGHT * size_of(scene, edges)
        return self.sent((way[0] / time, way[1] / time))

    def reading(self, handle: str) -> str:
        speed = self.velocity() if handle == "speed" else None
        return "" if speed is None else f"speed {math.hypot(*speed):.3g}"
