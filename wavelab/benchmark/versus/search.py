"""The cheapest resolution that is accurate enough, found from coarse to fine."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import attrgetter

from wavelab.benchmark.versus.trial import NotRun, Trial

_resolution, _seconds = attrgetter("resolution"), attrgetter("seconds")

Run = Callable[[float, float], Trial | NotRun]

#: An error of this part of the target is close enough, and what the search aims at lies between.
_CLOSE, _AIM = 0.8, 0.92
#: Largest error that says how much finer a grid must be; beyond it phases are off by half turns.
_TELLING = 0.5
_MOST_RUNS = 9
#: A step that takes this long is not one that waits for its launch.
_BUSY_SECONDS = 1e-3
#: Change of the resolution from run to run at most.
_LARGEST_FACTOR = 4.0


def cheapest(
    run: Run,
    start: float,
    rate: float,
    target: float,
    longest: float,
    trials: list[Trial],
    rival: float = math.inf,
) -> Trial | NotRun:
    """The fastest run found whose error is at most ``target``, or why there is none.

    Parameters
    ----------
    run : resolution, longest seconds -> trial.
    start : first resolution; coarse.
    rate : exponent p of the error ~ resolution^-p that theory expects, until two runs say better.
    longest : seconds that a run may take.
    trials : runs of a search for another target, to go on from; those of this one are added.
    rival : seconds in which something else reaches the target; what takes longer is given up, but
        not before a first run has said how far from the target it is.
    """
    good = [t for t in trials if t.error <= target and t.seconds <= longest]
    best = min(good, key=_seconds, default=None)
    resolution = _next(trials, rate, target) if trials else start
    for _ in range(_MOST_RUNS):
        allowed = min(longest, best.seconds if best else rival) if trials else longest
        trial = _out_of_reach(trials, resolution, allowed) or run(resolution, allowed)
        if isinstance(trial, NotRun):
            return best or trial
        trials.append(trial)
        if trial.error <= target and (best is None or trial.seconds < best.seconds):
            best = trial
        if _CLOSE * target <= trial.error <= target:
            break
        resolution = _next(trials, rate, target)
        if any(math.isclose(resolution, t.resolution, rel_tol=5e-3) for t in trials):
            break
    return best or NotRun(f"reached an error of {min(t.error for t in trials):.2g}")


def _out_of_reach(trials: list[Trial], resolution: float, longest: float) -> NotRun | None:
    """Why a run need not even be set up, going by a coarser one.

    Cells grow with the square of the resolution and so do steps with the resolution, but a device
    that waits for launches may do more cells in the same time.
    """
    coarser = max((t for t in trials if t.resolution < resolution), key=_resolution, default=None)
    if coarser is None:
        return None
    ratio = resolution / coarser.resolution
    busy = coarser.seconds / coarser.steps > _BUSY_SECONDS
    seconds = coarser.seconds * ratio ** (3 if busy else 1)
    if seconds < 2 * longest:
        return None
    unknowns = float(f"{coarser.unknowns * ratio**2:.2g}")
    return NotRun(f"would take about {seconds:.2g} s with {unknowns:,.0f} unknowns")


def _next(trials: list[Trial], rate: float, target: float) -> float:
    """Resolution at which the error should be just below the target."""
    last = trials[-1]
    if not last.error < _TELLING:  # also NaN
        return 1.6 * last.resolution
    above = [t for t in trials if target < t.error < _TELLING]
    below = [t for t in trials if t.error <= target]
    if above and below:
        # Between the two, where the error is closest to being a power of the resolution.
        coarse, fine = max(above, key=_resolution), min(below, key=_resolution)
        pair = (coarse, fine) if coarse.resolution < fine.resolution else None
    else:
        telling = sorted([t for t in trials if t.error < _TELLING][-2:], key=_resolution)
        pair = (telling[0], telling[1]) if len(telling) > 1 else None
    if pair is not None:
        measured = math.log(pair[0].error / pair[1].error) / math.log(
            pair[1].resolution / pair[0].resolution
        )
        rate = min(max(measured, rate / 3), 3 * rate)
    factor = (last.error / (_AIM * target)) ** (1 / rate)
    return last.resolution * min(max(factor, 1 / _LARGEST_FACTOR), _LARGEST_FACTOR)
