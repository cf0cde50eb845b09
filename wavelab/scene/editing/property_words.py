"""What properties of items are called, and what can be typed for them."""

from __future__ import annotations

from dataclasses import Field, dataclass, replace
from typing import Any

from wavelab.scene.systems import System

#: From a scene, or from an item, to a part of it: ("sources", 0), ("waveform", "frequency").
Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Property:
    """One value.  ``key`` leads to it from the item; ``choices``, if any, are all it can be;
    ``numbers``: "real" or "whole" if it is a number, or has some; "" of names and words;
    ``meaning``: what its field says of it, if it does; ``mixed``: several items differ in it;
    ``dimension``: of a length, a time or a frequency, and ``value`` if it is a single one;
    ``unused``: something else says it, and forms leave it out."""

    key: Key
    label: str
    text: str
    choices: tuple[str, ...] = ()
    numbers: str = ""
    meaning: str = ""
    mixed: bool = False
    dimension: str = ""
    value: float | None = None
    unused: bool = False


def item_label(kind: str, number: int, entry: Any) -> str:
    name = getattr(entry, "name", None) or ", ".join(getattr(entry, "edges", ()))
    if not name:
        return f"{kind} {number + 1}"
    return name if name.startswith(kind) else f"{kind} {name}"


def choices_of(of: Field, entry: Any) -> tuple[str, ...]:
    if isinstance(entry, bool):
        return ("true", "false")
    return of.metadata.get("choices", ()) if isinstance(entry, str) else ()


def numbers_in(entry: Any) -> str:
    match entry:
        case bool() | str() | (str(), *_):
            return ""
        case int() | (int(), *_) | ((int(), *_), *_):
            return "whole"
    return "real"


def all_words(key: Key) -> str:
    """ "Waveform frequency" of ("waveform", "frequency")."""
    return " ".join(str(part).replace("_", " ") for part in key).capitalize()


def label_words(key: Key) -> str:
    """ "Pole 1 damping" of ("material", "poles", 0, "damping")."""
    parts: list[str] = []
    for part in key:
        if isinstance(part, int):
            parts[-1] = f"{parts[-1].removesuffix('s')} {part + 1}"
        elif part not in ("material", "shape", "waveform") or part == key[-1]:
            parts.append(part.replace("_", " "))
    text = " ".join(parts)
    return text[:1].upper() + text[1:]


def named_by(p: Property, system: System) -> Property:
    """Fields that are recorded or shown as their system calls them."""
    if p.key[-1] != "quantity":
        return p
    names = system.names
    choices = tuple(names.get(choice, choice) for choice in p.choices)
    return replace(p, text=names.get(p.text, p.text), choices=choices)
