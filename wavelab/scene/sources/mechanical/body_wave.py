"""A plane P or S wave through walls, as of an earthquake far away."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import BodyWaveIn, Emission
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.sending.source_marks import PLACE, Drag, EdgeLines, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.currents import check_wave
from wavelab.scene.sources.entering import arrow_in, beside_edges, check_edges, entrance_of
from wavelab.scene.sources.geometry import direction_to, turned
from wavelab.scene.sources.plane_wave import TILT, wave_fronts

WAVES = ("p", "s")


@dataclass(frozen=True)
class BodyWave(Source):
    """v = amplitude f(t - s / c) along its way ("p"), or across it, to its left ("s").

    s is the way in ``direction`` from where the wave is first felt, c the speed of such waves.
    ``direction`` is in degrees counterclockwise from the x axis.  The wave comes in through the
    absorbing ``edges``.
    """

    direction: float
    amplitude: float
    waveform: Waveform
    edges: tuple[str, ...]
    wave: str = field(
        default="p",
        metadata=about("P, which shakes along its way, or S, which shakes across", choices=WAVES),
    )

    placings = (
        Placing(
            "P wave through walls",
            "edges",
            "A plane P wave that comes in through edges, which absorb what leaves; click one, or "
            "drag over several",
            (TILT,),
        ),
        Placing(
            "S wave through walls",
            "edges",
            "A plane S wave that comes in through edges, which absorb what leaves; click one, or "
            "drag over several",
            (TILT,),
        ),
    )
    collects = True
    equations: ClassVar[str] = "elastic"

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> BodyWave:
        direction = turned(placed.inward, settings[TILT])
        wave = WAVES[[placing.label for placing in cls.placings].index(settings.kind)]
        return cls(name, direction, settings.height, placed.waveform, placed.edges, wave)

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_wave(self, item)
        require(
            self.wave in WAVES,
            (*item, "wave"),
            f'{self.what} has the wave "{self.wave}"',
            'There are wave = "p" and wave = "s".',
        )
        require(
            bool(self.edges),
            (*item, "edges"),
            f"{self.what} has no way in",
            'Give edges = ["domain.bottom"], absorbing walls that it comes through.',
        )
        check_edges(self, scene, (*item, "edges"))

    def emissions(self) -> tuple[Emission, ...]:
        fields = (self.direction, self.amplitude, self.waveform, self.edges)
        return (BodyWaveIn(*fields, shear=self.wave == "s"),)

    @property
    def entrances(self) -> tuple[str, ...]:
        return self.edges

    def through(self, edges: tuple[str, ...], turn: float | None = None) -> BodyWave:
        direction = self.direction if turn is None else turned(self.direction, turn)
        return replace(self, direction=direction, edges=edges)

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        arrow = self.arrow(scene, edges)
        if arrow is None:
            return None
        lines = beside_edges(self, scene, edges)
        fronts = wave_fronts(arrow)
        return SourceMark(self.name, arrow[1], lines, arrow=arrow, outline=True, waves=fronts)

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        return arrow_in(self, self.direction, scene, edges)

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        arrow, entrance = self.arrow(scene, edges), entrance_of(self, scene, edges)
        place = None if entrance is None else entrance.at
        return {PLACE: place, "direction": None if arrow is None else arrow[1]}

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> BodyWave:
        entrance = entrance_of(self, scene, edges)
        if entrance is None:
            return self
        return replace(self, direction=direction_to(entrance.at, drag.to, drag.even))

    def reading(self, handle: str) -> str:
        return f"{self.direction:g}\u00b0" if handle == "direction" else ""
