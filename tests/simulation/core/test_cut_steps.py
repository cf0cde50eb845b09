"""A step with a jump inside is cut there: the fields are those of the closed solution with every
scheme and stepper, and nothing else sees a difference."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.products import each_pair, only_in_hunt
from tests.sample_meshes import jittered_square
from wavelab.arrays import Array
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised
from wavelab.physics.stepper import Stepper
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, FieldFormulas, Material, Scene, Solver
from wavelab.scene.sources.current import CurrentSource
from wavelab.scene.sources.plane_wave import PlaneWave
from wavelab.scene.walls.absorbing import AbsorbingWall
from wavelab.scene.walls.magnetic import MagneticWall
from wavelab.scene.waveforms.formula_waveform import FormulaWaveform
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.steppers import stepper_of

pytestmark = pytest.mark.usefixtures("not_optimised")

#: Of the mode sin(pi x) sin(pi y) between conductors, in vacuum.
W = math.sqrt(2) * math.pi
MODE = "sin(pi*x)*sin(pi*y)"
UNTIL = 1.7


def mode_problem(
    background: Material | None = None, *, jz: str = "", stepper: str = "auto", order: int = 5
) -> Problem:
    scene = Scene(
        "mode",
        Solver(0.5, order=order, until=UNTIL, stepper=stepper, precision="double"),
        background=background or Material(),
        initial=FieldFormulas(ez=Formula.parse(MODE, ("x", "y"))),
        sources=(CurrentSource("current", Formula.parse(jz, SPACE_AND_TIME)),) if jz else (),
    )
    return discretize_scene(scene, jittered_square(3))


def stepper_for(problem: Problem, backend: str = "numpy", **how: str) -> Stepper:
    return stepper_of(problem, dt=UNTIL / problem.steps_to_end(), backend=backend, **how)


def amplitudes(problem: Problem, stepper: Stepper) -> tuple[float, float]:
    """Of Ez, and of H in such units that it trades with it at W; and that there is no more."""
    simulation = Simulation(problem, stepper)
    simulation.advance(problem.steps_to_end())
    return of_mode(problem, simulation)


def of_mode(problem: Problem, simulation: Simulation) -> tuple[float, float]:
    d, fields = problem.discretization, simulation.stepper.fields()

    def part(values: Array, mode: Array) -> float:
        return float(
            d.integrate_product(values, mode).sum() / d.integrate_product(mode, mode).sum()
        )

    ez = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)
    hy = np.cos(np.pi * d.x) * np.sin(np.pi * d.y) * np.pi / W
    return part(fields.ez, ez), part(fields.hy, hy)


def swung(
    e: float, h: float, epsilon: float, mu: float, time: float, f: float = 0.0, sigma: float = 0.0
) -> tuple[float, float]:
    """eps e' = -W h - sigma e - f, mu h' = W e over some time."""
    rates = np.array(
        [[-sigma / epsilon, -W / epsilon, -f / epsilon], [W / mu, 0.0, 0.0], [0.0, 0.0, 0.0]]
    )
    values, vectors = np.linalg.eig(rates)
    found = vectors @ (np.exp(values * time) * np.linalg.solve(vectors, np.array([e, h, 1.0])))
    return float(found[0].real), float(found[1].real)


#: The jumps of a medium as formulas say it, and their times, with epsilon, mu and sigma from each
#: on.
MEDIA = {
    "epsilon": ({"epsilon": "1 if t < 0.7 else 4"}, [(0.0, 1, 1), (0.7, 4, 1)]),
    "mu": ({"mu": "1 if t <= 0.7 else 3"}, [(0.0, 1, 1), (0.7, 1, 3)]),
    "sigma": ({"sigma": "0 if t < 0.4 else 3"}, [(0.0, 1, 1), (0.4, 1, 1, 3)]),
    "steps": (
        {"epsilon": "2 + floor(2.5*t)"},
        [(0.0, 2, 1), (0.4, 3, 1), (0.8, 4, 1), (1.2, 5, 1), (1.6, 6, 1)],
    ),
    "at other times": (
        {"epsilon": "1 + 2*heaviside(t - 0.31)", "mu": "2 + sign(t - 0.312)"},
        [(0.0, 1, 1), (0.31, 3, 1), (0.312, 3, 3)],
    ),
    "pulse shorter than a step": (
        {"epsilon": "3 if t > 1 and t < 1.001 else 1"},
        [(0.0, 1, 1), (1.0, 3, 1), (1.001, 1, 1)],
    ),
    "no linear condition": (
        {"epsilon": "1 if t^3 < 0.5 else 4"},
        [(0.0, 1, 1), (0.5 ** (1 / 3), 4, 1)],
    ),
    "at the start": ({"epsilon": "1 if t > 0 else 2"}, [(0.0, 2, 1), (0.0, 1, 1)]),
    "at every point of space": (
        {"epsilon": "(1 if t < 0.7 else 4) + 0*x", "mu": "(1 if t < 0.3 else 2) + 0*y"},
        [(0.0, 1, 1), (0.3, 1, 2), (0.7, 4, 2)],
    ),
}


def expected(pieces: list[tuple[float, ...]], until: float = UNTIL) -> tuple[float, float]:
    """D and B go on where epsilon and mu jump."""
    e, h = 1.0, 0.0
    ends = [time for time, *_ in pieces[1:]] + [until]
    epsilon, mu = pieces[0][1:3]
    for (start, next_epsilon, next_mu, *sigma), end in zip(pieces, ends, strict=True):
        e, h = e * epsilon / next_epsilon, h * mu / next_mu
        epsilon, mu = next_epsilon, next_mu
        e, h = swung(e, h, epsilon, mu, end - start, sigma=sum(sigma))
    return e, h


@pytest.mark.parametrize("kind", MEDIA)
def test_media_that_jump(kind):
    quantities, pieces = MEDIA[kind]
    problem = mode_problem(medium(**quantities))
    assert not problem.notices
    found = amplitudes(problem, stepper_for(problem))
    assert found == pytest.approx(expected(pieces), abs=2e-5)


@pytest.mark.parametrize("scheme", [name for name, s in SCHEMES.items() if not s.linear])
def test_with_every_scheme_for_equations_that_change(scheme):
    quantities, pieces = MEDIA["at other times"]
    problem = mode_problem(medium(**quantities), stepper=scheme)
    assert amplitudes(problem, stepper_for(problem)) == pytest.approx(expected(pieces), abs=5e-5)


OFF = {"double": 1e-9, "single": 2e-5}


# Each kind of jump in each variant and each precision.
@pytest.mark.parametrize(
    ("kind", "variant", "precision"),
    [
        ("sigma", "aosoa", "single"),
        ("sigma", "per_node", "double"),
        ("at other times", "aosoa", "double"),
        ("at other times", "per_node", "single"),
        ("at every point of space", "aosoa", "double"),
        ("at every point of space", "per_node", "single"),
        *only_in_hunt(
            ("sigma", "aosoa", "double"),
            ("at other times", "aosoa", "single"),
            ("at other times", "per_node", "double"),
            ("at every point of space", "aosoa", "single"),
            ("at every point of space", "per_node", "double"),
        ),
    ],
)
def test_the_device_does_what_numpy_does(kind, variant, precision):
    problem = mode_problem(medium(**MEDIA[kind][0]))
    known = amplitudes(problem, stepper_for(problem))
    device = stepper_for(problem, "opencl", variant=variant, precision=precision)
    with closing(device):
        assert amplitudes(problem, device) == pytest.approx(known, abs=OFF[precision])


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ({"epsilon": "2 + atan(tan(pi*t/0.7))/2"},
         {"epsilon": "2 + (pi*t/0.7 - pi*floor(t/0.7 + 0.5))/2"}),
        ({"epsilon": "2 + max(0, sin(9*t))"},
         {"epsilon": "2 + (sin(9*t) if sin(9*t) > 0 else 0)"}),
        ({"sigma": "2 + atan(1/(t - 0.41))"},
         {"sigma": "2 - atan(t - 0.41) + pi/2*(1 if t >= 0.41 else -1)"}),
    ],
    ids=["tan", "kink", "pole"],
)  # fmt: skip
def test_jumps_that_no_condition_says(said, same):
    first, second = (mode_problem(medium(**quantities)) for quantities in (said, same))
    assert amplitudes(first, stepper_for(first)) == pytest.approx(
        amplitudes(second, stepper_for(second)), abs=1e-9
    )


def test_a_good_conductor_for_a_moment_is_a_vacuum_at_all_others():
    problem = mode_problem(medium(sigma="1000 if 0.5 <= t and t < 0.501 else 0"))
    pieces = [(0.0, 1, 1), (0.5, 1, 1, 1000), (0.501, 1, 1)]
    assert problem.operator.raised is None
    assert amplitudes(problem, stepper_for(problem)) == pytest.approx(expected(pieces), abs=2e-4)


#: A current of 2 up to 0.41, then -1, up to 1.1; as a product with a function of time, and not.
CURRENTS = {
    "profile": f"{MODE}*(2 if t < 0.41 else (-1 if t < 1.1 else 0))",
    "formula": f"{MODE}*(2 if t < 0.41 else (-1 if t < 1.1 else 0)) + 0*sin(x*t)",
}


@pytest.mark.parametrize(
    ("current", "stepper", "backend"),
    each_pair(list(CURRENTS), ["auto", "local"], ["numpy", "opencl"]),
)
def test_a_current_that_jumps(current, backend, stepper):
    off = {"auto": 1e-5, "local": 1e-4}[stepper]
    problem = mode_problem(jz=CURRENTS[current], stepper=stepper)
    state = (1.0, 0.0)
    for f, time in ((2.0, 0.41), (-1.0, 0.69), (0.0, UNTIL - 1.1)):
        state = swung(*state, 1.0, 1.0, time, f)
    with closing(stepper_for(problem, backend)) as made:
        assert amplitudes(problem, made) == pytest.approx(state, abs=off)


def test_nothing_depends_on_how_steps_are_batched_or_gone_back_to():
    problem = mode_problem(medium(**MEDIA["at other times"][0]), jz=CURRENTS["profile"])
    n_steps = problem.steps_to_end()
    at_once = Simulation(problem, stepper_for(problem))
    at_once.advance(n_steps)
    one_by_one = Simulation(problem, stepper_for(problem))
    times, kept = [], None
    for step in range(n_steps):
        times += one_by_one.advance(1)[0].tolist()
        if step == n_steps // 4:
            kept = one_by_one.state()
    np.testing.assert_allclose(np.diff(times), UNTIL / n_steps, rtol=1e-9)
    again = Simulation(problem, stepper_for(problem), kept)
    again.advance(n_steps - again.steps)
    for other in (one_by_one, again):
        np.testing.assert_allclose(
            other.stepper.fields().ez, at_once.stepper.fields().ez, atol=1e-12
        )


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_the_account_sees_the_jumps(backend):
    problem = mode_problem(medium(**MEDIA["at other times"][0]), jz=CURRENTS["profile"])
    with closing(stepper_for(problem, backend)) as stepper:
        simulation = Simulation(problem, stepper)
        ledger = Ledger(simulation, closely=True)
        for _ in range(problem.steps_to_end()):
            simulation.advance(1)
            ledger.update(simulation)
        account = ledger.account
    e, h = swung(1.0, 0.0, 1.0, 1.0, 0.31, 2.0)
    # A quarter of the square in the mean, each; D and B are what goes on.
    taken = (e**2 * (1 - 1 / 3)) / 8
    e /= 3
    e, h = swung(e, h, 3.0, 1.0, 0.002, 2.0)
    taken += h**2 * (1 - 1 / 3) / 8
    assert account.parametric == pytest.approx(-taken, rel=1e-4)
    assert abs(account.residual) < 1e-4 * account.turnover
    assert account.doubt < 1e-2 * account.turnover


def test_a_square_wave_pumps_as_much_as_hills_equation_says():
    """What grows here is pumped, step by step of the medium, and not made by the steps in time."""
    quarter = math.pi / (4 * W)  # of the mode's energy in vacuum
    problem = mode_problem(
        medium(epsilon=f"1 if t/{4 * quarter} - floor(t/{4 * quarter}) < 0.5 else 1.5")
    )
    e, h, time, epsilon = 1.0, 0.0, 0.0, 1.0
    while time < UNTIL:
        length = min(2 * quarter, UNTIL - time)
        e, h = swung(e, h, epsilon, 1.0, length)
        time += length
        if time < UNTIL:
            after = 2.5 - epsilon
            e, epsilon = e * epsilon / after, after
    assert amplitudes(problem, stepper_for(problem)) == pytest.approx((e, h), abs=5e-5)


def entering(stepper: str) -> Problem:
    """A wave that comes in through the left edge and stops at once."""
    wave = FormulaWaveform(Formula.parse("1 if t < 0.333 else 0", ("t",)))
    scene = Scene(
        "entering",
        Solver(0.5, order=4, until=0.8, stepper=stepper, precision="double"),
        walls=(
            AbsorbingWall(("domain.left", "domain.right")),
            MagneticWall(("domain.bottom", "domain.top")),
        ),
        sources=(PlaneWave("wave", 0.0, 1.0, wave, edges=("domain.left",)),),
    )
    return discretize_scene(scene, jittered_square(3))


@pytest.mark.parametrize(("stepper", "off"), [("auto", 1e-3), ("local", 4e-3)])
@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_a_wave_that_stops_at_once(backend, stepper, off):
    """The equations in space alone have one answer, to which short steps come close."""
    problem, known = entering(stepper), entering("ck54")
    fine = 6 * known.steps_to_end()
    reference = Simulation(
        known, stepper_of(known, dt=0.8 / fine, backend="numpy", precision="double")
    )
    reference.advance(fine)
    n_steps = 2 * problem.steps_to_end()
    with closing(stepper_of(problem, dt=0.8 / n_steps, backend=backend)) as made:
        simulation = Simulation(problem, made)
        simulation.advance(n_steps)
        found = simulation.stepper.fields()
    difference = field_on(known, reference.stepper.fields().ez) - field_on(problem, found.ez)
    assert np.abs(difference).max() < off


def field_on(problem: Problem, values: Array) -> Array:
    """At the nodes in an order that does not depend on that of the elements."""
    d = problem.discretization
    order = np.lexsort((np.round(d.y.mean(axis=1), 9), np.round(d.x.mean(axis=1), 9)))
    return values[order]


def test_a_source_that_is_changed_on_the_way_jumps_as_it_says_then():
    problem = mode_problem(jz=f"{MODE}*(2 if t < 0.41 else 0)")
    other = CurrentSource(
        "current", Formula.parse(f"{MODE}*(2 if t < 0.6 else -1)", SPACE_AND_TIME)
    )
    simulation = Simulation(problem, stepper_for(problem))
    n_steps = problem.steps_to_end()
    simulation.advance(n_steps // 5)
    assert 0.2 < simulation.time < 0.4
    other_problem = revised(problem, replace(problem.scene, sources=(other,)))
    with simulation.change(other_problem, simulation.state()):
        pass
    simulation.advance(n_steps - simulation.steps)
    state = swung(1.0, 0.0, 1.0, 1.0, 0.6, 2.0)
    state = swung(*state, 1.0, 1.0, UNTIL - 0.6, -1.0)
    assert of_mode(problem, simulation) == pytest.approx(state, abs=1e-5)
