"""What fills a region: said in the words of its physics, and taken by the solver in its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple, Protocol

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.given_function import GivenFunction, product_of
from wavelab.scene.model.item_error import POSITIVE, ItemPath
from wavelab.scene.model.pole import Pole

Number = float | Formula
#: Whether a number can be, and the remedy where it cannot.
Rule = tuple[Callable[[float], bool], str]

#: Of epsilon and mu, and one over their least; so also single precision has room for products.
LARGEST_MEDIUM = 1e15
_RANGE = f"{1 / LARGEST_MEDIUM:g} to {LARGEST_MEDIUM:g} is possible."


def _possible(value: float) -> bool:
    return 1 / LARGEST_MEDIUM <= value <= LARGEST_MEDIUM


#: What each number of the solver must keep, and the remedy where it does not.
MEDIUM_RULES: dict[str, Rule] = {
    "epsilon": (
        _possible,
        f"{POSITIVE} Vacuum has 1, and {_RANGE} A metal has poles that make it negative at some "
        'frequencies: kind = "drude".',
    ),
    "mu": (_possible, f"{POSITIVE} Vacuum has 1, and {_RANGE}"),
    "sigma": (lambda value: value >= 0, "It must not be negative; an insulator has 0."),
    "magnetic_sigma": (lambda value: value >= 0, "It must not be negative; an insulator has 0."),
}
#: Of a Kerr coefficient; D must say what E is.
KERR: Rule = (
    lambda value: value == 0 or _possible(value),
    f"It is 0 in a linear medium, and else {_RANGE}",
)
#: Of what a medium of another physics says of itself.
POSSIBLE: Rule = (_possible, f"{POSITIVE} {_RANGE}")
LOSSY: Rule = (lambda value: value >= 0, "It must not be negative; without losses it is 0.")


class Axes(NamedTuple):
    """A symmetric tensor in the plane: its principal values, and the direction of the first axis in
    degrees counterclockwise from x."""

    values: tuple[float, float]
    angle: float


class Instead(NamedTuple):
    """What a number stands for: ``name`` is its square times the number ``by`` to the ``power``."""

    name: str
    by: str = ""
    power: int = 0

    def law(self, name: str) -> str:
        """What it is, if ``name`` is what stands for it: "epsilon = index^2 / mu"."""
        by = f" * {self.by}" if self.power > 0 else f" / {self.by}" if self.power else ""
        return f"{self.name} = {name}^2{by}"


class Medium(Protocol):
    """A medium of any system.

    Attributes
    ----------
    rules : by name of a field that is a number or a formula, what it must keep.
    called : what messages call the coefficients of the solver, where that is not their own name.
    unmatched : by coefficient that loses, what part of a wave of the frequency f comes back from a
        wall that is matched to the medium without that: in words, where it is shorter than the
        loss over 8 pi f times what stores.
    instead : by name of a number that can be given in the place of another one, that one: the
        refractive index for epsilon.  It is None where it is not given.
    tensor : of which field there are ``axes``, "mu" for example; "" if of none.
    """

    rules: ClassVar[Mapping[str, Rule]]
    called: ClassVar[Mapping[str, str]]
    unmatched: ClassVar[Mapping[str, str]]
    instead: ClassVar[Mapping[str, Instead]]
    tensor: ClassVar[str]

    def coefficient(self, name: str) -> Number:
        """Of the solver: "epsilon" and "mu" multiply the rates of the scalar and of the vector,
        "sigma" takes the scalar away, and "magnetic_sigma" the vector."""

    @classmethod
    def of_index(cls, index: float) -> Medium:
        """One in which waves are 1 / ``index`` times as fast as in the usual one."""

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Medium:
        """The one with these coefficients, or as near to it as can be: as fast."""

    def check(self, item: ItemPath, what: str) -> None:
        """Raise an ItemError about numbers that do not go together."""

    @property
    def scalar_poles(self) -> tuple[Pole, ...]:
        """What makes epsilon depend on frequency."""

    @property
    def vector_poles(self) -> tuple[Pole, ...]:
        """What makes mu depend on frequency."""

    @property
    def axes(self) -> Axes | None:
        """Those of mu, in place of its coefficient; None where it is the same in all directions."""


class Plain:
    """The part of a medium that says it has neither poles nor axes."""

    unmatched: ClassVar[Mapping[str, str]] = {}
    instead: ClassVar[Mapping[str, Instead]] = {}
    tensor: ClassVar[str] = ""

    def check(self, item: ItemPath, what: str) -> None:
        pass

    @property
    def scalar_poles(self) -> tuple[Pole, ...]:
        return ()

    @property
    def vector_poles(self) -> tuple[Pole, ...]:
        return ()

    @property
    def axes(self) -> Axes | None:
        return None


def kerr_coefficient(medium: Medium) -> float:
    """The third order of what the scalar's flux density is of the scalar; 0 of media of systems
    that have none."""
    return float(getattr(medium, "chi", 0.0))


def remembers(medium: Medium) -> bool:
    """Whether it depends on the frequency."""
    return bool(medium.scalar_poles or medium.vector_poles)


def given(medium: Medium, name: str) -> Number:
    """A number of a medium, whatever way it is said in."""
    for new, of in medium.instead.items():
        if of.name == name and (value := getattr(medium, new)) is not None:
            return product((value, 2), (getattr(medium, of.by), of.power) if of.by else (1.0, 1))
    value = getattr(medium, name)
    return value


@lru_cache(maxsize=1000)
def product(*factors: tuple[Number, float]) -> Number:
    """The product of numbers or formulas, each to its power."""
    if any(isinstance(value, GivenFunction) for value, _ in factors):
        return product_of(*factors)
    if not any(isinstance(value, Formula) for value, _ in factors):
        found = 1.0
        for value, power in factors:
            found *= float(value) ** power  # type: ignore[arg-type]
        return found
    variables: tuple[str, ...] = ()
    parameters: dict[str, float] = {}
    texts = []
    for value, power in factors:
        if isinstance(value, Formula):
            variables = value.variables
            parameters |= dict(value.parameters)
            texts.append(f"({value.text})^({power})")
        else:
            texts.append(repr(float(value) ** power))
    return Formula.parse("*".join(texts), variables, parameters)
