"""Tables of a scene file as a program writes them: dictionaries, lists, arrays and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from os import PathLike, fspath
from typing import Any

import numpy as np

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.given_function import GivenFunction
from wavelab.scene.model.item_error import ItemError, ItemPath, label
from wavelab.scene.model.scene import SPACE_AND_TIME
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.systems import SYSTEMS

_SPACE = ("x", "y")
#: What can be graded, in any of the systems.
_MEDIA = {
    f.name
    for system in SYSTEMS.values()
    for f in fields(system.medium)
    if f.metadata.get("variables") == SPACE_AND_TIME
}


def plain(value: Any, place: ItemPath = ()) -> Any:
    """What the reader of scene files would get: dict, list, str, int, float and bool, besides
    formulas and waveforms that a program has made.  What is None is left out.

    Parameters
    ----------
    place : where it stands.

    Raises
    ------
    ItemError : it is none of these.
    """
    match value:
        case np.generic() | np.ndarray():
            return plain(value.tolist(), place)
        case Formula() | Waveform() | str() | bool() | int() | float():
            return value
        case Mapping():
            return {
                str(key): plain(entry, (*place, str(key)))
                for key, entry in value.items()
                if entry is not None
            }
        case list() | tuple():
            return [plain(entry, (*place, i)) for i, entry in enumerate(value)]
        case PathLike():
            return fspath(value)
    if callable(value):
        return function_at(value, place)
    raise ItemError(
        f"{label(place)} is of the type {type(value).__name__}",
        remedy="It must be a number, a text, a list, an array or a dictionary.",
        item=place,
    )


def function_at(function: Callable[..., Any], place: ItemPath) -> GivenFunction:
    """A function in the place of a formula.

    Raises
    ------
    ItemError : there can be none there, or not this one.
    """
    variables: tuple[str, ...]
    given: tuple[str, ...]
    match place:
        case ("materials" | "background", *_, str(key)) if key in _MEDIA:
            variables, given = SPACE_AND_TIME, _SPACE
        case ("initial" | "imaginary", _):
            variables = given = _SPACE
        case ("exact", _):
            variables = given = SPACE_AND_TIME
        case (*_, "waveform"):
            raise ItemError(
                f"{label(place)} is a Python function",
                remedy="Say how long it lasts: wavelab.waveform(function, end=...).",
                item=place,
            )
        case _:
            raise ItemError(
                f"{label(place)} is a Python function",
                remedy="Only what media are made of, initial fields and exact solutions can be; "
                "what is computed at every step has to be a formula, in a text.",
                item=place,
            )
    try:
        return GivenFunction(function, variables, given)
    except FormulaError as error:
        raise ItemError(error.message, remedy=error.remedy, item=place) from None


def typed(value: Any, name: str) -> str:
    """A value as it would be typed for :func:`wavelab.scene.editing.settings.with_settings`.

    Raises
    ------
    ItemError : nobody could type it.
    """
    match "" if value is None else plain(value, (name,)):
        case bool(yes):
            return "true" if yes else "false"
        case str(text):
            return text
        case int() | float() as number:
            return repr(number)
        case [*entries] if all(isinstance(entry, list) for entry in entries):
            return repr(entries)
        case [*entries]:
            return ", ".join(typed(entry, name) for entry in entries)
    raise ItemError(
        f"{name} cannot be of the type {type(value).__name__}",
        remedy="It must be a number, a text or a list of them.",
    )
