"""The items of a scene and their properties, as a person reads and types them.

All of it comes from the dataclasses: a new kind of item, or a new field of one, is here as soon as
the scene has it, with the words and the rules of the scene file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from wavelab.scene.editing import repeats, saying
from wavelab.scene.editing.dimensions import dimension_of
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.editing.parameter_words import renamed, without_parameters
from wavelab.scene.editing.parameters import revalued
from wavelab.scene.editing.property_words import (
    Key,
    Property,
    all_words,
    choices_of,
    item_label,
    label_words,
    named_by,
    numbers_in,
)
from wavelab.scene.editing.typed_values import parsed, shown
from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.ending import DECAYED, UNTIL_DECAYED, latest_end
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import REPEATS, SHAPES
from wavelab.scene.model.walking import part_at, with_part
from wavelab.scene.monitors import MONITORS
from wavelab.scene.poles import POLES
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.waveforms import WAVEFORMS

#: Items and parts that can be of another kind, by the name of the field; walls too, of the system.
KINDS: dict[str, Mapping[str, type]] = {"waveform": WAVEFORMS, "repeat": REPEATS}
KINDS |= {"poles": POLES, "magnetic_poles": POLES}
#: Items that stand alone, and what they are called.
SINGLE = {
    "outline": "domain",
    "background": "background",
    "solver": "solver",
    "units": "units",
    "initial": "initial fields",
    "imaginary": "imaginary part of the initial fields",
    "exact": "exact solution",
}
#: Changing these leaves an exact solution exact.
_HARMLESS = {"solver", "units", "exact", "view"} | {
    n for n, kind in ITEM_KINDS.items() if kind.passive
}
#: What a part of a new kind has where the old one had no field of that name.
_STARTS: dict[str, Any] = {
    "delay": 0.0,
    "width": 0.1,
    "relaxation": 0.1,
    "formula": Formula.parse("0", ("t",)),
}


@dataclass(frozen=True)
class Item:
    """Something in a scene that has properties.  ``removable``: it can be left out."""

    key: Key
    label: str
    removable: bool


def items(scene: Scene) -> list[Item]:
    """Everything in the scene that has properties, in the order of a scene file."""
    found = []
    for name, label in SINGLE.items():
        if getattr(scene, name) is not None:
            found.append(Item((name,), label, False))
    for name, kind in ITEM_KINDS.items():
        for i, entry in enumerate(getattr(scene, name)):
            found.append(Item((name, i), item_label(kind.noun, i, entry), True))
    for i, parameter in enumerate(scene.parameters):
        found.append(Item(("parameters", i), f"parameter {parameter.name}", True))
    return found


def properties(scene: Scene, item: Key) -> list[Property]:
    """What can be changed in one item; two of one name are told apart by what they belong to."""
    value, registry = part_at(scene, item), _registry(scene, item)
    found = _properties(value, ()) if registry is None else _of_kind(value, (), registry, "")
    found = [named_by(p, system_of(scene)) for p in found]
    times = Counter(p.label for p in found)
    return [p if times[p.label] == 1 else replace(p, label=all_words(p.key)) for p in found]


def common(scene: Scene, chosen: Sequence[Key]) -> list[Property]:
    """What can be changed in all of several items at once: all that they share but their names."""
    first, *others = (properties(scene, item) for item in chosen)
    known = [{_alike(p): p for p in found} for found in others]
    shared = []
    for p in first:
        if p.key == ("name",) or not all(_alike(p) in found for found in known):
            continue
        if any(found[_alike(p)].text != p.text for found in known):
            p = replace(p, text="", mixed=True, value=None)
        shared.append(p)
    return shared


def changed_in_all(scene: Scene, chosen: Sequence[Key], key: Key, text: str) -> Scene:
    """The scene with one property of several items as it was typed.

    Raises
    ------
    ItemError : as :func:`changed`.
    """
    for item in chosen:
        scene = changed(scene, item, key, text)
    return scene


def _alike(p: Property) -> tuple[Any, ...]:
    """The same for what can be changed together."""
    return p.key, p.label, p.choices, p.numbers


def kind_of(scene: Scene, item: Key) -> str:
    """What the scene file calls the kind of an item: "guided_mode"; "" if there is only one."""
    value = part_at(scene, item)
    for registry in (SOURCES, MONITORS, SHAPES):
        for name, kind in registry.items():
            if type(value) is kind:
                return name
    return ""


def changed(scene: Scene, item: Key, key: Key, text: str) -> Scene:
    """The scene with one property as it was typed.

    Raises
    ------
    ItemError : the text cannot be read, or the scene then breaks a rule; says what would be right.
    """
    place = (*item, *key)
    if place == ("solver", "until") and text.strip() == UNTIL_DECAYED:
        until = latest_end(scene.outline, scene.sources)
        decayed = scene.solver.decayed or DECAYED
        waiting = replace(scene.solver, until=until, decayed=decayed)
        return check_scene(replace(scene, solver=waiting))
    if item[0] == "parameters" and key == ("name",):
        return renamed(scene, part_at(scene, place), text.strip())
    if key[-1] == saying.SAID_AS:
        medium = saying.chosen(part_at(scene, place[:-2]), str(key[-2]), text, place, scene.values)
        return check_scene(with_part(scene, place[:-2], medium))
    if key[-1] == "kind" and _registry(scene, place[:-1]) is not None:
        new = _with_kind(scene, place[:-1], text)
    else:
        above = int(item[1]) if item[0] == "parameters" else None  # what a parameter may use
        known = replace(scene, parameters=scene.parameters[:above])
        text = system_of(scene).asked(text.strip()) if key[-1] == "quantity" else text
        owner, scale = part_at(scene, place[:-1]), scale_of(scene)
        typed = parsed(text, owner, str(key[-1]), place, known.values, scale)
        if saying.is_of_medium(owner):
            medium = saying.typed(owner, str(key[-1]), typed, scene.values)
            new = with_part(scene, place[:-1], medium)
        else:
            new = with_part(scene, place, _found(typed, scene))
    if item[0] == "parameters":
        return revalued(scene, new.parameters)
    return _checked(new, item)


def without(scene: Scene, *items: Key) -> Scene:
    """The scene without some items; walls at a hole go with it, and what follows a parameter has
    what that is now in its place.

    Raises
    ------
    ItemError : something else needs one of them.
    """
    gone_names = [str(part_at(scene, (*key, "name"))) for key in items if key[0] == "parameters"]
    scene = without_parameters(scene, gone_names) if gone_names else scene
    items = tuple(key for key in items if key[0] != "parameters")
    left: dict[str, Any] = {
        name: tuple(e for i, e in enumerate(getattr(scene, name)) if (name, i) not in items)
        for name in ITEM_KINDS
    }
    gone = {hole.name for i, hole in enumerate(scene.holes) if ("holes", i) in items}
    walls = []
    for wall in left["walls"]:
        edges = tuple(edge for edge in wall.edges if edge.partition(".")[0] not in gone)
        if (survivor := wall.at(edges)) is not None:
            walls.append(survivor)
    left["walls"] = tuple(walls)
    return _checked(replace(scene, **left), *items)


def _found(typed: Any, scene: Scene) -> Any:
    """Files are named as in the scene file, from where that is."""
    if isinstance(typed, Path) and scene.path is not None:
        return Path(os.path.normpath(scene.path.parent / typed))
    return typed


def _checked(scene: Scene, *items: Key) -> Scene:
    harmless = all(item[0] in _HARMLESS for item in items)
    return check_scene(scene if harmless else replace(scene, exact=None))


def _properties(value: Any, prefix: Key) -> list[Property]:
    found: list[Property] = []
    for f in saying.in_order(value):
        found += saying.choice(value, f.name, prefix)
        key, entry = (*prefix, f.name), getattr(value, f.name)
        registry, meaning = KINDS.get(f.name), f.metadata.get("meaning", "")
        if isinstance(entry, tuple) and registry is not None:
            for i, part in enumerate(entry):
                found += _of_kind(part, (*key, i), registry, meaning, ("none",))
            new, choices = (*key, len(entry), "kind"), ("none", *registry)
            add = "Add magnetic pole" if f.name == "magnetic_poles" else "Add pole"
            found.append(Property(new, add, "none", choices, meaning=meaning))
        elif registry is not None and entry is not None:
            more = ("none",) if registry is REPEATS else ()
            found += _of_kind(entry, key, registry, meaning, more)
        elif is_dataclass(entry) and not isinstance(entry, Formula):
            found += [*_properties(entry, key), *repeats.offered(value, entry, key)]
        elif isinstance(entry, np.ndarray):
            continue
        elif entry is not None or f.name != "shape":
            text, choices, numbers = shown(entry), choices_of(f, entry), numbers_in(entry)
            found.append(
                Property(
                    key,
                    label_words(key),
                    text,
                    choices,
                    numbers,
                    meaning,
                    dimension=dimension_of(type(value), f.name) if numbers else "",
                    value=float(entry) if type(entry) in (float, Expression) else None,
                    unused=saying.unused(value, f.name),
                )
            )
    return found


def _of_kind(
    part: Any, key: Key, registry: Mapping[str, type], meaning: str, more: tuple[str, ...] = ()
) -> list[Property]:
    # What a program has given is of no kind that a file could name.
    name = next((name for name, kind in registry.items() if type(part) is kind), "given")
    # What is of several kinds as a whole, a wall, has no name of a field to go by.
    words, kinds = label_words(key) or "Kind", (*registry, *more)
    head = Property((*key, "kind"), words, name, kinds, meaning=meaning)
    return [head, *_properties(part, key)]


def _registry(scene: Scene, key: Key) -> Mapping[str, type] | None:
    names = [part for part in key if isinstance(part, str)]
    if not names:
        return None
    return system_of(scene).walls if names[-1] == "walls" else KINDS.get(names[-1])


def _with_kind(scene: Scene, key: Key, name: str) -> Any:
    """The scene with the item or part at ``key`` of another kind; numbers of the same name stay."""
    registry = _registry(scene, key)
    assert registry is not None
    if name != "none":
        require_one_of(name, registry, (*key, "kind"), "kind")
    if registry is REPEATS:
        return repeats.with_kind(scene, key[:-1], name)
    if not isinstance(key[-1], int):
        return with_part(scene, key, _new(registry[name], part_at(scene, key)))
    parts = list(part_at(scene, key[:-1]))
    old = parts[key[-1]] if key[-1] < len(parts) else None
    new = [] if name == "none" else [_new(registry[name], old)]
    parts[key[-1] : key[-1] + 1] = new
    return with_part(scene, key[:-1], tuple(parts))


def _new(kind: type, old: Any) -> Any:
    known = {f.name: getattr(old, f.name) for f in fields(old)} if old is not None else {}
    values = {
        f.name: known.get(f.name, f.metadata.get("start", _STARTS.get(f.name, 1.0)))
        for f in fields(kind)
        if f.name in known or f.default is f.default_factory  # both MISSING: it has no default
    }
    return kind(**values)
