"""Devices that share a mesh compute what one does, however their kernels lie."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from tests.opencl.conftest import mixed_operator
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
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.device import contexts
from wavelab.opencl.device.contexts import context_of, share_a_context
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.halo.direct_exchange import DirectExchange
from wavelab.opencl.halo.halo_stepper import HaloOpenCLStepper
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import Subdomain, subdomains
from wavelab.physics.subdomains.restriction import operator_on
from wavelab.ranks.in_process import in_process
from wavelab.simulation.steppers.dealing_out import dealt_out
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.self_test import trial_problem

#: Each stage kernel: matrices in tiles, whole, in the code, halved there, and for matrix units.
CONFIGS = [
    KernelConfig(4, 4, 1, tile=3, matrices="even_odd_cpu"),
    KernelConfig(8, 4, rows=2, tile=4),
    KernelConfig(4, 1, rows=1, matrices="literal"),
    KernelConfig(8, 1, rows=2, matrices="even_odd_gpu"),
    KernelConfig(8, 1, rows=4, matrices="tensor"),
]


def together(
    operator: MaxwellTM,
    fields: Fields,
    devices: Sequence[Any],
    *,
    direct: bool,
    batches: Sequence[int] = (N_STEPS,),
    **how: Any,
) -> dict[str, np.ndarray]:
    """The fields after some steps on as many ranks as there are devices."""
    assert not direct or share_a_context(devices)
    parts = subdomains(operator.discretization, (), len(devices))

    def make(here: MaxwellTM, part: Subdomain, **shared: Any) -> HaloOpenCLStepper:
        return HaloOpenCLStepper(here, **shared, **how)

    return on_ranks(make, operator, fields, parts, devices, direct=direct, batches=batches)[0]


def alone(operator: MaxwellTM, fields: Fields, device: Any, **how: Any) -> Fields:
    return stepped(OpenCLStepper(operator, device=device, precision="double", **how), fields)


@WAYS
@pytest.mark.parametrize(
    ("config", "upwinding"),
    [*zip(CONFIGS, (1.0, 0.4, 1.0, 0.4, 1.0), strict=True), (CONFIGS[0], 0.4)],
)
def test_every_stage_kernel_and_both_kinds_of_traces(device, config, upwinding, direct):
    # 288 elements: blocks of the border and blocks inside.
    operator = mixed_operator(2, upwinding, n=12)
    fields, how = waves(operator), {"dt": 2e-3, "config": config, "scheme": SCHEMES["ck54"]}
    found = together(operator, fields, [device] * 2, direct=direct, **how)
    check(found, alone(operator, fields, device, **how))


@WAYS
@pytest.mark.parametrize(("scheme", "n_ranks"), [("ck54", 1), ("ck54", 3), ("upw148", 5)])
def test_schemes_of_odd_and_even_numbers_of_stages(device, scheme, n_ranks, direct):
    operator = mixed_operator(3, 1.0)
    fields, how = waves(operator), {"dt": 2e-3, "scheme": SCHEMES[scheme]}
    found = together(operator, fields, [device] * n_ranks, direct=direct, **how)
    check(found, alone(operator, fields, device, **how))


@WAYS
@pytest.mark.parametrize("config", [CONFIGS[0], CONFIGS[3]])
def test_curved_elements_at_borders(device, config, direct):
    scheme = SCHEMES["ck54"]
    operator, fields, _ = trial_problem(mixed_operator(3, 1.0), curved=True)
    how = {"dt": 1e-3, "scheme": scheme, "config": config}
    found = together(operator, fields, [device] * 3, direct=direct, **how)
    check(found, alone(operator, fields, device, **how))


@WAYS
def test_two_devices_that_are_halves_of_the_processor(device, halves, direct):
    operator = mixed_operator(4, 1.0, n=8)
    fields, how = waves(operator), {"dt": 1e-3, "scheme": SCHEMES["ck54"]}
    expected = alone(operator, fields, device, **how)
    check(together(operator, fields, halves, direct=direct, **how), expected)


@pytest.mark.parametrize("seed", range(3))
def test_devices_that_wait_for_each_other_at_any_moment(halves, monkeypatch, seed):
    """Neither overwrites what the other has not read, however far apart their threads and queues
    are: many steps in batches, to the bit as through the host, where each waits for each."""
    operator, rng = mixed_operator(2, 1.0, n=6), np.random.default_rng(seed)
    fields, how = waves(operator), {"dt": 2e-3, "scheme": SCHEMES["ck54"]}
    batches = rng.integers(1, 20, 5).tolist()
    expected = together(operator, fields, halves, direct=False, batches=batches, **how)
    for name in ("begin", "end"):
        monkeypatch.setattr(DirectExchange, name, late(getattr(DirectExchange, name), seed))
    monkeypatch.setattr(cl, "enqueue_copy", lagging(cl.enqueue_copy, rng))
    found = together(operator, fields, halves, direct=True, batches=batches, **how)
    for name in NAMES:
        assert np.array_equal(found[name], expected[name])


def test_devices_share_a_context_only_where_numbers_arrive(device, halves, monkeypatch):
    monkeypatch.setattr(contexts, "_sharing", {})
    assert share_a_context([device, device])
    assert share_a_context(halves)
    assert context_of(*halves) is context_of(halves[0], halves[1], halves[0])
    assert context_of(halves[0]) is not context_of(*halves)

    def fails(*_) -> bool:
        raise cl.RuntimeError("no copies between these")

    for broken in (fails, lambda *_: False):
        monkeypatch.setattr(contexts, "_sharing", {})
        monkeypatch.setattr(contexts, "_copies", broken)
        assert not share_a_context(halves)


@pytest.mark.parametrize("beside", [True, False], ids=["memory of the host", "of their own"])
@pytest.mark.parametrize("possible", [True, False])
def test_ranks_of_one_process_go_directly_if_that_is_faster(possible, beside, monkeypatch):
    """And if they can, if they are told; they say which way they go."""
    monkeypatch.setattr(contexts, "have_memory_of_host", lambda devices: beside)
    monkeypatch.setattr(contexts, "share_a_context", lambda devices: possible)
    operator, group = mixed_operator(2, 1.0), RankGroup.of_threads(2)
    how = {"dt": 1e-3, "scheme": SCHEMES["ck54"], "backend": "opencl", "device": "0,0"}
    for direct, goes in ((None, possible and beside), (True, possible), (False, False)):
        stepper = dealt_out(operator, group, precision="double", direct=direct, **how)
        with closing(stepper):
            assert group.ask("goes_direct") == [goes] * 2
            stepper.advance(2)
    group.end()


def test_the_halo_stays_as_it_is(device):
    """Whatever it holds: others compute it."""
    operator = mixed_operator(2, 1.0, n=6)
    part = subdomains(operator.discretization, (), 2)[0]
    here = operator_on(operator, part)
    (rank, _) = in_process(2)
    stepper = HaloOpenCLStepper(
        here, subdomain=part, communicator=rank, device=device, precision="double", dt=1e-3,
        scheme=SCHEMES["ck54"],
    )  # fmt: skip
    with closing(stepper):
        rates = stepper.right_hand_side(waves(here))
        for name in NAMES:
            assert not getattr(rates, name)[part.halo].any()
            assert getattr(rates, name)[part.own].any()
