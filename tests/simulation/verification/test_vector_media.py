"""Media that act on H against what theory says of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.physics.operator.energy import energy_density, power_flow
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Material, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.walls import PeriodicWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.verification import CASES, Where, check, converge
from wavelab.simulation.verification.vector_media import SurfaceWave, crystal

NUMPY = Where("numpy")
BOTH = (
    PeriodicWall(("domain.left", "domain.right")),
    PeriodicWall(("domain.bottom", "domain.top")),
)


@pytest.mark.parametrize(
    ("name", "order"),
    [("magnetic poles", 2), ("magnetic losses", 2), ("distortionless line", 2),
     ("surface wave", 2), ("local magnetic poles", 2), ("local magnetic losses", 2)],
)  # fmt: skip
def test_cases(name, order):
    (row,) = check([CASES[name]], orders=[order])
    assert row.ok, row


@pytest.mark.parametrize(
    ("way", "angle"), [((1, 0), 0.0), ((1, 0), 90.0), ((1, 1), 70.0), ((-2, 1), -10.0)]
)
def test_waves_run_in_every_direction_of_a_crystal(way, angle):
    assert converge(crystal(way, angle), 2, NUMPY, refinements=2).reading.rate > 2.7


def test_a_surface_wave_far_from_walls_has_the_frequency_of_the_textbook():
    """k = w sqrt(mu / (1 + mu)), and it ends where mu is -1: at the plasma frequency / root 2."""
    for plasma in (3.0, 10.0, 50.0):
        wave = SurfaceWave(2 * math.pi, plasma, below=20.0, above=20.0)
        w = wave.frequency
        mu = 1 - (plasma / w) ** 2
        assert mu < -1
        assert wave.wave_number == pytest.approx(w * math.sqrt(mu / (1 + mu)), rel=1e-9)
    slow = SurfaceWave(200.0, 3.0, below=6.0, above=6.0)
    assert slow.frequency == pytest.approx(3.0 / math.sqrt(2), rel=1e-3)


@pytest.mark.parametrize("angle", [0.0, 30.0, 75.0])
def test_a_beam_walks_off(angle):
    """Its fronts are across k, and its energy goes along M k: at mu = 1 and 3 up to 30 degrees off.

    The middle of the energy moves with the mean of the group velocities, M k / (w epsilon det M),
    of the plane waves that a beam is made of.
    """
    epsilon, width, until = 1.2, 0.13, 0.15
    scene = Scene(
        "crystal", Solver(0.3, order=6), Rectangle((0.0, 0.0), (1.0, 1.0)), walls=BOTH,
        background=Material(epsilon, mu_axes=(1.0, 3.0), mu_angle=angle),
    )  # fmt: skip
    problem = discretize_scene(scene, jittered_square(10))
    d, (tensor,) = problem.discretization, problem.operator.media.tensors
    inverse = epsilon * np.linalg.det(tensor.matrix)
    fields, mean, weights = np.zeros((3, *d.shape)), np.zeros(2), 0.0
    for periods in np.ndindex(9, 9):
        k = 2 * math.pi * (np.array([9, 0]) + periods - 4)
        part = math.exp(-((width * (k[0] - 18 * math.pi)) ** 2 + (width * k[1]) ** 2) / 2)
        w = math.sqrt(float(k @ tensor.matrix @ k) / inverse)
        hx, hy = tensor.share @ [k[1], -k[0]] / (tensor.reference * w)
        wave = part * np.cos(k[0] * (d.x - 0.5) + k[1] * (d.y - 0.5))
        fields += np.multiply.outer([hx, hy, 1.0], wave)
        mean, weights = mean + part**2 * tensor.matrix @ k / (inverse * w), weights + part**2
    mean = mean / weights
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    simulation.stepper.set_fields(Fields(*fields))

    q = d.quadrature(2 * d.order + 2)

    def total(values: np.ndarray) -> float:
        return float(np.sum(values * q.weights))

    def looked_at() -> tuple[np.ndarray, np.ndarray, float]:
        """The middle of the energy, its flow, and all of it."""
        fields = simulation.stepper.fields()
        density = energy_density(problem.operator, fields, weights=q.to_points)
        there = (u @ q.to_points.T for u in (fields.hx, fields.hy, fields.ez))
        flow, energy = power_flow(*there), total(density)
        middle = np.array([total(density * x) for x in (q.x, q.y)]) / energy
        return middle, np.array([total(flow[..., i]) for i in (0, 1)]), energy

    before, *_ = looked_at()
    simulation.advance(math.ceil(until / problem.dt_max))
    later, flow, energy = looked_at()
    assert (later - before) / simulation.time == pytest.approx(mean, abs=3e-3)
    assert flow / energy == pytest.approx(mean, abs=3e-3)
    # Nearly that of the wave in its middle.
    off = math.degrees(math.atan2(*(tensor.matrix @ [1.0, 0.0])[::-1]))
    assert math.degrees(math.atan2(mean[1], mean[0])) == pytest.approx(off, abs=2.5)
    assert off == pytest.approx({0.0: 0.0, 30.0: -30.0, 75.0: -9.896}[angle], abs=0.05)
