"""What has a shape in space acts through glued edges: its field is the same anywhere, shifted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.sources import ArraySource, LineSource, MovingSource, PointSource, RegionSource
from wavelab.scene.walls import PeriodicWall
from wavelab.scene.waveforms import GaussianPulse
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.pings import Pings
from wavelab.simulation.steppers.steppers import stepper_of

BOTH = (
    PeriodicWall(("domain.left", "domain.right")),
    PeriodicWall(("domain.bottom", "domain.top")),
)
PULSE = GaussianPulse(0.1, 0.35)
N = 6
#: From the middle, where nothing reaches an edge, over an edge, and over a corner.
SHIFTS = [(3, 0), (0, -3), (3, 3)]
PROBES = np.array([(0.55, 0.45), (0.3, 0.62), (0.71, 0.2)])


def grid() -> Mesh:
    """Squares cut in two, all alike, so that a shift by one of them changes nothing else."""
    i, j = np.meshgrid(np.arange(N + 1), np.arange(N + 1), indexing="ij")
    number = (i * (N + 1) + j)[:-1, :-1].ravel()
    first = np.column_stack([number, number + N + 1, number + N + 2])
    second = np.column_stack([number, number + N + 2, number + 1])
    plain = Mesh.plain(np.column_stack([i.ravel(), j.ravel()]) / N, np.concatenate([first, second]))
    ends = plain.triangles[:, [[0, 1], [1, 2], [2, 0]]]
    column, row = np.divmod(ends, N + 1)
    tags = np.full(ends.shape[:2], -1, np.int32)
    sides = {"left": column == 0, "right": column == N, "bottom": row == 0, "top": row == N}
    for tag, on in enumerate(sides.values()):
        tags[on.all(axis=2)] = tag
    names = tuple(f"domain.{side}" for side in sides)
    return replace(plain, face_tags=tags, face_names=names).checked()


GRID = grid()


def sources(x: float, y: float) -> dict[str, Source]:
    def at(dx: float, dy: float) -> tuple[float, float]:
        return x + dx, y + dy

    way = [Formula.parse(text, ("t",)) for text in (f"{x} + 0.3*t", f"{y} - 0.1*t")]
    return {
        "point": PointSource("s", at(0, 0), 0.03, 1.0, PULSE),
        "line": LineSource("s", at(-0.1, 0), at(0.15, 0.05), 0.02, 1.0, PULSE),
        "array": ArraySource("s", at(0, -0.1), at(0, 0.1), 3, 0.02, 1.0, PULSE, direction=20.0),
        "rectangle": RegionSource("s", Rectangle(at(-0.1, -0.07), at(0.12, 0.1)), 1.0, PULSE),
        "ellipse": RegionSource("s", Ellipse(at(0, 0), (0.15, 0.08), 30.0), 1.0, PULSE),
        "moving": MovingSource("s", *way, 0.05, 1.0, PULSE),
    }


@cache
def seen(scene: Scene, shift: tuple[int, int], backend: str = "numpy") -> np.ndarray:
    """Ez at probes that are shifted as well."""
    places = (PROBES + np.array(shift) / N) % 1.0
    probes = tuple(Probe(f"p{i}", tuple(place)) for i, place in enumerate(places))
    problem: Problem = discretize_scene(replace(scene, probes=probes), GRID)
    stepper = stepper_of(
        problem, dt=problem.dt_max, precision="double", backend=backend, device=None
    )
    simulation = Simulation(problem, stepper)
    pings = Pings(simulation)
    pings.give_due()
    values = [simulation.advance(10)[1] for _ in range(6)]
    simulation.close()
    return np.concatenate(values)


def scene_with(**parts) -> Scene:
    return Scene(
        "lattice", Solver(1 / N, order=3, precision="double", until=2.0), walls=BOTH, **parts
    )


@pytest.mark.parametrize("kind", sources(0.5, 0.5))
@pytest.mark.parametrize("shift", SHIFTS)
def test_every_kind_of_source(kind, shift):
    x, y = (0.5 + part / N for part in shift)
    alone = seen(scene_with(sources=(sources(0.5, 0.5)[kind],)), (0, 0))
    moved = seen(scene_with(sources=(sources(x, y)[kind],)), shift)
    assert np.abs(alone).max() > 1e-4
    np.testing.assert_allclose(moved, alone, atol=1e-8 * np.abs(alone).max())


@pytest.mark.parametrize("shift", SHIFTS)
def test_a_ping(shift):
    x, y = (0.5 + part / N for part in shift)
    alone = seen(scene_with(pings=(Ping(0.0, (0.5, 0.5), 0.05),)), (0, 0))
    moved = seen(scene_with(pings=(Ping(0.0, (x, y), 0.05),)), shift)
    np.testing.assert_allclose(moved, alone, atol=1e-8 * np.abs(alone).max())


def test_a_device_moves_a_source_through_edges_as_numpy_does():
    x, y = (Formula.parse(text, ("t",)) for text in ("0.7 + 3*t", "0.2 - 2.5*t"))
    scene = scene_with(sources=(MovingSource("s", x, y, 0.05, 1.0, PULSE),))
    numpy, device = (seen(scene, (0, 0), backend) for backend in ("numpy", "opencl"))
    np.testing.assert_allclose(device, numpy, atol=1e-11 * np.abs(numpy).max())
