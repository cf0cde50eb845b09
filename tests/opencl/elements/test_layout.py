"""Interleaving is undone exactly, and indices point where they should."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.opencl.conftest import mixed_operator
from wavelab.numerics.elements.reference_element import reference_element
from wavelab.numerics.fields.traces import inside_trace, outside_trace
from wavelab.opencl.elements.equations import ELASTIC
from wavelab.opencl.elements.layout import (
    MAXWELL,
    KernelConfig,
    deinterleave,
    face_slots,
    interleave,
    outside_slots,
    pack_rows,
)
from wavelab.opencl.variants import configs
from wavelab.opencl.variants.configs import blocks_each, cpu_config, gpu_config, local_bytes


@given(st.integers(1, 70), st.integers(1, 9), st.sampled_from([1, 4, 8, 32, 64]))
def test_interleaving_is_undone(n_elements, n_entries, lanes):
    values = np.arange(1.0, n_elements * n_entries + 1).reshape(n_elements, n_entries)
    blocks = interleave(values, lanes, padding=-1)
    assert blocks.shape == (-(-n_elements // lanes), n_entries, lanes)
    assert np.array_equal(deinterleave(blocks, n_elements), values)
    assert (blocks == -1).sum() == (blocks.shape[0] * lanes - n_elements) * n_entries


@given(st.integers(1, 70), st.integers(1, 9), st.sampled_from([1, 4, 8, 32, 64]), st.data())
def test_entry_lies_where_the_kernels_look(n_elements, n_entries, lanes, data):
    values = np.random.default_rng(0).uniform(size=(n_elements, n_entries))
    k = data.draw(st.integers(0, n_elements - 1))
    n = data.draw(st.integers(0, n_entries - 1))
    flat = interleave(values, lanes).ravel()
    assert flat[k // lanes * n_entries * lanes + n * lanes + k % lanes] == values[k, n]


@pytest.mark.parametrize("n_traces", [1, 2])
@pytest.mark.parametrize("lanes", [4, 8, 32])
def test_slots_lead_to_the_trace_of_the_neighbour(lanes, n_traces):
    d = mixed_operator(3, 1.0).discretization
    n_fp = d.element.nodes_per_face
    trace = inside_trace(d, d.x + 10 * d.y)
    published = np.zeros((d.n_elements, 3, n_fp, n_traces))
    published[..., -1] = trace
    flat = interleave(published.reshape(d.n_elements, -1), lanes).ravel()
    slots = deinterleave(outside_slots(d.connectivity, n_fp, n_traces, lanes), d.n_elements)
    steps = (np.arange(n_fp) * n_traces - (n_traces - 1)) * lanes
    found = flat[slots[:, :, None] - steps]
    inside = ~d.connectivity.is_boundary
    assert np.array_equal(found[inside], outside_trace(d, trace)[inside])
    # A wall, and nothing else, points at its own last node.
    own = deinterleave(
        np.arange(flat.size).reshape(-1, 3, n_fp, n_traces, lanes)[:, :, -1, 0], d.n_elements
    )
    assert np.array_equal(slots == own, d.connectivity.is_boundary)


@pytest.mark.parametrize("order", range(1, 11))
def test_every_face_node_has_its_slot(order):
    element = reference_element(order)
    slots = face_slots(element.face_nodes, element.nodes_per_element)
    found = sorted((int(s), n) for n, pair in enumerate(slots) for s in pair if s >= 0)
    assert found == list(enumerate(element.face_nodes.ravel().tolist()))
    # The kernels stop at the first -1.
    assert not ((slots[:, 0] < 0) & (slots[:, 1] >= 0)).any()


@pytest.mark.parametrize("tile", [1, 2, 3, 4, 7])
def test_packed_rows_multiply_like_the_matrix(tile):
    rng = np.random.default_rng(0)
    matrices, vector = rng.normal(size=(2, 10, 6)), rng.normal(size=6)
    tiles = np.einsum("tcmi,c->mti", pack_rows(list(matrices), tile), vector)
    assert np.allclose(tiles.reshape(2, -1)[:, :10], matrices @ vector)
    assert not tiles.reshape(2, -1)[:, 10:].any()


def test_sizes_of_a_launch():
    config = KernelConfig(64, 2, rows=3, tile=4)
    assert config.local_size == (96,)
    assert config.global_size(65) == (192,)
    assert not config.alone
    assert KernelConfig(8, 8, rows=1, tile=3).local_size == (1,)


@pytest.mark.parametrize(("width", "rows"), [(2, 1), (1, 2)])
def test_literals_are_for_a_work_item_with_an_element_of_its_own(width, rows):
    with pytest.raises(ValueError, match="an element alone"):
        KernelConfig(32, width, rows, matrices="literal")


def test_mirrored_matrices_are_for_a_work_item_on_its_own():
    assert KernelConfig(8, 8, rows=1, tile=2, matrices="even_odd_cpu").alone
    for config in ((32, 1, 1), (8, 8, 2)):
        with pytest.raises(ValueError, match="a block alone"):
            KernelConfig(*config, matrices="even_odd_cpu")


@pytest.mark.parametrize("units", [1, 2, 64])
def test_every_unit_gets_some_blocks(units):
    assert blocks_each(1, units) == 1
    assert blocks_each(10**6, units) == 16
    for n_blocks in (100, 1260, 30_000):
        each = blocks_each(n_blocks, units)
        assert each == 1 or -(-n_blocks // each) >= 16 * units


@pytest.mark.parametrize("n_fluxes", [1, 2])
@pytest.mark.parametrize("real", [np.dtype(np.float32), np.dtype(np.float64)], ids=str)
@pytest.mark.parametrize("order", range(1, 11))
def test_shared_arrays_fit_local_memory(order, real, n_fluxes):
    for memory, small in itertools.product((16 * 1024, 48 * 1024), (False, True)):
        config = gpu_config(order, n_fluxes, real, memory, small=small)
        assert local_bytes(config, order, n_fluxes, real) <= memory
        assert config.lanes % config.width == 0
        assert config.local_size[0] <= 256
    # 512-bit vectors crash a compiler.
    assert cpu_config(real).width * real.itemsize == 32


@pytest.mark.parametrize("n_fluxes", [1, 2])
@pytest.mark.parametrize("real", [np.dtype(np.float32), np.dtype(np.float64)], ids=str)
def test_a_graphics_card_has_a_choice(monkeypatch, real, n_fluxes):
    """Alone, by two, four or eight: whatever fits, what is taken untimed first."""
    card = SimpleNamespace(local_mem_size=48 * 1024, max_work_group_size=1024)
    monkeypatch.setattr(configs, "kind_of", lambda device: "GPU")
    for order, small in itertools.product(range(1, 11), (False, True)):
        case = {"order": order, "n_fluxes": n_fluxes, "real": real, "small": small}
        candidates = configs.candidate_configs(card, **case)
        assert candidates[0] == configs.kernel_config(card, **case)
        assert len(set(candidates)) == len(candidates) > 1
        for config in candidates:
            assert local_bytes(config, order, n_fluxes, real) <= card.local_mem_size
        if order <= 5:
            assert {config.rows for config in candidates if config.compact} == {1, 2, 4, 8}


@pytest.mark.parametrize("real", [np.dtype(np.float32), np.dtype(np.float64)], ids=str)
def test_where_many_steps_are_one_launch_there_is_a_group_for_every_block(monkeypatch, real):
    card = SimpleNamespace(local_mem_size=48 * 1024, max_work_group_size=1024)
    monkeypatch.setattr(configs, "kind_of", lambda device: "GPU")
    monkeypatch.setattr(configs, "groups_at_once", lambda device: 264)
    for order, n_elements in itertools.product(range(1, 11), (1, 500, 2112, 2113, 4224, 8448)):
        tiny = configs.tiny_blocks(card, n_elements)
        case = {"order": order, "n_fluxes": 1, "real": real, "small": True, "tiny": tiny}
        for load in (MAXWELL, ELASTIC.load):
            first = configs.kernel_config(card, **case, load=load)
            # Of the largest elements too many numbers are kept for a block to have 32.
            if first.by_node or (load == MAXWELL and real == np.float32 and order < 10):
                assert first.n_blocks(n_elements) <= 264
        for config in configs.candidate_configs(card, **case):
            assert local_bytes(config, order, 1, real) <= card.local_mem_size
            if config.by_node:
                assert config.rows * config.tile == (order + 1) * (order + 2) // 2
    assert configs.tiny_blocks(card, 8449) is None
