"""Devices that share a mesh take the local steps that one takes, wherever it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from tests.opencl.halo.test_halo_stepper import (
    NAMES,
    WAYS,
    _lagging,
    _late,
    check,
    empty_memory_holds_anything,
    halves,
    waves,
)
from tests.opencl.local_time.test_local_stepper import CURVED, case
from tests.sample_meshes import narrow_strip
from wavelab.arrays import Indices
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.halo import local_halo_stepper
from wavelab.opencl.halo.direct_exchange import DirectExchange
from wavelab.opencl.halo.local_halo_stepper import LocalHaloOpenCLStepper
from wavelab.opencl.local_time import local_stepper
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import subdomain_of
from wavelab.physics.subdomains.restriction import operator_on
from wavelab.ranks.in_process import in_process

__all__ = ["empty_memory_holds_anything", "halves"]  # fixtures

N_STEPS = 3
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
    d = operator.discretization
    parts = [subdomain_of(d, owner, rank) for rank in range(len(devices))]
    found = {name: np.full(d.shape, np.nan) for name in NAMES}

    def on_rank(communicator) -> int:
        part, device = parts[communicator.rank], devices[communicator.rank]
        stepper = LocalHaloOpenCLStepper(
            operator_on(operator, part), subdomain=part, communicator=communicator, dt=dt,
            clusters=clusters.part(part.elements, part.own), device=device, precision="double",
            sharing=devices if direct else (),
        )  # fmt: skip
        assert stepper.direct == direct
        with closing(stepper):
            given = {name: np.zeros(stepper.operator.discretization.shape) for name in NAMES}
            for name, values in given.items():
                values[part.own] = getattr(fields, name)[part.mine]
            stepper.set_fields(MaxwellFields(**given))
            for count in batches:
                stepper.advance(count)
            for name in NAMES:
                values = getattr(stepper.fields(), name)
                found[name][part.mine] = values[part.own]
                assert not values[part.halo].any()
            return len(stepper._together)

    with ThreadPoolExecutor(len(devices)) as pool:
        launches = list(pool.map(on_rank, in_process(len(devices))))
    return found, launches


def alone(of: Case, fields: Fields, device: Any) -> Fields:
    operator, clusters, dt = of
    how = {"dt": dt, "clusters": clusters, "device": device, "precision": "double"}
    with closing(LocalOpenCLStepper(operator, **how)) as stepper:
        stepper.set_fields(fields)
        stepper.advance(N_STEPS)
        return stepper.fields()


@WAYS
@pytest.mark.parametrize("mesh", [narrow_strip(10), CURVED], ids=["straight", "curved"])
@pytest.mark.parametrize("upwinding", [1.0, 0.5])
@pytest.mark.parametrize(("n_ranks", "cut"), [(1, across), (2, across), (3, anyhow)])
def test_both_kinds_of_traces_and_elements(device, mesh, upwinding, n_ranks, cut, direct):
    of = case(2, mesh=mesh, upwinding=upwinding)
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
        monkeypatch.setattr(DirectExchange, name, _late(getattr(DirectExchange, name), 1))
    monkeypatch.setattr(cl, "enqueue_copy", _lagging(cl.enqueue_copy, rng))
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
