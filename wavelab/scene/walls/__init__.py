"""Walls, one file a kind: its numbers, what it reflects, its rules, its words and its pen.

A new kind is a class like those here, and a line in ``WALLS``.
"""

from wavelab.scene.model.scene import Wall
from wavelab.scene.walls.absorbing import AbsorbingWall
from wavelab.scene.walls.conductor import Conductor
from wavelab.scene.walls.impedance import ImpedanceWall
from wavelab.scene.walls.magnetic import MagneticWall
from wavelab.scene.walls.open import OpenWall
from wavelab.scene.walls.periodic import PeriodicWall

#: The ``kind`` written in a scene file, in the order in which they are offered.
WALLS: dict[str, type[Wall]] = {
    "conductor": Conductor,
    "magnetic": MagneticWall,
    "absorbing": AbsorbingWall,
    "open": OpenWall,
    "impedance": ImpedanceWall,
    "periodic": PeriodicWall,
}
