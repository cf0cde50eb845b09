"""How large the units of a scene are, which follows from its length unit and what its waves are."""

from __future__ import annotations

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import NO_LENGTH, Scale
from wavelab.scene.systems import system_of


def scale_of(scene: Scene) -> Scale | None:
    """None where the scene has no units."""
    if scene.units.length == NO_LENGTH:
        return None
    metres = Scale(scene.units.length, None).metres
    given, known = scene.units.speed, system_of(scene).speed
    speed = float(given) if given is not None else known and known(metres)
    return Scale(scene.units.length, None if speed is None else metres / speed)
