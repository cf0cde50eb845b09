"""What an edit is, and the plain ones: the way a scene is solved, its probes and its sources.

Edits are pure functions of scenes and never repair in silence: what had to be left out or adapted
is said in ``Edit.notes``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from wavelab.errors import SceneError
from wavelab.numerics.elements.reference_element import MAX_ORDER
from wavelab.scene.editing.following import followed
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.editing.misplaced import check_places
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.overrides import check_meshes_itself
from wavelab.scene.model.scene import Probe, Scene, Source
from wavelab.scene.model.shapes import Point
from wavelab.scene.rules.validate import check_scene


@dataclass(frozen=True)
class Edit:
    """A scene to take the place of the present one.

    ``merge`` joins a run of edits of the same ``label``, one soon after the other, into one step of
    the history.
    """

    label: str
    scene: Scene
    notes: tuple[str, ...] = ()
    merge: bool = False


def free_name(kind: str, items: Iterable[Any]) -> str:
    """The first of "``kind`` 1", "``kind`` 2" and so on that none of the items has."""
    names = {item.name for item in items}
    return next(name for i in range(1, len(names) + 2) if (name := f"{kind} {i}") not in names)


def set_order(scene: Scene, order: int) -> Edit:
    if not 1 <= order <= MAX_ORDER:
        raise SceneError(f"order {order} is not offered", remedy=f"Choose 1 to {MAX_ORDER}.")
    return Edit("Order", replace(scene, solver=replace(scene.solver, order=order)), merge=True)


def set_stepper(scene: Scene, name: str) -> Edit:
    return Edit("Stepper", replace(scene, solver=replace(scene.solver, stepper=name)), merge=True)


def set_curved(scene: Scene, curved: bool) -> Edit:
    """Whether elements follow circles, ellipses and arcs."""
    label = "Follow arcs" if curved else "Straight faces"
    return Edit(label, replace(scene, solver=replace(scene.solver, curved=curved)))


def set_element_size(scene: Scene, size: float) -> Edit:
    if not (math.isfinite(size) and size > 0):
        raise SceneError(f"element size {size:g} is not a length", remedy="Choose one above 0.")
    check_meshes_itself(scene, "an element size")
    solver = replace(scene.solver, element_size=size)
    return Edit("Element size", replace(scene, solver=solver), merge=True)


def add_label(scene: Scene, position: Point) -> Edit:
    """A label with a text that is to be changed."""
    name = free_name("label", scene.labels)
    labels = (*scene.labels, TextLabel(name, name, position))
    return Edit("Write label", replace(scene, labels=labels))


def set_texts(scene: Scene, title: str, description: str, notes: str) -> Edit:
    """
    Raises
    ------
    ItemError : one of them cannot be in a scene file.
    """
    new = replace(scene, title=title, description=description, notes=notes)
    return Edit("Write notes", check_scene(new), merge=True)


def add_probe(scene: Scene, position: Point) -> Edit:
    """
    Raises
    ------
    MisplacedError : it lies in an obstacle, or outside of the domain.
    """
    name = free_name("probe", scene.probes)
    new = replace(scene, probes=(*scene.probes, Probe(name, position)))
    check_places(scene, new)
    return Edit("Place probe", new)


def with_items(scene: Scene, kind: str, items: Iterable[Any]) -> Scene:
    """With other items of a kind.  What the wave feels makes another field than the exact one."""
    changes: dict[str, Any] = {kind: tuple(items)}
    if not ITEM_KINDS[kind].passive:
        changes["exact"] = None
    return replace(scene, **changes)


def remove_item(scene: Scene, kind: str, name: str) -> Edit:
    """Without the item of a kind, such as "probes", that has this name."""
    kept = (item for item in getattr(scene, kind) if item.name != name)
    return Edit(f"Remove {ITEM_KINDS[kind].noun}", with_items(scene, kind, kept))


def remove_all(scene: Scene, kind: str) -> Edit:
    """Without all "probes" or "pings"."""
    changes: dict[str, Any] = {kind: ()}
    return Edit(f"Remove {kind}", replace(scene, **changes))


def add_source(scene: Scene, make: Callable[[str], Source]) -> Edit:
    """``make`` gives the source its name.

    Raises
    ------
    MisplacedError : it lies in an obstacle, or outside of the domain.
    """
    name = free_name("source", scene.sources)
    new = with_items(scene, "sources", (*scene.sources, make(name)))
    check_places(scene, new)
    return Edit("Place source", new)


def change_source(scene: Scene, name: str, changed: Source) -> Edit:
    """Another source in the place of one.

    Raises
    ------
    SceneError : it cannot be, or not there.
    """
    sources = (changed if source.name == name else source for source in scene.sources)
    new = followed(scene, check_scene(with_items(scene, "sources", sources)))
    check_places(scene, new)
    return Edit("Move source", new)
