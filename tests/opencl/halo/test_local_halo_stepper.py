"""Devices that share a mesh take the local steps that one takes, wherever it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from tests.opencl.halo.sharing import (
    N_STEPS,
    NAMES,
    WAYS,
    check,
    lagging,
    late,
    on_ranks,
    stepped,
    waves,
)
from tests.opencl.local_time.test_local_stepper import CURVED, case
from tests.products import each_pair
from tests.sample_meshes import narrow_strip
from wavelab.arrays import Indices
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.halo import local_halo_stepper
from wavelab.opencl.halo.direct_exchange import DirectExchange
from wavelab.opencl.halo.local_halo_stepper import LocalHaloOpenCLStepper
from wavelab.opencl.local_time import local_stepper
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import Subdomain, subdomain_of

Case = tuple[MaxwellTM, Clusters, float]


def middles(operator: MaxwellTM) -> tuple[np.ndarray, np.ndarray]:
    d = operator.discretization
    return d.x.mean(axis=1), d.y.mean(axis=1)


def across(operator: MaxwellTM, n_ranks: int) -> Indices:
    """Whose elements are, one part above the other."""
    _, y = middles(operator)
    return np.argsort(np.argsort(y)) * n_ranks // len(y)


def anyhow(operator: MaxwellTM, n_ranks: int) -> Indices:
    """Whose elements are, with neighbours of all ranks."""
    return np.random.default_rng(6).integers(0, n_ranks, operator.discretization.n_elements)


def together(
    of: Case,
    fields: Fields,
    owner: Indices,
    devices: Sequence[Any],
    *,
    direct: bool,
    batches: Sequence[int] = (N_STEPS,),
) -> tuple[dict[str, np.ndarray], list[int]]:
    """The fields after some steps on as many ranks as there are devices, and how many launches
    of small clusters together each takes."""
    operator, clusters, dt = of
    parts = [subdomain_of(operator.discretization, owner, rank) for rank in range(len(devices))]

    def make(here: MaxwellTM, part: Subdomain, **shared: Any) -> LocalHaloOpenCLStepper:
        own = clusters.part(part.elements, part.own)
        return LocalHaloOpenCLStepper(here, dt=dt, clusters=own, **shared)

    return on_ranks(
        make, operator, fields, parts, devices, direct=direct, batches=batches,
        done=lambda stepper: len(stepper._together),
    )  # fmt: skip


def alone(of: Case, fields: Fields, device: Any) -> Fields:
    operator, clusters, dt = of
    how = {"dt": dt, "clusters": clusters, "device": device, "precision": "double"}
    return stepped(LocalOpenCLStepper(operator, **how), fields)


MESHES = {"straight": narrow_strip(10), "curved": CURVED}
CUTS = {1: across, 2: across, 3: anyhow}


@pytest.mark.parametrize(
    ("mesh", "upwinding", "n_ranks", "direct"),
    each_pair(list(MESHES), [1.0, 0.5], list(CUTS), [False, True]),
)
def test_both_kinds_of_traces_and_elements(device, mesh, upwinding, n_ranks, direct):
    cut = CUTS[n_ranks]
    of = case(2, mesh=MESHES[mesh], upwinding=upwinding)
    fields, owner = waves(of[0]), cut(of[0], n_ranks)
    found, _ = together(of, fields, owner, [device] * n_ranks, direct=direct)
    check(found, alone(of, fields, device))


@WAYS
def test_the_kernels_for_graphics_cards(device, monkeypatch, direct):
    """Blocks of 32 elements, of which few are of one cluster, and of one area."""
    monkeypatch.setattr(
        local_stepper, "whole_matrix_config", lambda real: local_stepper._GPU_CONFIG
    )
    of = case(2, mesh=narrow_strip(12))
    fields, owner = waves(of[0]), across(of[0], 2)
    found, _ = together(of, fields, owner, [device] * 2, direct=direct)
    check(found, alone(of, fields, device))


@WAYS
def test_two_devices_that_are_halves_of_the_processor(device, halves, direct):
    of = case(3, mesh=narrow_strip(8))
    fields = waves(of[0])
    found, _ = together(of, fields, across(of[0], 2), halves, direct=direct)
    check(found, alone(of, fields, device))


@pytest.mark.parametrize("cut", [across, anyhow])
def test_devices_that_wait_for_each_other_at_any_moment(halves, monkeypatch, cut):
    """Also where faces are read in one direction only: to the bit as through the host."""
    of, rng = case(1, mesh=narrow_strip(5)), np.random.default_rng(1)
    fields, owner, batches = waves(of[0]), cut(of[0], 2), rng.integers(1, 9, 4).tolist()
    expected, _ = together(of, fields, owner, halves, direct=False, batches=batches)
    for name in ("begin", "end"):
        monkeypatch.setattr(DirectExchange, name, late(getattr(DirectExchange, name), 1))
    monkeypatch.setattr(cl, "enqueue_copy", lagging(cl.enqueue_copy, rng))
    found, _ = together(of, fields, owner, halves, direct=True, batches=batches)
    for name in NAMES:
        assert np.array_equal(found[name], expected[name])


def test_small_clusters_step_in_one_launch_where_no_other_rank_meets_them(device):
    of = case(1, mesh=narrow_strip(10))
    operator, clusters, _ = of
    fields, (x, _) = waves(operator), middles(operator)
    # All slow elements on the right, and so are those that they meet.
    owner = (x > x[clusters.levels == clusters.n_levels - 1].mean()).astype(np.int64)
    expected = alone(of, fields, device)
    found, launches = together(of, fields, owner, [device] * 2, direct=False)
    check(found, expected)
    found, of_cut = together(of, fields, across(operator, 2), [device] * 2, direct=False)
    check(found, expected)
    assert of_cut == [0, 0]
    assert max(launches) == 1


def test_nothing_is_sent_that_nobody_reads():
    """Between two elements a macro step takes what each step of the faster one needs, once."""
    for of, by in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2)):
        n_levels = 4
        ticks = 1 << (n_levels - 1)
        counts = {}
        for name in ("read_by_predictions", "read_by_corrections"):
            read, sent = getattr(local_halo_stepper, name), 0
            for tick in range(ticks):
                slowest = n_levels - 1 if tick == 0 else (tick & -tick).bit_length() - 1
                first, second = read(np.array([of]), np.array([by]), slowest)
                sent += int(first[0]) + int(second[0])
            counts[name] = sent
        # Whoever reads does so once in each of its own predictions, and corrections.
        assert counts["read_by_predictions"] == ticks >> by
        assert counts["read_by_corrections"] == ticks >> by
