"""Edges that are glued and no parallels turn what goes through: a wedge is a part of a whole."""

from __future__ import annotations

import numpy as np
import pytest

from tests.products import each_value
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.power.full_field_power import FullFieldLoss, flux_loss
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

pytestmark = pytest.mark.usefixtures("not_optimised")

#: A third of a disk with a hole in its middle, in front of which no element touches itself, or of
#: one without.
SECTOR = """
physics = "{physics}"
[domain]
shape = "polygon"
vertices = {vertices}
bulges = {bulges}
[[walls]]
edges = ["domain.0", "domain.{last}"]
kind = "periodic"
{phase}
[solver]
element_size = 0.5
order = 2
precision = "double"
"""
ARC = float(np.tan(np.pi / 6))


def around(*radii: float) -> list[list[float]]:
    """Corners at these distances along one edge, and back along the other."""
    third = np.exp(2j * np.pi / 3)
    z = [*radii, *(r * third for r in reversed(radii))]
    return [[float(each.real), float(each.imag)] for each in map(complex, z)]


def sector(physics: str, *, whole: bool = False, phase: str = "") -> Problem:
    """A third of a disk, or, unless it is whole, of a ring."""
    vertices = [[0.0, 0.0], *around(1.0)] if whole else around(0.4, 1.0)
    bulges = [0, ARC, 0] if whole else [0, ARC, 0, -ARC]
    text = SECTOR.format(physics=physics, vertices=vertices, bulges=bulges, last=2, phase=phase)
    scene = parse_scene(text)
    return discretize_scene(scene, mesh_scene(scene))


def random_fields(problem: Problem):
    rng, of = np.random.default_rng(5), problem.operator.fields
    return of.of([rng.standard_normal(problem.discretization.shape) for _ in of.names])


@pytest.mark.parametrize("phase", ["", "phase = 40"])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("physics", SYSTEMS)
def test_what_the_flux_takes_is_what_the_energy_loses(physics, whole, phase):
    problem = sector(physics, whole=whole, phase=phase)
    operator, fields = problem.operator, random_fields(problem)
    rates, h = operator.right_hand_side(fields), 1e-5
    ahead, behind = (
        operator.fields.of(
            [u + sign * h * r for u, r in zip(fields.arrays, rates.arrays, strict=True)]
        )
        for sign in (1, -1)
    )
    energy = [float(operator.element_energy(each).sum()) for each in (ahead, behind)]
    lost = (energy[1] - energy[0]) / (2 * h)
    assert flux_loss(operator, fields) == pytest.approx(lost, rel=1e-7)
    assert FullFieldLoss.of(operator).power(fields, 0.0) == pytest.approx(lost, rel=1e-7)


QUARTER = """
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[walls]]
edges = ["domain.bottom", "domain.left"]
kind = "periodic"
[[walls]]
edges = ["domain.right", "domain.top"]
kind = "absorbing"
[[sources]]
name = "sun"
kind = "{kind}"
direction = 225
amplitude = 1
edges = ["domain.right", "domain.top"]
waveform = {{ kind = "gaussian", width = 0.2, delay = 1 }}
[solver]
element_size = 0.5
order = 1
"""


@pytest.mark.parametrize(("physics", "kind"), [("light", "plane_wave"), ("elastic", "body_wave")])
def test_a_plane_wave_does_not_go_through_them(physics, kind):
    """Along the diagonal of a quarter it has one phase on both edges, and other directions."""
    scene = parse_scene(QUARTER.format(physics=physics, kind=kind))
    with pytest.raises(SceneError, match='"sun" meets periodic edges that are no parallels'):
        discretize_scene(scene, mesh_scene(scene))


@pytest.mark.parametrize(("physics", "phase"), each_value(list(SYSTEMS), ["", "phase = 40"]))
def test_a_device_turns_as_numpy_does(physics, phase):
    problem = sector(physics, phase=phase)
    found = []
    for stepper in (
        NumpyStepper(problem.operator, dt=problem.dt_max, scheme=problem.scheme),
        OpenCLStepper(
            problem.operator, dt=problem.dt_max, scheme=problem.scheme, precision="double"
        ),
    ):
        stepper.set_fields(random_fields(problem))
        stepper.advance(3)
        found.append(np.array(stepper.fields().arrays))
    np.testing.assert_allclose(found[1], found[0], atol=1e-10)
