"""What a user should hear of materials and regions of a mesh that are nowhere."""

from __future__ import annotations

import math

import numpy as np

from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import Medium, remembers
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Lens

#: So many are named.
_NAMED = 8
#: Refractive indices this near to each other, in parts, are the same to a lens.
_UNFIT = 5e-3


def unfit_lenses(scene: Scene) -> tuple[str, ...]:
    """That a lens is ground for another refractive index than its glass has, where both are
    constant; by how much its focal length is wrong then."""
    around = _index(scene.background)
    told = []
    for region in scene.materials:
        lens = None if region.shape is None else region.shape.single()
        if not isinstance(lens, Lens) or around is None:
            continue
        index = _index(region.material)
        if index is None or math.isclose(index / around, lens.index, rel_tol=_UNFIT):
            continue
        found = index / around
        bends = abs(found - 1) > _UNFIT
        focal = (lens.index - 1) / (found - 1) * lens.focal_length if bends else math.inf
        needed = lens.index * around
        medium = (
            f"epsilon to {needed**2:.4g}" if "epsilon" in region.material.rules else "its speed"
        )
        text = f"about {focal:.3g}" if bends else "infinite"
        told.append(
            f'"{region.name}" is ground for the index {lens.index:g}, but its glass has '
            f"{found:.4g} times that of the background: its focal length is {text}, and not "
            f"{lens.focal_length:g}; change the index of its shape, or {medium}"
        )
    return tuple(told)


def _index(material: Medium) -> float | None:
    """The refractive index; None if it depends on place, time, frequency or direction."""
    epsilon, mu = material.coefficient("epsilon"), material.coefficient("mu")
    if isinstance(epsilon, Formula) or isinstance(mu, Formula):
        return None
    if remembers(material) or material.axes is not None:
        return None
    return math.sqrt(epsilon * mu)


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
