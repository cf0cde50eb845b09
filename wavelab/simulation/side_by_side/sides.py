"""The two runs that are put side by side: on elements, or on a grid of finite differences."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import SceneError, UnstableError
from wavelab.numerics.fields.sampling import Extent, PixelSampler
from wavelab.physics.notices.frequencies import known_frequencies
from wavelab.physics.problem import Problem
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.pings import Pings
from wavelab.simulation.side_by_side.changes import GridSize
from wavelab.simulation.side_by_side.staircase import Staircase, staircase
from wavelab.simulation.side_by_side.yee import YeeGrid
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.study_runs import in_chunks

Pixels = NDArray[np.float32]

#: Of the largest stable step of a grid.
SAFETY = 0.99
#: Tries for a grid with as many unknowns as the elements have.
_TRIES = 3


@dataclass(frozen=True)
class Cost:
    """What a run has cost up to now.

    Attributes
    ----------
    method : and how fine: "order 4, 312 elements".
    cells : elements, or cells in which Ez is stepped.
    unknowns : numbers that are stepped.
    dt, time : length of its steps, and simulated time up to now.
    seconds : wall time of its steps alone.
    """

    method: str
    device: str
    cells: int
    unknowns: int
    dt: float
    steps: int
    time: float
    seconds: float

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_per_time(self) -> float:
        """Wall time of a unit of simulated time."""
        return self.seconds / self.time if self.time > 0 else 0.0


class Side(Protocol):
    """One of the two."""

    def begin(self, interval: float) -> None:
        """Make ready for steps that divide an interval evenly."""

    def advance(self, cancelled: Callable[[], bool]) -> None:
        """Run for one interval.

        Raises
        ------
        UnstableError : the field blew up.
        StudyCancelledError : as ``cancelled`` said.
        """

    def look(self, extent: Extent, width: int, height: int) -> None:
        """What :meth:`sample` and :meth:`counted` are of."""

    def sample(self) -> Pixels:
        """(height, width) Ez now, row 0 at the top; NaN outside the domain."""

    def shown(self, values: Pixels) -> Pixels:
        """What the picture shows of them: NaN, too, where the run has no field."""

    def counted(self) -> Mask:
        """(height, width) outside of layers that absorb."""

    def cost(self) -> Cost: ...

    def close(self) -> None: ...


class Elements:
    """A discontinuous Galerkin run.

    Parameters
    ----------
    backend, device : where to compute, as for ``make_stepper``.
    """

    def __init__(self, problem: Problem, backend: str, device: str | None) -> None:
        self.problem, self.largest_step = problem, problem.dt_max
        self._where: dict[str, Any] = {"backend": backend, "device": device}
        self._simulation: Simulation | None = None
        self._seconds, self._each = 0.0, 1

    @property
    def running(self) -> Simulation:
        assert self._simulation is not None
        return self._simulation

    def begin(self, interval: float) -> None:
        self._each = self.problem.steps_to_end(interval)
        stepper = stepper_of(self.problem, dt=interval / self._each, **self._where)
        try:
            self._simulation = Simulation(self.problem, stepper)
        except BaseException:
            stepper.close()
            raise
        self._pings = Pings(self._simulation)
        self._pings.give_due()

    def advance(self, cancelled: Callable[[], bool]) -> None:
        def steps(count: int) -> None:
            began = time.perf_counter()
            self._pings.advance(count)
            self.running.stepper.synchronize()
            self._seconds += time.perf_counter() - began

        in_chunks(steps, self._each, cancelled, lambda part: None)
        self.running.check()

    def look(self, extent: Extent, width: int, height: int) -> None:
        d = self.problem.discretization
        self._sampler = PixelSampler(d, extent, width, height)
        layers = np.repeat(self.problem.in_layers[:, None], d.nodes_per_element, axis=1)
        self._counted = self._sampler.sample(layers.astype(np.float32)) < 0.5

    def sample(self) -> Pixels:
        return self._sampler.sample(self.running.stepper.fields().ez)

    def shown(self, values: Pixels) -> Pixels:
        return values

    def counted(self) -> Mask:
        return np.asarray(self._counted)

    def cost(self) -> Cost:
        d, run = self.problem.discretization, self.running
        return Cost(
            f"order {d.order}", run.stepper.device, d.n_elements,
            self.problem.operator.unknowns, run.dt, run.steps, run.time, self._seconds,
        )  # fmt: skip

    def close(self) -> None:
        if self._simulation is not None:
            self._simulation.close()


class Grid:
    """A run of Yee's finite differences on the staircase of a problem.

    Parameters
    ----------
    size : how fine.

    Raises
    ------
    SceneError : the scene has what it does not do, or a size that cannot be.
    """

    def __init__(self, problem: Problem, size: GridSize) -> None:
        self.problem, self.grid = problem, _grid_of(problem, size)
        self.largest_step = SAFETY * self.grid.largest_step
        self._run: YeeGrid | None = None
        self._seconds, self._each = 0.0, 1

    @property
    def running(self) -> YeeGrid:
        assert self._run is not None
        return self._run

    def begin(self, interval: float) -> None:
        self._each = max(1, int(np.ceil(interval / self.largest_step * (1 - 1e-12))))
        self._run = YeeGrid(self.problem, self.grid, interval / self._each)

    def advance(self, cancelled: Callable[[], bool]) -> None:
        def steps(count: int) -> None:
            began = time.perf_counter()
            self.running.advance(count)
            self._seconds += time.perf_counter() - began

        in_chunks(steps, self._each, cancelled, lambda part: None)
        if not np.isfinite(self.running.ez).all():
            raise UnstableError(
                f"the field on the grid is not finite at t = {self.running.time:.4g}",
                remedy="A source or the start is too large for it.",
            )

    def look(self, extent: Extent, width: int, height: int) -> None:
        x0, y0, x1, y1 = extent
        x = x0 + (np.arange(width) + 0.5) * (x1 - x0) / width
        y = y1 - (np.arange(height) + 0.5) * (y1 - y0) / height
        self._points = _Bilinear(self.grid, x, y)
        # The domain is where the elements are; the grid has values a little beyond.
        d = self.problem.discretization
        there = PixelSampler(d, extent, width, height).sample(np.zeros(d.shape))
        self._domain = np.isfinite(there)

    def sample(self) -> Pixels:
        values = self._points.of(self.running.ez).astype(np.float32)
        values[~self._domain] = np.nan
        return values

    def shown(self, values: Pixels) -> Pixels:
        return np.where(self._points.nearest_stepped, values, np.float32(np.nan))

    def counted(self) -> Mask:
        return np.ones_like(self._domain)

    def cost(self) -> Cost:
        run, cell = self.running, max(self.grid.cell)
        return Cost(
            f"grid of {cell:.3g}", "NumPy", int(self.grid.stepped.sum()), self.grid.n_stepped,
            run.dt, run.steps, run.time, self._seconds,
        )  # fmt: skip

    def close(self) -> None:
        """Nothing is held."""


class _Bilinear:
    """Ez between the nodes of a grid; of nodes without Ez at magnetic and absorbing walls, the
    others count alone.

    Attributes
    ----------
    nearest_stepped : whether the node nearest to a pixel is one that is stepped: the staircase.
    """

    def __init__(self, grid: Staircase, x: Array, y: Array) -> None:
        column, across = _cells(grid.x, x)
        row, up = _cells(grid.y, y)
        self._corners: list[tuple[Indices, Indices]] = []
        weights = []
        for right in (0, 1):
            for above in (0, 1):
                at = (row + above)[:, None], (column + right)[None, :]
                weight = np.where(above, up, 1 - up)[:, None] * np.where(right, across, 1 - across)
                self._corners.append(at)
                weights.append(weight * grid.known[at])
        total = np.sum(weights, axis=0)
        self._weights = [w / np.where(total > 0, total, 1.0) for w in weights]
        nearest = (row + (up > 0.5))[:, None], (column + (across > 0.5))[None, :]
        self.nearest_stepped: Mask = grid.stepped[nearest]

    def of(self, ez: Array) -> Array:
        """At the pixels."""
        parts = [w * ez[at] for w, at in zip(self._weights, self._corners, strict=True)]
        return np.asarray(np.sum(parts, axis=0))


def _cells(nodes: Array, places: Array) -> tuple[Indices, Array]:
    """The cell that each place is in, and how far from its beginning to its end."""
    at = (places - nodes[0]) / (nodes[1] - nodes[0])
    cell = np.clip(np.floor(at).astype(np.int64), 0, len(nodes) - 2)
    return cell, np.clip(at - cell, 0.0, 1.0)


def _grid_of(problem: Problem, size: GridSize) -> Staircase:
    if size.cell is not None:
        return staircase(problem, size.cell)
    if size.points is not None:
        known = [each.highest for each in known_frequencies(problem.scene)]
        if not known:
            raise SceneError(
                "no source or monitor of the scene says a frequency, so a wavelength is not known",
                where=problem.scene.where,
                remedy='Give the size of the cells of the grid, or "equal".',
            )
        shortest = float(problem.operator.slowest.min()) / max(known)
        return staircase(problem, shortest / size.points)
    wanted = problem.operator.unknowns
    area = float(problem.discretization.mesh.signed_areas().sum())
    cell = float(np.sqrt(3 * area / wanted))
    for _ in range(_TRIES):
        found = staircase(problem, cell)
        cell *= float(np.sqrt(found.n_stepped / wanted))
    return found
