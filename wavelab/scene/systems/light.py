"""Light whose electric field stands on the plane: transverse magnetic (TM)."""

from wavelab.scene.model.scene import FieldFormulas, Material
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import WALLS, Conductor


def speed_of_light(metres: float) -> float:
    """In metres per second, whatever the unit of length is."""
    return 299_792_458.0


LIGHT = System(
    key="light",
    label="Light, TM",
    meaning="Electric field across the plane, magnetic field in it: antennas, waveguides, optics",
    scalar=ShownField("ez", "Ez", "Electric field Ez", "ez"),
    x=ShownField("hx", "Hx", "Magnetic field Hx", "hx"),
    y=ShownField("hy", "Hy", "Magnetic field Hy", "hy"),
    size=ShownField("h", "|H|", "Magnetic field |H|", "h"),
    medium=Material,
    fields=FieldFormulas,
    walls=WALLS,
    unnamed=Conductor,
    feeds=False,
    speed=speed_of_light,
)
