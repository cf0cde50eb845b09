"""What the regions of a scene are filled with, at the nodes of its mesh."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.materials import materials_by_region
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene
from wavelab.scene.systems import System


def media_fields(system: System) -> list[str]:
    """What a medium of a system is made of: "epsilon", or "density" and "speed"."""
    return [f.name for f in fields(system.medium) if f.metadata.get("variables") == SPACE_AND_TIME]


def medium_at_nodes(scene: Scene, d: Discretization, name: str, time: float) -> Array:
    """(n_elements, nodes_per_element) one of these as the scene says it, at a time.

    Raises
    ------
    FormulaError : it has no finite value at some node.
    """
    values = np.empty(d.shape)
    for number, (_, medium) in enumerate(materials_by_region(scene, d.mesh)):
        here = d.mesh.regions == number
        value = getattr(medium, name)
        if isinstance(value, Formula):
            value = value.evaluate(x=d.x[here], y=d.y[here], t=time)
        values[here] = value
    return values
