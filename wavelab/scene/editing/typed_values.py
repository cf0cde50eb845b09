"""Values as a person reads and types them."""

from __future__ import annotations

import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from wavelab.scene.editing.dimensions import dimension_of, in_scene_units
from wavelab.scene.formulas.expression import EXPRESSIONS, Expression, WholeExpression
from wavelab.scene.formulas.formula import NO_PARAMETERS, Formula
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.shapes.repeat import Counts, Pitches
from wavelab.scene.model.units import Scale
from wavelab.scene.toml.toml_values import converter, field_types

#: More digits than anybody types mean that a number was computed; of such a one these are shown.
_TYPED, _COMPUTED = 12, 6
#: Types of numbers in a row, and of rows of them, which are typed without the outer brackets.
_LISTS = (Point, tuple[float, ...], tuple[int, ...], Counts)
_NESTED = (tuple[Point, ...], tuple[Counts, ...], Pitches)


def shown_number(value: float) -> str:
    """A number as it was typed, or with six figures if it was computed."""
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.{_TYPED}g}"
    return repr(value) if float(short) == value else f"{value:.{_COMPUTED}g}"


def shown(value: Any) -> str:
    """A value as it is typed."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Formula() | Expression() | WholeExpression():
            return value.text
        case float():
            return shown_number(value)
        case tuple() if value and isinstance(value[0], tuple):
            return ", ".join(f"[{shown(entry)}]" for entry in value)
        case tuple():
            return ", ".join(map(shown, value))
    return str(value)


def parsed(
    text: str,
    owner: Any,
    name: str,
    where: tuple[str | int, ...],
    parameters: Mapping[str, float] = NO_PARAMETERS,
    scale: Scale | None = None,
) -> Any:
    """What was typed for a field of a dataclass, in its type.

    Numbers that stand there as they were shown stay what they are, with the digits that were not.

    Parameters
    ----------
    owner : the dataclass, ``name`` its field.
    where : what an error names, from the scene to the field.
    parameters : what a formula may use in place of a number.
    scale : of the scene, for lengths, times and frequencies that are typed with a unit.

    Raises
    ------
    ItemError : it cannot be read.
    """
    (f,) = (f for f in fields(owner) if f.name == name)
    hint = field_types(type(owner))[name]
    text = text.strip()
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if not text and type(None) in options:
        return None
    if not {str, Path, tuple[str, ...]} & set(options):
        text = in_scene_units(text, dimension_of(type(owner), name), scale, where)
    typed = _typed(text, [option for option in options if option is not type(None)])
    variables = ("x", "y") if where[0] in ("initial", "imaginary") else ("x", "y", "t")
    new, old = converter(hint, f, variables, parameters)(typed, where), getattr(owner, name)
    return _kept(new, old, {float(shown_number(v)): v for v in _floats(old)})


def _floats(value: Any) -> Iterator[float]:
    if isinstance(value, float) and not isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for entry in value:
            yield from _floats(entry)


def _kept(new: Any, old: Any, known: Mapping[float, float]) -> Any:
    """``new`` with the numbers of ``old``, found by what is shown of them, where it has those."""
    if isinstance(new, tuple):
        partners = old if isinstance(old, tuple) and len(old) == len(new) else [None] * len(new)
        return tuple(_kept(a, b, known) for a, b in zip(new, partners, strict=True))
    if not isinstance(new, float) or isinstance(new, EXPRESSIONS):
        return new
    if (
        isinstance(old, float)
        and not isinstance(old, EXPRESSIONS)
        and float(shown_number(old)) == new
    ):
        return old
    return known.get(new, new)


def _typed(text: str, options: list[Any]) -> Any:
    """As the reader of scene files would get it."""
    if options in ([str], [Formula], [Path]):
        return text
    if options == [bool]:
        return {"true": True, "false": False}.get(text, text)
    if options == [tuple[str, ...]]:
        return [entry.strip() for entry in text.split(",") if entry.strip()]
    if options[0] in _LISTS:
        text = f"[{text.strip('[]')}]"
    elif options[0] in _NESTED:
        # Two pitches along the axes are two numbers, and no vector alone.
        whole = options[0] == Pitches and text.count("[") == 1 and text[:1] + text[-1:] == "[]"
        text = text if whole or text.replace(" ", "").startswith("[[") else f"[{text}]"
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return _entries(text)


def _entries(text: str) -> Any:
    """Numbers and formulas in brackets, or one alone; commas in parentheses belong to formulas."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return _number(text)
    parts, depth = [""], 0
    for character in text[1:-1]:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [_entries(part) for part in parts if part.strip()]


def _number(text: str) -> Any:
    """Also ".5" and "0,5", which TOML does not read; else the text itself."""
    try:
        return float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        return text
