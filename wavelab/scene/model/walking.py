"""From a scene to all that it is made of, and where that stands in a scene file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.parameter import Parameter

#: A region's shape and material stand in its own table in a scene file.
_FLAT = ("shape", "material")
_CALLED = {"outline": "domain"}


def leaves(value: Any, item: ItemPath = ()) -> Iterator[tuple[ItemPath, Any]]:
    """Everything that is not made of parts, formulas among them, and where it stands."""
    if _has_parts(value):
        for key, _, part in _parts(value, item):
            yield from leaves(part, key)
    else:
        yield item, value


def changed_leaves(value: Any, change: Callable[[Any, ItemPath], Any], item: ItemPath = ()) -> Any:
    """The same made of changed leaves; what stays is the same object."""
    if not _has_parts(value):
        return change(value, item)
    found = [
        (name, part, changed_leaves(part, change, key)) for key, name, part in _parts(value, item)
    ]
    if all(new is old for _, old, new in found):
        return value
    if isinstance(value, tuple):
        return tuple(new for _, _, new in found)
    return replace(value, **{str(name): new for name, old, new in found if new is not old})


def files_in(value: Any) -> list[Path]:
    """The files that it names."""
    return [leaf for _, leaf in leaves(value) if isinstance(leaf, Path)]


def with_files(value: Any, change: Callable[[Path], Path]) -> Any:
    """The same with other names of its files."""
    return changed_leaves(value, lambda leaf, _: change(leaf) if isinstance(leaf, Path) else leaf)


def part_at(value: Any, key: ItemPath) -> Any:
    """What names and numbers lead to: ``("sources", 0, "radius")`` of a scene."""
    for part in key:
        value = value[part] if isinstance(part, int) else getattr(value, part)
    return value


def with_part(value: Any, key: ItemPath, new: Any) -> Any:
    """``value`` with something else at ``key``."""
    if not key:
        return new
    part, rest = key[0], key[1:]
    inner = with_part(part_at(value, (part,)), rest, new)
    if isinstance(part, int):
        return (*value[:part], inner, *value[part + 1 :])
    return replace(value, **{part: inner})


def _has_parts(value: Any) -> bool:
    return isinstance(value, tuple) or _fields_of(value.__class__) is not None


def _parts(value: Any, item: ItemPath) -> Iterator[tuple[ItemPath, str | int, Any]]:
    """Where each stands, its name or number, and itself."""
    known = _fields_of(value.__class__)
    if known is not None:
        for name, key in known:
            yield (*item, key) if key else item, name, getattr(value, name)
    else:
        for i, entry in enumerate(value):
            yield (*item, entry.name if isinstance(entry, Parameter) else i), i, entry


@cache
def _fields_of(kind: type) -> tuple[tuple[str, str], ...] | None:
    """Names of fields, and keys in a scene file, which are empty where there are none; None if the
    type is made of nothing."""
    if not is_dataclass(kind) or issubclass(kind, Formula):
        return None
    keys = {name: "" for name in _FLAT} | _CALLED
    return tuple((f.name, keys.get(f.name, f.name)) for f in fields(kind))
