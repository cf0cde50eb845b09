"""Timing kernel configs for many orders at once, rather than behind the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wavelab.benchmark.stages import conducting_room, device_and_mesh
from wavelab.opencl.tuning.tuner import Outcome, Tuner, tune
from wavelab.opencl.tuning.workshop import Work


def tune_orders(
    orders: Sequence[int],
    *,
    elements: int | None = None,
    precision: str = "single",
    device: str | None = None,
    progress: Callable[[float], object] = lambda orders: None,
) -> Iterator[Outcome]:
    """Find and remember the fastest config for each order, even where one is known.

    Parameters
    ----------
    elements : about how many; None takes what suits the device.  Only on which side of the
        device's cache they are is remembered.
    progress : told how much has been done since the last call, in orders.

    Raises
    ------
    WavelabError : no such device, or it fails.
    """
    chosen, mesh = device_and_mesh(device, precision, elements)
    for order in orders:
        operator, _, dt = conducting_room(mesh, order)
        tuner = Tuner(Work(operator, dt, chosen, precision))
        share = 1 / tuner.n_configs
        outcome = tune(tuner, partial(progress, share))
        # What did not compile, or was left out for lack of time.
        progress(1 - outcome.n_timed * share)
        yield outcome
