"""Edits of items of any kind, several at once: taken out, moved, copied and pasted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from wavelab.app.edits.domain_edits import add_region, cut_hole
from wavelab.app.edits.edits import Edit, with_items
from wavelab.app.edits.monitor_rules import misplacement
from wavelab.app.edits.pasted_names import named_anew, owners, renamed_wall, through_renamed
from wavelab.app.edits.shape_edits import shape_of
from wavelab.errors import SceneError
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.scene.editing import properties
from wavelab.scene.editing.following import followed
from wavelab.scene.editing.item_places import COPIED, ITEM_KINDS, box, displaced, points
from wavelab.scene.editing.misplaced import check_places
from wavelab.scene.editing.parameters import adopted
from wavelab.scene.editing.properties import Key
from wavelab.scene.editing.repeats import broken_up
from wavelab.scene.editing.switching import parts_switched
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point, area_of, smooth_rings
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import parse_items
from wavelab.scene.toml.toml_reader import Items
from wavelab.scene.toml.toml_writer import items_text

_FROM = "the clipboard"
_HOW = (
    "Copy items first (Ctrl+C), or lines of a scene file from [[sources]], [[probes]], [[holes]], "
    "[[materials]], [[monitors]] or [[labels]] on."
)


def entries(scene: Scene, keys: Iterable[Key]) -> list[Any]:
    """The items of these keys."""
    return [getattr(scene, str(name))[number] for name, number in keys]


def words(scene: Scene, keys: Sequence[Key]) -> str:
    """What is said of some items: "source 1", "3 items"."""
    if len(keys) != 1:
        return f"{len(keys)} items"
    return next(item.label for item in properties.items(scene) if item.key == keys[0])


def copied(scene: Scene, keys: Sequence[Key]) -> str:
    """Items as the text of a scene file; an obstacle's walls come along.

    Raises
    ------
    SceneError : one of them cannot be copied.
    """
    for key in keys:
        if key[0] not in COPIED:
            raise SceneError(
                f"the {words(scene, [key])} cannot be copied",
                remedy="Obstacles, materials, sources, probes and monitors can.",
            )
    kept: dict[str, Any] = {
        name: tuple(entries(scene, [k for k in keys if k[0] == name])) for name in COPIED
    }
    holes = {hole.name for hole in kept["holes"]}
    walls = tuple(wall for wall in scene.walls if owners(wall) <= holes)
    return items_text(replace(scene, **kept, walls=walls))


def read(text: str, physics: str = "light") -> Items:
    """The items in a text; of ``physics`` where it does not say of which.

    Raises
    ------
    SceneError : there are none, or they cannot be read; says where.
    """
    # A sentence or a picture's address is no mistake in a scene file.
    if not re.search(r"^\s*\[", text, re.MULTILINE):
        raise SceneError(f"{_FROM} holds no items of a scene", remedy=_HOW)
    found = parse_items(text, _FROM, physics)
    if not any(getattr(found, name) for name in COPIED):
        raise SceneError(f"{_FROM} holds no items that can be pasted", remedy=_HOW)
    return found


def extent(items: Items) -> tuple[Point, Point] | None:
    """The box round them; None if none has a place."""
    return box(item for name in COPIED for item in getattr(items, name))


def remove(scene: Scene, keys: Sequence[Key], verb: str = "Remove") -> Edit:
    """
    Raises
    ------
    ItemError : something else needs one of them.
    """
    return Edit(f"{verb} {words(scene, keys)}", properties.without(scene, *keys))


def move(scene: Scene, keys: Sequence[Key], by: Point) -> Edit:
    """A run of them is one step of the history.

    Raises
    ------
    WavelabError : one of them cannot be there.
    """
    new = scene
    for name in COPIED:
        chosen = {number for key, number in keys if key == name}
        old = getattr(scene, name)
        moved = tuple(displaced(e, by) if i in chosen else e for i, e in enumerate(old))
        # Only what is another item: copies of the same would be new to the rest of the program.
        if moved != old:
            new = with_items(new, name, moved)
    if new == scene:
        raise SceneError(
            f"{words(scene, keys)} cannot be moved",
            remedy="Choose an obstacle, a material, or a source, probe or monitor with a place.",
        )
    if not all(ITEM_KINDS[str(key[0])].passive for key in keys):
        new = replace(new, exact=None)
    new = followed(scene, check_scene(new))
    check_moved(scene, new, keys)
    return Edit(f"Move {words(scene, keys)}", new, merge=True)


def paste(
    scene: Scene, items: Items, by: Point = (0.0, 0.0), verb: str = "Paste"
) -> tuple[Edit, tuple[Key, ...]]:
    """Items under new names, moved by a distance, and their keys; without those that have no place
    and are there already, such as a current everywhere, which would only be doubled.  Media and
    walls of other waves become those of the scene's, as in a scene that is switched.

    Raises
    ------
    WavelabError : one of them cannot be there, or all are there already.
    """
    items, switched = parts_switched(items, scene.physics)
    scene, items = adopted(scene, items)
    named = {name: named_anew(getattr(items, name), getattr(scene, name), by) for name in COPIED}
    rims = {old.name: new.name for old, new in zip(items.holes, named["holes"], strict=True)}
    new, notes = scene, list(switched)
    for hole in named["holes"]:
        edit = cut_hole(new, hole.shape, hole.name)
        new, notes = edit.scene, [*notes, *edit.notes]
    walls = [wall for wall in items.walls if owners(wall) <= set(rims)]
    new = replace(new, walls=(*new.walls, *(renamed_wall(wall, rims) for wall in walls)))
    for region in named["materials"]:
        new = add_region(new, region).scene
    named["sources"] = tuple(through_renamed(source, rims) for source in named["sources"])
    again = _left_out_again(scene, named)
    if named["sources"]:
        new = with_items(new, "sources", (*new.sources, *named["sources"]))
    for name in (name for name in COPIED if ITEM_KINDS[name].passive):
        new = with_items(new, name, (*getattr(new, name), *named[name]))
    check_scene(new)
    keys = tuple(
        (name, len(getattr(new, name)) - len(named[name]) + i)
        for name in COPIED
        for i in range(len(named[name]))
    )
    _check_shapes(new, keys, drawn=True)
    check_places(scene, new)
    left_out = [*items.left_out, *(["walls"] if len(walls) < len(items.walls) else [])]
    if left_out:
        notes.append(f"left out what is no item of its own ({', '.join(left_out)})")
    if again:
        notes.append(f"left out what would only be doubled ({', '.join(again)})")
    return Edit(f"{verb} {words(new, keys)}", new, tuple(notes)), keys


def break_up(scene: Scene, keys: Sequence[Key]) -> tuple[Edit, tuple[Key, ...]]:
    """An item for each copy of those that are repeated, and their keys.

    Raises
    ------
    SceneError : none of them is.
    """
    new, made = broken_up(scene, keys)
    return Edit(f"Break {words(scene, keys)} into single items", new), made


def loses(before: Scene, after: Scene) -> bool:
    """Whether an item of one scene is not in the other."""
    return any(
        {item.name for item in getattr(before, kind)} - {item.name for item in getattr(after, kind)}
        for kind in COPIED
    )


def check_moved(before: Scene, after: Scene, keys: Sequence[Key]) -> None:
    """Items of a checked scene can be where they are now, and take no other's place away.

    Raises
    ------
    WavelabError : one of them cannot.
    """
    _check_shapes(after, keys, drawn=False)
    check_places(before, after)


def _check_shapes(scene: Scene, keys: Sequence[Key], *, drawn: bool) -> None:
    """Obstacles and materials of a checked scene reach into the domain, and monitors are where they
    can be.

    Parameters
    ----------
    drawn : whether their outlines are new, so that they may meet themselves.

    Raises
    ------
    WavelabError : one of them is not.
    """
    domain = None if scene.outline is None else area_of(scene.outline)
    for key, item in zip(keys, entries(scene, keys), strict=True):
        if key[0] == "monitors":
            if (error := misplacement(scene, item)) is not None:
                raise error
            continue
        shape = shape_of(scene, key)
        if shape is not None and drawn:
            one, size = shape.first(), scene.solver.element_size
            for ring, _ in (*smooth_rings(one), *one.rings(size)):
                if (problem := outline_problem(ring)) is not None:
                    what = words(scene, [key])
                    raise SceneError(f"{what} {problem.message}", remedy=problem.remedy)
        if domain is None or shape is None or key[0] == "sources":
            continue
        if not domain.intersects(area_of(shape)):
            raise SceneError(
                f"{words(scene, [key])} would lie outside the domain",
                remedy="Choose a place inside.",
            )


def _left_out_again(scene: Scene, named: dict[str, tuple[Any, ...]]) -> list[str]:
    """Take out of ``named`` what has no place and is in the scene already; its names.

    Raises
    ------
    SceneError : what has a place is there already, or nothing else is left.
    """
    again = []
    for kind, copies in named.items():
        present = {replace(item, name=""): item.name for item in getattr(scene, kind)}
        kept = []
        for item in copies:
            name = present.get(replace(item, name=""))
            if name is not None and points(item):
                raise SceneError(
                    f"there would be a second {name} at the same place",
                    remedy="Choose another place.",
                )
            if name is None:
                kept.append(item)
            else:
                again.append(name)
        named[kind] = tuple(kept)
    if again and not any(named.values()):
        raise SceneError(
            f"a second {again[0]} would only double what is there",
            remedy="Change the amplitude of the one there is, or place another by its tool.",
        )
    return again
