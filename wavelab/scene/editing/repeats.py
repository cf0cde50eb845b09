"""Shapes that are repeated, as a person turns that on and off and breaks them into single items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from wavelab.errors import SceneError
from wavelab.scene.editing.property_words import Key, Property
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import REPEATS, Grid, Repeated, Row, Shape
from wavelab.scene.model.walking import part_at, with_part
from wavelab.scene.rules.name_rules import LONGEST_NAME
from wavelab.scene.rules.validate import check_scene

#: Sizes of the shape from one copy to the next, of a repeat that is new.
_APART = 2.0
#: What the form offers for a shape that can be repeated, by their names in :data:`REPEATS`.
KINDS = (*REPEATS, "none")
(_REPEAT,) = (f for f in fields(Repeated) if f.name == "repeat")


def offered(owner: Any, shape: Any, key: Key) -> list[Property]:
    """The property by which the shape at ``key`` of an item becomes a row or a grid of it; none
    where it is one, or cannot be."""
    if not isinstance(shape, Shape) or isinstance(shape, Repeated):
        return []
    if not getattr(owner, "repeatable", False):
        return []
    meaning = _REPEAT.metadata["meaning"]
    return [Property((*key, "repeat", "kind"), "Repeat", "none", KINDS, meaning=meaning)]


def repeated_as(shape: Shape, kind: str) -> Shape:
    """The shape as a "row" or "grid" of it, or alone: "none"; what it was before gives the numbers,
    as far as it has them."""
    single = shape.single()
    if kind == "none":
        return single
    if isinstance(shape, Repeated):
        grid = shape.repeat.as_grid()
    else:
        (x0, y0), (x1, y1) = shape.bounds()
        wide, high = (float(f"{_APART * length:.3g}") for length in (x1 - x0, y1 - y0))
        grid = Grid((2, 2), ((wide, 0.0), (0.0, high)))
    if kind == "grid":
        return Repeated(single, grid)
    gone = tuple(i for i, j in grid.without if j == 1)
    return Repeated(single, Row(grid.count[0], grid.pitch[0], gone))


def with_kind(scene: Scene, key: Key, kind: str) -> Any:
    """The scene with the shape at ``key`` as :func:`repeated_as`."""
    return with_part(scene, key, repeated_as(part_at(scene, key), kind))


def is_repeated(scene: Scene, item: Key) -> bool:
    """Whether an item consists of copies."""
    return isinstance(getattr(part_at(scene, item), "shape", None), Repeated)


def broken_up(scene: Scene, items: Iterable[Key]) -> tuple[Scene, tuple[Key, ...]]:
    """The scene with an item for each copy in the place of those that are repeated, and these; the
    waves are the same.

    Walls at an obstacle, and waves that come in there, are at all of its copies then.

    Raises
    ------
    SceneError : none of the items is repeated, or the scene then breaks a rule.
    """
    chosen = [item for item in items if is_repeated(scene, item)]
    if not chosen:
        raise SceneError(
            "nothing that is chosen is repeated",
            remedy="Choose an item with copies in a row or a grid.",
        )
    made: list[Key] = []
    renamed: dict[str, list[str]] = {}
    for kind in dict.fromkeys(str(item[0]) for item in chosen):
        entries: list[Any] = []
        taken = {entry.name for entry in getattr(scene, kind)}
        for number, entry in enumerate(getattr(scene, kind)):
            if (kind, number) not in chosen:
                entries.append(entry)
                continue
            singles = _singles(entry, taken)
            made += [(kind, len(entries) + i) for i in range(len(singles))]
            entries += singles
            if kind == "holes":
                renamed[entry.name] = [single.name for single in singles]
        scene = with_part(scene, (kind,), tuple(entries))
    return check_scene(_with_edges(scene, renamed)), tuple(made)


def _singles(entry: Any, taken: set[str]) -> list[Any]:
    """One item for each copy, with names that are new."""
    shape: Repeated = entry.shape
    found = []
    for (number, _), part in zip(shape.repeat.places(), shape.parts(), strict=True):
        name = f"{entry.name[: LONGEST_NAME - len(number) - 3]} {number}"
        while name in taken:
            name += "'"
        taken.add(name)
        found.append(replace(entry, name=name, shape=part))
    return found


def _with_edges(scene: Scene, renamed: dict[str, list[str]]) -> Scene:
    def at(edges: Sequence[str]) -> tuple[str, ...]:
        found: list[str] = []
        for edge in edges:
            owner, dot, side = edge.partition(".")
            found += [f"{name}{dot}{side}" for name in renamed.get(owner, [owner])]
        return tuple(found)

    walls = tuple(replace(wall, edges=at(wall.edges)) for wall in scene.walls)
    sources = tuple(
        source.through(at(source.entrances)) if source.entrances else source
        for source in scene.sources
    )
    return replace(scene, walls=walls, sources=sources)
