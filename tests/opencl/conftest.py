"""Operators that exercise everything at once, and the device the tests run on."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.opencl.device.device import choose_device
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM


def distorted_square(n: int, seed: int = 7) -> Mesh:
    """2 n^2 triangles, no two alike, in an order that is not that of neighbours."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0)), axis=-1)
    grid[1:-1, 1:-1] += rng.uniform(-0.25, 0.25, (n - 1, n - 1, 2))
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    right, up, across = corner + 1, corner + n + 1, corner + n + 2
    triangles = np.concatenate(
        [np.column_stack([corner, right, across]), np.column_stack([corner, across, up])]
    )
    # Any vertex may come first, so every face meets every other.
    turned = [np.roll(t, k) for t, k in zip(triangles, rng.integers(0, 3, 2 * n * n), strict=True)]
    return Mesh.plain(grid.reshape(-1, 2) / n, rng.permutation(np.array(turned)))


def mixed_operator(
    order: int, upwinding: float, d: Discretization | None = None, *, n: int = 5
) -> MaxwellTM:
    """Jumping materials, losses and walls of four kinds; 50 elements for n = 5, which is no
    multiple of any number of lanes."""
    d = d or discretize(distorted_square(n), order)
    rng = np.random.default_rng(order)
    return MaxwellTM(
        d,
        epsilon=rng.uniform(1, 4, d.n_elements),
        mu=rng.uniform(1, 2, d.n_elements),
        sigma=rng.uniform(0, 1, d.n_elements),
        reflection=rng.choice([-1.0, 0.0, 1.0, 0.3], (d.n_elements, 3)),
        upwinding=upwinding,
    )


def random_fields(operator: MaxwellTM, seed: int = 1) -> Fields:
    rng = np.random.default_rng(seed)
    return MaxwellFields(*(rng.uniform(-1, 1, operator.discretization.shape) for _ in range(3)))


def relative_error(found: Fields, expected: Fields) -> float:
    """Largest difference over largest value, over all three fields."""
    pairs = [(getattr(found, name), getattr(expected, name)) for name in ("hx", "hy", "ez")]
    return max(np.abs(f - e).max() for f, e in pairs) / max(np.abs(e).max() for _, e in pairs)


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled(not_optimised: None) -> None:
    """Most tests here ask kernels what they compute, and not how fast."""


@pytest.fixture(scope="session")
def device():
    return choose_device(None)
