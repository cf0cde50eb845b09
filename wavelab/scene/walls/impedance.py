"""A surface with an impedance: a coat that absorbs, or a metal that conducts badly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Scene, Wall


@dataclass(frozen=True)
class ImpedanceWall(Wall):
    """Ez is the surface ``impedance``, relative to vacuum, times the tangential H."""

    impedance: float = field(
        metadata={
            "meaning": "Surface impedance relative to vacuum: 0 reflects as a conductor does, 1 "
            "hardly",
            "zero": True,
            "remedy": "Give the surface impedance relative to vacuum, for example impedance = 0.5.",
        }
    )

    label = "impedance"
    effect = "Ez is the surface impedance times the tangential H"
    noun = "an impedance wall"
    pen = Pen(dashes=(9.0, 2.5, 1.5, 2.5))

    @property
    def surface(self) -> float:
        return self.impedance

    @classmethod
    def of_surface(cls, edges: tuple[str, ...], surface: float) -> ImpedanceWall | None:
        return cls(edges, surface) if math.isfinite(surface) else None

    def reflection(self, impedance: Array) -> Array:
        return (self.impedance - impedance) / (self.impedance + impedance)

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        require(
            self.impedance >= 0,
            (*item, "impedance"),
            f"impedance of {what} is {self.impedance}",
            "It must not be negative; that of the medium takes all of a wave that comes straight "
            "at it.",
        )
