"""Values of a scene file, each taken to the type of the field that it is for."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import Field
from pathlib import Path
from typing import Any, TypeVar

from wavelab.errors import FormulaError
from wavelab.reading import named_path
from wavelab.scene.formulas.expression import Expression, WholeExpression
from wavelab.scene.formulas.formula import NO_PARAMETERS, Formula
from wavelab.scene.formulas.formula_functions import CONSTANTS
from wavelab.scene.model.item_error import ItemError, ItemPath, label
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.shapes.repeat import Counts, Pitches

T = TypeVar("T")
E = TypeVar("E", Expression, WholeExpression)

_TYPE_NAMES = {
    bool: "a boolean",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "an array",
    dict: "a table",
}
#: What formulas of place and time have.
_VARIABLES = {"x", "y", "t"}
_field_types: dict[type, dict[str, Any]] = {}


def field_types(kind: type) -> dict[str, Any]:
    """Of a dataclass, by the names of its fields; every item of every scene asks for them, and they
    are texts that take long to evaluate."""
    if kind not in _field_types:
        _field_types[kind] = typing.get_type_hints(kind)
    return _field_types[kind]


def as_number(value: Any, item: ItemPath, parameters: Mapping[str, float] = NO_PARAMETERS) -> float:
    if isinstance(value, str):
        return _expression(value, item, parameters, Expression, "a number")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(value, item, "a number")
    try:
        return float(value)
    except OverflowError:
        raise ItemError(f"{label(item)} is too large", item=item) from None


def as_integer(value: Any, item: ItemPath, parameters: Mapping[str, float] = NO_PARAMETERS) -> int:
    if isinstance(value, str):
        return _expression(value, item, parameters, WholeExpression, "a whole number")
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(value, item, "a whole number")
    return value


def _expression(
    text: str, item: ItemPath, parameters: Mapping[str, float], kind: type[E], expected: str
) -> E:
    if _is_number(text):
        raise ItemError(
            f"{label(item)} is a text",
            remedy=f"It must be {expected}: leave the quotes out.",
            item=item,
        )
    try:
        return kind.of(text, parameters)
    except FormulaError as error:
        remedy = error.remedy or f"It must be {expected}, or a formula of numbers and parameters."
        if _VARIABLES & set(re.findall(r"\w+", text)):
            remedy = (
                f"It is {expected}, the same everywhere and at all times; a formula of it has "
                f"{', '.join([*parameters, *CONSTANTS])}."
            )
        raise ItemError(
            f"{label(item)} is no number: {error.message}", remedy=remedy, item=item
        ) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_boolean(value: Any, item: ItemPath) -> bool:
    if not isinstance(value, bool):
        raise wrong_type(value, item, "true or false")
    return value


def as_text(value: Any, item: ItemPath) -> str:
    if not isinstance(value, str):
        raise wrong_type(value, item, "a text in quotes")
    return value


def as_path(value: Any, item: ItemPath) -> Path:
    return named_path(as_text(value, item))


def as_point(value: Any, item: ItemPath, parameters: Mapping[str, float] = NO_PARAMETERS) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise wrong_type(value, item, "two numbers, such as [0.5, 1.0]")
    x, y = (as_number(entry, (*item, i), parameters) for i, entry in enumerate(value))
    return (x, y)


def as_counts(
    value: Any, item: ItemPath, parameters: Mapping[str, float] = NO_PARAMETERS
) -> Counts:
    if not isinstance(value, list) or len(value) != 2:
        raise wrong_type(value, item, "two whole numbers, such as [5, 4]")
    n, m = (as_integer(entry, (*item, i), parameters) for i, entry in enumerate(value))
    return (n, m)


def as_pitches(
    value: Any, item: ItemPath, parameters: Mapping[str, float] = NO_PARAMETERS
) -> Pitches:
    """Two vectors; of two numbers the first is along x and the second along y."""
    if not isinstance(value, list) or len(value) != 2:
        expected = "two vectors, such as [[0.5, 0], [0.25, 0.433]], or two numbers"
        raise wrong_type(value, item, expected)
    if not any(isinstance(entry, list) for entry in value):
        x, y = as_point(value, item, parameters)
        return (x, 0.0), (0.0, y)
    a, b = (as_point(entry, (*item, i), parameters) for i, entry in enumerate(value))
    return a, b


def _array_of(convert: Callable[..., T], expected: str) -> Callable[..., tuple[T, ...]]:
    def as_array(value: Any, item: ItemPath, *parameters: Mapping[str, float]) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise wrong_type(value, item, f"an array of {expected}")
        return tuple(convert(entry, (*item, i), *parameters) for i, entry in enumerate(value))

    return as_array


def as_formula(
    value: Any, item: ItemPath, variables: tuple[str, ...], parameters: Mapping[str, float]
) -> Formula:
    if isinstance(value, Formula):  # of a program
        return value
    if not isinstance(value, str):
        value = as_number(value, item)
    try:
        return Formula.parse(value, variables, parameters)
    except FormulaError as error:
        raise ItemError(error.message, remedy=error.remedy, item=item) from None


def as_number_or_formula(
    value: Any, item: ItemPath, variables: tuple[str, ...], parameters: Mapping[str, float]
) -> float | Formula:
    """A formula that uses parameters and no variable is a number."""
    if not isinstance(value, str | Formula):
        return as_number(value, item)
    formula = as_formula(value, item, variables, parameters)
    if not formula.parameters or any(map(formula.uses, variables)):
        return formula
    return as_number(value, item, parameters)


#: Of numbers, which may use parameters.
_NUMBERS: dict[Any, Callable[[Any, ItemPath, Mapping[str, float]], Any]] = {
    float: as_number,
    int: as_integer,
    Point: as_point,
    tuple[Point, ...]: _array_of(as_point, "points, such as [[0, 0], [1, 0], [0, 1]]"),
    tuple[float, ...]: _array_of(as_number, "numbers, such as [1.0, 2.5]"),
    Counts: as_counts,
    Pitches: as_pitches,
    tuple[int, ...]: _array_of(as_integer, "whole numbers, such as [3, 4]"),
    tuple[Counts, ...]: _array_of(as_counts, "pairs of whole numbers, such as [[3, 1], [3, 2]]"),
}
_WORDS: dict[Any, Callable[[Any, ItemPath], Any]] = {
    bool: as_boolean,
    str: as_text,
    Path: as_path,
    tuple[str, ...]: _array_of(as_text, 'texts, such as ["domain.left"]'),
}


def converter(
    hint: Any,
    of_field: Field,
    variables: tuple[str, ...],
    parameters: Mapping[str, float],
) -> Callable[[Any, ItemPath], Any]:
    """Takes a value of a field, as a TOML file has it, to the type of the field.

    Parameters
    ----------
    variables : of a formula, unless the field says so itself.
    parameters : what numbers and formulas may use besides.
    """
    names = of_field.metadata.get("variables", variables)
    if hint in (float | Formula, float | Formula | None):
        return lambda value, item: as_number_or_formula(value, item, names, parameters)
    if isinstance(hint, types.UnionType):  # X | None
        hint = next(t for t in typing.get_args(hint) if t is not type(None))
    if hint is Formula:
        return lambda value, item: as_formula(value, item, names, parameters)
    if hint in _NUMBERS:
        return lambda value, item: _NUMBERS[hint](value, item, parameters)
    return _WORDS[hint]


def wrong_type(value: Any, item: ItemPath, expected: str) -> ItemError:
    if isinstance(value, list) and value:
        numbers = all(type(entry) in (int, float) for entry in value)
        what = "number" if numbers else "entry"
        many = {"number": "numbers", "entry": "entries"}[what]
        got = f"has {len(value)} {what if len(value) == 1 else many}"
    else:
        got = f"is {_TYPE_NAMES.get(type(value), 'a date or time')}"
    return ItemError(f"{label(item)} {got}", remedy=f"It must be {expected}.", item=item)
