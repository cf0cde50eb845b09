"""Modes out of vectors that are nearly they, where energy is lost and where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.operator.test_elastic import bent_mesh, mixed_elastic
from tests.physics.operator.test_media import GRADED, graded_operator
from tests.sample_meshes import elliptic_disk, jittered_square, mixed_operator, vacuum_operator
from wavelab.numerics.fields.discretization import discretize
from wavelab.physics.modes.dispersive_modes import dispersive_modes
from wavelab.physics.modes.modes import applied, apply_mass, reciprocal, ritz_modes
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Material, Scene, Solver
from wavelab.scene.poles import Debye

OPERATORS = {
    "any media and walls": lambda: mixed_operator(3, mesh=jittered_square(3)),
    "little upwinding": lambda: mixed_operator(2, 0.3, jittered_square(3)),
    "curved": lambda: mixed_operator(3, mesh=elliptic_disk()),
    "graded": lambda: graded_operator(3, GRADED),
    "solids": lambda: mixed_elastic(3, 1.0, (-1.0, 0.0, 0.4, 1.0), fluids=0.0),
    "solids and fluids": lambda: mixed_elastic(2, 0.3),
    "curved solids": lambda: mixed_elastic(3, 1.0, mesh=bent_mesh()),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_the_equations_are_reciprocal(name):
    """What u makes of v is what v makes of u, with H or the velocity the other way round."""
    operator = OPERATORS[name]()
    rng = np.random.default_rng(3)
    shape = (2, len(operator.fields.names), *operator.discretization.shape)
    pair = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    if isinstance(operator, ElasticPSV):
        fluid = operator.mu == 0  # which bears no shear stress
        pair[:, 4, fluid], pair[:, 3, fluid] = 0.0, pair[:, 2, fluid]
    u, v = pair

    def between(a, b) -> complex:
        return complex(
            (reciprocal(operator.fields, a) * apply_mass(operator, applied(operator, b))).sum()
        )

    assert between(u, v) == pytest.approx(between(v, u), rel=1e-11)


def room(n: int = 5, order: int = 6) -> MaxwellTM:
    """A unit square whose right side absorbs."""
    d = discretize(jittered_square(n), order)
    operator = vacuum_operator(d)
    right = d.mesh.face_names.index("domain.right")
    operator.reflection[d.mesh.face_tags == right] = 0.0
    return operator


def absorbed(start: complex) -> tuple[complex, complex]:
    """w and k of Ez = sin(k x) sin(pi y) exp(-i w t), with dEz/dx = i w Ez at x = 1."""
    w = start
    for _ in range(50):
        k = np.sqrt(w * w - np.pi**2)
        value = k * np.cos(k) - 1j * w * np.sin(k)
        by_k = np.cos(k) - k * np.sin(k) - 1j * w * np.cos(k)
        w -= value / (by_k * w / k - 1j * np.sin(k))
    return w, np.sqrt(w * w - np.pi**2)


def fields(operator: MaxwellTM, w: complex, k: complex):
    d = operator.discretization
    sx, cx = np.sin(k * d.x), np.cos(k * d.x)
    sy, cy = np.sin(np.pi * d.y), np.cos(np.pi * d.y)
    return np.array([np.pi * sx * cy / (1j * w), 1j * k * cx * sy / w, sx * sy])


def test_a_frequency_is_as_right_as_the_square_of_its_shape_where_energy_is_lost():
    """Modes are not orthogonal in the energy there."""
    operator = room()
    (w, k), other = absorbed(4.3 - 0.6j), absorbed(7.0 - 0.8j)
    assert w == pytest.approx(4.261924441965559 - 0.587154195511983j, rel=1e-12)
    assert abs(other[0] - w) > 1
    missed = []
    for part in (0.1, 0.01):
        mixed = fields(operator, w, k) + part * fields(operator, *other)
        (mode,) = ritz_modes(operator, mixed[None])
        missed.append(abs(2 * np.pi * mode.frequency - 1j * mode.decay - w))
    assert missed[0] < 0.1
    assert missed[1] == pytest.approx(missed[0] / 100, rel=0.1)


def test_a_double_mode_that_the_mesh_has_split_is_found_from_one_guess():
    medium = Material(poles=(Debye(1.0, 0.1),))
    scene = Scene("square", Solver(0.5, order=2, precision="double"), background=medium)
    problem = discretize_scene(scene, jittered_square(3, seed=2))
    d = problem.discretization
    # s^2 (1 + 1 / (1 + 0.1 s)) + 5 pi^2 = 0
    roots = np.roots([0.1, 2.0, 0.5 * np.pi**2, 5 * np.pi**2])
    s = roots[np.argmin(roots.imag)]
    vectors = []
    for m, n in ((1, 2), (2, 1)):
        sx, cx = np.sin(m * np.pi * d.x), np.cos(m * np.pi * d.x)
        sy, cy = np.sin(n * np.pi * d.y), np.cos(n * np.pi * d.y)
        vectors.append([-n * np.pi / s * sx * cy, m * np.pi / s * cx * sy, sx * sy])
    equations = problem.auxiliary_equations
    found = dispersive_modes(problem.operator, equations, np.array(vectors), [s])
    assert len(found) == 2
    split = found[1].frequency / found[0].frequency - 1
    assert split > 1e-4
    assert [mode.frequency for mode in found] == pytest.approx(
        [-s.imag / (2 * np.pi)] * 2, rel=0.02
    )
