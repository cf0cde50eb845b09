"""Line currents narrower and wider than elements, against their exact waves.

    python -m tests.simulation.verification.test_narrow_sources

prints the errors on finer and finer meshes.
"""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import PointSource
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Ricker
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

#: Far enough from the walls that nothing has come back by then.
SIZE, DELAY, UNTIL, AWAY = 1.3, 0.75, 2.05, 0.25
FREQUENCY, CENTER = 2.0, (0.006, -0.004)


def error(order: int, radius: float, size: float) -> float:
    """Largest error of Ez at a probe, in parts of its peak, for a total current of 1."""
    turn = 0.7
    at = (CENTER[0] + AWAY * np.cos(turn), CENTER[1] + AWAY * np.sin(turn))
    amplitude = 1 / (2 * np.pi * radius**2)
    scene = Scene(
        "current",
        Solver(size, order=order, until=UNTIL, precision="double"),
        outline=Rectangle((-SIZE, -SIZE), (SIZE, SIZE)),
        walls=(AbsorbingWall(("domain",)),),
        sources=(PointSource("s", CENTER, radius, amplitude, Ricker(FREQUENCY, DELAY)),),
        probes=(Probe("p", at),),
    )
    problem = discretize_scene(scene, mesh_scene(scene))
    n = problem.steps_to_end()
    stepper = stepper_of(problem, dt=UNTIL / n, precision="double", backend="auto", device=None)
    simulation = Simulation(problem, stepper)
    times, values = simulation.advance(n)
    simulation.close()
    exact = wave(times, radius)
    return float(np.abs(values[:, 0] - exact).max() / np.abs(exact).max())


def wave(times, radius: float):
    """-1 / (2 pi) times the integral over u of I'(t - R cosh u), the field of a line current I.

    Outside of it a Gaussian profile does what a line does with a current that is smoothed in time
    by a Gaussian of the same width: exp(-(w radius)^2 / 2) on every frequency.  The pulse is the
    second derivative of a Gaussian, so that stays one.
    """
    s = 1 / (np.sqrt(2) * np.pi * FREQUENCY)
    wide = np.hypot(s, radius)
    u, du = np.linspace(0, 5, 4001, retstep=True)
    z = (times[:, None] - DELAY - AWAY * np.cosh(u)) / wide
    rate = -(s**3) / wide**4 * (3 * z - z**3) * np.exp(-(z**2) / 2)
    return -(rate[:, 1:].sum(axis=1) + rate[:, 0] / 2) * du / (2 * np.pi)


@pytest.mark.parametrize(("order", "radius"), [(2, 0.03), (4, 0.005), (4, 0.02)])
def test_finer_is_better_from_far_too_coarse_to_fine(order, radius):
    """Once nodes came close enough to sample the source it was 17 times worse than before."""
    missed = [error(order, radius, size) for size in (0.3, 0.15, 0.1)]
    assert missed[1] < missed[0] / 4
    assert missed[2] < missed[1] / 1.5**order


def main() -> None:
    for order in (3, 5):
        for radius in (0.005, 0.015):
            row = [f"{error(order, radius, size):.1e}" for size in (0.3, 0.15, 0.075)]
            print(order, radius, *row, sep=" | ")


if __name__ == "__main__":
    main()
