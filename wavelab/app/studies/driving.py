"""What makes a mode ring that a study has found."""

from __future__ import annotations

from wavelab.scene.model.sending.placing import SourceSettings
from wavelab.scene.sources.array import DIRECTION


def driving(frequency: float, direction: float | None) -> SourceSettings:
    """A point of its frequency; of elastic waves a force along the motion.

    Parameters
    ----------
    direction : of the motion, in degrees; None of scalar waves.
    """
    frequency = float(f"{frequency:.8g}")
    if direction is None:
        return SourceSettings(frequency)
    return SourceSettings(frequency, kind="force", own={DIRECTION.key: round(direction, 1)})
