"""A force, as of a hammer or a vibrating plate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.scene.model.sending.placing import Placing
from wavelab.scene.sources.array import DIRECTION
from wavelab.scene.sources.mechanical.turned import TurnedSource


@dataclass(frozen=True)
class Force(TurnedSource):
    """A force per area of amplitude exp(-d^2 / (2 radius^2)) f(t) in ``direction``."""

    placings = (
        Placing("force", "click", "Pushes in a direction; click to place it", (DIRECTION,)),
    )

    def force(self) -> tuple[float, float]:
        turn = math.radians(self.direction)
        return math.cos(turn), math.sin(turn)
