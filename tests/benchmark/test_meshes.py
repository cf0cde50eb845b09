"""Benchmark meshes are sound, of the size asked for, and no two elements are alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.benchmark.meshes import square_mesh
from wavelab.numerics.fields.discretization import discretize


@given(n_elements=st.integers(1, 3000), seed=st.integers(0, 2**32 - 1))
def test_any_size_gives_a_conforming_mesh_of_the_square(n_elements, seed):
    mesh = square_mesh(n_elements, seed).checked()
    n = round(np.sqrt(mesh.n_elements / 2))
    assert mesh.n_elements == 2 * n**2
    assert abs(n - np.sqrt(n_elements / 2)) <= 0.5 or n == 1
    assert mesh.signed_areas().sum() == pytest.approx(1)
    assert discretize(mesh, 1).connectivity.is_boundary.sum() == 4 * n


def test_elements_differ_but_none_is_bad():
    mesh = square_mesh(5000)
    inradii = mesh.inradii()
    assert len(np.unique(inradii.round(9))) > 0.9 * mesh.n_elements
    corners = mesh.vertices[mesh.triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    assert (longest / inradii).max() < 12  # 3.46 for an equilateral one, 4.83 for half a square


def test_elements_come_in_no_useful_order():
    centers = (lambda m: m.vertices[m.triangles].mean(axis=1))(square_mesh(5000))
    assert np.linalg.norm(np.diff(centers, axis=0), axis=1).mean() > 0.4
