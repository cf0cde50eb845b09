"""Two runs of a scene that differ in something, in step, and how far they are apart.

Both begin at time 0 with the initial fields of their scene, and are looked at after the same
intervals of simulated time, each with steps of its own that divide these evenly.  Ez is compared at
the pixels of one picture of both domains, where both have it and no layer of an open wall absorbs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wavelab.arrays import Array, Mask
from wavelab.errors import WavelabError
from wavelab.numerics.fields.sampling import Extent
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.editing.settings import Setting
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene
from wavelab.simulation.side_by_side.changes import Other, other_run
from wavelab.simulation.side_by_side.sides import Cost, Elements, Grid, Pixels, Side
from wavelab.simulation.studies.study_runs import mesh_of

#: Looks at a pair of runs, and the longer side of their pictures in pixels, unless asked otherwise.
INTERVALS, PIXELS = 100, 400
#: Steps that a run may take, in parts of those it needs, so that both are at the same times.
_MORE_STEPS = 1.05
#: Free border of a picture, in parts of the domain's size.
_MARGIN = 0.03


@dataclass(frozen=True)
class Progress:
    """Up to now.

    Attributes
    ----------
    part : of the time to be run, 0 to 1.
    times, differences : of each look; root mean square of the difference of Ez over the largest
        that this run's Ez has had.
    errors : of both against the exact solution, likewise; None where the scene states none.
    """

    part: float
    times: tuple[float, ...]
    differences: tuple[float, ...]
    this: Cost
    other: Cost
    errors: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Look:
    """At one time: Ez of this run and the other, and the other less this; NaN where there is none.

    Attributes
    ----------
    counted : where the difference counts.
    """

    this: Pixels
    other: Pixels
    difference: Pixels
    counted: Mask
    progress: Progress


def in_step(
    scene: Scene,
    changes: Sequence[Setting],
    until: float,
    *,
    backend: str = "auto",
    device: str | None = None,
    intervals: int = INTERVALS,
    pixels: int = PIXELS,
    tell: Callable[[str], None] = lambda text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[Look, None, None]:
    """Run both, a look after each interval and one at the beginning.

    Parameters
    ----------
    changes : what the other has otherwise, as for :func:`other_run`.
    until : simulated time.
    intervals : at most; fewer where a run would need many more steps for them.
    pixels : longer side of the pictures.
    tell : told what is made ready.
    cancelled : asked about ten times a second.

    Raises
    ------
    WavelabError : a run cannot be.
    StudyCancelledError : as ``cancelled`` said.
    """
    if not (math.isfinite(until) and until > 0):
        raise WavelabError(
            f"the time to compare until is {until}", remedy="It must be a positive number."
        )
    other = other_run(scene, changes)
    scene, changed = (_bare(each, until) for each in (scene, other.scene))
    tell("Meshing")
    problem = discretize_scene(scene, mesh_of(scene, cancelled))
    with ExitStack() as stack:
        this = Elements(problem, backend, device)
        stack.callback(this.close)
        there = _other_side(problem, replace(other, scene=changed), backend, device, cancelled)
        stack.callback(there.close)
        count = _count([until / side.largest_step for side in (this, there)], intervals)
        extent, width, height = _picture([this.problem, there.problem], pixels)
        for side in (this, there):
            tell("Preparing the device")
            side.begin(until / count)
            side.look(extent, width, height)
        comparison = _Comparison(this, there, scene, extent)
        for number in range(count + 1):
            if number:
                this.advance(cancelled)
                there.advance(cancelled)
            yield comparison.look(number / count, number * until / count)


def summary(scene: Scene, name: str, progress: Progress) -> dict[str, Any]:
    """As ``wavelab compare --json`` prints it.

    Parameters
    ----------
    name : what differs.
    """
    errors = progress.errors or (None, None)
    return {
        "with": name,
        "until": progress.times[-1],
        "difference": progress.differences[-1],
        "largest_difference": max(progress.differences),
        "times": list(progress.times),
        "differences": list(progress.differences),
        "this": _of_run(progress.this, errors[0]),
        "other": _of_run(progress.other, errors[1]),
    }


def _of_run(cost: Cost, error: float | None) -> dict[str, Any]:
    return {
        "method": cost.method,
        "device": cost.device,
        "cells": cost.cells,
        "unknowns": cost.unknowns,
        "dt": cost.dt,
        "steps": cost.steps,
        "steps_per_s": cost.steps_per_second,
        "wall_s": cost.seconds,
        "wall_s_per_time": cost.seconds_per_time,
        "error": error,
    }


def _bare(scene: Scene, until: float) -> Scene:
    """Without what only looks."""
    solver = replace(scene.solver, until=until)
    return replace(scene, probes=(), monitors=(), solver=solver)


def _other_side(
    problem: Problem,
    other: Other,
    backend: str,
    device: str | None,
    cancelled: Callable[[], bool],
) -> Elements | Grid:
    if other.scene != problem.scene:
        problem = discretize_scene(other.scene, mesh_of(other.scene, cancelled))
    if other.grid is not None:
        return Grid(problem, other.grid)
    return Elements(problem, backend, device)


def _count(steps: Sequence[float], most: int) -> int:
    """The most intervals that make neither run take many more steps than it has to.

    Parameters
    ----------
    steps : of each run, were they as long as they may be.
    """

    def more(count: int) -> float:
        return max(count * _whole(n / count) / _whole(n) for n in steps)

    counts = range(1, most + 1)
    return max(
        (count for count in counts if more(count) <= _MORE_STEPS),
        default=min(counts, key=lambda count: (more(count), -count)),
    )


def _whole(steps: float) -> int:
    """As many steps as are taken; a whole number but for rounding is that."""
    return max(1, math.ceil(steps * (1 - 1e-12)))


def _picture(problems: Sequence[Problem], pixels: int) -> tuple[Extent, int, int]:
    """A view of all of them, and its size in pixels."""
    corners = np.array([problem.discretization.bounds() for problem in problems])
    low, high = corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)
    border = _MARGIN * float((high - low).max())
    (x0, y0), (x1, y1) = low - border, high + border
    scale = pixels / max(x1 - x0, y1 - y0)
    width, height = (max(2, round(size * scale)) for size in (x1 - x0, y1 - y0))
    return (float(x0), float(y0), float(x1), float(y1)), width, height


class _Comparison:
    """Samples both and keeps the largest root mean squares.

    Parameters
    ----------
    scene : of this run, with its exact solution.
    """

    def __init__(self, this: Side, other: Side, scene: Scene, extent: Extent) -> None:
        self._this, self._other = this, other
        self._counted = this.counted() & other.counted()
        exact = None if scene.exact is None else scene.exact.ez
        self._exact: Formula | None = exact
        height, width = self._counted.shape
        x0, y0, x1, y1 = extent
        self._x = x0 + (np.arange(width) + 0.5)[None, :] * (x1 - x0) / width
        self._y = y1 - (np.arange(height) + 0.5)[:, None] * (y1 - y0) / height
        self._largest = self._largest_exact = 0.0
        self._times: list[float] = []
        self._differences: list[float] = []

    def look(self, part: float, time: float) -> Look:
        """At both, at a time which they have reached."""
        this, other = self._this.sample(), self._other.sample()
        difference = other - this
        counted = self._counted & np.isfinite(difference)
        self._largest = max(self._largest, _size(this[counted]))
        self._times.append(time)
        self._differences.append(_part(_size(difference[counted]), self._largest))
        progress = Progress(
            part, tuple(self._times), tuple(self._differences),
            self._this.cost(), self._other.cost(), self._errors(this, other, counted, time),
        )  # fmt: skip
        shown = [side.shown(v) for side, v in ((self._this, this), (self._other, other))]
        return Look(shown[0], shown[1], difference, counted, progress)

    def _errors(
        self, this: Pixels, other: Pixels, counted: Mask, time: float
    ) -> tuple[float, float] | None:
        if self._exact is None:
            return None
        exact = self._exact.evaluate(x=self._x, y=self._y, t=time)
        right = np.broadcast_to(exact, this.shape)[counted]
        self._largest_exact = max(self._largest_exact, _size(right))
        first, second = (
            _part(_size(values[counted] - right), self._largest_exact) for values in (this, other)
        )
        return first, second


def _size(values: Array | Pixels) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64)))) if values.size else 0.0


def _part(size: float, of: float) -> float:
    """0 where both are 0."""
    return size / of if of > 0 else 0.0 if size == 0 else 1.0
