"""Metal, and what every edge is that nobody names."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Wall


@dataclass(frozen=True)
class Conductor(Wall):
    """Perfect: Ez = 0."""

    label = "conductor"
    effect = "Ez is 0: waves come back with the other sign"
    noun = "a conductor"
    pen = Pen()
    returned = -1.0
    sides = "conductor"
    plural = "conductors"
