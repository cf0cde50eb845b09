"""What the media of a scene are at the nodes of a grid."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.problem import Problem
from wavelab.scene.formulas.formula import Formula


def media_at_nodes(problem: Problem, element: Indices, points: Array) -> tuple[Array, Array, Array]:
    """epsilon, mu and sigma at the nodes; outside those of vacuum, or of what is beside them.

    Where a region ends, the mean of what there is at four places around a node in its cell.
    """
    d = problem.discretization
    region = np.where(element >= 0, d.mesh.regions[element], -1)
    found = _at_points(problem, region, points)
    ends = np.zeros(region.shape, dtype=bool)
    for shift in ((0, 1), (1, 0), (1, 1), (1, -1)):
        there = np.roll(region, shift, axis=(0, 1))
        differs = (region != there) & (region >= 0) & (there >= 0)
        ends |= differs | np.roll(differs, (-shift[0], -shift[1]), axis=(0, 1))
    if ends.any():
        quarter = (points[1, 1] - points[0, 0]) / 4
        around = points[ends][:, None] + quarter * np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
        place, _ = locator_of(d).locate(around.reshape(-1, 2))
        there = np.where(place >= 0, d.mesh.regions[place], -1).reshape(-1, 4)
        inside = there >= 0
        count = inside.sum(axis=1)
        for values, near in zip(found, _at_points(problem, there, around), strict=True):
            mean = (near * inside).sum(axis=1) / np.maximum(count, 1)
            values[ends] = np.where(count > 0, mean, values[ends])
    for values in found[:2]:
        _continued(values, element >= 0)
    return found


def _at_points(problem: Problem, region: Indices, points: Array) -> tuple[Array, Array, Array]:
    """Of vacuum where ``region`` is -1."""
    found = np.ones(region.shape), np.ones(region.shape), np.zeros(region.shape)
    for number, (_, material) in enumerate(
        materials_by_region(problem.scene, problem.discretization.mesh)
    ):
        here = region == number
        x, y = points[here].T
        said = map(material.coefficient, ("epsilon", "mu", "sigma"))
        for values, value in zip(found, said, strict=True):
            values[here] = value.evaluate(x=x, y=y, t=0.0) if isinstance(value, Formula) else value
    return found


def _continued(values: Array, inside: Mask) -> None:
    """Nodes outside beside one inside get its value, so that what is in the middle of a link to a
    wall is that of the medium before it."""
    for axis in (0, 1):
        for shift in (-1, 1):
            there = np.roll(inside, shift, axis=axis) & ~inside
            values[there] = np.roll(values, shift, axis=axis)[there]
