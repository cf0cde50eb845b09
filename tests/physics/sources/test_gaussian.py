"""Gaussian bumps have the integrals they should, however narrow they are for the mesh."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.fields.point_loads import projected_points
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.sources import gaussian as gaussian_module
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
        exact(*ENDS[kind], radius), rel=1e-6, abs=0
    )


def test_so_it_is_in_a_curved_element():
    d = discretize(elliptic_disk((0.0, 0.0), (1.0, 1.0)), 3)
    start = (0.9 * np.cos(0.2), 0.9 * np.sin(0.2))
    nodes, values = gaussian(d, start, 0.01, 1.0)
    assert (nodes // d.nodes_per_element >= d.first_curved).all()
    total = d.integrate(np.bincount(nodes, values, d.x.size).reshape(d.shape)).sum()
    assert total == pytest.approx(2 * np.pi * 0.01**2, rel=1e-7, abs=0)


def test_a_wide_bump_is_sampled_at_the_nodes():
    d = discretize(jittered_square(5), 3)
    nodes, values = gaussian(d, (0.41, 0.37), 0.1, 2.0)
    x, y = d.x.ravel()[nodes], d.y.ravel()[nodes]
    squared = (x - 0.41) ** 2 + (y - 0.37) ** 2
    np.testing.assert_allclose(values, 2 * np.exp(-squared / 0.02), rtol=1e-12)


def test_what_is_outside_of_the_domain_does_nothing():
    d = discretize(jittered_square(5), 3)
    assert not len(gaussian(d, (1.1, 0.5), 0.01, 1.0)[0])


@pytest.mark.parametrize("ratio", [0.4, 0.59])
def test_a_bump_about_as_wide_as_the_nodes_has_its_energy(ratio):
    """Points too far apart for the kinks between elements would give up to a third more."""
    d = discretize(jittered_square(5), 3)
    radius = ratio * float(d.mesh.longest_edges.min()) / 3
    nodes, values = gaussian(d, (0.43, 0.51), radius, 1.0)
    bump = np.bincount(nodes, values, d.x.size).reshape(d.shape)
    energy = d.integrate_product(bump, bump).sum() / (np.pi * radius**2)
    assert 0.9 < energy < 1.02


def test_small_elements_beside_large_ones_are_sampled(monkeypatch):
    """A quadrature as fine as the smallest of them took minutes where the largest could not sample
    the bump."""
    square = jittered_square(8, jitter=0.0)
    d = discretize(Mesh.plain(square.vertices**8, square.triangles), 3)
    center, radius = (0.06, 0.06), 0.015
    counts = []

    def counted(discretization, points, weights):
        counts.append(len(points))
        assert len(points) < 10_000
        return projected_points(discretization, points, weights)

    monkeypatch.setattr(gaussian_module, "projected_points", counted)
    nodes, _ = gaussian(d, center, radius, 1.0)
    edges = d.mesh.longest_edges[np.unique(nodes // d.nodes_per_element)]
    assert edges.max() > 1000 * edges.min()
    assert len(counts) == 1
    assert len(np.unique(nodes)) == len(nodes)
    assert integral(d, center, center, radius) == pytest.approx(
        exact(center, center, radius), rel=0.01
    )
