"""New names of items that are pasted, and where they are spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from wavelab.scene.editing.item_places import displaced
from wavelab.scene.model.scene import Source, Wall
from wavelab.scene.model.shapes import Point
from wavelab.scene.rules.name_rules import LONGEST_NAME


def named_anew(pasted: Iterable[Any], present: Iterable[Any], by: Point) -> tuple[Any, ...]:
    """Moved, and under names that nothing present has."""
    taken = {entry.name for entry in present}
    found = []
    for entry in pasted:
        name = _free(entry.name, taken)
        taken.add(name)
        found.append(replace(displaced(entry, by), name=name))
    return tuple(found)


def _free(name: str, taken: set[str]) -> str:
    """The name itself, or with the first number that is free: "lamp 2"."""
    if name not in taken:
        return name
    stem = re.sub(r" \d+$", "", name)
    number = 2
    while (found := f"{stem[: LONGEST_NAME - len(str(number)) - 1].strip()} {number}") in taken:
        number += 1
    return found


def owners(wall: Wall) -> set[str]:
    """Of its edges: the domain and obstacles."""
    return {edge.partition(".")[0] for edge in wall.edges}


def _renamed(edge: str, names: dict[str, str]) -> str:
    owner, dot, side = edge.partition(".")
    return f"{names.get(owner, owner)}{dot}{side}"


def renamed_wall(wall: Wall, names: dict[str, str]) -> Wall:
    """On edges of obstacles under their new names."""
    return replace(wall, edges=tuple(_renamed(edge, names) for edge in wall.edges))


def through_renamed(source: Source, names: dict[str, str]) -> Source:
    """What comes through edges of an obstacle that was pasted along."""
    if not source.entrances:
        return source
    return source.through(tuple(_renamed(edge, names) for edge in source.entrances))
