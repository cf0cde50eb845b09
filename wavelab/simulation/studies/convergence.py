"""How wrong is this?  The user's own scene on finer meshes and at higher orders.

The scene is run from its initial fields with its sources, on elements of h, h / sqrt 2 and h / 2
and at the orders N, N + 1 and N + 2, in double precision.  The error is measured against the exact
solution where the scene states one, and otherwise against a run that is finer in both: h / sqrt 2
and N + 2.  At re-entrant corners, where the field is singular, the order helps little and such a
reference is only somewhat better than the finest run; the errors then come out a little too small.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from wavelab.errors import SceneError
from wavelab.numerics.elements.reference_element import MAX_ORDER, nodes_per_triangle
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.refine import refine
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Scale, Written
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.pings import Pings
from wavelab.simulation.studies.comparison import Outcome, difference, exact_error
from wavelab.simulation.studies.study_runs import double_stepper, in_chunks, mesh_of


@dataclass(frozen=True)
class Setting:
    """Elements smaller by ``refinement`` than the scene's own, of order ``order``."""

    refinement: float
    order: int

    @property
    def cost(self) -> float:
        """Work in arbitrary units: nodes times time steps, which shrink as h / N^1.5."""
        return self.refinement**3 * nodes_per_triangle(self.order) * self.order**1.5


@dataclass(frozen=True)
class StudyRun:
    """One run.  ``error`` is relative, in the energy norm; ``size`` the target edge length, None
    for a scene that takes its elements from a file; ``seconds`` the wall time of its steps."""

    refinement: float
    size: float | None
    order: int
    elements: int
    unknowns: int
    steps: int
    seconds: float
    error: float


@dataclass(frozen=True)
class Study:
    """What came out: the present setting first, then those finer in h, then those finer in N."""

    until: float
    reference: str
    runs: tuple[StudyRun, ...]

    @property
    def present(self) -> StudyRun:
        return self.runs[0]

    def in_h(self) -> list[StudyRun]:
        """Runs of the scene's own order, coarse to fine."""
        return [run for run in self.runs if run.order == self.present.order]

    def in_order(self) -> list[StudyRun]:
        """Runs on the scene's own elements, lowest order first."""
        return [run for run in self.runs if run.refinement == 1]

    @property
    def rate(self) -> float:
        """Slope of log error over log h; N + 1 where the solution is smooth."""
        runs = self.in_h()
        steps = np.log([run.refinement for run in runs])
        errors = np.log([max(run.error, 1e-300) for run in runs])
        return -float(np.polyfit(steps, errors, 1)[0])

    def sentence(self, scale: Scale | None = None) -> str:
        """The estimated error of the present setting, and what would make it smaller."""
        now, written = self.present, Written(scale, "{:g}".format)
        size = "the elements of its file"
        if now.size is not None:
            size = f"elements of {written.length(now.size)}"
        text = (
            f"With {size} and order {now.order} the field at t = {written.time(self.until)} is off "
            f"by about {percent(now.error)}"
        )
        finest, highest = self.in_h()[-1], self.in_order()[-1]
        better = []
        if finest is not now:
            better.append(
                f"elements {finest.refinement:.2g} times smaller give {percent(finest.error)}"
            )
        if highest is not now:
            better.append(f"order {highest.order} gives {percent(highest.error)}")
        return text + ("; " + ", ".join(better) if better else "") + "."

    def table(self, scale: Scale | None = None) -> str:
        """For people, and for pasting elsewhere: columns separated by tabs, and lengths in units
        if there is a scale."""
        written = Written(scale, "{:.4g}".format)
        lines = ["element size\torder\telements\tunknowns\tsteps\terror"]
        for run in self.runs:
            size = f"1/{run.refinement:.3g}" if run.size is None else written.length(run.size)
            lines.append(
                f"{size}\t{run.order}\t{run.elements}\t{run.unknowns}\t{run.steps}\t{run.error:.3e}"
            )
        return "\n".join(lines)

    def summary(self) -> dict[str, Any]:
        """As ``wavelab converge --json`` prints it."""
        return {
            "until": self.until,
            "reference": self.reference,
            "error": self.present.error,
            "rate": self.rate,
            "runs": [asdict(run) for run in self.runs],
        }


