"""Index lists and limits of the variant with a work item per node."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator
from wavelab.errors import DeviceError
from wavelab.numerics.fields.traces import inside_trace, outside_trace
from wavelab.opencl.variants.per_node import PerNode, face_node_places, padded_nodes


@pytest.mark.parametrize(("nodes", "padded"), [(3, 16), (15, 16), (16, 16), (21, 32), (66, 80)])
def test_elements_begin_at_multiples_of_16(nodes, padded):
    assert padded_nodes(nodes) == padded


@pytest.mark.parametrize("order", [1, 4])
def test_every_face_node_finds_both_sides(order):
    d = mixed_operator(order, 1.0).discretization
    padded = padded_nodes(d.nodes_per_element)
    inside, outside = face_node_places(d, padded)
    assert inside.dtype == outside.dtype == np.int32
    values = np.random.default_rng(0).normal(size=d.shape)
    fields = np.full((d.n_elements, 3, padded), np.nan)
    fields[:, 0, : d.nodes_per_element] = values
    flat, faces = fields.ravel(), (d.n_elements, 3, -1)
    trace = inside_trace(d, values)
    assert np.array_equal(flat[inside].reshape(faces), trace)
    inner = ~d.connectivity.is_boundary
    assert np.array_equal(flat[outside].reshape(faces)[inner], outside_trace(d, trace)[inner])
    # Behind a wall, and nowhere else, there is nothing.
    nothing = (outside < 0).reshape(faces)
    assert np.array_equal(nothing.all(axis=2), d.connectivity.is_boundary)
    assert np.array_equal(nothing.any(axis=2), d.connectivity.is_boundary)


def memory(max_work_group_size: int) -> SimpleNamespace:
    device = SimpleNamespace(max_work_group_size=max_work_group_size)
    return SimpleNamespace(name="Small Device", device=device, real=np.dtype(np.float32))


def test_work_groups_that_are_too_small_are_refused():
    with pytest.raises(DeviceError, match=r"Small Device: a work group of 66"):
        PerNode(mixed_operator(10, 1.0, n=1), memory(64))


def test_more_unknowns_than_indices():
    operator = mixed_operator(2, 1.0, n=1)
    element = operator.discretization.element
    huge = SimpleNamespace(n_elements=2**31 // 48 + 1, element=element, order=2, curved=None)
    object.__setattr__(operator, "discretization", huge)
    with pytest.raises(DeviceError, match="2147483647"):
        PerNode(operator, memory(1024))
