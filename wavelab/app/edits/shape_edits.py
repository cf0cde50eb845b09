"""Edits of shapes that are there already, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import shapely

from wavelab.app.base.refusal import Refusal
from wavelab.app.edits.edits import Edit, with_items
from wavelab.app.edits.monitor_rules import monitor_refusal
from wavelab.errors import WavelabError
from wavelab.meshing.graph.polygons import outline_problem
from wavelab.scene.editing.following import followed
from wavelab.scene.editing.misplaced import MisplacedError, check_places
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Polygon, Rectangle, Shape, area_of, smooth_rings
from wavelab.scene.rules.validate import check_scene

#: What the sides of a rectangle are called once it is a polygon.
_SIDES = {"bottom": "0", "right": "1", "top": "2", "left": "3"}

#: Items whose edges have names that walls and sources use.
_HAVE_WALLS = ("outline", "holes")


def owner_of(scene: Scene, item: Key) -> Key | None:
    """The item whose shape is changed when one is chosen; None where there is none.

    That of a wall is the shape it belongs to, that of the background the domain.
    """
    if item == ("background",):
        item = ("outline",)
    if item[0] == "walls":
        names = {edge.partition(".")[0] for edge in scene.walls[int(item[1])].edges}
        holes = [i for i, hole in enumerate(scene.holes) if hole.name in names]
        item = ("holes", holes[0]) if holes and "domain" not in names else ("outline",)
    return item if shape_of(scene, item) is not None else None


def shape_of(scene: Scene, item: Key) -> Shape | None:
    """The shape of an item, if it has one."""
    if item == ("outline",):
        return scene.outline
    if item[0] not in ("holes", "materials", "sources", "monitors"):
        return None
    return getattr(getattr(scene, str(item[0]))[int(item[1])], "shape", None)


def reshape(scene: Scene, item: Key, shape: Shape, label: str) -> Edit:
    """``shape`` takes the place of that of an item; walls and sources keep their edges.

    Raises
    ------
    SceneError : the scene then breaks a rule, or something loses its place.
    """
    old = shape_of(scene, item)
    if item == ("outline",):
        owner, new = "domain", replace(scene, outline=shape, exact=None)
    else:
        entries, number = list(getattr(scene, str(item[0]))), int(item[1])
        entries[number] = replace(entries[number], shape=shape)
        owner = entries[number].name
        new = with_items(scene, str(item[0]), entries)
    notes: tuple[str, ...] = ()
    straight = old is not None and isinstance(old.single(), Rectangle)
    if straight and isinstance(shape.single(), Polygon) and item[0] in _HAVE_WALLS:
        before, new = new, _with_renamed_sides(new, owner)
        if new != before:
            notes = ("the rectangle is a polygon now; its sides bottom, right ... are 0, 1 ...",)
    new = followed(scene, check_scene(new))
    check_places(scene, new)
    return Edit(label, new, notes)


def refusal(scene: Scene, item: Key, shape: Shape) -> Refusal | None:
    """Why ``shape`` cannot take the place of that of an item, as far as can be told at once."""
    try:
        reshaped = reshape(scene, item, shape, "").scene
    except MisplacedError as error:
        return Refusal(error.message, error.spot, error.remedy)
    except WavelabError as error:
        return Refusal(error.message)
    if item[0] == "monitors":
        monitor: Any = scene.monitors[int(item[1])]  # one of those that have a shape
        return monitor_refusal(scene, replace(monitor, shape=shape))
    for ring, _ in smooth_rings(shape.first()):
        if (problem := outline_problem(ring)) is not None:
            return Refusal(f"it {problem.message}", problem.where)
    size = scene.solver.element_size
    if item[0] in ("outline", "holes", "materials"):
        for ring, _ in shape.first().rings(size):
            if (problem := outline_problem(ring)) is not None:
                return Refusal("its arcs are too close for elements of this size", problem.where)
        return _misfit(reshaped, item, shape)
    return None


def _misfit(scene: Scene, item: Key, shape: Shape) -> Refusal | None:
    if scene.outline is None:
        return None
    domain, area = area_of(scene.outline), area_of(shape)
    if item[0] != "outline" and not domain.intersects(area):
        return Refusal("it lies outside the domain")
    holes = () if item[0] == "materials" else scene.holes
    cut = [part for hole in holes for part in hole.shape.parts()]
    # In the boxes round them there is more than in the obstacles: hundreds need no look.
    if sum(map(_box_area, cut)) < domain.area:
        return None
    left = domain.difference(shapely.union_all([area_of(hole) for hole in cut])).area
    return Refusal("nothing is left of the domain") if left <= 1e-9 * domain.area else None


def _box_area(shape: Shape) -> float:
    (x0, y0), (x1, y1) = shape.bounds()
    return (x1 - x0) * (y1 - y0)


def _with_renamed_sides(scene: Scene, owner: str) -> Scene:
    """With the names that the sides of a rectangle have once it is a polygon."""

    def renamed(edge: str) -> str:
        name, dot, side = edge.partition(".")
        return f"{owner}.{_SIDES[side]}" if dot and name == owner and side in _SIDES else edge

    walls = tuple(replace(w, edges=tuple(map(renamed, w.edges))) for w in scene.walls)
    sources = tuple(
        s.through(tuple(map(renamed, s.entrances))) if s.entrances else s for s in scene.sources
    )
    return replace(scene, walls=walls, sources=sources)
