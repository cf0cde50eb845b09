"""Edits of material regions, as pure functions."""

from __future__ import annotations

from dataclasses import replace

import shapely

from wavelab.app.edits.edits import Edit, free_name
from wavelab.errors import SceneError
from wavelab.scene.model.scene import Material, MaterialRegion, Scene
from wavelab.scene.model.shapes import Shape

#: Of a region that was just drawn: glass.
EPSILON = 2.25


def add_material(scene: Scene, shape: Shape) -> Edit:
    """``shape`` is filled with glass; its properties can be changed afterwards.

    Raises
    ------
    SceneError : as :func:`add_region`.
    """
    name = free_name("material", (region.name for region in scene.materials))
    return add_region(scene, MaterialRegion(name, Material(epsilon=EPSILON), shape))


def add_region(scene: Scene, region: MaterialRegion) -> Edit:
    """
    Raises
    ------
    SceneError : the domain is a mesh file, or the region has no shape or lies outside of it.
    """
    if scene.outline is None:
        raise SceneError(
            "a domain that comes from a mesh file has its own regions",
            remedy="Draw a new domain first, or name the region where the mesh is made.",
        )
    if region.shape is None:
        raise SceneError(
            f'material "{region.name}" has no shape',
            remedy="Only in a mesh file is a region found by its name.",
        )
    size = scene.solver.element_size
    area, inside = (
        shapely.make_valid(shapely.Polygon(s.outline(size)[0]))
        for s in (region.shape, scene.outline)
    )
    if area.intersection(inside).area == 0:
        raise SceneError(
            "the material lies outside the domain", remedy="Draw it inside the outline."
        )
    return Edit("Add material", replace(scene, materials=(*scene.materials, region), exact=None))
