"""Rules for what the units of a scene are."""

from __future__ import annotations

from wavelab.scene.model.item_error import POSITIVE, require, require_one_of
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import LENGTHS, NO_LENGTH
from wavelab.scene.systems import system_of


def check_units(scene: Scene) -> None:
    """Check a unit of length, and a speed.

    Raises
    ------
    ItemError : says what would be right.
    """
    units, system = scene.units, system_of(scene)
    item = ("units", "speed")
    require_one_of(units.length, (NO_LENGTH, *LENGTHS), ("units", "length"), "the unit of length")
    if units.speed is None:
        return
    require(
        units.length != NO_LENGTH,
        item,
        "the units have a speed, but no length",
        'Give a length, such as length = "m", or leave the speed out.',
    )
    if not system.own_speed and system.speed is not None:
        known = system.speed(1.0)
        require(
            False,
            item,
            f"the speed 1 of {system.label} follows from its length unit",
            f"Leave the speed out; with metres it is {known:.9g} m/s.",
        )
    require(units.speed > 0, item, f"the speed of the units is {units.speed:g}", POSITIVE)
