"""What the waves of a scene are, as an edit."""

from __future__ import annotations

from wavelab.app.edits.edits import Edit
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS


def set_physics(scene: Scene, physics: str) -> Edit:
    """Other waves in the same scene, see :func:`wavelab.scene.editing.switching.switched`.

    Raises
    ------
    SceneError : something in the scene cannot be in these.
    """
    if physics == scene.physics:
        return Edit("Waves", scene)
    changed, notes = switched(scene, physics)
    return Edit(f"Waves: {SYSTEMS[physics].label}", check_scene(changed), notes)
