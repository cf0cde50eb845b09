"""Small problems that need neither a mesher nor a device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from wavelab.numerics.mesh.mesh import Mesh
from wavelab.opencl.device import program
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Probe, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.sources import PointSource
from wavelab.scene.waveforms import Sine
from wavelab.simulation.solver.commands import GivePing
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def square(n: int) -> Mesh:
    """The unit square in 2 n^2 triangles, distorted so that no two are alike."""
    grid = np.stack(np.meshgrid(np.arange(n + 1), np.arange(n + 1)), axis=-1) / n
    inner = grid[1:-1, 1:-1]
    inner += 0.15 / n * np.sin(37.0 * inner + inner[..., ::-1])
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    right, up, across = corner + 1, corner + n + 1, corner + n + 2
    triangles = np.concatenate(
        [np.column_stack([corner, right, across]), np.column_stack([corner, across, up])]
    )
    return Mesh.plain(grid.reshape(-1, 2), triangles)


def cavity(order: int = 3) -> Scene:
    """The (1, 1) mode of the unit square, with a probe at (0.3, 0.4)."""
    mode = "sin(pi*x)*sin(pi*y)"
    exact = {
        "hx": "-sin(pi*x)*cos(pi*y)*sin(pi*sqrt(2)*t)/sqrt(2)",
        "hy": "cos(pi*x)*sin(pi*y)*sin(pi*sqrt(2)*t)/sqrt(2)",
        "ez": f"{mode}*cos(pi*sqrt(2)*t)",
    }
    return Scene(
        "cavity",
        Solver(0.1, order=order, precision="double", until=0.4),
        initial=FieldFormulas(ez=Formula.parse(mode, ("x", "y"))),
        exact=FieldFormulas(**{k: Formula.parse(v, ("x", "y", "t")) for k, v in exact.items()}),
        probes=(Probe("p", (0.3, 0.4)),),
    )


def driven(order: int = 3) -> Scene:
    """An empty square rung by a point source at its resonance."""
    return replace(
        cavity(order),
        initial=FieldFormulas(),
        exact=None,
        sources=(PointSource("s", (0.5, 0.5), 0.1, 1.0, Sine(0.70710678)),),
    )


@pytest.fixture
def problem() -> Problem:
    return discretize_scene(cavity(), square(4))


@pytest.fixture
def make_problem() -> Callable[..., Problem]:
    def make(scene: Scene | None = None, n: int = 4, order: int | None = None) -> Problem:
        return discretize_scene(scene or cavity(), square(n), order=order)

    return make


@pytest.fixture
def scenes() -> dict[str, Callable[..., Scene]]:
    return {"cavity": cavity, "driven": driven}


@pytest.fixture
def make_numpy() -> Callable[..., NumpyStepper]:
    """Makes NumPy steppers the way a runner asks for one."""

    def make(operator, *, dt, scheme, **_):
        return NumpyStepper(operator, dt=dt, scheme=scheme)

    return make


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sources of the programs that have been made since the test began."""
    sources: list[str] = []
    usual = program._compiled

    def counted(context, source, device):
        sources.append(source)
        return usual(context, source, device)

    monkeypatch.setattr(program, "_compiled", counted)
    return sources


class WallClock:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def wall_clock() -> WallClock:
    return WallClock()


def by_hand(x: float, y: float, radius: float, amplitude: float) -> GivePing:
    """The command that a click gives."""
    return GivePing(Ping(0.0, (x, y), radius, amplitude))
