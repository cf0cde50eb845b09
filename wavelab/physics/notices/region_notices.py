"""What a user should hear of materials and regions of a mesh that are nowhere."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene

#: So many are named.
_NAMED = 8


def empty_regions(scene: Scene, mesh: Mesh) -> tuple[str, ...]:
    """That nothing is made of a material, or lies in a region of a mesh file.

    A drawn background may well be covered by what lies over it.
    """
    sizes = np.bincount(mesh.regions, minlength=len(mesh.region_names))
    named = zip(mesh.region_names, sizes, strict=True)
    empty = [name for name, n in named if n == 0 and name != "background"]
    materials = [material.name for material in scene.materials]
    found = [f'material "{name}"' for name in materials if name in empty]
    if scene.mesh_file is not None:
        found += [f'region "{name}" of the mesh file' for name in empty if name not in materials]
    why = (
        "no element of the mesh file belongs to it"
        if scene.mesh_file is not None
        else "it lies outside of the domain, in an obstacle or under later materials"
    )
    told = [f"{what} covers no element, so it has no effect: {why}" for what in found[:_NAMED]]
    if len(found) > _NAMED:
        told.append(f"{len(found) - _NAMED} more materials or regions cover no element")
    return tuple(told)
