"""Media by name, with the source of their numbers: ``assets/media.toml``.

A scene knows ratios only, and no metres.  What a medium of the library is in a scene follows from
what 1 stands for there: of light the length, on which the frequencies of poles depend, and of sound
and shear waves a medium whose density and speed are 1.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wavelab.errors import SceneError
from wavelab.paths import ASSETS
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.pole import Pole
from wavelab.scene.poles import Drude, Lorentz
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.systems.membrane import Skin
from wavelab.scene.systems.sound import Fluid

#: Micrometres of a photon of one electron volt: h c / e (CODATA 2018).
_MICROMETRES = 1.239841984
#: Systems whose media are those of another.
_LIKE = {"te": "light"}


@dataclass(frozen=True)
class Entry:
    """A medium of the library.

    Attributes
    ----------
    name, source : what it is called, and where its numbers are from.
    values : as in the file.
    """

    name: str
    source: str
    values: Mapping[str, Any]

    @property
    def needs_length(self) -> bool:
        """Whether it depends on frequency, and so on how long a unit of length is."""
        return "sellmeier" in self.values or "plasma" in self.values

    @property
    def range(self) -> tuple[float, float] | None:
        """Wavelengths in micrometres for which its numbers were found; None where it has none."""
        low_high = self.values.get("range")
        return None if low_high is None else (float(low_high[0]), float(low_high[1]))


@cache
def entries(physics: str) -> dict[str, Entry]:
    """Those for waves of a system, by their names; none where there are no such tables."""
    tables = tomllib.loads((ASSETS / "media.toml").read_text(encoding="utf-8"))
    rows = tables.get(_LIKE.get(physics, physics), [])
    return {row["name"]: Entry(row["name"], row["source"], row) for row in rows}


def named_entry(physics: str, name: str) -> Entry:
    """The one of that name, whatever its capitals.

    Raises
    ------
    SceneError : there is none; says what there is.
    """
    known = entries(physics)
    found = next((e for key, e in known.items() if key.casefold() == name.casefold()), None)
    if found is None:
        raise SceneError(
            f'the library has no medium "{name}" for physics = "{physics}"',
            remedy=suggestion(name.capitalize(), known, "It has")
            if known
            else "It has none for these waves.",
        )
    return found


def light_medium(physics: str, entry: Entry, micrometres: float) -> Medium:
    """A medium of light where a unit of length is that many micrometres."""
    kind = SYSTEMS[physics].medium
    if "index" in entry.values:
        plain: Medium = kind.of_index(float(entry.values["index"]))
        return plain
    found: Medium = kind(poles=_poles(entry.values, micrometres))
    return found


def _poles(values: Mapping[str, Any], micrometres: float) -> tuple[Pole, ...]:
    if "sellmeier" in values:
        return tuple(Lorentz(_rounded(micrometres / l0), b) for b, l0 in values["sellmeier"])
    scale = micrometres / _MICROMETRES  # cycles per unit of time, of an electron volt
    poles: list[Pole] = []
    for strength, damping, resonance in values["oscillators"]:
        rate = 2 * math.pi * damping * scale
        if resonance == 0:
            plasma = math.sqrt(strength) * values["plasma"] * scale
            poles.append(Drude(_rounded(plasma), _rounded(rate)))
        else:
            rest = strength * (values["plasma"] / resonance) ** 2
            poles.append(Lorentz(_rounded(resonance * scale), _rounded(rest), _rounded(rate)))
    return tuple(poles)


def relative_medium(physics: str, entry: Entry, reference: Entry) -> Medium:
    """A medium of sound or of shear waves where the density and the speed of ``reference`` are
    1."""
    density = entry.values["density"] / reference.values["density"]
    speed = entry.values["speed"] / reference.values["speed"]
    if physics == "sound":
        return Fluid(_rounded(density), _rounded(speed))
    return Skin(_rounded(density), _rounded(density * speed**2))


def _rounded(value: float) -> float:
    """Hardly more digits than the tables have."""
    return float(f"{value:.6g}")
