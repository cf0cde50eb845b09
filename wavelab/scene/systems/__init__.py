"""What waves can be: one file a system.

A new one of the same equations is a description like those here, and a line in ``SYSTEMS``.
"""

from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.elastic import ELASTIC
from wavelab.scene.systems.light import LIGHT
from wavelab.scene.systems.membrane import MEMBRANE
from wavelab.scene.systems.planes import PLANES
from wavelab.scene.systems.sound import SOUND
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.systems.te_light import LIGHT_TE
from wavelab.scene.systems.water import WATER

#: By what a scene file calls them, in the order in which they are offered.
SYSTEMS: dict[str, System] = {
    s.key: s for s in (LIGHT, LIGHT_TE, PLANES, SOUND, WATER, MEMBRANE, ELASTIC)
}


def system_of(scene: Scene) -> System:
    """What the waves of a scene are."""
    return SYSTEMS[scene.physics]


__all__ = ["SYSTEMS", "ShownField", "System", "system_of"]
