"""Discontinuous Galerkin against finite differences, each at its cheapest for the same accuracy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wavelab.benchmark.versus.finite_differences import run_yee
from wavelab.benchmark.versus.galerkin import run_galerkin
from wavelab.benchmark.versus.modes import StandingWave, cavity, disk
from wavelab.benchmark.versus.search import cheapest
from wavelab.benchmark.versus.trial import NotRun, Trial
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.limits import measure_limits

TARGETS = (0.01, 0.001)
#: Orders, likely winners first: a good time rules out others before they have run long.
_BY_PROMISE = (5, 4, 6, 7, 3, 8, 9, 2, 1, 10)
#: Numbers per wavelength and direction that a search begins with.
_COARSE_YEE, _COARSE_GALERKIN = 10.0, 6.0

Notify = Callable[[str], None]


@dataclass(frozen=True)
class Contest:
    """A mode, how long it is followed, and whether its walls are a staircase on a square grid."""

    mode: StandingWave
    periods: int
    staircase: bool


@dataclass(frozen=True)
class Entry:
    """The cheapest run of a method that reaches a target, or why there is none.

    Attributes
    ----------
    method : "dg" or "fdtd".
    trial : None if the target was not reached within the limits; ``reason`` says why.
    limit_share : of the limit of the device that the steps of the run reach.
    """

    device: str
    precision: str
    case: str
    periods: int
    target: float
    method: str
    trial: Trial | None
    limit_share: float | None
    reason: str


def contests() -> list[Contest]:
    """What is run: many waves in a square room, for short and for long, and a round room."""
    return [
        Contest(cavity(25, 10), 10, staircase=False),
        Contest(cavity(25, 10), 100, staircase=False),
        Contest(disk(), 10, staircase=True),
    ]


def compete(
    chosen: Sequence[Contest],
    *,
    targets: Sequence[float] = TARGETS,
    orders: Sequence[int],
    precision: str = "single",
    device: str | None = None,
    longest: float = 60.0,
    notify: Notify = lambda text: None,
) -> Iterator[Entry]:
    """For each contest and target the best finite-difference run, then the best Galerkin run.

    Parameters
    ----------
    orders : of the elements that may be tried.
    longest : seconds that a single run may take.
    notify : told about every run.

    Raises
    ------
    WavelabError : the device or the mesher fails.
    """
    cl_device = choose_device(device, precision=precision)
    limits = measure_limits(cl_device, precision)
    how = {"precision": precision, "device": cl_device}
    for contest in chosen:
        race = _Race(contest, longest, how, notify)
        for target in targets:
            for method, found in (
                ("fdtd", race.best_yee(target)),
                ("dg", race.best_galerkin(target, orders)),
            ):
                trial = found if isinstance(found, Trial) else None
                yield Entry(
                    device=cl_device.name.strip(),
                    precision=precision,
                    case=contest.mode.name,
                    periods=contest.periods,
                    target=target,
                    method=method,
                    trial=trial,
                    limit_share=None if trial is None else trial.limit_share(limits),
                    reason=found.reason if isinstance(found, NotRun) else "",
                )


class _Race:
    """Runs of one contest, which those for another target go on from.

    Parameters
    ----------
    longest : seconds that a single run may take.
    how : precision and device of all runs.
    """

    def __init__(
        self, contest: Contest, longest: float, how: dict[str, Any], notify: Notify
    ) -> None:
        self._contest, self._longest, self._how, self._notify = contest, longest, how, notify
        #: Runs so far by order; None is finite differences.
        self._trials: dict[int | None, list[Trial]] = defaultdict(list)

    def best_yee(self, target: float) -> Trial | NotRun:
        """By finite differences."""
        mode, periods = self._contest.mode, self._contest.periods

        def run(resolution: float, longest: float) -> Trial | NotRun:
            cells = round(resolution)
            trial = run_yee(mode, periods, cells, longest=longest, **self._how)
            return _told(f"fdtd, {cells:,} cells across", trial, self._notify)

        # Errors of the phase add up.
        start = _COARSE_YEE * _wavelengths(mode) * math.sqrt(periods / 10)
        rate = 1 if self._contest.staircase else 2
        return cheapest(run, start, rate, target, self._longest, self._trials[None])

    def best_galerkin(self, target: float, orders: Sequence[int]) -> Trial | NotRun:
        """By discontinuous Galerkin of the order that does best."""
        mode, periods = self._contest.mode, self._contest.periods
        best: Trial | None = None
        unable: list[str] = []
        for order in sorted(orders, key=_BY_PROMISE.index):

            def run(resolution: float, longest: float, order: int = order) -> Trial | NotRun:
                trial = run_galerkin(mode, periods, order, resolution, longest=longest, **self._how)
                what = f"dg, order {order}, {resolution:.4g} elements across"
                return _told(what, trial, self._notify)

            found = cheapest(
                run,
                _COARSE_GALERKIN * _wavelengths(mode) / (order + 1),
                order + 1,
                target,
                self._longest,
                self._trials[order],
                rival=best.seconds if best else math.inf,
            )
            if isinstance(found, NotRun):
                unable.append(f"order {order} {found.reason}")
            elif best is None or found.seconds < best.seconds:
                best = found
        return best or NotRun("; ".join(unable))


def _wavelengths(mode: StandingWave) -> float:
    """Wavelengths across the room."""
    return mode.side / mode.period


def _told(what: str, trial: Trial | NotRun, notify: Notify) -> Trial | NotRun:
    if isinstance(trial, NotRun):
        notify(f"{what}: {trial.reason}, not run")
    else:
        notify(f"{what}: error {trial.error:.2e} in {trial.seconds:.3g} s")
    return trial
