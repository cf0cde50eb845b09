"""What a user should hear of the parameters of a scene."""

from __future__ import annotations

from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.parameter_rules import unused_parameters


def idle_parameters(scene: Scene) -> tuple[str, ...]:
    """That nothing changes with one of them."""
    return tuple(
        f"nothing in the scene uses parameter {name}, so it has no effect"
        for name in unused_parameters(scene)
    )
