"""Another medium in the background or in some regions, as an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wavelab.app.edits.edits import Edit
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.validate import check_scene


def set_medium(scene: Scene, chosen: Sequence[Key], medium: Medium) -> Edit:
    """The regions that are chosen are filled with a medium, or the background if none is.

    Raises
    ------
    SceneError : the scene cannot have it.
    """
    numbers = {int(key[1]) for key in chosen if key[0] == "materials"}
    if not numbers:
        changed = replace(scene, background=medium, exact=None)
        return Edit("Change background", check_scene(changed))
    regions = tuple(
        replace(region, material=medium) if i in numbers else region
        for i, region in enumerate(scene.materials)
    )
    changed = replace(scene, materials=regions, exact=None)
    return Edit("Change medium", check_scene(changed))
