"""Gaussian bumps have the integrals they should, however narrow they are for the mesh."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.elements.reference_element import triangle_quadrature
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.sources.gaussian import gaussian, gaussian_along

ENDS = {
    "point": ((0.41, 0.37), (0.41, 0.37)),
    "line": ((0.13, 0.22), (0.71, 0.65)),
}


def wave(x, y):
    """Smooth, and a polynomial that all elements hold."""
    return 1 + x + 2 * y + x * y - y**2


def exact(start, end, radius: float) -> float:
    """Integral of the bump times the wave: of a polynomial of degree 2 it takes the value and the
    Laplacian, -2, in the middle of each bump that it is made of."""
    a, b = np.array(start), np.array(end)
    length = float(np.linalg.norm(b - a))
    part, weights = np.polynomial.legendre.leggauss(4)
    along = a + (1 + part[:, None]) / 2 * (b - a)
    r = radius
    line = np.sqrt(2 * np.pi) * r * length / 2 * (weights @ wave(*along.T))
    # Across the line the second derivative of the wave along its normal n counts.
    nx, ny = (-(b - a)[1] / length, (b - a)[0] / length) if length else (0.0, 0.0)
    second = 2 * nx * ny - 2 * ny**2
    line += np.sqrt(2 * np.pi) * r * length * r**2 / 2 * second
    caps = np.pi * r**2 * (wave(*a) + wave(*b) - 2 * r**2)
    # Half a bump beyond each end has a first moment too: sqrt(pi / 2) r per length of its area.
    slope = (b - a) / length @ (gradient(*b) - gradient(*a)) if length else 0.0
    return float(line + caps + np.sqrt(2 * np.pi) * r**3 * slope)


def gradient(x, y):
    return np.array([1 + y, 2 + x - 2 * y])


def integral(d: Discretization, start, end, radius: float) -> float:
    nodes, values = gaussian_along(d, start, end, radius, 1.0)
    bump = np.bincount(nodes, values, d.x.size).reshape(d.shape)
    return float(d.integrate_product(bump, wave(d.x, d.y)).sum())


@pytest.mark.parametrize("radius", [1e-5, 0.004, 0.02])
@pytest.mark.parametrize("kind", ENDS)
def test_a_narrow_bump_acts_on_a_wave_as_strongly_as_it_should(kind, radius):
    d = discretize(jittered_square(5), 3)
    assert integral(d, *ENDS[kind], radius) == pytest.approx(
        exact(*ENDS[kind], radius), rel=1e-9, abs=0
    )


def test_so_it_is_in_a_curved_element():
    d = discretize(elliptic_disk((0.0, 0.0), (1.0, 1.0)), 3)
    start = (0.9 * np.cos(0.2), 0.9 * np.sin(0.2))
    nodes, values = gaussian(d, start, 0.01, 1.0)
    assert (nodes // d.nodes_per_element >= d.first_curved).all()
    total = d.integrate(np.bincount(nodes, values, d.x.size).reshape(d.shape)).sum()
    assert total == pytest.approx(2 * np.pi * 0.01**2, rel=1e-7, abs=0)


@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize("radius", [0.003, 0.04, 0.3])
@pytest.mark.parametrize("curved", [False, True], ids=["straight", "curved"])
def test_a_bump_is_the_best_fit_whatever_its_radius(kind, radius, curved):
    """What is left of it is orthogonal to all polynomials of every element, by a quadrature that
    knows nothing of the bump."""
    if curved:
        d = discretize(elliptic_disk((0.4, 0.4), (0.7, 0.6)), 3)
    else:
        d = discretize(jittered_square(3), 4)
    start, end = (np.array(point) for point in ENDS[kind])
    # The rule of this test does not know where the second derivative of a line's bump jumps.
    precise = 2e-8 if kind == "point" else 1e-4
    fitted = np.zeros(d.x.size)
    nodes, values = gaussian_along(d, *ENDS[kind], radius, 2.0)
    fitted[nodes] = values
    r, s, weights = fine_rule(128 if radius < 0.01 else 16)
    at = d.element.to_points(r, s)
    corners = d.mesh.vertices[d.mesh.triangles]
    for k in np.flatnonzero(np.abs(fitted.reshape(d.shape)).max(axis=1) > 0.01):
        if k < d.first_curved:
            part = np.stack([-(r + s), 1 + r, 1 + s]) / 2
            x, density = (part.T @ corners[k]), weights * d.geometry.jacobian[k]
        else:
            own = d.curved.mapping.part(slice(k - d.first_curved, k - d.first_curved + 1))
            x, density = own.positions(r, s)[0], weights * own.determinants(r, s)[0]
        bump = 2.0 * np.exp(-((distance(x, start, end) / radius) ** 2) / 2)
        missed = (density * (bump - at @ fitted.reshape(d.shape)[k])) @ at
        assert np.abs(missed).max() < precise * radius * min(radius, 0.1)


def distance(x, start, end):
    along = end - start
    part = np.clip((x - start) @ along / max(along @ along, 1e-300), 0, 1)
    return np.linalg.norm(x - start - part[:, None] * along, axis=1)


def fine_rule(n: int):
    """Gauss's rule on n^2 triangles that the reference triangle is cut into."""
    r, s, weights = triangle_quadrature(9)
    points = []
    for turned in (1, -1):
        i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        i, j = (index[i + j < n - (turned < 0)] for index in (i, j))
        corner = np.stack([i, j]) + (turned < 0)
        points.append(corner[:, :, None] + turned * np.stack([1 + r, 1 + s])[:, None] / 2)
    r, s = (2 * np.concatenate(points, axis=1) / n - 1).reshape(2, -1)
    return r, s, np.tile(weights, n * n) / n**2


@pytest.mark.parametrize("order", [1, 3, 5])
def test_the_fit_is_never_worse_on_a_finer_mesh(order):
    """Halving the elements again and again, from far too large to small: the error in the mean
    square falls all the way, in the end as the power N + 1 of their size."""
    radius, missed = 0.04, []
    for n in (2, 4, 8, 16, 32):
        d = discretize(jittered_square(n, jitter=0.0), order)
        nodes, values = gaussian(d, (0.47, 0.52), radius, 1.0)
        fitted = np.bincount(nodes, values, d.x.size).reshape(d.shape)
        # Pythagoras: the best fit is orthogonal to what it misses.
        square = np.pi * radius**2 - d.integrate_product(fitted, fitted).sum()
        missed.append(np.sqrt(max(square, 0.0) / (np.pi * radius**2)))
    falling = np.array(missed[:-1]) / np.maximum(missed[1:], 1e-7)
    assert (falling > 1.0).all()
    if missed[-1] > 1e-6:
        assert np.log2(falling[-1]) > order + 0.7


def test_what_is_outside_of_the_domain_does_nothing():
    d = discretize(jittered_square(5), 3)
    assert not len(gaussian(d, (1.1, 0.5), 0.01, 1.0)[0])


def test_small_elements_beside_large_ones_are_no_burden():
    """Quadratures as fine as the smallest of them took minutes."""
    square = jittered_square(8, jitter=0.0)
    d = discretize(Mesh.plain(square.vertices**8, square.triangles), 3)
    center, radius = (0.06, 0.06), 0.015
    nodes, _ = gaussian(d, center, radius, 1.0)
    edges = d.mesh.longest_edges[np.unique(nodes // d.nodes_per_element)]
    assert edges.max() > 1000 * edges.min()
    assert len(np.unique(nodes)) == len(nodes)
    assert integral(d, center, center, radius) == pytest.approx(
        exact(center, center, radius), rel=1e-4
    )
