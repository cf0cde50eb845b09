"""What sources of elastic waves have in common: a round spot that pushes or strains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Emission, Mechanical
from wavelab.scene.model.sending.placing import Placed, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.currents import check_wave


@dataclass(frozen=True)
class MechanicalSource(Source):
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from ``position``."""

    position: Point
    radius: float
    amplitude: float
    waveform: Waveform

    equations: ClassVar[str] = "elastic"

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> Self:
        return cls(name, placed.start, settings.radius, settings.amplitude, placed.waveform)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)

    def emissions(self) -> tuple[Emission, ...]:
        fields = (self.position, self.radius, self.amplitude, self.waveform)
        return (Mechanical(*fields, self.force(), self.moment()),)

    def force(self) -> tuple[float, float]:
        """Along x and y, per unit of the amplitude."""
        return 0.0, 0.0

    def moment(self) -> tuple[float, float, float]:
        """The moment tensor xx, yy and xy, per unit of the amplitude."""
        return 0.0, 0.0, 0.0

    def points(self) -> tuple[Point, ...]:
        return (self.position,)

    def moved(self, to: Point) -> Self:
        return replace(self, position=to)
