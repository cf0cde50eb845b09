"""Timing kernel configs for many orders at once, rather than behind the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wavelab.benchmark.meshes import square_mesh
from wavelab.benchmark.stages import DEFAULT_ELEMENTS, conducting_room
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.properties import kind_of
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
    chosen = choose_device(device, precision=precision)
    mesh = square_mesh(elements or DEFAULT_ELEMENTS[kind_of(chosen)])
    for order in orders:
        operator, _, dt = conducting_room(mesh, order)
        tuner = Tuner(Work(operator, dt, chosen, precision))
        share = 1 / tuner.n_configs
        outcome = tune(tuner, partial(progress, share))
        # What did not compile, or was left out for lack of time.
        progress(1 - outcome.n_timed * share)
        yield outcome
