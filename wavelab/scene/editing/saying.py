"""One number of a medium said in either of two ways: epsilon, or the refractive index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, fields, replace
from typing import Any

from wavelab.scene.editing.property_words import Key, Property
from wavelab.scene.editing.typed_values import shown
from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.given_function import GivenFunction
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.medium import Medium, Number, product
from wavelab.scene.model.scene import SPACE_AND_TIME
from wavelab.scene.toml.toml_values import as_number_or_formula

#: The property that chooses the way.
SAID_AS = "said_as"
MEANING = "Which of two numbers says it; the medium stays what it is"


def is_of_medium(value: object) -> bool:
    """Whether something has numbers that can be said in two ways."""
    return bool(getattr(value, "instead", None))


def in_order(value: Any) -> list[Field]:
    """The fields of a dataclass; a number that stands for another one follows it."""
    found = list(fields(value))
    if is_of_medium(value):
        names = [f.name for f in found if f.name not in value.instead]
        for new, of in value.instead.items():
            names.insert(names.index(of.name) + 1, new)
        found.sort(key=lambda f: names.index(f.name))
    return found


def choice(medium: Any, name: str, prefix: Key) -> list[Property]:
    """The property that says how a number of a medium is said; none if there is one way only."""
    if not is_of_medium(medium):
        return []
    return [
        Property(
            (*prefix, new, SAID_AS), "Said as", new if has(medium, new) else name, (name, new),
            meaning=MEANING,
        )
        for new, of in medium.instead.items()
        if of.name == name
    ]  # fmt: skip


def has(medium: Medium, new: str) -> bool:
    """Whether a number is said as the one that stands for another."""
    return getattr(medium, new) is not None


def unused(medium: Any, name: str) -> bool:
    """Whether something else says a number, of a medium."""
    if not is_of_medium(medium):
        return False
    if name in medium.instead:
        return not has(medium, name)
    return any(of.name == name and has(medium, new) for new, of in medium.instead.items())


def with_number(medium: Medium, name: str, value: Any) -> Medium:
    """The medium with a number, and without what would say the same one otherwise."""
    usual = {f.name: f.default for f in fields(medium)}  # type: ignore[arg-type]
    for new, of in medium.instead.items():
        if name in (new, of.name):
            other = of.name if name == new else new
            return replace(medium, **{name: value, other: usual[other]})  # type: ignore[type-var]
    return replace(medium, **{name: value})  # type: ignore[type-var]


def chosen(medium: Medium, new: str, way: str, place: Key, known: Mapping[str, float]) -> Medium:
    """The medium with one of its numbers said as was chosen.

    Raises
    ------
    ItemError : that is neither way.
    """
    require_one_of(way, (medium.instead[new].name, new), place, "what it is said as")
    return said_as(medium, new, way, known)


def typed(medium: Medium, name: str, value: Any, known: Mapping[str, float]) -> Medium:
    """The medium with what was typed for a field of it; nothing, for a number that stands for
    another, says that one."""
    if value is None and name in medium.instead:
        return said_as(medium, name, medium.instead[name].name, known)
    return with_number(medium, name, value)


def said_as(medium: Medium, new: str, way: str, parameters: Mapping[str, float]) -> Medium:
    """The same medium with one of its numbers said in one way, ``new`` or what that stands for."""
    of = medium.instead[new]
    if (way == new) == has(medium, new):
        return medium
    factors = [(getattr(medium, of.by), of.power)] if of.by else []
    if way == new:
        made = _product([(getattr(medium, of.name), 1), *((v, -p) for v, p in factors)], 0.5)
    else:
        made = _product([(getattr(medium, new), 2), *factors], 1)
    return with_number(medium, way, _read(made, parameters))


def _product(factors: list[tuple[Number, int]], power: float) -> Number | str:
    """A number, or the text of one or of a formula, as short as can be."""
    values = [value for value, _ in factors]
    if any(isinstance(value, GivenFunction) for value in values):
        return product(*((value, p * power) for value, p in factors))
    if not any(isinstance(value, Formula | Expression) for value in values):
        return float(product(*((value, p * power) for value, p in factors)))  # type: ignore[arg-type]
    told = [(shown(v), p) for v, p in factors if v != 1 or isinstance(v, Expression)]
    if power == 1 or not told:
        return _text(told) or "1"
    if len(told) == 1 and (square := re.fullmatch(r"([A-Za-z_]\w*)\^2", told[0][0])):
        return square[1]
    return f"sqrt({told[0][0] if len(told) == 1 else _text(told)})"


def _text(factors: list[tuple[str, int]]) -> str:
    """A product of powers, those below 0 behind a slash."""
    text = ""
    for base, power in sorted(factors, key=lambda factor: -factor[1]):
        base = base if re.fullmatch(r"[A-Za-z_]\w*|[0-9.]+", base) else f"({base})"
        sign = "/" if power < 0 else "*" if text else ""
        text += f"{sign}{base}" if abs(power) == 1 else f"{sign}{base}^{abs(power)}"
    return text


def _read(made: Number | str, parameters: Mapping[str, float]) -> Number:
    if not isinstance(made, str):
        return made
    return as_number_or_formula(made, (), SPACE_AND_TIME, parameters)
