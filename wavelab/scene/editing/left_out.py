"""A scene without some of its items: what a device is measured against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from wavelab.errors import WavelabError
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.walls.wall_edges import covers

#: What can be left out of a scene without its drive being another.
OBJECTS = ("materials", "holes")


def objects_of(scene: Scene) -> tuple[str, ...]:
    """Names of what stands in the way of waves: materials and obstacles."""
    return tuple(dict.fromkeys(item.name for key in OBJECTS for item in getattr(scene, key)))


def without(scene: Scene, names: Sequence[str]) -> Scene:
    """The scene without materials and obstacles of those names, and without walls of their rims.

    Raises
    ------
    WavelabError : there is nothing of a name, or none is given, or what is left is no scene.
    """
    there = objects_of(scene)
    if not names:
        raise WavelabError(
            "nothing says what is left out",
            where=scene.where,
            remedy=f"Name materials or obstacles. There are {', '.join(there) or 'none'}.",
        )
    for name in names:
        if name not in there:
            raise WavelabError(
                f'there is no material or obstacle "{name}"',
                where=scene.where,
                remedy=suggestion(name, list(there), "There are"),
            )
    holes = tuple(hole for hole in scene.holes if hole.name not in names)
    gone = {hole.name for hole in scene.holes} - {hole.name for hole in holes}
    changed = replace(
        scene,
        materials=tuple(m for m in scene.materials if m.name not in names),
        holes=holes,
        walls=tuple(_without_rims(scene.walls, gone)),
    )
    return check_scene(changed)


def _without_rims(walls: Iterable[Wall], gone: set[str]) -> Iterable[Wall]:
    for wall in walls:
        edges = tuple(e for e in wall.edges if not any(covers(name, e) for name in gone))
        left = wall if edges == wall.edges else wall.at(edges)
        if left is not None:
            yield left
