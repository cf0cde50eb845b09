"""A scene on a grid of squares: what lies at each node, and where the walls cut between two.

Ez is at the nodes and H in the middle of the links between them, as K. S. Yee has it, IEEE Trans.
Antennas Propag. 14 (1966) 302.  A wall follows the links: a staircase where it is round or slanted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.physics.materials.materials import materials_by_region
from wavelab.physics.problem import Problem
from wavelab.physics.sources.source_terms import FaceSourceTerm
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.medium import kerr_coefficient, remembers
from wavelab.simulation.side_by_side.grid_media import media_at_nodes
from wavelab.simulation.side_by_side.grid_walls import Faces, at_walls, conductors, in_conductor

#: Of a grid, at most.
MOST_NODES = 4_000_000


@dataclass(frozen=True, eq=False)
class Staircase:
    """Coefficients at the nodes (rows, columns) and on the links between them.

    Attributes
    ----------
    x, y : (columns,), (rows,) of the nodes; all around is a row outside.
    stepped : nodes where Ez is stepped; known : those, and the conductor's, where it is 0.
    epsilon, sigma : at the nodes; ``sigma`` with what walls take.
    share_x, share_y : how much of a cell belongs to a node across and up: half of it where it lies
        on a wall along the grid that is no conductor.
    up, right : (rows - 1, columns), (rows, columns - 1) links along which H is stepped.
    mu_up, mu_right : on them.
    element, reference : (rows, columns) of the mesh that a node is in, -1 outside, and (rows,
        columns, 2) where in it.
    """

    x: Array
    y: Array
    stepped: Mask
    known: Mask
    epsilon: Array
    sigma: Array
    share_x: Array
    share_y: Array
    up: Mask
    right: Mask
    mu_up: Array
    mu_right: Array
    element: Indices
    reference: Array

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell."""
        return float(self.x[1] - self.x[0]), float(self.y[1] - self.y[0])

    @property
    def largest_step(self) -> float:
        """Stable time step, by Courant, Friedrichs and Lewy."""
        epsilon, mu = self.epsilon[self.stepped].min(), min(self.mu_up.min(), self.mu_right.min())
        across, up = self.cell
        return float(np.sqrt(epsilon * mu) / np.hypot(1 / across, 1 / up))

    @property
    def n_stepped(self) -> int:
        """Numbers that are stepped: Ez, Hx and Hy."""
        return int(self.stepped.sum() + self.up.sum() + self.right.sum())


def check_physics(problem: Problem) -> None:
    """
    Raises
    ------
    SceneError : the scene has what the grid does not do.
    """
    scene = problem.scene
    refused: list[tuple[str, str]] = []
    if any(wall.glues for wall in scene.walls):
        refused.append(("periodic walls", "Take others, which reflect, absorb or are open."))
    materials = [
        material for _, material in materials_by_region(scene, problem.discretization.mesh)
    ]
    if any(map(remembers, materials)):
        refused.append(("dispersive media", "Give them no poles."))
    if any(map(kerr_coefficient, materials)):
        refused.append(("Kerr media", "Leave chi out."))
    if any(material.axes is not None for material in materials):
        refused.append(("anisotropic media", "Give them one number for all directions."))
    if any(material.coefficient("magnetic_sigma") != 0 for material in materials):
        refused.append(("losses of the vector among the fields", "Leave them out."))
    changing = [
        value
        for material in materials
        for value in map(material.coefficient, ("epsilon", "mu", "sigma"))
        if isinstance(value, Formula) and value.uses("t")
    ]
    if changing:
        refused.append(("media that change in time", "Leave t out of their formulas."))
    entering = [what for what, term in problem.driven if isinstance(term, FaceSourceTerm)]
    if entering:
        refused.append(
            (
                f"waves that come in through faces of elements ({entering[0]})",
                "Take a line source or an array in its place.",
            )
        )
    for what, remedy in refused:
        raise SceneError(
            f"the grid of finite differences has no {what}", where=scene.where, remedy=remedy
        )


def staircase(problem: Problem, cell: float) -> Staircase:
    """The grid of a problem with cells of about this size, such that nodes lie on the outer box.

    Raises
    ------
    SceneError : the scene has what the grid does not do, there would be too many nodes, or too few
        to be anything.
    """
    check_physics(problem)
    scene, d = problem.scene, problem.discretization
    x, y = (_places(low, high, cell) for low, high in zip(*d.bounds(), strict=True))
    if len(x) * len(y) > MOST_NODES:
        raise SceneError(
            f"a grid with cells of {cell:g} has {len(x) * len(y):.2g} nodes",
            where=scene.where,
            remedy=f"It can have {MOST_NODES:,}: take cells of "
            f"{cell * np.sqrt(len(x) * len(y) / MOST_NODES):.2g} or more.",
        )
    _check_thickness(problem, max(x[1] - x[0], y[1] - y[0]))
    points = np.stack(np.meshgrid(x, y), axis=2)
    found, reference = locator_of(d).locate(points.reshape(-1, 2))
    shape = len(y), len(x)
    element = found.reshape(shape).astype(np.int64)
    inside = element >= 0
    # By rounding a node beyond the box may seem to lie on it.
    inside[[0, -1]] = inside[:, [0, -1]] = False
    faces = Faces(problem)
    stepped = inside & ~in_conductor(inside, points, faces, max(x[1] - x[0], y[1] - y[0]))
    if not stepped.any():
        raise SceneError(
            f"no node of a grid with cells of {cell:g} lies in the domain",
            where=scene.where,
            remedy="Take smaller cells.",
        )
    conductor = conductors(stepped, points, faces)
    known = stepped | conductor
    epsilon, mu, sigma = media_at_nodes(problem, element, points)
    up = (stepped[1:] & known[:-1]) | (stepped[:-1] & known[1:])
    right = (stepped[:, 1:] & known[:, :-1]) | (stepped[:, :-1] & known[:, 1:])
    shares, taken = at_walls(stepped, known, points, faces)
    return Staircase(
        x, y, stepped, known, epsilon, sigma + taken, *shares, up, right,
        (mu[1:] + mu[:-1]) / 2, (mu[:, 1:] + mu[:, :-1]) / 2,
        element, reference.reshape(*shape, 2),
    )  # fmt: skip


def _places(low: float, high: float, cell: float) -> Array:
    """Of the nodes, those on both ends among them, with one more beyond each."""
    count = max(1, round((high - low) / cell))
    return np.asarray(low + (high - low) / count * np.arange(-1, count + 2, dtype=np.float64))


def _check_thickness(problem: Problem, cell: float) -> None:
    """A wave would go through what lies between two nodes."""
    for hole in problem.scene.holes:
        rings = [np.asarray(ring) for ring, _ in hole.shape.rings(cell / 4)]
        if any(shapely.Polygon(ring).buffer(-cell / 2).is_empty for ring in rings):
            raise SceneError(
                f'the obstacle "{hole.name}" is thinner than a cell of the grid, {cell:.3g}',
                where=problem.scene.where,
                remedy="Take smaller cells.",
            )
