"""An explosion: what it does is the same in all directions of the plane."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.sending.placing import Placing
from wavelab.scene.model.shapes import Point
from wavelab.scene.sources.mechanical.source import MechanicalSource


@dataclass(frozen=True)
class Explosion(MechanicalSource):
    """The pressure grows by amplitude exp(-d^2 / (2 radius^2)) f(t) per time: f is the rate of the
    moment.  Only P waves leave it."""

    placings = (
        Placing("explosion", "click", "Presses in all directions: P waves; click to place it"),
    )

    def moment(self) -> tuple[float, float, float]:
        return 1.0, 1.0, 0.0

    @property
    def glyph(self) -> Point:
        return self.position
