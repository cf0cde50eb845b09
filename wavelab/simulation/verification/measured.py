"""Cases that are judged by a number rather than by a rate: what reaches a probe, what a monitor or
a study says, what the energy ledger cannot explain."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.energy.ledger import Ledger, steps_per_look
from wavelab.simulation.studies.resonances import resonances_of
from wavelab.simulation.verification.case import Measure, Reading, Where
from wavelab.simulation.verification.open_space import ricker_in_open_space
from wavelab.simulation.verification.running import discretized, measured_at_end, running
from wavelab.simulation.verification.scenes import stepped_locally

#: Order, where -> size of the elements and the error.
ErrorAt = Callable[[int, Where], tuple[float, float]]


def bounded(error_at: ErrorAt, largest: Mapping[int, float]) -> Measure:
    """An error that must not exceed a bound.

    Parameters
    ----------
    largest : the bound for each order.
    """

    def measure(order: int, where: Where) -> Reading:
        h, error = error_at(order, where)
        return Reading(h, error, None, largest[order])

    return measure


def open_edge(order: int, where: Where, *, locally: bool = False) -> tuple[float, float]:
    """Largest difference of Ez at two probes from the wave of a point source in endless space, in
    parts of the largest value there.

    Parameters
    ----------
    locally : with a few small elements, stepped locally.
    """
    frequency, delay, radius, at = 1.0, 1.3, 0.08, (0.2, 0.1)
    probes = ((-0.5, 0.2), (0.1, 0.6))
    scene = parse_scene(f"""
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
        position = [{at[0]}, {at[1]}]
        radius = {radius}
        amplitude = 1
        waveform = {{ kind = "ricker", frequency = {frequency}, delay = {delay} }}
        [[probes]]
        position = [{probes[0][0]}, {probes[0][1]}]
        [[probes]]
        position = [{probes[1][0]}, {probes[1][1]}]
        [solver]
        element_size = 0.125
        until = 4
    """)
    if locally:
        scene = stepped_locally(scene, (-0.1, -0.3))
    problem = discretized(scene, order)
    with running(problem, where) as simulation:
        times, values = simulation.advance(problem.steps_to_end())
    off = 0.0
    for place, found in zip(probes, values.T, strict=True):
        exact = ricker_in_open_space(
            math.dist(place, at), times, frequency=frequency, delay=delay, radius=radius
        )
        off = max(off, float(np.abs(found - exact).max() / np.abs(exact).max()))
    return problem.discretization.mesh.mean_edge(), off


def ledger(order: int, where: Where) -> tuple[float, float]:
    """Energy that is not explained, in parts of what was handled: a source, a lossy medium, a wall
    of each kind."""
    problem = discretized(parse_scene(_LEDGER), order)
    look = steps_per_look(problem.scheme)
    n_steps = look * math.ceil(problem.steps_to_end() / look)
    with running(problem, where, n_steps) as simulation:
        book = Ledger(simulation)
        for _ in range(n_steps // look):
            simulation.advance(look)
            book.update(simulation)
        account = book.account
    return problem.discretization.mesh.mean_edge(), abs(account.residual) / account.turnover


_LEDGER = """
    title = "Where energy goes"
    [domain]
    shape = "rectangle"
    lower = [0, 0]
    upper = [1, 1]
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
    [solver]
    element_size = 0.15
    until = 4
"""


def flux(order: int, where: Where) -> tuple[float, float]:
    """Mean power of a plane wave through a line across it: 1/2."""
    problem = discretized(parse_scene(_PLANE_WAVE), order)
    found = measured_at_end(problem, where)
    return problem.discretization.mesh.mean_edge(), abs(float(found.arrays["mean_power"][0]) - 0.5)


_PLANE_WAVE = """
    title = "Power of a plane wave"
    [domain]
    shape = "rectangle"
    lower = [0, 0]
    upper = [1, 1]
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
    [solver]
    element_size = 0.2
    until = 1
"""


def far_field(order: int, where: Where) -> tuple[float, float]:
    """Strength of the far field of a small source all round, against the Hankel function's."""
    frequency, amplitude, radius = 2.0, 30.0, 0.05
    problem = discretized(parse_scene(_LAMP), order)
    found = measured_at_end(problem, where)
    k = 2 * math.pi * frequency
    current = amplitude * 2 * math.pi * radius**2 * math.exp(-((k * radius) ** 2) / 2)
    exact = k * current / 4 * math.sqrt(2 / (math.pi * k))
    off = np.abs(np.abs(found.arrays["pattern"][0]) / exact - 1).max()
    return problem.discretization.mesh.mean_edge(), float(off)


_LAMP = """
    title = "Lamp"
    [domain]
    shape = "rectangle"
    lower = [-0.8, -0.8]
    upper = [0.8, 0.8]
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
    [solver]
    element_size = 0.12
    until = 6
"""


def resonances(order: int, where: Where) -> tuple[float, float]:
    """Largest relative error of the four lowest frequencies of a rectangle."""
    problem = discretized(parse_scene(_ROOM), order)
    found = resonances_of(problem, 4, backend=where.backend, device=where.device)
    m = np.arange(1, 9)
    exact = np.sort(np.hypot(m[:, None] / 1.3, m / 0.8).ravel())[:4] / 2
    frequencies = np.array([mode.frequency for mode in found.modes])
    return problem.discretization.mesh.mean_edge(), float(np.abs(frequencies / exact - 1).max())


_ROOM = """
    title = "Room"
    [domain]
    shape = "rectangle"
    lower = [0, 0]
    upper = [1.3, 0.8]
    [solver]
    element_size = 0.25
"""
