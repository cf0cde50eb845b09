"""Parts of a mesh weigh about the same, none is empty, and their borders are short."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square
from wavelab.errors import WavelabError
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.partitioning import has_metis, partitioned


def dealt(mesh: Mesh, weights: np.ndarray, n_parts: int) -> np.ndarray:
    centers = mesh.vertices[mesh.triangles].mean(axis=1)
    return partitioned(connect(mesh).neighbor_element, weights, centers, n_parts)


def cut_faces(mesh: Mesh, parts: np.ndarray) -> int:
    return int((parts[connect(mesh).neighbor_element] != parts[:, None]).sum()) // 2


@pytest.fixture(params=["metis", "curve"])
def way(request, monkeypatch) -> str:
    if request.param == "curve":
        monkeypatch.setitem(sys.modules, "pymetis", None)
    elif not has_metis():
        pytest.skip("pymetis is not installed")
    return request.param


@pytest.mark.parametrize("n_parts", [1, 2, 3, 8])
def test_parts_are_even_and_compact(way, n_parts):
    mesh = jittered_square(32)
    parts = dealt(mesh, np.ones(mesh.n_elements, np.int64), n_parts)
    counts = np.bincount(parts, minlength=n_parts)
    assert counts.max() <= 1.04 * mesh.n_elements / n_parts + 1
    # Squares of the area of a part have this perimeter together, in faces of length 1 / 32 and in
    # diagonals; a curve is let have three times as much.
    squares = 2 * math.sqrt(n_parts) * 32
    assert cut_faces(mesh, parts) <= {"metis": 1.2, "curve": 3.0}[way] * squares * (n_parts > 1)


@pytest.mark.parametrize("unit", [10, 1 << 40], ids=["", "more than METIS can add up"])
def test_heavy_elements_count_for_more(way, unit):
    mesh = jittered_square(16)
    left = mesh.vertices[mesh.triangles].mean(axis=1)[:, 0] < 0.5
    weights = np.where(left, 3 * unit, unit)
    parts = dealt(mesh, weights, 2)
    of = np.bincount(parts, weights=weights)
    assert of.max() <= 1.05 * of.mean()


@given(n=st.integers(1, 4), n_parts=st.integers(1, 40), seed=st.integers(0, 99))
def test_no_part_is_empty_however_few_elements_there_are(n, n_parts, seed):
    mesh = jittered_square(n, seed)
    weights = np.random.default_rng(seed).integers(1, 50, mesh.n_elements)
    if n_parts > mesh.n_elements:
        with pytest.raises(WavelabError, match=f"a mesh of {mesh.n_elements} elements has no"):
            dealt(mesh, weights, n_parts)
    else:
        assert set(dealt(mesh, weights, n_parts)) == set(range(n_parts))
