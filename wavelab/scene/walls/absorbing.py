"""An edge where nothing comes in but what is sent in: the flux of a wave that goes straight out."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.pens import Pen
from wavelab.scene.model.scene import Wall


@dataclass(frozen=True)
class AbsorbingWall(Wall):
    """Has the impedance of the medium in front of it."""

    label = "absorbing"
    effect = "Takes waves that come straight at it, others in part"
    noun = "absorbing"
    pen = Pen(width=1.0, dashes=(1.0, 4.0), opacity=110, fades=True)
    returned = 0.0
    matched = True
