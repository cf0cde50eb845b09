"""One reading of the equations that the solver advances: what its fields, media and walls are.

The solver knows a scalar Ez and a vector (Hx, Hy) (:mod:`wavelab.physics.operator.maxwell_tm`),

    epsilon dEz/dt = dHy/dx - dHx/dy - sigma Ez,     mu dHx/dt = -dEz/dy,     mu dHy/dt = dEz/dx.

With p = Ez and v = (-Hy, Hx) that is epsilon dp/dt = -div v - sigma p and, with the losses that v
may have, mu dv/dt = -grad p - magnetic_sigma v: light, sound, long waves on water and others, which
differ in what p and v are called and with what sign they are shown, in what media and walls are
made of, and in nothing else.  What a new one takes is said in docs/extending.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from wavelab.scene.model.scene import Wall

T = TypeVar("T")

_NAMES = re.compile(r"(?<![A-Za-z])(ez|hx|hy)(?![A-Za-z])")
#: Not in quotes, where there are names that somebody gave.
_SYMBOLS = re.compile(r'("[^"]*")|\|H\||(?<![A-Za-z])(?:Ez|Hx|Hy)(?![A-Za-z])')


@dataclass(frozen=True)
class ShownField:
    """A field as people of its physics know it.

    Attributes
    ----------
    key : its name in files.
    symbol : its letters in pictures and messages.
    label : what lists call it.
    of : the field of the solver that it is.
    sign : times which it is that.
    """

    key: str
    symbol: str
    label: str
    of: str
    sign: float = 1.0


@dataclass(frozen=True)
class System:
    """Attributes
    ----------
    key : what a scene file calls it: ``physics = "sound"``.
    label, meaning : what the window calls it, and a sentence on what it is for.
    scalar, x, y : the fields that are shown, the components of the vector along x and y.
    size : the size of the vector, which is ``of`` the solver's "h".
    equations : which the solver advances: "maxwell", those above, or "elastic".
    others : what else is shown, fields of the solver and others, beside those four.
    medium : the dataclass of its media (:class:`wavelab.scene.model.medium.Medium`).
    fields : the dataclass of its initial fields and exact solutions.
    walls : the kinds that there are, by their name in a scene file, in the order of lists.
    unnamed : the wall of an edge that nobody names.
    speed : the speed 1 in metres per second where a unit of length has so many metres; None where
        only a scene can say it.  A function with a name, which goes to other processes.
    own_speed : whether a scene can say another.
    feeds : whether what a source brings, a flow or a force, adds to the scalar; a current takes
        away from it, as Ampere's law has it.
    levels : whether people give its strength in decibels.
    integral : the integral of the scalar in time, where that is what people look at; initial fields
        may begin with it.
    """

    key: str
    label: str
    meaning: str
    scalar: ShownField
    x: ShownField
    y: ShownField
    size: ShownField
    medium: type[Any]
    fields: type[Any]
    walls: Mapping[str, type[Wall]]
    unnamed: type[Wall]
    integral: ShownField | None = None
    levels: bool = False
    feeds: bool = True
    speed: Callable[[float], float] | None = None
    own_speed: bool = False
    equations: str = "maxwell"
    others: tuple[ShownField, ...] = ()

    @property
    def shown(self) -> dict[str, ShownField]:
        """By the name under which the program asks for them: ez the scalar, hx and hy the
        components along x and y of the vector, h its size; no hy where it is the scalar."""
        main = {"ez": self.scalar, "hx": self.x, "hy": self.y, "h": self.size}
        if self.y == self.scalar:
            del main["hy"]
        return main | {shown.key: shown for shown in self.others}

    @property
    def names(self) -> dict[str, str]:
        """The names of fields in files, by those under which the program asks for them."""
        return {name: f.key for name, f in self.shown.items()}

    def asked(self, name: str) -> str:
        """The name under which the program asks for what a file calls ``name``."""
        return next((own for own, key in self.names.items() if key == name), name)

    def kind_of(self, wall: Wall) -> str:
        """The name of a kind of wall in a scene file."""
        return next(name for name, kind in self.walls.items() if type(wall) is kind)

    def beside(self, sides: str = "") -> str:
        """The walls between which modes run, of one kind of ``sides`` or of any: "conductors or
        magnetic walls"; of elastic waves, which have no guided modes, there are none."""
        found = {w.sides: w.plural for w in self.walls.values() if w.sides}
        if sides:  # of water there is one kind only
            return found.get(sides, "walls of that kind")
        if not found:
            return "walls that guide a mode"
        first, *others = found.values()
        return f"{first} or {others[0]}" if others else first

    def in_names(self, text: str) -> str:
        """The name of a column or of an array, such as "mean_ez_squared", with names of files."""
        return _NAMES.sub(lambda match: self.names[match[1]], text)

    @property
    def of_solver(self) -> dict[str, ShownField]:
        """What each of the solver's fields is."""
        derived = ("h", "pressure", "divergence", "curl")
        shown = (self.x, self.y, self.scalar, *self.others)
        return {f.of: f for f in shown if f.of not in derived}

    def named(self, values: Mapping[str, T]) -> dict[str, T]:
        """The same under names of files."""
        return {self.in_names(name): value for name, value in values.items()}

    def in_words(self, text: str) -> str:
        """A sentence about Ez, Hx and Hy as one about the fields that these are."""
        symbols = self._symbols
        if all(symbol == own for symbol, own in symbols.items()):
            return text
        return _SYMBOLS.sub(lambda match: match[1] or symbols[match[0]], text)

    def label_of(self, label: str) -> str:
        """What lists call what is a field of light in others; any other label as it is."""
        return self._labels.get(label, label)

    @cached_property
    def _symbols(self) -> dict[str, str]:
        symbols = "Ez", "Hx", "Hy", "|H|"
        own = self.scalar, self.x, self.y, self.size
        return {symbol: shown.symbol for symbol, shown in zip(symbols, own, strict=True)}

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {
            "Electric field Ez": self.scalar.label,
            "Magnetic field Hx": self.x.label,
            "Magnetic field Hy": self.y.label,
            "Magnetic field |H|": self.size.label,
        }