def settings_of(scene: Scene) -> tuple[list[Setting], Setting]:
    """What is run, the present setting first, and what it is measured against."""
    order, top = scene.solver.order, min(scene.solver.order + 2, MAX_ORDER)
    # A mesh from a file can only be halved.
    finer = (2.0,) if scene.mesh_file is not None else (math.sqrt(2), 2.0)
    runs = [Setting(f, order) for f in (1.0, *finer)]
    runs += [Setting(1.0, n) for n in range(order + 1, top + 1)]
    if top == order:
        return runs[:-1], runs[-1]
    return runs, Setting(finer[0], top)


def study(
    scene: Scene,
    until: float,
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Callable[[float, str], None] = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Study:
    """Run a scene on refinements in h and N up to ``until``.

    Parameters
    ----------
    tell : told the part of the work that is done, 0 to 1, and what is being done.
    cancelled : asked about ten times a second.

    Raises
    ------
    WavelabError : the scene cannot be meshed, discretized or run, or its field is zero all the
    time.
    StudyCancelledError : as ``cancelled`` said.
    """
    runs, finest = settings_of(scene)
    exact = scene.exact is not None
    work = runs if exact else [finest, *runs]
    total, done = sum(setting.cost for setting in work), 0.0
    meshes: dict[float, Mesh] = {}
    reference: Outcome | None = None
    found: list[StudyRun] = []
    for setting in work:
        if setting.refinement not in meshes:
            tell(done / total, "Meshing")
            meshes[setting.refinement] = _mesh(scene, setting.refinement, meshes, cancelled)
        label = f"order {setting.order}, {meshes[setting.refinement].n_elements:,} elements"

        def advanced(
            part: float, start: float = done, s: Setting = setting, t: str = label
        ) -> None:
            tell((start + part * s.cost) / total, t)

        problem = discretize_scene(_double(scene), meshes[setting.refinement], order=setting.order)
        result = _run(problem, until, backend, device, advanced, cancelled)
        done += setting.cost
        if setting is finest and not exact:
            reference = result
            if result.fields.vanish:
                raise SceneError(
                    f"the field is zero up to t = {until:g}, so there is no error to measure",
                    where=scene.where,
                    remedy="Add a source or initial fields; pings made by hand are not repeated, "
                    "unless they are saved with the scene.",
                )
            continue
        if reference is None:
            error = exact_error(result, until)
        else:
            error = difference(result, reference, cancelled)
        found.append(_study_run(scene, setting, result, error))
    tell(1.0, "Done")
    against = (
        "exact"
        if exact
        else f"order {finest.order}, elements {finest.refinement:.3g} times smaller"
    )
    return Study(until, against, tuple(found))


def percent(error: float) -> str:
    """A relative error as a percentage with two figures."""
    return f"{100 * error:.2g} %"


def _double(scene: Scene) -> Scene:
    return replace(scene, probes=(), solver=replace(scene.solver, precision="double"))


def _study_run(scene: Scene, setting: Setting, result: Outcome, error: float) -> StudyRun:
    d = result.problem.discretization
    size = None
    if scene.mesh_file is None:
        size = scene.solver.element_size / setting.refinement
    return StudyRun(
        setting.refinement, size, setting.order, d.n_elements,
        result.problem.operator.unknowns, result.steps, result.seconds, error,
    )  # fmt: skip


def _mesh(
    scene: Scene, refinement: float, meshes: dict[float, Mesh], cancelled: Callable[[], bool]
) -> Mesh:
    if scene.mesh_file is not None and refinement != 1.0:
        coarse = meshes.get(1.0) or _mesh(scene, 1.0, meshes, cancelled)
        return refine(coarse)
    size = None if scene.mesh_file is not None else scene.solver.element_size / refinement
    return mesh_of(scene, cancelled, size)


def _run(
    problem: Problem,
    until: float,
    backend: str,
    device: str | None,
    advanced: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> Outcome:
    n_steps = problem.steps_to_end(until)
    with closing(double_stepper(problem, until / n_steps, backend, device)) as stepper:
        simulation = Simulation(problem, stepper)
        pings = Pings(simulation)

        def advance(steps: int) -> None:
            pings.advance(steps)
            stepper.synchronize()

        began = time.perf_counter()
        in_chunks(advance, n_steps, cancelled, advanced)
        simulation.check()
        return Outcome(problem, stepper.fields(), n_steps, time.perf_counter() - began)
