"""Power and amplitudes of elastic waves at a frequency, against exact ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.monitors import FieldMonitor
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import make_stepper

HAMMER = """physics = "elastic"
[domain]
shape = "rectangle"
lower = [-2, -2]
upper = [2, 2]
[background]
density = 1.4
p_speed = 1.2
s_speed = 0.7
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.7
[[sources]]
name = "hammer"
kind = "force"
position = [0.1, -0.05]
direction = 35
radius = 0.2
amplitude = 10
[sources.waveform]
kind = "sine"
frequency = 0.8
[[monitors]]
name = "out"
kind = "flux"
closed = true
vertices = [[-1, -0.8], [0.9, -1], [1.1, 0.7], [-0.6, 1.1]]
frequencies = [0.8]
begin = 12
end = 22
[[monitors]]
name = "once"
kind = "flux"
vertices = [[-1, 1], [1, 1]]
[solver]
element_size = 0.35
order = 5
precision = "double"
until = 22
"""
PLANE = """physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [3, 0.5]
[background]
density = 2.0
p_speed = 1.5
s_speed = 0.8
[[walls]]
edges = ["domain.top", "domain.bottom"]
kind = "slip"
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"
[[sources]]
name = "push"
kind = "body_wave"
edges = ["domain.left"]
direction = 0
amplitude = 0.7
[sources.waveform]
kind = "sine"
frequency = 1.0
[[monitors]]
name = "map"
kind = "field"
frequencies = [1.0]
begin = 6
end = 12
[[monitors]]
name = "through"
kind = "flux"
vertices = [[1.3, 0.5], [1.3, 0]]
frequencies = [1.0]
begin = 6
end = 12
[solver]
element_size = 0.3
order = 6
precision = "double"
until = 12
"""


def measured(text: str, backend: str) -> dict:
    scene = parse_scene(text, "monitors.toml")
    problem = discretize_scene(scene, mesh_scene(scene))
    steps = problem.steps_to_end()
    stepper = make_stepper(
        problem.operator, dt=scene.solver.until / steps, scheme=problem.scheme, backend=backend,
        precision="double",
    )  # fmt: skip
    simulation = Simulation(problem, stepper)
    try:
        simulation.advance(steps)
        return {result.name: result for result in simulation.measured()}
    finally:
        simulation.close()


def power_of_a_force(force: float, radius: float, f: float, solid: tuple[float, ...]) -> float:
    """Mean power that a Gaussian spot of a force radiates: omega F^2 Im G / 2 with the imaginary
    part (1 / cp^2 + 1 / cs^2) / (8 density) of Green's displacement at its place, and for each wave
    the spectrum of the spot, squared."""
    density, *speeds = solid
    omega = 2 * math.pi * f
    spots = sum(math.exp(-((omega / c * radius) ** 2)) / c**2 for c in speeds)
    return omega * force**2 * spots / (16 * density)


def test_what_leaves_a_loop_round_a_force_is_what_it_radiates():
    found = measured(HAMMER, "opencl")
    force = 10 * 2 * math.pi * 0.2**2
    exact = power_of_a_force(force, 0.2, 0.8, (1.4, 1.2, 0.7))
    (mean,) = found["out"].arrays["mean_power"]
    assert mean == pytest.approx(exact, rel=2e-3)
    # It is the mean of what is recorded, over eight periods.
    times, power = (found["out"].arrays[name] for name in ("time", "power"))
    late = times > 12
    assert power[late].mean() == pytest.approx(mean, rel=1e-2)
    assert "mean_power" not in found["once"].arrays


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_a_plane_wave_has_its_amplitude_everywhere_and_its_power_through_a_line(backend):
    found = measured(PLANE, backend)
    arrays = found["map"].arrays
    x, vx = arrays["x"], arrays["hx"][0]
    wave = 0.7 * np.exp(2j * np.pi * x / 1.5)
    turn = np.vdot(wave, vx) / np.vdot(wave, wave)
    assert abs(turn) == pytest.approx(1.0, rel=1e-4)
    assert np.abs(vx - turn * wave).max() < 1e-3
    assert np.abs(arrays["ez"]).max() < 1e-3
    assert "hy" not in arrays
    # Of a wave to the right the stress is -density cp v; what widens it is held from the sides.
    for name, share in (("sxx", 1.0), ("syy", 1 - 2 * (0.8 / 1.5) ** 2), ("sxy", 0.0)):
        assert np.abs(arrays[name][0] + 2.0 * 1.5 * share * vx).max() < 5e-3
    columns = FieldMonitor("map", (1.0,)).tables(found["map"])[""]
    np.testing.assert_array_equal(columns["sxx_real"], arrays["sxx"].real.ravel())
    # density cp |v|^2 / 2 through a line of 0.5; forward is to the right of the way down.
    (mean,) = found["through"].arrays["mean_power"]
    assert abs(mean) == pytest.approx(2.0 * 1.5 * 0.7**2 / 2 * 0.5, rel=1e-3)
    assert mean < 0
    assert arrays["mode_volume"] == pytest.approx([1.5], rel=1e-2)


@pytest.mark.parametrize(
    "monitor",
    [
        'kind = "far_field"\nshape = "ellipse"\ncenter = [0, 0]\nradii = [1, 1]\n'
        "frequencies = [0.8]",
        'kind = "modes"\nvertices = [[0, -1], [0, 1]]\nfrequencies = [0.8]',
    ],
)
def test_what_there_is_not_is_refused_by_name(monitor):
    with pytest.raises(SceneError, match="not made for elastic waves") as raised:
        parse_scene(HAMMER + f'[[monitors]]\nname = "no"\n{monitor}\n', "monitors.toml")
    assert 'monitor "no"' in str(raised.value)
