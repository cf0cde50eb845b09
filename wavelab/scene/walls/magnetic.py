"""The counterpart of a conductor, and the plane of a symmetry of Ez."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Wall


@dataclass(frozen=True)
class MagneticWall(Wall):
    """The tangential H is 0."""

    label = "magnetic wall"
    effect = "The tangential H is 0: waves come back as they are"
    noun = "a magnetic wall"
    pen = Pen(dashes=(5.0, 3.0))
    returned = 1.0
    sides = "magnetic"
    plural = "magnetic walls"
