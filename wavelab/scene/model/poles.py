"""Poles of a dispersive medium: how its permittivity depends on frequency.

With exp(i w t) and w = 2 pi times a frequency,

    epsilon(w) = epsilon + sum of the poles,

where ``epsilon`` of the material is what is left at the highest frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from wavelab.scene.model.item_error import ItemPath, require


@dataclass(frozen=True)
class Drude:
    """Free charges: -wp^2 / (w^2 - i damping w), wp = 2 pi ``frequency``.

    ``frequency`` is the plasma frequency of the charges in vacuum, in cycles per time; ``damping``
    the rate of their collisions, 1 / time.
    """

    frequency: float
    damping: float = 0.0


@dataclass(frozen=True)
class Lorentz:
    """Bound charges: strength w0^2 / (w0^2 - w^2 + i damping w), w0 = 2 pi ``frequency``.

    ``frequency`` is that of the resonance, in cycles per time; ``strength`` what it adds to the
    permittivity at rest; ``damping`` a rate, 1 / time.
    """

    frequency: float
    strength: float
    damping: float = 0.0


@dataclass(frozen=True)
class Debye:
    """Dipoles that turn: strength / (1 + i w ``relaxation``).

    ``strength`` is what it adds to the permittivity at rest; ``relaxation`` the time it takes.
    """

    strength: float
    relaxation: float


Pole = Drude | Lorentz | Debye

#: The ``kind`` written in a scene file.
POLES: dict[str, type[Pole]] = {"drude": Drude, "lorentz": Lorentz, "debye": Debye}


def check_poles(poles: tuple[Pole, ...], item: ItemPath, what: str) -> None:
    """Check the numbers of all poles of a material.

    Raises
    ------
    ItemError : names the pole and what would be right.
    """
    for i, pole in enumerate(poles):
        for f in fields(pole):
            value = getattr(pole, f.name)
            allowed = value >= 0 if f.name == "damping" else value > 0
            require(
                allowed,
                (*item, i, f.name),
                f"{f.name} of pole {i + 1} of {what} is {value:g}",
                "It must not be negative; 0 is without losses."
                if f.name == "damping"
                else "It must be greater than 0.",
            )
