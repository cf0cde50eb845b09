"""Edits that put ready-made objects into a scene, as pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from wavelab.app.edits.domain_edits import add_region, cut_hole
from wavelab.app.edits.edits import Edit
from wavelab.app.tools.drawing.ready_made import GLASS, ReadyMade
from wavelab.scene.model.scene import MaterialRegion, Scene
from wavelab.scene.model.shapes import Shape
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import system_of


def put_object(scene: Scene, what: ReadyMade, shape: Shape) -> Edit:
    """An obstacle or a piece of glass, under its own name.

    Raises
    ------
    SceneError : it has no place there, or a rule of its shape does not hold.
    """
    taken: Iterable[Any] = getattr(scene, what.becomes)
    noun = what.name
    name = _free(noun, {item.name for item in taken})
    if what.becomes == "holes":
        edit = cut_hole(scene, shape, name)
    else:
        edit = add_region(
            scene, MaterialRegion(name, system_of(scene).medium.of_index(GLASS), shape)
        )
    return replace(edit, label=f"Add {noun}", scene=check_scene(edit.scene))


def _free(name: str, taken: set[str]) -> str:
    """The name, or with the first number that makes it another one: "lens", "lens 2"."""
    numbered = (f"{name} {i}" for i in range(2, len(taken) + 2))
    return next(n for n in (name, *numbered) if n not in taken)
