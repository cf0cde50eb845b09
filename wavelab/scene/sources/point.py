"""A round spot of current."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, GaussianLine
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.currents import ADDS_IN_FORM, check_wave


@dataclass(frozen=True)
class PointSource(Source):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from ``position``."""

    position: Point
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = field(default="current", metadata=ADDS_IN_FORM)

    placings = (Placing("point", "click", "A round spot; click to place it"),)

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> PointSource:
        at, amplitude = placed.start, settings.amplitude
        return cls(name, at, settings.radius, amplitude, placed.waveform)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)

    def emissions(self) -> tuple[Emission, ...]:
        at = self.position
        return (GaussianLine(at, at, self.radius, self.amplitude, self.waveform, self.adds),)

    def points(self) -> tuple[Point, ...]:
        return (self.position,)

    @property
    def glyph(self) -> Point:
        return self.position

    def moved(self, to: Point) -> PointSource:
        return replace(self, position=to)
