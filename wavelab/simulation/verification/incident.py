"""Waves that come in from outside: at the border of a region, through a wall, down a guide."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.round_waves import Scattering
from wavelab.simulation.verification.running import bounded, monitored, run_to_end
from wavelab.simulation.verification.scenes import rectangle, stepped_locally

_DEGREES, _WIDTH, _DELAY = 25.0, 0.12, 0.8
_U, _V = math.cos(math.radians(_DEGREES)), math.sin(math.radians(_DEGREES))
_WAVE = f"""
kind = "plane_wave"
direction = {_DEGREES}
amplitude = 1
waveform = {{ kind = "gaussian", width = {_WIDTH}, delay = {_DELAY} }}
"""


def _square(rest: str) -> Scene:
    """A wave in a square whose walls absorb."""
    walls = '[[walls]]\nedges = ["domain"]\nkind = "absorbing"'
    return rectangle(f"{walls}\n[[sources]]{_WAVE}{rest}", size=0.05, until=1.3)


def through_walls() -> Measure:
    """In and out through absorbing walls all round, at an angle."""
    ez = f"exp(-((t - {_U!r}*x - {_V!r}*y - {_DELAY})/{_WIDTH})^2/2)"
    exact = f'[exact]\nez = "{ez}"\nhx = "{_V!r}*{ez}"\nhy = "-{_U!r}*{ez}"'
    return converging(lambda: _square(f'edges = ["domain"]\n{exact}'))


_LOWER, _UPPER = 0.25, 0.75


def at_a_border(*, speck: Point | None = None) -> Measure:
    """Inside a square there is the wave and outside nothing.

    The border runs along whole elements, so it moves as they get smaller: the rate is uneven.

    Parameters
    ----------
    speck : where a few elements are small, see :func:`stepped_locally`; None for nowhere.
    """
    shape = f'shape = "rectangle"\nlower = [{_LOWER}, {_LOWER}]\nupper = [{_UPPER}, {_UPPER}]'
    return converging(
        lambda: stepped_locally(_square(shape), speck), error=_wave_or_nothing, slack=0.6
    )


def _wave_or_nothing(simulation: Simulation) -> float:
    """L2 norm of the error of all fields, if every element has all of the wave or nothing of it,
    whichever it is nearer to; infinite if either is nowhere."""
    d, fields = simulation.problem.discretization, simulation.stepper.fields()
    q = d.quadrature(2 * d.order + 4)
    late = simulation.time - _U * (q.x - _LOWER) - _V * (q.y - _LOWER) - _DELAY
    ez = np.exp(-((late / _WIDTH) ** 2) / 2)
    all_of_it, nothing = (np.zeros(d.n_elements) for _ in range(2))
    for name, wave in (("hx", _V * ez), ("hy", -_U * ez), ("ez", ez)):
        found = getattr(fields, name) @ q.to_points.T
        all_of_it += ((found - wave) ** 2 * q.weights).sum(axis=1)
        nothing += (found**2 * q.weights).sum(axis=1)
    middle = np.abs(d.x.mean(axis=1) - 0.5) + np.abs(d.y.mean(axis=1) - 0.5)
    expected = {True: all_of_it[middle < 0.2], False: nothing[middle > 0.6]}
    nearer = np.minimum(all_of_it, nothing)
    sure = [values.sum() / len(values) for values in expected.values()]
    return math.sqrt(max(float(nearer.sum()), *(float(s) for s in sure)))


_FREQUENCY = 1.3


def guided_mode(largest: Mapping[int, float]) -> Measure:
    """Largest error of the amplitude of Ez in a guide, both ends of which absorb: what an absorbing
    wall sends back of the mode is known, (b - k) / (b + k)."""
    return bounded(
        lambda: rectangle(_GUIDE, size=0.15, until=26 / _FREQUENCY), _error_in_guide, largest
    )


def _error_in_guide(simulation: Simulation) -> float:
    found = monitored(simulation)
    x, y, amplitude = found.arrays["x"], found.arrays["y"], found.arrays["ez"][0]
    k = 2 * math.pi * _FREQUENCY
    b = math.sqrt(k**2 - math.pi**2)
    r = (b - k) / (b + k)
    # The echo comes back to the wall where the wave comes in, which sends the same part of it.
    along = np.exp(-1j * b * x) + r * np.exp(-1j * b * (2 - x))
    exact = np.sin(math.pi * y) * along / (1 - r**2 * np.exp(-2j * b))
    return float(np.abs(amplitude - 1j * exact.conj()).max())


_GUIDE = f"""
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"
[[sources]]
kind = "guided_mode"
edge = "domain.left"
amplitude = 1
waveform = {{ kind = "sine", frequency = {_FREQUENCY}, ramp = 4 }}
[[monitors]]
name = "mode"
kind = "field"
frequencies = [{_FREQUENCY}]
begin = {18 / _FREQUENCY!r}
end = {26 / _FREQUENCY!r}
window = "hann"
"""


def cylinder(largest: Mapping[int, float]) -> Measure:
    """Largest error of Ez round a conducting cylinder in a plane wave, against Hankel's series.

    The wave comes in at a square, the cylinder's wall is round, and what it scatters leaves through
    an open wall.
    """
    return bounded(lambda: parse_scene(_CYLINDER), _error_round_cylinder, largest)


def _error_round_cylinder(simulation: Simulation) -> float:
    run_to_end(simulation)
    d, found, time = (
        simulation.problem.discretization, simulation.stepper.fields().ez, simulation.time
    )  # fmt: skip
    # The wave is sin 2 pi (t - x - 0.9), the series is for cos 2 pi (x - t).
    exact = Scattering(2 * math.pi, 0.4).fields(d, time - 0.9 - 0.25).ez
    inside = np.maximum(np.abs(d.x), np.abs(d.y)).max(axis=1) < 0.7
    return float(np.abs(found - exact)[inside].max())


_CYLINDER = """
title = "Cylinder"
[domain]
shape = "ellipse"
center = [0, 0]
radii = [1.9, 1.9]
[[holes]]
name = "cylinder"
shape = "ellipse"
center = [0, 0]
radii = [0.4, 0.4]
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.5
[[sources]]
kind = "plane_wave"
direction = 0
shape = "rectangle"
lower = [-0.9, -0.9]
upper = [0.9, 0.9]
amplitude = 1
waveform = { kind = "sine", frequency = 1 }
[solver]
element_size = 0.17
until = 14
"""
