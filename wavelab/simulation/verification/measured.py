"""Cases that are judged by a number rather than by a rate: what reaches a probe, what a monitor or
a study says, what the energy ledger cannot explain."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from wavelab.physics.problem import Problem
from wavelab.scene.model.shapes import Point
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger, steps_per_look
from wavelab.simulation.studies.modes.resonances import resonances_of
from wavelab.simulation.verification.case import Measure, Reading, Where
from wavelab.simulation.verification.open_space import ricker_in_open_space
from wavelab.simulation.verification.running import bounded, discretized, monitored, run_to_end
from wavelab.simulation.verification.scenes import rectangle, stepped_locally

Largest = Mapping[int, float]

_PULSE = {"frequency": 1.0, "delay": 1.3, "radius": 0.08}
_AT, _PROBES = (0.2, 0.1), ((-0.5, 0.2), (0.1, 0.6))


def open_edge(largest: Largest, *, speck: Point | None = None) -> Measure:
    """Largest difference of Ez at two probes from the wave of a point source in endless space, in
    parts of the largest value there.

    Parameters
    ----------
    speck : where a few elements are small, see :func:`stepped_locally`; None for nowhere.
    """
    return bounded(
        lambda: stepped_locally(parse_scene(_OPEN_CIRCLE), speck), _off_endless_space, largest
    )


def _off_endless_space(simulation: Simulation) -> float:
    times, values = run_to_end(simulation)
    off = 0.0
    for place, found in zip(_PROBES, values.T, strict=True):
        exact = ricker_in_open_space(math.dist(place, _AT), times, **_PULSE)
        off = max(off, float(np.abs(found - exact).max() / np.abs(exact).max()))
    return off


_OPEN_CIRCLE = f"""
    title = "Open circle"
    [domain]
    shape = "ellipse"
    center = [0, 0]
    radii = [1.5, 1.5]
    [[walls]]
    edges = ["domain"]
    kind = "open"
    thickness = 0.8
    [[sources]]
    position = [{_AT[0]}, {_AT[1]}]
    radius = {_PULSE["radius"]}
    amplitude = 1
    waveform = {{ kind = "ricker", frequency = {_PULSE["frequency"]}, delay = {_PULSE["delay"]} }}
    [[probes]]
    position = [{_PROBES[0][0]}, {_PROBES[0][1]}]
    [[probes]]
    position = [{_PROBES[1][0]}, {_PROBES[1][1]}]
    [solver]
    element_size = 0.125
    until = 4
"""


def ledger(largest: Largest) -> Measure:
    """Energy that is not explained, in parts of what was handled: a source, a lossy medium, a wall
    of each kind."""
    return bounded(lambda: rectangle(_LEDGER, size=0.15, until=4), _unexplained, largest, _looks)


def _looks(problem: Problem) -> int:
    """Steps to the end that are a whole number of looks."""
    look = steps_per_look(problem.scheme)
    return look * math.ceil(problem.steps_to_end() / look)


def _unexplained(simulation: Simulation) -> float:
    book, look = Ledger(simulation), steps_per_look(simulation.problem.scheme)
    for _ in range(_looks(simulation.problem) // look):
        simulation.advance(look)
        book.update(simulation)
    return abs(book.account.residual) / book.account.turnover


_LEDGER = """
    [background]
    sigma = 0.4
    [[materials]]
    epsilon = 3
    shape = "rectangle"
    lower = [0.5, 0]
    upper = [1, 1]
    [[walls]]
    edges = ["domain.left"]
    kind = "absorbing"
    [[walls]]
    edges = ["domain.top"]
    kind = "impedance"
    impedance = 0.3
    [[walls]]
    edges = ["domain.bottom"]
    kind = "magnetic"
    [[sources]]
    position = [0.4, 0.45]
    radius = 0.08
    amplitude = 10
    waveform = { kind = "ricker", frequency = 1.5, delay = 0.7 }
"""


def flux(largest: Largest) -> Measure:
    """Mean power of a plane wave through a line across it: 1/2."""
    return bounded(
        lambda: rectangle(_PLANE_WAVE, size=0.2, until=1),
        lambda simulation: abs(float(monitored(simulation).arrays["mean_power"][0]) - 0.5),
        largest,
    )


_PLANE_WAVE = """
    [[walls]]
    edges = ["domain.left", "domain.right"]
    kind = "periodic"
    [[walls]]
    edges = ["domain.bottom", "domain.top"]
    kind = "periodic"
    [initial]
    ez = "cos(2*pi*x)"
    hy = "-cos(2*pi*x)"
    [[monitors]]
    name = "flux"
    kind = "flux"
    vertices = [[0.3, 0], [0.3, 1]]
    frequencies = [1]
"""


def far_field(largest: Largest) -> Measure:
    """Strength of the far field of a small source all round, against the Hankel function's."""
    return bounded(
        lambda: rectangle(_LAMP, size=0.12, until=6, lower=(-0.8, -0.8), upper=(0.8, 0.8)),
        _off_hankel,
        largest,
    )


def _off_hankel(simulation: Simulation) -> float:
    frequency, amplitude, radius = 2.0, 30.0, 0.05
    k = 2 * math.pi * frequency
    current = amplitude * 2 * math.pi * radius**2 * math.exp(-((k * radius) ** 2) / 2)
    exact = k * current / 4 * math.sqrt(2 / (math.pi * k))
    found = monitored(simulation).arrays["pattern"][0]
    return float(np.abs(np.abs(found) / exact - 1).max())


_LAMP = """
    [[walls]]
    edges = ["domain"]
    kind = "open"
    thickness = 0.3
    [[sources]]
    position = [-0.05, 0.05]
    radius = 0.05
    amplitude = 30
    waveform = { kind = "sine", frequency = 2 }
    [[monitors]]
    name = "far"
    kind = "far_field"
    shape = "ellipse"
    center = [0, 0]
    radii = [0.35, 0.3]
    frequencies = [2]
    begin = 3
    end = 6
    window = "hann"
"""


def resonances(largest: Largest) -> Measure:
    """Largest relative error of the four lowest frequencies of a rectangle."""
    m = np.arange(1, 9)
    exact = np.sort(np.hypot(m[:, None] / 1.3, m / 0.8).ravel())[:4] / 2

    def measure(order: int, where: Where) -> Reading:
        problem = discretized(rectangle("", size=0.25, upper=(1.3, 0.8)), order)
        found = resonances_of(problem, 4, backend=where.backend, device=where.device)
        frequencies = np.array([mode.frequency for mode in found.modes])
        error = float(np.abs(frequencies / exact - 1).max())
        return Reading(problem.discretization.mesh.mean_edge(), error, None, largest[order])

    return measure
