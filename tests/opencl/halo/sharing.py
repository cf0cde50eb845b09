"""Devices that share a mesh, for tests of their steppers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.physics.subdomains.restriction import operator_on
from wavelab.ranks.in_process import in_process

NAMES = ("hx", "hy", "ez")
N_STEPS = 3
#: How traces go from rank to rank: through the host, or from device to device.
WAYS = pytest.mark.parametrize("direct", [False, True], ids=["host", "direct"])


def on_ranks(
    make: Callable[..., Any],
    operator: MaxwellTM,
    fields: Fields,
    parts: Sequence[Subdomain],
    devices: Sequence[Any],
    *,
    direct: bool,
    batches: Sequence[int] = (N_STEPS,),
    done: Callable[[Any], Any] = lambda stepper: None,
) -> tuple[dict[str, np.ndarray], list[Any]]:
    """The fields after some steps of a device for each part, and what ``done`` finds on each.

    ``make`` takes the operator on a part, the part, and what all steppers of a rank take.
    """
    found = {name: np.full(operator.discretization.shape, np.nan) for name in NAMES}

    def on_rank(communicator) -> Any:
        part = parts[communicator.rank]
        stepper = make(
            operator_on(operator, part), part, subdomain=part, communicator=communicator,
            device=devices[communicator.rank], precision="double",
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
            return done(stepper)

    with ThreadPoolExecutor(len(parts)) as pool:
        outcomes = list(pool.map(on_rank, in_process(len(parts))))
    return found, outcomes


def stepped(stepper: OpenCLStepper, fields: Fields) -> Fields:
    """The fields that a stepper makes of some; it is closed."""
    with closing(stepper):
        stepper.set_fields(fields)
        stepper.advance(N_STEPS)
        return stepper.fields()


def check(found: dict[str, np.ndarray], expected: Fields) -> None:
    for name, values in found.items():
        wanted = getattr(expected, name)
        assert np.abs(values - wanted).max() <= 1e-13 * np.abs(wanted).max(), name


def waves(operator: MaxwellTM) -> Fields:
    d = operator.discretization
    rng = np.random.default_rng(4)
    return MaxwellFields(*(rng.uniform(-1, 1, d.shape) for _ in NAMES))


def lagging(copy, rng: np.random.Generator):
    """Copies from buffer to buffer that begin a moment late now and then."""

    def later(queue, to, of, wait_for=(), **how) -> cl.Event:
        if isinstance(to, cl.Buffer) and isinstance(of, cl.Buffer) and rng.random() < 0.05:
            gate = cl.UserEvent(queue.context)
            done = cl.command_execution_status.COMPLETE
            threading.Timer(rng.uniform(0, 0.01), gate.set_status, [done]).start()
            wait_for = [*wait_for, gate]
        return copy(queue, to, of, wait_for=list(wait_for) or None, **how)

    return later


def late(method, seed: int):
    """Called after a moment now and then, at other ones on each rank."""
    delays: dict[int, np.random.Generator] = {}

    def later(self, *given) -> None:
        rank = self._communicator.rank
        rng = delays.setdefault(rank, np.random.default_rng((seed, rank)))
        if rng.random() < 0.05:
            time.sleep(rng.uniform(0, 0.004))
        method(self, *given)

    return later
