"""A shape that swings in step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import Area, Emission
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Shape, area_of
from wavelab.scene.sources.currents import ADDS_IN_FORM, check_wave
from wavelab.scene.sources.geometry import rims, size_of

#: Part of the area of copies that touch and do not overlap.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class RegionSource(Source):
    """amplitude f(t) everywhere inside ``shape``, 0 outside."""

    shape: Shape
    amplitude: float
    waveform: Waveform
    adds: str = field(default="current", metadata=ADDS_IN_FORM)

    repeatable = True
    placings = (
        Placing("region", "box", "All of a box swings in step; drag from corner to corner"),
    )

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> RegionSource:
        # What one wavelength of it makes.
        peak = 2 * math.pi * settings.frequency * settings.height
        return cls(name, placed.box, peak, placed.waveform)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        self.shape.check(item, self.what)
        apart = len(self.shape.parts()) * area_of(self.shape.single()).area
        require(
            not area_of(self.shape).area < (1 - _ROUNDING) * apart,
            (*item, "repeat"),
            f"the copies of {self.what} overlap, where its current would be twice as strong",
            "Take a larger pitch.",
        )

    def emissions(self) -> tuple[Emission, ...]:
        return (Area(self.shape, self.amplitude, self.waveform, self.adds),)

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark:
        outlines = rims(self.shape, size_of(scene, edges))
        return SourceMark(self.name, self.shape.bounds()[1], outlines)
