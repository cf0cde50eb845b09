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

#: Of a grid, at most.
MOST_NODES = 4_000_000
#: Cells by which a conductor is set back before nodes beyond it are in it.  The zeros of Ez are the
#: first nodes beyond the wall, on average about this far from it; see
#: :mod:`wavelab.benchmark.versus.finite_differences`, which has measured it.
SETBACK = 0.4
#: A node is on a wall within this part of a cell, and a wall along the grid within this of its
#: normal's larger part.
_ON_WALL, _ALONG_GRID = 1e-6, 1e-6
#: Of a reflection coefficient, from that of a conductor.
_CONDUCTS = 1e-9


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
        refused.append(("periodic walls", "Take conducting, magnetic, absorbing or open ones."))
    materials = [
        material for _, material in materials_by_region(scene, problem.discretization.mesh)
    ]
    if any(material.poles for material in materials):
        refused.append(("dispersive media", "Give them no poles."))
    changing = [
        value
        for material in materials
        for value in (material.epsilon, material.mu, material.sigma)
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
    faces = _Faces(problem)
    stepped = inside & ~_in_conductor(inside, points, faces, max(x[1] - x[0], y[1] - y[0]))
    if not stepped.any():
        raise SceneError(
            f"no node of a grid with cells of {cell:g} lies in the domain",
            where=scene.where,
            remedy="Take smaller cells.",
        )
    conductor = _conductors(stepped, points, faces)
    known = stepped | conductor
    epsilon, mu, sigma = _media(problem, element, points)
    up = (stepped[1:] & known[:-1]) | (stepped[:-1] & known[1:])
    right = (stepped[:, 1:] & known[:, :-1]) | (stepped[:, :-1] & known[:, 1:])
    shares, taken = _at_walls(stepped, known, points, faces)
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


class _Faces:
    """The faces of the boundary, found by what is nearest."""

    def __init__(self, problem: Problem) -> None:
        operator = problem.operator
        d = operator.discretization
        elements, faces = np.nonzero(d.connectivity.is_boundary)
        nodes = d.element.face_nodes[faces]
        lines = np.stack([d.x[elements[:, None], nodes], d.y[elements[:, None], nodes]], axis=2)
        self._lines = shapely.linestrings(lines)
        self._tree = shapely.STRtree(self._lines)
        reflection = operator.reflection[elements, faces]
        self.conducts = reflection < -1 + _CONDUCTS
        # Of the surface: Ez times this goes into the wall, per length.
        within = np.where(self.conducts, 0.0, reflection)
        impedance = np.sqrt(operator.mu / operator.epsilon)[elements]
        self.conductance = (1 - within) / (1 + within) / impedance
        self.normal = np.stack(
            [np.abs(n[elements, faces]) for n in (d.geometry.normal_x, d.geometry.normal_y)], axis=1
        )

    def nearest(self, points: Array) -> tuple[Indices, Array]:
        """The number of the face that is nearest to each of some points (n, 2), and how far."""
        there = shapely.points(points)
        found = self._tree.nearest(there) if len(points) else np.zeros(0, np.int64)
        return found, shapely.distance(there, self._lines[found])


def _beside(mask: Mask) -> Mask:
    """Nodes with one of ``mask`` among their four neighbours."""
    found = np.zeros_like(mask)
    found[1:] |= mask[:-1]
    found[:-1] |= mask[1:]
    found[:, 1:] |= mask[:, :-1]
    found[:, :-1] |= mask[:, 1:]
    return found


def _in_conductor(inside: Mask, points: Array, faces: _Faces, cell: float) -> Mask:
    """Nodes in the domain, but so close to a conductor that they count as beyond it."""
    found = inside & _beside(~inside)
    near, distance = faces.nearest(points[found])
    found[found] = faces.conducts[near] & (distance < SETBACK * cell)
    return found


def _conductors(stepped: Mask, points: Array, faces: _Faces) -> Mask:
    """Nodes beside those that are stepped which are in a conductor."""
    found = ~stepped & _beside(stepped)
    near, _ = faces.nearest(points[found])
    found[found] = faces.conducts[near]
    return found


def _at_walls(
    stepped: Mask, known: Mask, points: Array, faces: _Faces
) -> tuple[tuple[Array, Array], Array]:
    """Share of the cell of each node, across and up, and a conductivity that stands for walls at
    the links that they cut.

    H along such a link is 0 as at a magnetic wall, and the node feels the current of the wall's
    surface.  The links that a slanted wall cuts are more than its length, so each counts as its
    part of the normal.
    """
    shares, total = (np.ones(stepped.shape), np.ones(stepped.shape)), np.zeros(stepped.shape)
    for along, share in enumerate(shares):  # x, y
        axis = 1 - along
        for shift in (-1, 1):
            cut = stepped & ~np.roll(known, shift, axis=axis)
            across = np.roll(points, shift, axis=axis)[cut]
            size = float(points[1, 1, along] - points[0, 0, along])
            near, _ = faces.nearest((points[cut] + across) / 2)
            normal = faces.normal[near, along]
            on_wall = (faces.nearest(points[cut])[1] < _ON_WALL * size) & (normal > 1 - _ALONG_GRID)
            part = np.where(on_wall, 0.5, 1.0)
            share[cut] *= part
            total[cut] += faces.conductance[near] * normal / (part * size)
    return shares, total


def _media(problem: Problem, element: Indices, points: Array) -> tuple[Array, Array, Array]:
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
        said = material.epsilon, material.mu, material.sigma
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
