"""Scenes with other values of their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from wavelab.errors import FormulaError, SceneError
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.formulas.expression import EXPRESSIONS, anew
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import told
from wavelab.scene.model.item_error import ItemError, ItemPath, label, suggestion
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves, leaves
from wavelab.scene.rules.parameter_rules import check_parameters, names_used, needed
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_reader import Items

#: Expressions that an error quotes at most.
_QUOTED = 3


def with_parameters(scene: Scene, values: Mapping[str, float]) -> Scene:
    """The scene with other values of some of its parameters, and of all that follows from them.

    Raises
    ------
    ItemError : a value is outside its range, an expression has no finite value then, or the scene
        breaks a rule; names the item and what would be right.
    SceneError : the scene has no such parameter, or it follows from others.
    """
    known = {p.name: p for p in scene.parameters}
    for name in values:
        if name not in known:
            raise SceneError(
                f"the scene has no parameter {name}",
                where=scene.where,
                remedy=suggestion(name, known, "It has")
                if known
                else "It has none: write [parameters] into its file.",
            )
        if not known[name].settable:
            raise SceneError(
                f"parameter {name} follows from others, so it cannot be set",
                where=scene.where,
                remedy=f"Set {' or '.join(sorted(names_used(known[name])))}.",
            )
    return revalued(
        scene,
        (
            replace(p, value=float(values[p.name])) if p.name in values else p
            for p in scene.parameters
        ),
    )


def revalued(scene: Scene, parameters: Iterable[Parameter]) -> Scene:
    """The scene with these parameters instead of its own, and all that follows from them.

    What follows from none of the parameters that differ is the same object as before.

    Raises
    ------
    ItemError : one of them cannot be, something uses one that is not among them, or the scene
        breaks a rule; names the item and what would be right.
    """
    found = _in_order(parameters)
    check_parameters(found)
    values = {p.name: float(p.value) for p in found}
    rest = replace(scene, parameters=())
    new = changed_leaves(rest, lambda leaf, item: _evaluated(leaf, item, values, scene))
    new = replace(new, parameters=found)
    try:
        return check_scene(new)
    except ItemError as error:
        raise _explained(error, new) from None


def adopted(scene: Scene, items: Items) -> tuple[Scene, Items]:
    """Items from elsewhere as a part of the scene: they follow its own parameters, and those it
    lacks come along.

    Raises
    ------
    ItemError : with the scene's value of a parameter an item cannot be.
    """
    left = replace(items, parameters=())
    present = {p.name for p in scene.parameters}
    new = [p for p in needed(items.parameters, left) if p.name not in present]
    merged = replace(scene, parameters=_in_order((*scene.parameters, *new)))
    values = merged.values
    changed = changed_leaves(left, lambda leaf, item: _evaluated(leaf, item, values, items))
    return (merged if new else scene), replace(changed, parameters=items.parameters)


def _in_order(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """Each with the value that follows from those before it."""
    found: list[Parameter] = []
    for parameter in parameters:
        values = {p.name: float(p.value) for p in found}

        def follow(leaf: Any, item: ItemPath, values: dict[str, float] = values) -> Any:
            return _evaluated(leaf, item, values)

        found.append(changed_leaves(parameter, follow, ("parameters", parameter.name)))
    return tuple(found)


def _evaluated(
    leaf: Any, item: ItemPath, values: Mapping[str, float], owner: Scene | Items | None = None
) -> Any:
    try:
        if isinstance(leaf, Formula):
            return leaf.with_parameters(values) if leaf.parameters else leaf
        return anew(leaf, values) if isinstance(leaf, EXPRESSIONS) else leaf
    except FormulaError as error:
        what = _in_words(item, owner)
        raise ItemError(f"{what}: {error.message}", remedy=error.remedy, item=item) from None


def _in_words(item: ItemPath, owner: Scene | Items | None) -> str:
    """'radius of source "lamp"' of ("sources", 0, "radius")."""
    match item:
        case ("parameters", name, *_):
            return f"parameter {name}"
        case (str(kind), int(number), *_) if kind in ITEM_KINDS:
            name = getattr(getattr(owner, kind)[number], "name", number + 1)
            return f'{label(item)} of {ITEM_KINDS[kind].noun} "{name}"'
        case (str(table), *_, _):
            return f"{label(item)} of [{table}]"
    return label(item)


def _explained(error: ItemError, scene: Scene) -> ItemError:
    """With the expressions that a value comes from."""
    depth, values = len(error.item), scene.values
    blamed = [
        (item, leaf)
        for item, leaf in leaves(scene)
        if depth and item[:depth] == error.item and isinstance(leaf, EXPRESSIONS) and leaf.names
    ]
    if not blamed:
        return error
    quoted = ", ".join(f'{label(item)} = "{leaf.text}"' for item, leaf in blamed[:_QUOTED])
    names = sorted({name for _, leaf in blamed for name in leaf.names})
    remedy = f"{error.remedy} It comes of {quoted}{told(names, values)}.".strip()
    return ItemError(error.message, where=error.where, remedy=remedy, item=error.item)
