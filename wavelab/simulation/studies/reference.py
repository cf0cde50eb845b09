"""A scene against a reference: what its monitors find with an object, and without it.

The reference is another scene, as a rule the same one without the object.  Fields are subtracted
and not powers: with E of the scene and E' of the reference at one line,

    difference = P(E - E'),     quotients P(E) / P(E') and P(E - E') / P(E'),

P being the mean power through the line at a frequency.  In front of a plate P(E - E') is what the
plate throws back and P(E') what comes in, so the second quotient is minus the reflection; behind it
the first one is the transmission.

Both run to the end of the scene.  The reference has a mesh of its own, but its fields are taken at
the very points of the scene's monitors.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import SceneError, WavelabError
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of
from wavelab.physics.monitors.findings import findings
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.measuring.requests import (
    AcrossGuide,
    BesideScreen,
    Contour,
    Section,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.monitors import Monitor, monitor_kind
from wavelab.scene.systems import system_of
from wavelab.simulation.core.silence import silent_from
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.pings import Pings
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.study_runs import in_chunks, mesh_of

Tell = Callable[[float, str], None]

#: What is left of the largest energy once the sources are silent, from which on it is told.
_LEFT = 1e-6
#: Reference powers below this part of the largest are nothing to divide by.
_NOTHING = 1e-12
#: Sums are kept at points: of lines, guides and contours.
_COMPARED = (Section, AcrossGuide, Contour, BesideScreen)


@dataclass(frozen=True, eq=False)
class Compared:
    """A monitor of both runs.

    Attributes
    ----------
    name, kind : of the monitor.
    frequency : (n,).
    result, reference, difference : its arrays by name with the object, without it, and of the
        fields of the first less those of the second; complex ones are amplitudes.
    """

    name: str
    kind: str
    frequency: Array
    result: dict[str, NDArray]
    reference: dict[str, NDArray]
    difference: dict[str, NDArray]

    @property
    def powers(self) -> tuple[Array, Array, Array]:
        """(n,) mean powers with the object, without it, and of the difference of the fields."""
        key = "mean_power" if "mean_power" in self.result else "power"
        return self.result[key], self.reference[key], self.difference[key]

    @property
    def quotient(self) -> Array:
        """(n,) power with the object over that without it; nan where there is none without it."""
        with_it, without_it, _ = self.powers
        return _over(with_it, without_it)

    @property
    def difference_quotient(self) -> Array:
        """(n,) power of the difference over that without the object; nan as :attr:`quotient`."""
        _, without_it, difference = self.powers
        return _over(difference, without_it)

    def columns(self) -> dict[str, NDArray]:
        """As they are written, a row for each frequency."""
        with_it, without_it, difference = self.powers
        return {
            "frequency": self.frequency,
            "power": with_it,
            "reference": without_it,
            "difference": difference,
            "quotient": self.quotient,
            "difference_quotient": self.difference_quotient,
        }


@dataclass(frozen=True, eq=False)
class ReferenceRun:
    """Attributes
    ----------
    monitors : by name, those of lines, guides and contours with frequencies.
    notices : what the user should know.
    """

    monitors: dict[str, Compared]
    notices: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Compared:
        return self.monitors[name]

    def columns(self) -> dict[str, NDArray]:
        """A row for each monitor and frequency."""
        parts = [compared.columns() for compared in self.monitors.values()]
        joined = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        names = [np.repeat(c.name, len(c.frequency)) for c in self.monitors.values()]
        return {"monitor": np.concatenate(names), **joined}


def referenced(
    scene: Scene,
    other: Scene,
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ReferenceRun:
    """Run a scene and its reference, one after the other, to the end of the scene.

    Parameters
    ----------
    other : the reference; its monitors and its end do not matter.
    tell : told which part is done, and what is done.
    cancelled : asked about ten times a second.

    Raises
    ------
    WavelabError : there is nothing to compare, the reference is of other waves, one of both cannot
        be meshed or run, or a monitor has points where the reference has none.
    StudyCancelledError : as ``cancelled`` said.
    """
    asked = tuple(m for m in scene.monitors if _is_compared(m))
    if not asked:
        raise WavelabError(
            "no monitor has a spectrum to compare",
            where=scene.where,
            remedy='Give the scene [[monitors]] of the kind "flux", "modes" or "far_field" with '
            "frequencies.",
        )
    if other.physics != scene.physics:
        raise WavelabError(
            f"the reference is of other waves: {system_of(other).label}, and not "
            f"{system_of(scene).label}",
            where=other.where,
            remedy="Fields are subtracted: take a reference of the same waves.",
        )
    tell(0.0, "Meshing")
    scene = replace(scene, monitors=asked, probes=(), exact=None)
    problem = discretize_scene(scene, mesh_of(scene, cancelled))
    solver = replace(other.solver, until=scene.solver.until)
    bare = replace(other, monitors=(), probes=(), exact=None, solver=solver)
    quiet = discretize_scene(bare, mesh_of(bare, cancelled))
    quiet = replace(quiet, monitors=tuple(_elsewhere(m, quiet) for m in problem.monitors))
    how = (backend, device, cancelled)
    sums, left = _sums(problem, *how, lambda part: tell(0.5 * part, "Running"))
    theirs, _ = _sums(quiet, *how, lambda part: tell(0.5 + 0.5 * part, "Running the reference"))
    notices = list(problem.notices)
    if left > _LEFT and silent_from(problem) < scene.solver.until:
        notices.append(
            f"the run ended at {scene.solver.until:g} with {left:.1g} of its largest energy left: "
            "what comes later is missing; let it run longer"
        )
    tell(1.0, "Done")
    compared = {
        m.monitor.name: _compared(m, here, there)
        for m, here, there in zip(problem.monitors, sums, theirs, strict=True)
    }
    return ReferenceRun(compared, tuple(notices))


def _is_compared(monitor: Monitor) -> bool:
    transform = monitor.transform
    return isinstance(monitor.where, _COMPARED) and transform is not None


def _elsewhere(discrete: DiscreteMonitor, problem: Problem) -> DiscreteMonitor:
    """The same points on another mesh."""
    line = discrete.line
    assert line is not None
    d = problem.discretization
    elements, rs = locator_of(d).locate(line.points)
    outside = np.flatnonzero(elements < 0)
    if len(outside):
        x, y = line.points[outside[0]]
        raise SceneError(
            f"the reference has nothing at ({x:g}, {y:g}), where {discrete.monitor.what} measures",
            where=problem.scene.where,
            remedy="Move the monitor, or take a reference whose domain holds it.",
        )
    weights = interpolation_weights(d.element, rs)

    def there(points: ProbePoints) -> ProbePoints:
        fields = len(points) // len(elements)
        return replace(
            points, elements=np.tile(elements, fields), weights=np.tile(weights, (fields, 1))
        )

    (transform,) = discrete.transforms
    assert transform.points is not None
    moved = replace(transform, points=there(transform.points))
    return replace(discrete, samples=there(discrete.samples), transforms=(moved,))


def _sums(
    problem: Problem,
    backend: str,
    device: str | None,
    cancelled: Callable[[], bool],
    tell: Callable[[float], None],
) -> tuple[list[Sums], float]:
    """What the transforms have summed up by the end, and what is left of the largest energy."""
    n_steps = problem.steps_to_end()
    dt = problem.scene.solver.until / n_steps
    energies = [0.0]
    with closing(stepper_of(problem, dt=dt, backend=backend, device=device)) as stepper:
        simulation = Simulation(problem, stepper)
        pings = Pings(simulation)

        def advance(steps: int) -> None:
            pings.advance(steps)
            energies.append(float(simulation.element_energy().sum()))

        in_chunks(advance, n_steps, cancelled, tell)
        if cancelled():
            raise StudyCancelledError
        sums = simulation.monitors.sums(stepper)
    return sums, energies[-1] / (max(energies) or 1.0)


def _compared(discrete: DiscreteMonitor, sums: Sums, other: Sums) -> Compared:
    monitor = discrete.monitor
    # In the same measure, whatever the steps were.
    other = Sums(other.values, sums.duration)
    of = [sums, other, Sums(sums.values - other.values, sums.duration)]
    none = np.zeros(0)
    arrays = [_spectra(monitor, discrete, one, none) for one in of]
    assert monitor.transform is not None
    frequency = np.array(monitor.transform.frequencies)
    return Compared(monitor.name, monitor_kind(monitor), frequency, *arrays)


def _spectra(
    monitor: Monitor, discrete: DiscreteMonitor, sums: Sums, none: Array
) -> dict[str, NDArray]:
    found = findings(discrete, sums, none, none, series=np.zeros((0, 1)))
    arrays = monitor.arrays(found)
    variables = monitor.variables
    return {k: v for k, v in arrays.items() if "time" not in variables[k].dimensions}


def _over(values: Array, by: Array) -> Array:
    """The quotient; nan where there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = values / by
    nothing = np.abs(by) <= _NOTHING * max(np.abs(by).max(), 1e-300)
    return np.asarray(np.where(nothing, np.nan, quotient))
