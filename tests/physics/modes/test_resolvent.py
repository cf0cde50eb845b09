"""The resolvent against the equations themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import GRADED, graded_operator
from tests.sample_meshes import elliptic_disk, jittered_square, mixed_operator
from wavelab.numerics.spectra.block_tridiagonal import BlockTridiagonal, levels_of
from wavelab.physics.modes.resolvent import ElementMatrices, Resolvent, suits
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.rates import rates_of_change
from wavelab.scene.model.scene import Material, Scene, Solver
from wavelab.scene.poles import Debye, Drude
from wavelab.scene.walls import OpenWall, PeriodicWall

SHIFT = -0.3 - 2.1j
OPERATORS = {
    "any media and walls": lambda: mixed_operator(3, mesh=jittered_square(3)),
    "little upwinding": lambda: mixed_operator(2, 0.3, jittered_square(3)),
    "central": lambda: mixed_operator(2, 0.0, jittered_square(3)),
    "curved": lambda: mixed_operator(3, mesh=elliptic_disk()),
    "graded": lambda: graded_operator(3, GRADED),
}


def resolvent(operator, equations=()):
    matrices = ElementMatrices.of(operator, lambda: None)
    return Resolvent(operator, matrices, equations, SHIFT)


def rates(operator, equations, vector):
    """L v; the equations are real, and there the auxiliary variables of a node lie apart."""
    n, nodes = operator.discretization.shape
    sizes = [3 * n * nodes, *(np.prod(e.shape) for e in equations)]
    fields, *kept = np.split(vector, np.cumsum(sizes)[:-1])
    shapes = [(3, n, nodes), *(e.shape for e in equations)]
    parts = [fields.reshape(n, 3, nodes).swapaxes(0, 1)]
    parts += [
        np.moveaxis(part.reshape(*e.shape[1:], e.shape[0]), -1, 0)
        for part, e in zip(kept, equations, strict=True)
    ]
    flat = np.concatenate([part.ravel() for part in parts])
    found = rates_of_change(operator, flat.real, equations)
    found = found + 1j * rates_of_change(operator, flat.imag, equations)
    pieces = np.split(found, np.cumsum(sizes)[:-1])
    fields, *kept = (a.reshape(shape) for a, shape in zip(pieces, shapes, strict=True))
    back = [fields.swapaxes(0, 1), *(np.moveaxis(part, 0, -1) for part in kept)]
    return np.concatenate([part.ravel() for part in back])


def check(operator, equations=()):
    solver = resolvent(operator, equations)
    rng = np.random.default_rng(1)
    right = rng.standard_normal((solver.size, 2)) + 1j * rng.standard_normal((solver.size, 2))
    for b, x in zip((solver.units * right).T, (solver.units * solver.solve(right)).T, strict=True):
        again = rates(operator, equations, x) - SHIFT * x
        assert np.abs(again - b).max() < 1e-9


@pytest.mark.parametrize("name", OPERATORS)
def test_it_solves_the_equations(name):
    operator = OPERATORS[name]()
    assert suits(operator)
    check(operator)


def test_it_solves_them_with_layers_and_memories_in_crystals():
    medium = Material(
        mu_axes=(1.0, 2.0), mu_angle=20.0, poles=(Debye(1.0, 0.1),), magnetic_poles=(Drude(0.3),)
    )
    scene = Scene("layered", Solver(0.25, order=2, precision="double"), background=Material(),
                  walls=(OpenWall(("domain.left",), thickness=0.6),))  # fmt: skip
    layered = discretize_scene(scene, jittered_square(4))
    check(layered.operator, layered.acting)
    crystal = discretize_scene(replace(scene, walls=(), background=medium), jittered_square(3))
    assert crystal.acting
    check(crystal.operator, crystal.acting)


def test_what_touches_twice_is_refused():
    walls = (PeriodicWall(("domain.left", "domain.right")),)
    scene = Scene("glued", Solver(0.5, order=2, precision="double"), walls=walls)
    glued = discretize_scene(scene, jittered_square(1))
    assert not suits(glued.operator)


def test_levels_touch_the_next_alone_and_the_factors_solve():
    neighbors = np.array([[1, 0], [2, 0], [3, 1], [2, 3], [5, 4], [5, 4]])
    levels = levels_of(neighbors)
    place = np.empty(6, int)
    for number, level in enumerate(levels):
        place[level] = number
    assert (np.abs(place[neighbors] - place[:, None]) <= 1).all()
    assert sorted(np.concatenate(levels)) == list(range(6))

    rng = np.random.default_rng(0)
    sizes, ends = [2, 3, 1], [0, 2, 5, 6]
    whole = rng.standard_normal((6, 6)) + 4 * np.eye(6)
    whole[:2, 5:] = whole[5:, :2] = 0

    def block(i, j):
        return whole[ends[i] : ends[i + 1], ends[j] : ends[j + 1]].astype(complex)

    right = rng.standard_normal((6, 2)).astype(complex)
    assert np.abs(whole @ BlockTridiagonal(sizes, block).solve(right) - right).max() < 1e-12
