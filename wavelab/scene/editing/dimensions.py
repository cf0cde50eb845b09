"""Which numbers of a scene are lengths, times and frequencies, and such a number typed with a
unit."""

from __future__ import annotations

import re
from decimal import Decimal

from wavelab.scene.model.item_error import ItemError, ItemPath
from wavelab.scene.model.units import FREQUENCY, LENGTH, LENGTHS, SHOWN, TIME, Scale

#: By the name of the field; of a name that means several things, "CLASS.NAME" comes first.
_NAMES = {
    LENGTH: (
        "position", "to", "center", "radii", "lower", "upper", "vertices", "side", "focal_length",
        "aperture", "thickness", "length", "Screen.width", "separation", "radius", "element_size",
        "focus", "part", "depth", "LineSource.start", "LineSource.end", "ArraySource.start",
        "ArraySource.end", "Port.start", "Port.end", "pitch",
    ),
    TIME: ("begin", "end", "delay", "duration", "relaxation", "until", "time", "width"),
    FREQUENCY: ("frequency", "frequencies", "q_frequency", "start", "stop"),
}  # fmt: skip
_DIMENSIONS = {name: dimension for dimension, names in _NAMES.items() for name in names}
_KINDS = {"": "a plain number", LENGTH: "a length", TIME: "a time", FREQUENCY: "a frequency"}
#: Ways to type a unit, as powers of ten, and of what it is one.
_TYPED = {
    name.replace("\u00b5", micro): (dimension, exponent)
    for dimension in (LENGTH, TIME, FREQUENCY)
    for name, exponent in SHOWN[dimension].items()
    for micro in ("\u00b5", "\u03bc", "u")
} | {"cm": (LENGTH, LENGTHS["cm"])}
_WITH_UNIT = re.compile(
    rf"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)\s*({'|'.join(_TYPED)})(?!\w)"
)


def dimension_of(owner: type, name: str) -> str:
    """What the numbers in a field of a dataclass are: a length, a time or a frequency; "" for all
    others."""
    return _DIMENSIONS.get(f"{owner.__name__}.{name}") or _DIMENSIONS.get(name, "")


def in_scene_units(text: str, dimension: str, scale: Scale | None, where: ItemPath = ()) -> str:
    """What was typed with "1.55 um" and the like replaced by numbers of the scene.

    Parameters
    ----------
    dimension : what the numbers are, "" if nothing that has a unit here.

    Raises
    ------
    ItemError : a unit is one of something else, or the scene has none.
    """

    def number(match: re.Match[str]) -> str:
        digits, unit = match.groups()
        of, exponent = _TYPED[unit]
        if of != dimension:
            kind = _KINDS[dimension]
            raise ItemError(
                f"{unit} is no unit for this: it is {kind}",
                remedy="Leave the unit out to give a number as the scene counts.",
                item=where,
            )
        if scale is None or (of != LENGTH and scale.seconds is None):
            raise ItemError(
                f"the scene does not say what {unit} is in it",
                remedy='Choose its units first: "Units" in the form, or [units] in its file.',
                item=where,
            )
        if of == LENGTH:  # all powers of ten: nothing is rounded
            return repr(float(Decimal(digits).scaleb(exponent - LENGTHS[scale.length])))
        assert scale.seconds is not None
        unit_size = scale.seconds if of == TIME else 1 / scale.seconds
        return repr(float(Decimal(digits).scaleb(exponent)) / unit_size)

    return _WITH_UNIT.sub(number, text)
