"""A double couple: an earthquake on a fault."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.scene.model.sending.placing import Placing
from wavelab.scene.sources.array import DIRECTION
from wavelab.scene.sources.mechanical.turned import TurnedSource


@dataclass(frozen=True)
class DoubleCouple(TurnedSource):
    """Slip along a fault in ``direction``, with which its left side goes: the rate of the moment
    per area is amplitude exp(-d^2 / (2 radius^2)) f(t) (d n + n d), d along the fault and n to its
    left (Aki & Richards, *Quantitative Seismology*, 2002, 3.3)."""

    placings = (
        Placing(
            "double couple",
            "click",
            "Slip along a fault, an earthquake: P and S waves; click to place it",
            (DIRECTION,),
        ),
    )

    def moment(self) -> tuple[float, float, float]:
        twice = 2 * math.radians(self.direction)
        return -math.sin(twice), math.sin(twice), math.cos(twice)
