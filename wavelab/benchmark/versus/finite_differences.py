"""A standing wave by Yee's finite differences, on a square grid with a staircase for a wall."""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.benchmark.versus.modes import StandingWave
from wavelab.benchmark.versus.trial import MAX_UNKNOWNS, NotRun, Trial, energy_norm, run_within
from wavelab.opencl.yee import YeeStepper
from wavelab.physics.operator.fields import Fields

#: Of the stable 1 / sqrt(2); there, errors in time and space cancel best.
SAFETY = 0.99
#: Cells by which a wall is set back before nodes beyond it become conductor.  The zeros of Ez are
#: the first nodes beyond the wall, on average about this far from it, so that the staircase would
#: make the room too large: without the setback the error on the disk is 5 to 13 times larger, on
#: grids of 99 to 501 cells.
SETBACK = 0.4
#: Hx, Hy: a subtraction and a fused pair each; Ez: three additions and a fused pair.
_FLOPS_PER_CELL = 3 + 3 + 5
_N_FIELDS = 3
#: Rows and columns at which the error is taken, at most; between them it is much the same.
_ERROR_POINTS = 1000


def staircase(mode: StandingWave, cells: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Columns first <= i < last of each of the cells + 1 rows whose nodes are in the room.

    A node on the wall is in the conductor.
    """
    middle, h = cells / 2, mode.side / cells
    rows = np.arange(cells + 1, dtype=np.float64)
    reach = mode.half_width((rows - middle) * h, SETBACK * h) / h
    # A node that is on the wall but for rounding is on the wall.
    first = np.floor(middle - reach + 1e-9).astype(np.int32) + 1
    last = np.ceil(middle + reach - 1e-9).astype(np.int32)
    return first, np.maximum(first, last)


def start(mode: StandingWave, cells: int, courant: float) -> Fields:
    """Ez at t = 0 and H half a step before.

    H of a standing wave is odd in time, so half a step before it is minus what it will be half a
    step after, and the scheme's own update of H tells half the difference.
    """
    at = mode.lower + mode.side / cells * np.arange(cells + 1, dtype=np.float64)
    ez = mode.profile(at[None, :], at[:, None])[0]
    first, last = staircase(mode, cells)
    column = np.arange(cells + 1)
    ez = np.where((column >= first[:, None]) & (column < last[:, None]), ez, 0.0)
    hx, hy = np.zeros_like(ez), np.zeros_like(ez)
    hx[:-1] = courant / 2 * np.diff(ez, axis=0)
    hy[:, :-1] = -courant / 2 * np.diff(ez, axis=1)
    return Fields(hx, hy, ez)


def relative_error(mode: StandingWave, cells: int, fields: Fields, time: float, dt: float) -> float:
    """Energy norm of the error of all fields over that of the exact ones.

    Ez is compared at ``time`` at the nodes, Hx and Hy half a step earlier between them, all only
    inside the room.  What lies between grid points is not counted, in favour of this method.
    """
    h, stride = mode.side / cells, max(1, cells // _ERROR_POINTS)
    index = np.arange(0, cells, stride)
    at = mode.lower + h * index.astype(np.float64)

    def inside(x: Array, y: Array) -> Mask:
        middle = mode.lower + mode.side / 2
        return np.abs(x - middle) < mode.half_width(y - middle, 0.0)

    errors, exact_parts = [], []
    for name, right, up, t in (
        ("ez", 0.0, 0.0, time),
        ("hx", 0.0, 0.5, time - dt / 2),
        ("hy", 0.5, 0.0, time - dt / 2),
    ):
        x, y = at[None, :] + right * h, at[:, None] + up * h
        exact = getattr(mode.fields(x, y, t), name)
        there = inside(x, y)
        found = getattr(fields, name)[np.ix_(index, index)]
        errors.append((found - exact)[there])
        exact_parts.append(exact[there])
    return energy_norm(*errors) / energy_norm(*exact_parts)


def run_yee(
    mode: StandingWave, periods: int, cells: int, *, precision: str, device: Any, longest: float
) -> Trial | NotRun:
    """Run a mode for so many periods on a grid of ``cells`` x ``cells``.

    Parameters
    ----------
    longest : seconds that the run may take.

    Raises
    ------
    DeviceError : the device fails.
    """
    unknowns = _N_FIELDS * (cells + 1) ** 2
    if unknowns > MAX_UNKNOWNS:
        return NotRun(f"would need {unknowns:,} unknowns")
    until, h = periods * mode.period, mode.side / cells
    n_steps = math.ceil(until / (SAFETY * h / math.sqrt(2)))
    dt = until / n_steps
    initial = start(mode, cells, dt / h)
    stepper = YeeStepper(
        dt / h, *staircase(mode, cells), cells + 1, precision=precision, device=device
    )
    with closing(stepper):
        seconds = run_within(stepper, initial, n_steps, unknowns, longest)
        if isinstance(seconds, NotRun):
            return seconds
        error = relative_error(mode, cells, stepper.fields(), until, dt)
    return Trial(
        resolution=cells,
        order=None,
        cells=cells**2,
        unknowns=unknowns,
        steps=n_steps,
        error=error,
        seconds=seconds,
        flops_per_step=_FLOPS_PER_CELL * cells**2,
        bytes_per_step=stepper.bytes_per_step,
    )
