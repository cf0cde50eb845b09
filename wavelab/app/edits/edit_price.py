"""What it costs to put one scene in the place of another."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from wavelab.physics.revision import can_be_revised
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Units
from wavelab.scene.model.view import View


class Price(IntEnum):
    """What has to be done again when one scene takes the place of another.

    Numbers are changed in a moment, while the wave runs; another operator is built from the mesh
    on.
    """

    NOTHING = 0
    PROBES = 1
    NUMBERS = 2
    OPERATOR = 3
    MESH = 4


def price(old: Scene, new: Scene) -> Price:
    """What it takes to go from ``old`` to ``new``."""
    # The two sides of a periodic wall must be cut alike, which the mesher sees to.  A mesh that is
    # cut so serves any other walls as well.
    if _mesh_part(old) != _mesh_part(new) or not _pairs(new) <= _pairs(old):
        return Price.MESH
    if _operator_part(old) != _operator_part(new):
        return Price.NUMBERS if can_be_revised(old, new) else Price.OPERATOR
    return Price.PROBES if old.probes != new.probes else Price.NOTHING


def _mesh_part(scene: Scene) -> tuple:
    return (
        scene.outline,
        scene.mesh_file,
        scene.holes,
        tuple((region.name, region.shape) for region in scene.materials),
        scene.solver.element_size,
        scene.solver.curved,
    )


def _pairs(scene: Scene) -> set[tuple[str, ...]]:
    return {wall.edges for wall in scene.walls if wall.glues}


def _operator_part(scene: Scene) -> Scene:
    monitors = tuple(monitor.as_measured for monitor in scene.monitors)
    return replace(
        scene,
        title="",
        description="",
        notes="",
        probes=(),
        labels=(),
        monitors=monitors,
        view=View(),
        path=None,
        parameters=(),
        units=Units(),
    )
