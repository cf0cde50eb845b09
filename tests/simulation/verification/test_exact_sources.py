"""Sources of every kind make the waves that an exact solution says, and better on finer meshes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.numerics.fields.interpolation import Locator, interpolate
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Scene, Solver, Source
from wavelab.scene.model.shapes import Polygon, Rectangle
from wavelab.scene.sources import ArraySource, LineSource, MovingSource, PointSource, RegionSource
from wavelab.scene.walls import AbsorbingWall, PeriodicWall
from wavelab.scene.waveforms import Chirp, GaussianPulse
from wavelab.simulation.steppers.steppers import make_stepper
from wavelab.simulation.verification.open_space import radiated_pulse

RADIUS, WIDTH, START, END = 0.05, 0.06, 0.3, 0.62
PULSE = GaussianPulse(WIDTH, START)
BACKENDS = ("numpy", "opencl")


def field_at(points, source: Source, n: int, order: int, backend="opencl", **changes):
    """Ez at END of a scene with nothing but a source in it."""
    scene = Scene("test", Solver(1 / n, order=order), sources=(source,), **changes)
    problem = discretize_scene(scene, jittered_square(n))
    steps = math.ceil(END / problem.dt_max)
    stepper = make_stepper(problem.operator, dt=END / steps, backend=backend, precision="double")
    stepper.set_source_terms(problem.source_terms)
    stepper.advance(steps)
    found = stepper.fields().ez
    stepper.close()
    d = problem.discretization
    elements, rs = Locator(d).locate(points)
    assert (elements >= 0).all()
    return interpolate(d, [found], elements, rs)[0]


def radiated(points, position=(0.5, 0.5), radius=RADIUS, delay=0.0, **velocity):
    """Exact Ez at END of a unit current that is at ``position`` in the middle of its pulse."""
    since = END - START - delay
    return radiated_pulse(points, position, since=since, radius=radius, width=WIDTH, **velocity)


def circle(radius: float, n: int = 7):
    angle = 0.3 + np.arange(n) * 2 * np.pi / n
    return 0.5 + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def check_rate(points, source: Source, exact, order=3, sizes=(6, 9, 13), least=0.7, **changes):
    """The error falls at the rate N + 0.7 or better, on the device; NumPy gives the same."""
    errors = [np.abs(field_at(points, source, n, order, **changes) - exact).max() for n in sizes]
    rate = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert -rate > order + least, errors
    assert errors[-1] < 6e-3 * np.abs(exact).max()
    plain = field_at(points, source, sizes[0], order, "numpy", **changes)
    assert np.abs(plain - exact).max() == pytest.approx(errors[0], rel=1e-6)


def test_a_point_makes_the_greens_function_of_the_plane():
    points = np.concatenate([circle(r) for r in (0.15, 0.25, 0.32)])
    source = PointSource("p", (0.5, 0.5), RADIUS, 1.0, PULSE)
    check_rate(points, source, radiated(points))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_point_narrower_than_the_nodes_makes_as_strong_a_wave(backend):
    """Sampled at the nodes it would be 0.1 or 10 times as strong, depending on its place."""
    points = np.concatenate([circle(r) for r in (0.15, 0.25, 0.32)])
    source = PointSource("p", (0.5, 0.5), 0.003, 1.0, PULSE)
    exact = radiated(points, radius=0.003)
    found = field_at(points, source, 8, 4, backend)
    assert np.abs(found - exact).max() < 0.05 * np.abs(exact).max()


@pytest.mark.parametrize("speed", [0.6, 1.2], ids=["Doppler", "faster than light"])
def test_a_moving_point_makes_the_retarded_field(speed):
    points = np.concatenate([circle(r) for r in (0.1, 0.2)])
    path = [Formula.parse(f"0.5 + {v}*(t - {START})", ("t",)) for v in (0.8 * speed, -0.6 * speed)]
    source = MovingSource("m", path[0], path[1], 0.08, 1.0, PULSE)
    exact = radiated(points, velocity=(0.8 * speed, -0.6 * speed), radius=0.08)
    check_rate(points, source, exact, sizes=(7, 10, 14))


def test_an_array_is_its_elements_with_their_delays():
    points = np.concatenate([circle(r) for r in (0.2, 0.28)])
    source = ArraySource("a", (0.5, 0.42), (0.5, 0.58), 3, RADIUS, 1.0, PULSE, direction=60.0)
    delays = source.emissions()[0].delays(1.0)
    assert delays[0] == 0
    np.testing.assert_allclose(np.diff(delays), 0.08 * math.sin(math.radians(60)))
    exact = sum(
        radiated(points, position, delay=float(delay))
        for position, delay in zip(source.spots(), delays, strict=True)
    )
    assert np.abs(field_at(points, source, 9, 4) - exact).max() < 4e-3 * np.abs(exact).max()


def test_the_main_lobe_is_where_it_is_steered_and_as_high_as_the_array_factor_says():
    n, spacing, frequency, angle = 8, 0.4, 1.25, 35.0
    array = ArraySource("a", (0.0, 0.0), (0.0, spacing * (n - 1)), n, 0.1, 1.0, PULSE, angle)
    k = 2 * math.pi * frequency
    theta = np.radians(np.linspace(-80, 80, 3201))
    way = np.outer(np.sin(theta), np.array(array.spots())[:, 1])
    pattern = np.abs(np.exp(1j * k * (way - array.emissions()[0].delays(1.0))).sum(axis=1))
    assert np.degrees(theta[np.argmax(pattern)]) == pytest.approx(angle, abs=0.1)
    psi = k * spacing * (np.sin(theta) - math.sin(math.radians(angle)))
    with np.errstate(invalid="ignore"):
        factor = np.abs(np.sin(n * psi / 2) / np.sin(psi / 2))
    np.testing.assert_allclose(pattern, np.nan_to_num(factor, nan=n), atol=1e-9)


def test_a_focused_array_arrives_at_its_focus_in_step():
    array = ArraySource("a", (0, 0), (0, 1), 5, 0.1, 1.0, PULSE, focus=(2.0, 0.3))
    ways = np.linalg.norm(np.array(array.spots()) - array.focus, axis=1)
    arrivals = array.emissions()[0].delays(0.5) + ways / 0.5
    assert np.ptp(arrivals) < 1e-12
    assert array.emissions()[0].delays(0.5).min() == 0


#: A strip in which all is the same along y.
STRIP = {
    "walls": (
        PeriodicWall(("domain.bottom", "domain.top")),
        AbsorbingWall(("domain.left", "domain.right")),
    ),
    "background": Material(epsilon=2.0),
}
SPEED = IMPEDANCE = 1 / math.sqrt(2)
ALONG = np.column_stack([np.linspace(0.62, 0.85, 12), np.linspace(0.1, 0.9, 12)])


def test_a_line_makes_the_wave_of_dalembert():
    """One wide enough to be sampled by the nodes of every mesh: what is projected in its place is
    nearer to the truth, and rates from one to the other would say nothing."""
    radius = 0.045
    source = LineSource("l", (0.45, 0.0), (0.45, 1.0), radius, 1.0, PULSE)
    wide = math.hypot(WIDTH, radius / SPEED)
    peak = math.sqrt(2 * np.pi) * radius * WIDTH / wide
    late = END - START - (ALONG[:, 0] - 0.45) / SPEED
    exact = -IMPEDANCE / 2 * peak * np.exp(-((late / wide) ** 2) / 2)
    check_rate(ALONG, source, exact, **STRIP)


@pytest.mark.parametrize("slanted", [False, True])
def test_a_region_makes_the_wave_of_dalembert(slanted):
    """The upright borders cut elements anywhere; a polygon of the same parts gives the same."""
    shape = Rectangle((0.33, -1.0), (0.47, 2.0))
    if slanted:
        shape = Polygon(((0.33, -1.0), (0.47, -1.0), (0.47, 2.0), (0.4, 2.0), (0.33, 2.0)))
    source = RegionSource("r", shape, 1.0, PULSE)
    erf = np.vectorize(math.erf)
    late = [(END - START - (ALONG[:, 0] - x) / SPEED) / WIDTH / math.sqrt(2) for x in (0.33, 0.47)]
    exact = -IMPEDANCE * SPEED / 2 * WIDTH * math.sqrt(np.pi / 2) * (erf(late[1]) - erf(late[0]))
    check_rate(ALONG, source, exact, **STRIP)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_added_to_the_field_is_a_current_times_minus_epsilon(backend):
    line = LineSource("l", (0.4, 0.3), (0.5, 0.6), 0.04, 1.0, PULSE)
    current = field_at(ALONG, line, 4, 2, backend, **STRIP)
    field = field_at(ALONG, replace(line, adds="field"), 4, 2, backend, **STRIP)
    np.testing.assert_allclose(field, -2.0 * current, rtol=1e-9, atol=1e-15)


def test_the_frequency_of_a_chirp_rises_evenly():
    chirp = Chirp(2.0, 6.0, 5.0, delay=1.0, taper=0.1).function()
    t = np.linspace(0, 7, 700_001)
    f = chirp(t)
    assert f[(t < 1) | (t > 6)].max(initial=0) == f[(t < 1) | (t > 6)].min(initial=0) == 0
    inside = np.flatnonzero((f[:-1] < 0) & (f[1:] >= 0))
    crossings = t[inside]
    periods, middle = np.diff(crossings), (crossings[1:] + crossings[:-1]) / 2
    np.testing.assert_allclose(1 / periods, 2 + 4 * (middle - 1) / 5, rtol=1e-2)
    assert np.abs(np.diff(f)).max() < 1e-3  # smooth ends
