"""Plane waves and guided modes that come in through faces, against what they are exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.products import each_value
from tests.sample_meshes import jittered_square
from wavelab.errors import SceneError
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.poles import Drude
from wavelab.scene.sources import GuidedMode, PlaneWave
from wavelab.scene.walls import AbsorbingWall, MagneticWall, OpenWall, PeriodicWall
from wavelab.scene.waveforms import GaussianPulse, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.steppers import make_stepper

PULSE = GaussianPulse(0.16, 0.8)
ABSORBING = (AbsorbingWall(("domain",)),)
BOX = Rectangle((0.25, 0.25), (0.75, 0.75))


THROUGH_A_ROW = (
    AbsorbingWall(("domain.left", "domain.right")),
    PeriodicWall(("domain.bottom", "domain.top")),
)


def discretized(source, n=6, order=3, upwinding=1.0, jitter=0.1, **changes) -> Problem:
    changes = {"walls": ABSORBING} | changes
    solver = Solver(1 / n, order=order, upwinding=upwinding)
    return discretize_scene(
        Scene("test", solver, sources=(source,), **changes), jittered_square(n, jitter=jitter)
    )


def run(problem: Problem, until: float, backend="numpy", variant=None, pace=1) -> Fields:
    """``pace`` is the number of steps that take the place of one."""
    steps = math.ceil(until / problem.dt_max) * pace
    stepper = make_stepper(
        problem.operator, dt=until / steps, backend=backend, variant=variant, precision="double"
    )
    stepper.set_source_terms(problem.source_terms)
    stepper.advance(steps)
    fields = stepper.fields()
    stepper.close()
    return fields


def wave(problem: Problem, source: PlaneWave, time: float, origin: float) -> Fields:
    """The plane wave alone, everywhere; ``origin`` is where its way begins."""
    d, o = problem.discretization, problem.operator
    turn = math.radians(source.direction)
    ux, uy = math.cos(turn), math.sin(turn)
    speed, impedance = o.slowest[0], o.impedance[0]
    late = time - (ux * d.x + uy * d.y - origin) / speed
    ez = source.amplitude * source.waveform.function()(late)
    return MaxwellFields(uy / impedance * ez, -ux / impedance * ez, ez)


def error(problem: Problem, found: Fields, exact: Fields, where=slice(None)) -> float:
    """L2 norm of the difference of all fields on some elements."""
    square = 0.0
    for name in ("hx", "hy", "ez"):
        off = getattr(found, name) - getattr(exact, name)
        square += problem.discretization.integrate_product(off, off)[where].sum()
    return math.sqrt(square)


def in_box(problem: Problem):
    """(n_elements,): elements wholly inside BOX."""
    d = problem.discretization
    corners = d.mesh.vertices[d.mesh.triangles]
    return ((corners >= BOX.lower) & (corners <= BOX.upper)).all(axis=(1, 2))


def rate(errors, sizes) -> float:
    return -np.polyfit(np.log(sizes), np.log(errors), 1)[0]


@pytest.mark.parametrize(("order", "upwinding"), each_value([2, 3], [1.0, 0.4]))
def test_inside_is_the_plane_wave_and_outside_nothing(order, upwinding):
    source = PlaneWave("p", 35.0, 1.5, PULSE, BOX)
    material = Material(epsilon=1.5, mu=0.8)
    turn = math.radians(35)
    origin = 0.25 * (math.cos(turn) + math.sin(turn))
    sizes = (16, 24, 32)
    inner, outer = [], []
    for n in sizes:
        # Not shaken, so that the same part of the plane is inside on every mesh.
        problem = discretized(source, n, order, upwinding, 0.0, background=material)
        # In shorter steps, as the values between the stages of one are known to second order only.
        found = run(problem, 1.3, "opencl", pace=2)
        inside = in_box(problem)
        exact = wave(problem, source, 1.3, origin)
        inner.append(error(problem, found, exact, inside))
        outer.append(error(problem, found, MaxwellFields.zeros(found.ez.shape), ~inside))
    # A flux that is not upwind may lose half an order; outside is only the error at the border.
    assert rate(inner, sizes) > order + (0.7 if upwinding == 1 else 0.3), inner
    assert rate(outer, sizes) > order + 0.2, outer
    assert inner[-1] < 2e-4
    assert outer[-1] < 1e-4


NOTCHED = Polygon(((0.15, 0.15), (0.85, 0.15), (0.85, 0.85), (0.5, 0.45), (0.15, 0.85)))


@pytest.mark.parametrize(
    "shape", [Ellipse((0.5, 0.5), (0.35, 0.3)), NOTCHED], ids=["ellipse", "polygon"]
)
def test_the_border_may_have_any_shape(shape):
    source = PlaneWave("p", -120.0, 1.0, PULSE, shape)
    problem = discretized(source, 9, 4)
    found = run(problem, 1.3)
    ring, _ = shape.outline(0.02)
    turn = math.radians(-120)
    origin = float((ring @ [math.cos(turn), math.sin(turn)]).min())
    exact = wave(problem, source, 1.3, origin).ez
    # Wherever an element is, it has all of the wave or nothing of it.
    off = np.minimum(np.abs(found.ez - exact).max(axis=1), np.abs(found.ez).max(axis=1))
    assert off.max() < 0.01
    assert (np.abs(found.ez).max(axis=1) > 0.05).sum() > 15


@pytest.mark.parametrize("backend", ["numpy", "opencl", "per_node"])
def test_the_steppers_agree_on_it(backend):
    sources = PlaneWave("p", 20.0, 1.0, Sine(1.5, ramp=0.5), BOX)
    problem = discretized(sources, 6, 3)
    expected = run(problem, 0.7, "numpy")
    variant = "per_node" if backend == "per_node" else None
    found = run(problem, 0.7, "numpy" if backend == "numpy" else "opencl", variant)
    assert error(problem, found, expected) < 1e-11


@pytest.mark.parametrize("direction", [0.0, 25.0])
def test_a_wave_through_absorbing_walls_is_exact_where_it_enters_and_leaves(direction):
    """All walls together know all of the wave, so it passes at any angle."""
    source = PlaneWave("p", direction, 1.0, PULSE, edges=("domain",))
    sizes = (7, 10, 14)
    errors = []
    for n in sizes:
        problem = discretized(source, n, 3)
        found = run(problem, 1.3)
        errors.append(error(problem, found, wave(problem, source, 1.3, 0.0)))
    assert rate(errors, sizes) > 3.7, errors


def test_a_wave_passes_through_absorbing_walls_with_central_fluxes_too():
    source = PlaneWave("p", 25.0, 1.0, PULSE, edges=("domain",))
    problem = discretized(source, 10, 3, upwinding=0.0)
    assert error(problem, run(problem, 1.3), wave(problem, source, 1.3, 0.0)) < 2e-3


def test_a_wave_between_periodic_walls_enters_at_one_end_and_leaves_at_the_other():
    walls = (
        PeriodicWall(("domain.bottom", "domain.top")),
        AbsorbingWall(("domain.left", "domain.right")),
    )
    source = PlaneWave("p", 180.0, 2.0, PULSE, edges=("domain.right",))
    problem = discretized(source, 8, 4, walls=walls)
    found = run(problem, 1.3)
    assert error(problem, found, wave(problem, source, 1.3, -1.0)) < 4e-3
    assert np.abs(run(problem, 2.7).ez).max() < 4e-3


def guide(frequency: float, **changes) -> Problem:
    walls = (AbsorbingWall(("domain.left", "domain.right")),)
    source = GuidedMode("g", "domain.left", 1.0, Sine(frequency, ramp=4.0), **changes)
    return discretized(source, 7, 4, walls=walls)


def test_a_guided_mode_has_the_amplitude_and_the_phase_it_should_have():
    """What comes back from the absorbing end is known: (b/k - 1) / (b/k + 1) of the wave."""
    frequency, late = 1.3, 9.0
    k = 2 * math.pi * frequency
    b = math.sqrt(k**2 - math.pi**2)
    r = (b - k) / (b + k)
    problem = guide(frequency)
    d = problem.discretization
    quarter = 1 / frequency / 4
    # Two moments a quarter of a period apart are the two parts of a phasor.
    now, later = (run(problem, t, "opencl").ez for t in (late, late + quarter))
    phasor = (later + 1j * now) * np.exp(-1j * k * late)
    # The echo comes back to the wall where the wave comes in, which sends the same part of it.
    there = np.exp(-1j * b * d.x) + r * np.exp(-1j * b * (2 - d.x))
    expected = np.sin(math.pi * d.y) * there / (1 - r**2 * np.exp(-2j * b))
    assert abs(r) > 0.03
    assert np.abs(phasor - expected).max() < 2e-3


def test_a_mode_at_another_frequency_comes_in_with_the_amplitude_that_is_said():
    source = GuidedMode("g", "domain.left", 1.0, Sine(1.3), frequency=0.8)
    walls = (AbsorbingWall(("domain.left", "domain.right")),)
    source_term = discretized(source, 4, 2, walls=walls).source_terms[0]
    incoming = (source_term.e + source_term.h).max() / 2
    designed = math.sqrt(1 - (0.5 / 0.8) ** 2)
    assert incoming == pytest.approx((1 + designed) / 2 * np.abs(source_term.e).max())


@pytest.mark.parametrize(
    "source",
    [PlaneWave("p", 35.0, 1.0, PULSE, BOX), PlaneWave("p", 0.0, 1.0, PULSE, edges=("domain",))],
    ids=["border", "walls"],
)
@pytest.mark.parametrize("upwinding", [1.0, 0.0], ids=["upwind", "central"])
def test_the_ledger_balances_and_books_only_what_the_wave_brings(source, upwinding):
    problem = discretized(source, 6, 4, upwinding)
    stepper = make_stepper(problem.operator, dt=problem.dt_max, backend="numpy")
    simulation = Simulation(problem, stepper)
    ledger = Ledger(simulation)
    most = 0.0
    while simulation.time < 2.6:
        simulation.advance(1)
        ledger.update(simulation)
        most = max(most, ledger.account.stored)
    account = ledger.account
    assert abs(account.residual) < 1e-3 * most
    assert -1e-9 < account.numerical < 2e-2 * most
    if source.edges:
        # A front of length 1 comes in on the left and leaves on the right; the walls that it runs
        # along take what they are given.
        energy = 0.16 * math.sqrt(math.pi)
        assert account.walls > 0.9 * energy
        assert account.sources == pytest.approx(account.walls + account.stored, rel=3e-2)


@pytest.mark.parametrize(
    ("source", "changes", "words"),
    [
        (PlaneWave("p", 0, 1, PULSE, Rectangle((5, 5), (6, 6))), {}, "no whole element inside"),
        (PlaneWave("p", 0, 1, PULSE, Rectangle((-1, -1), (2, 2))), {}, "all of the domain inside"),
        (PlaneWave("p", 10, 1, PULSE, Rectangle((0.3, -1), (0.7, 0.5))), {}, "meets a wall near"),
        (PlaneWave("p", 0, 1, PULSE, BOX), {"background": Material(sigma=1.0)}, "lossy"),
        (PlaneWave("p", 0, 1, PULSE, edges=("domain.left",)), {"walls": ()}, "does not absorb"),
        (
            PlaneWave("p", 10, 1, PULSE, Rectangle((0.3, -1), (0.7, 2))),
            {"walls": (PeriodicWall(("domain.bottom", "domain.top")),)},
            "periodic edge at an angle",
        ),
        (
            PlaneWave("p", 0, 1, PULSE, Rectangle((0.1, 0.1), (0.9, 0.9))),
            {"walls": (OpenWall(("domain.left",), thickness=0.5),)},
            "through an absorbing layer",
        ),
        (
            PlaneWave("p", 0, 1, PULSE, BOX),
            {"background": Material(epsilon=Formula.parse("1 + x", ("x", "y", "t")))},
            "varying medium",
        ),
        (
            PlaneWave("p", 0, 1, PULSE, BOX),
            {"background": Material(mu_axes=(1.0, 2.0))},
            "anisotropic",
        ),
        (
            PlaneWave("p", 0, 1, PULSE, BOX),
            {"background": Material(magnetic_sigma=0.5)},
            "dispersive or lossy medium",
        ),
        (
            PlaneWave("p", 0, 1, PULSE, BOX),
            {"background": Material(magnetic_poles=(Drude(1.0),))},
            "dispersive or lossy medium",
        ),
        (
            GuidedMode("g", "domain.left", 1, Sine(2.0)),
            {
                "background": Material(mu_axes=(1.0, 2.0)),
                "walls": (AbsorbingWall(("domain.left",)),),
            },
            "anisotropic",
        ),
        (
            PlaneWave("p", 30, 1, Sine(1.9), edges=("domain.left", "domain.right")),
            {"walls": THROUGH_A_ROW},
            "meets periodic edges at an angle",
        ),
        (GuidedMode("g", "domain.left", 1, Sine(0.4)), {}, "conductors"),
        (
            GuidedMode("g", "domain.left", 1, Sine(0.4)),
            {"walls": (AbsorbingWall(("domain.left",)),)},
            "does not carry\n  In a guide of width 1 it needs more than 0.5",
        ),
        (
            GuidedMode("g", "domain", 1, Sine(2.0)),
            {"walls": ABSORBING},
            "not one straight edge",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(source, changes, words):
    with pytest.raises(SceneError, match=words):
        discretized(source, 6, 1, **changes)


def test_a_sine_that_fits_between_periodic_edges_is_a_plane_wave():
    """One period passes from the lower edge to the upper one, sin 30 degrees away."""
    source = PlaneWave("p", 30, 1, Sine(2.0), edges=("domain.left", "domain.right"))
    problem = discretized(source, 5, 5, walls=THROUGH_A_ROW)
    d = problem.discretization
    place = math.cos(math.radians(30)) * d.x + 0.5 * d.y
    found = run(problem, 4.0, "opencl").ez
    assert np.abs(found - np.sin(4 * np.pi * (4.0 - place))).max() < 0.05


def test_a_border_along_a_magnetic_wall_is_fine():
    """A wave that runs along it does not feel it."""
    walls = (
        MagneticWall(("domain.bottom", "domain.top")),
        AbsorbingWall(("domain.left", "domain.right")),
    )
    source = PlaneWave("p", 0.0, 1.0, PULSE, Rectangle((0.3, -1.0), (0.7, 2.0)))
    problem = discretized(source, 8, 4, walls=walls)
    found = run(problem, 1.0)
    exact = wave(problem, source, 1.0, 0.3).ez
    off = np.minimum(np.abs(found.ez - exact).max(axis=1), np.abs(found.ez).max(axis=1))
    assert off.max() < 5e-3
