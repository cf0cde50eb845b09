"""Values as a person reads and types them."""

from __future__ import annotations

import tomllib
import types
import typing
from dataclasses import fields
from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.shapes import Point
from wavelab.scene.toml.toml_table import converter


def shown(value: Any) -> str:
    """A value as it is typed."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Formula():
            return value.text
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case tuple() if value and isinstance(value[0], tuple):
            return ", ".join(f"[{shown(entry)}]" for entry in value)
        case tuple():
            return ", ".join(map(shown, value))
    return str(value)


def parsed(text: str, owner: Any, name: str, where: tuple[str | int, ...]) -> Any:
    """What was typed for a field of a dataclass, in its type.

    Parameters
    ----------
    owner : the dataclass, ``name`` its field.
    where : what an error names, from the scene to the field.

    Raises
    ------
    ItemError : it cannot be read.
    """
    (f,) = (f for f in fields(owner) if f.name == name)
    hint = typing.get_type_hints(type(owner))[name]
    text = text.strip()
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if not text and type(None) in options:
        return None
    typed = _typed(text, [option for option in options if option is not type(None)])
    variables = ("x", "y") if where[0] == "initial" else ("x", "y", "t")
    return converter(hint, f, variables)(typed, where)


def _typed(text: str, options: list[Any]) -> Any:
    """As the reader of scene files would get it."""
    if options in ([str], [Formula]):
        return text
    if options == [bool]:
        return {"true": True, "false": False}.get(text, text)
    if options == [tuple[str, ...]]:
        return [entry.strip() for entry in text.split(",") if entry.strip()]
    if options in ([Point], [tuple[float, ...]]):
        text = f"[{text.strip('[]')}]"
    elif options == [tuple[Point, ...]]:
        text = text if text.startswith("[[") else f"[{text}]"
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return _number(text)


def _number(text: str) -> Any:
    """Also ".5" and "0,5", which TOML does not read; else the text itself."""
    try:
        return float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        return text
