"""A plane P or S wave through walls, as of an earthquake far away."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.emissions import BodyWaveIn, Emission
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.sources.currents import check_wave
from wavelab.scene.sources.entering import check_edges
from wavelab.scene.sources.geometry import turned
from wavelab.scene.sources.plane_front import TILT, PlaneFront

WAVES = ("p", "s")


@dataclass(frozen=True)
class BodyWave(PlaneFront):
    """v = amplitude f(t - s / c) along its way ("p"), or across it, to its left ("s").

    s is the way in ``direction`` from where the wave is first felt, c the speed of such waves.
    ``direction`` is in degrees counterclockwise from the x axis.  The wave comes in through the
    absorbing ``edges``.
    """

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
