"""Numbers and words of a scene set from outside, by names such as ``materials.rod.epsilon``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wavelab.errors import FormulaError, SceneError
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.properties import SINGLE, Key, changed, properties
from wavelab.scene.editing.saying import SAID_AS
from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model import walking
from wavelab.scene.model.item_error import ItemError, suggestion
from wavelab.scene.model.overrides import check_meshes_itself
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.rules.validate import check_scene

#: A name, and what it is to be, as it is typed.
Setting = tuple[str, str]

#: What a scene file calls a table that a scene calls otherwise.
_CALLED = {"outline": "domain"}
#: Left out of names, as in scene files.
_SILENT = ("material", "shape")


def with_settings(scene: Scene, settings: Iterable[Setting]) -> Scene:
    """The scene with other values of its parameters, all at once, and then of what else is named,
    one after the other.

    A name is that of a parameter, or a table of the scene file, the name or number (from 1) of an
    item where there are several, and a key: ``solver.order``, ``materials.rod.epsilon``,
    ``sources.1.waveform.frequency``.  Of two values for one name the later holds.

    Raises
    ------
    SceneError : there is nothing of that name, with what there is, or it cannot have that value.
    """
    settings = tuple(settings)
    names = {p.name for p in scene.parameters}
    values = {name: _number(scene, name, text) for name, text in settings if name in names}
    if values:
        scene = with_parameters(scene, values)
    for name, text in settings:
        if name not in names:
            scene = _changed(scene, name, text)
    return scene


def with_part(scene: Scene, name: str, part: Formula | Waveform) -> Scene:
    """The scene with what a program has made in the place of a formula or a waveform.

    Raises
    ------
    SceneError : there is nothing of that name, or it cannot be that.
    """
    if isinstance(part, Waveform):
        item, key = _find(scene, f"{name}.kind")
        key = key[:-1]
    else:
        item, key = _find(scene, name)
    try:
        return check_scene(walking.with_part(scene, (*item, *key), part))
    except ItemError as error:
        raise SceneError(
            error.message, where=f"{scene.where}: {name}", remedy=error.remedy
        ) from None


def dimension_of_setting(scene: Scene, name: str) -> str:
    """What the number of that name is: a length, a time or a frequency; "" for all others.

    Raises
    ------
    SceneError : there is nothing of that name.
    """
    if name in scene.values:
        return ""
    item, key = _find(scene, name)
    return next(p.dimension for p in properties(scene, item) if p.key == key)


def check_setting(scene: Scene, name: str) -> None:
    """Look whether there is something of that name to be set.

    Raises
    ------
    SceneError : there is not; says what there is.
    """
    if name not in scene.values:
        _find(scene, name)


def _number(scene: Scene, name: str, text: str) -> float:
    try:
        return float(Expression.of(text, {}))
    except FormulaError as error:
        raise SceneError(
            f"parameter {name} cannot be {text!r}: {error.message}",
            where=scene.where,
            remedy="It must be a number.",
        ) from None


def _changed(scene: Scene, name: str, text: str) -> Scene:
    item, key = _find(scene, name)
    if (item, key) == (("solver",), ("element_size",)):
        check_meshes_itself(scene, name)
    try:
        return changed(scene, item, key, text)
    except ItemError as error:
        where = f"{scene.where}: {name} = {text}"
        raise SceneError(error.message, where=where, remedy=error.remedy) from None


def _find(scene: Scene, name: str) -> tuple[Key, Key]:
    """Item and property of a name."""
    table, _, rest = name.partition(".")
    single = [n for n in (*SINGLE, "view") if getattr(scene, n) is not None]
    tables = {
        **{_CALLED.get(n, n): n for n in single},
        **{n: n for n in (*ITEM_KINDS, "pings") if getattr(scene, n)},
    }
    if table not in tables:
        what = "table" if rest else "parameter"
        known = (*scene.values, *tables) if not rest else tuple(tables)
        raise SceneError(
            f"the scene has no {what} {table}",
            where=f"{scene.where}: {name}",
            remedy=suggestion(table, known, "It has" if rest else "Parameters and tables are"),
        )
    item: Key = (tables[table],)
    if isinstance(getattr(scene, tables[table]), tuple):
        number, rest = _entry(scene, name, tables[table], rest)
        item = (tables[table], number)
    keys = {_told(p.key): p.key for p in properties(scene, item) if p.key[-1] != SAID_AS}
    if rest not in keys:
        head = name.removesuffix(rest).rstrip(".")
        raise SceneError(
            f"{head} has no {rest}" if rest else f"{name} is not a number but many",
            where=f"{scene.where}: {name}",
            remedy=suggestion(rest, keys, f"Of {head} there are" if rest else "Name one of them"),
        )
    return item, keys[rest]


def _entry(scene: Scene, name: str, table: str, rest: str) -> tuple[int, str]:
    """Which one of several items is named, and what follows the name."""
    entries: tuple[Any, ...] = getattr(scene, table)
    labels = {str(i + 1): i for i in range(len(entries))}
    labels |= {entry.name: i for i, entry in enumerate(entries) if hasattr(entry, "name")}
    # Names may have dots in them.
    for label in sorted(labels, key=len, reverse=True):
        if rest == label or rest.startswith(f"{label}."):
            return labels[label], rest[len(label) + 1 :]
    head = rest.partition(".")[0]
    raise SceneError(
        f'there is no "{head}" among the {table}' if head else f"which of the {table}?",
        where=f"{scene.where}: {name}",
        remedy=suggestion(head, labels, "By number or name"),
    )


def _told(key: Key) -> str:
    """As a scene file has it: "waveform.frequency", "poles.1.damping"."""
    parts = [str(part + 1) if isinstance(part, int) else part for part in key]
    return ".".join(part for part in parts if part not in _SILENT)
