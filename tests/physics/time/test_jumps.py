"""What steps are cut for, and what becomes of jumps for which they cannot be."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.sample_meshes import jittered_square
from wavelab.numerics.time.pieces import ALWAYS, Piece
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised, settled
from wavelab.physics.time import jumps
from wavelab.physics.time.jumps import Timed, about
from wavelab.physics.time.lookout import Lookout
from wavelab.physics.time.step_clock import StepClock
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import Break
from wavelab.scene.model.scene import SPACE_AND_TIME, Material, Scene, Solver, Source
from wavelab.scene.sources.current import CurrentSource
from wavelab.scene.sources.plane_wave import PlaneWave
from wavelab.scene.walls.absorbing import AbsorbingWall
from wavelab.scene.walls.magnetic import MagneticWall
from wavelab.scene.waveforms.formula_waveform import FormulaWaveform


def problem(background: Material | None = None, *sources: Source, stepper: str = "auto") -> Problem:
    scene = Scene(
        "jumps",
        Solver(0.5, order=4, until=2.0, stepper=stepper),
        background=background or Material(),
        sources=sources,
        walls=(AbsorbingWall(("domain.left", "domain.right")),
               MagneticWall(("domain.bottom", "domain.top"))) if sources else (),
    )  # fmt: skip
    return discretize_scene(scene, jittered_square(2))


def current(jz: str) -> Source:
    return CurrentSource("current", Formula.parse(jz, SPACE_AND_TIME))


def wave(direction: float, f: str, edge: str = "domain.left") -> Source:
    waveform = FormulaWaveform(Formula.parse(f, ("t",)))
    return PlaneWave("wave", direction, 1.0, waveform, edges=(edge,))


@pytest.mark.parametrize(
    "driven",
    [
        [medium(epsilon="1 if t < 0.7 else 4 + x")],
        [medium(epsilon="3 + sign(sin(100*t))")],
        [None, current("sin(x*t)*heaviside(t - 0.5)")],
        [None, current("x*sign(sin(9*t))")],
        [None, wave(0.0, "1 if t < 1 else 0")],
    ],
    ids=["medium", "several in a step", "current", "profile", "wave"],
)
def test_jumps_that_are_everywhere_at_once_are_followed(driven):
    found = problem(*driven)
    assert len(found.jumping.followed) == 1
    assert not found.jumping.missed
    assert found.scheme.name == ("upw148" if driven[0] is None else "rkf84")
    assert not any("jumps" in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("what", "driven"),
    [
        ("epsilon of the background", [medium(epsilon="1 if x < t else 4")]),
        ("mu of the background", [medium(mu="2 + sign(x - y - sin(t))")]),
        ("epsilon of the background", [medium(epsilon="3 + sign(sin(1e4*t))")]),
        ("current", [None, current("heaviside(x - t)")]),
    ],
    ids=["front", "wave", "too often", "current"],
)
def test_others_get_a_scheme_that_makes_little_of_them_and_a_note(what, driven):
    found = problem(*driven)
    (notice,) = [notice for notice in found.notices if "jumps" in notice]
    assert what in notice
    off, scheme = ("0.12", "upw148") if driven[0] is None else ("0.24", "ck54")
    assert f"{off} steps" in notice
    assert found.scheme.name == scheme


@pytest.mark.parametrize(
    "driven",
    [
        [None, current("x*tanh(1e6*(t - 0.7))")],
        [None, current("x + atan(1e5*y*(t - 0.7))")],
        [None, current("exp(-((t - 0.7)/3e-4)^2)")],
        [None, wave(30.0, "1/(1 + exp(-1e5*(t - 0.7)))")],
        [medium(sigma="3/(1 + exp(-1e5*(t - 0.7)))")],
        [medium(epsilon="1 + 3*exp(-((t - 0.7)/3e-4)^2)")],
    ],
    ids=["step", "step from place to place", "pulse", "wave", "conductor", "medium"],
)
def test_what_is_nearly_a_jump_is_told_with_its_time(driven):
    (notice,) = [text for text in problem(*driven).notices if "within a step" in text]
    assert "near t = 0.7" in notice


@pytest.mark.parametrize(
    "driven",
    [
        [None, current("x*sin(7*t) + y")],
        [None, current("exp(-((t - 0.7)/0.15)^2)*(3 if t < 0.9 else 0)")],
        [None, wave(0.0, "sqrt(t - 0.5) if t > 0.5 else 0")],
        [medium(sigma="2 + sin(5*t)*sign(sin(20*t))")],
    ],
    ids=["sine", "pulse that ends", "root", "conductor"],
)
def test_what_steps_follow_is_not_told(driven):
    assert not any("within a step" in text for text in problem(*driven).notices)


def test_a_scheme_that_was_asked_for_stays_and_says_what_it_does():
    found = problem(medium(epsilon="1 if x < t else 4"), stepper="rkf84")
    assert found.scheme.name == "rkf84"
    assert "11 steps" in found.notices[0]


@pytest.mark.parametrize(
    "epsilon",
    ["2 + abs(x - t)", "2 + max(x - t, 0)", "1 + (t if t < x else x)", "2 + heaviside(x)*t"],
)
def test_what_only_bends_is_no_jump(epsilon):
    found = problem(medium(epsilon=epsilon))
    assert not found.notices
    assert found.scheme.name == "rkf84"


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_what_a_scheme_makes_of_a_jump(scheme):
    """The worst of q' = 1 after a jump and 0 before it, over all moments of it."""
    parts = [k / 2000 for k in range(2001)]
    weights = scheme.tableau[1] @ scheme.shares
    worst = max(
        abs(sum(w for w, c in zip(weights, scheme.moments, strict=True) if c >= p) - (1 - p))
        for p in parts
    )
    assert scheme.jump_error == pytest.approx(worst, abs=2e-3)
    assert scheme.jump_error >= worst - 1e-12


def test_a_time_between_steps_is_a_whole_number_and_a_part():
    clock = StepClock(0.1, time=1.0, steps=7)
    assert clock.cut(1.25) == (9, pytest.approx(0.5))
    for rounded in (1.3, math.nextafter(1.3, 2), math.nextafter(1.3, 0), 1.3 - 1e-12):
        assert clock.cut(rounded) == (10, 0.0)
    for steps in (10**3, 10**6, 10**9):
        assert clock.cut(clock.after(steps)) == (steps, 0.0)


def test_pieces():
    piece = Piece(1.0, 2.0)
    assert piece.within([0.5, 1.5, 2.5]).tolist() == [1.0, 1.5, 2.0]
    narrow = piece.narrowed(1e-7)
    assert 1.0 < narrow.first < 1.00001 < 1.99999 < narrow.last < 2.0
    short = Piece(1.0, 1.0 + 1e-9).narrowed(1e-7)
    assert 1.0 < short.first < short.last < 1.0 + 1e-9
    assert ALWAYS.narrowed(1e-7) == ALWAYS
    assert Piece(2.5).follows(piece)
    assert not Piece(1.5).follows(piece)


def test_the_next_jump_of_several_formulas():
    texts = ["heaviside(t - 1)", "sign(t - 3)", "1 if t < 1 else 2", "floor(t/50)"]
    lookout = Lookout([Timed("", Formula.parse(text, ("t",))) for text in texts], 0.01)
    found, time = [], 0.0
    while (jump := lookout.next(time, 120.0)) is not None:
        assert jump.before < jump.after
        found.append(time := jump.after)
    assert found == pytest.approx([1, 3, 50, 100])
    assert lookout.next(0.0, 0.99) is None
    again = lookout.next(0.0, 1.0)
    assert again is not None
    assert again.after == pytest.approx(1)


@pytest.mark.parametrize(
    "text",
    [
        "sin(50*t)", "1 if t^3 < 0.2 else 2", "sign(sin(31*t) - 0.3)", "floor(7.3*t)",
        "1 if t < 0.64 else 2", "1 if t > 0.64 else 2", "sign(t - 1.28)", "abs(sin(pi*t/0.64))",
    ],
)  # fmt: skip
def test_a_jump_is_the_same_to_the_bit_whoever_looks_for_it(text):
    """Those of 0.64 and 1.28 lie where two windows meet."""
    formula = Formula.parse(f"heaviside({text})" if "if" not in text else text, ("t",))
    timed = Timed("", formula)
    dt = 0.01 * 64 / 64
    while (step := about(dt)) * 64 < 0.64 - 1e-12:
        dt = step * 1.05
    rng = np.random.default_rng(2)

    def jumps(starts: float, ahead: float) -> list[Break]:
        lookout, time, found = Lookout([timed], dt), starts, []
        while time < 3.0:
            jump = lookout.next(time, time + ahead * rng.uniform(0.5, 1))
            if jump is not None:
                assert jump.before < jump.after
                found.append(jump)
            time = jump.after if jump is not None else time + ahead / 2
        return [jump for jump in found if jump.after < 3.0]

    expected = jumps(0.0, 0.5)
    for ahead in (0.02, 0.3, 2.0):
        assert jumps(0.0, ahead) == expected
    for start in (0.1, 0.639, 0.64, 0.641, 1.0, 2.2):
        assert jumps(start, 0.1) == [jump for jump in expected if jump.after > start]


def test_a_change_on_the_way_keeps_the_scheme_that_jumps_need():
    front = problem(medium(epsilon="1 if x < t else 4"))
    faster = replace(front.scene, background=medium(epsilon="1 if x < 2*t else 4"))
    found = revised(front, faster)
    assert found.scheme.name == settled(found).scheme.name == "ck54"
    calm = replace(front.scene, background=medium(epsilon="1 if t < 0.7 else 4"))
    assert settled(revised(front, calm)).scheme.name == "rkf84"


@pytest.mark.parametrize("origin", [0.0, 0.01, 0.5, 0.777, 0.9999])
def test_a_waveform_with_a_delay_is_steep_where_it_is_without_but_later(origin):
    dt, until = 0.01, 2.0
    step = Timed("wave", Formula.parse("tanh((t - 1) / 1e-4)", ("t",)), origin)
    moment = jumps._steepness_of_time(step, True, dt, until, 4)
    assert moment == pytest.approx(1 + origin, abs=dt)
    gentle = Timed("wave", Formula.parse("tanh((t - 1) / 0.1)", ("t",)), origin)
    assert jumps._steepness_of_time(gentle, True, dt, until, 4) is None


@pytest.mark.parametrize("place", [-0.05, 10.1])
def test_what_is_steep_outside_the_run_is_not_told(place):
    outside = Formula.parse(f"tanh((t - ({place - 0.1})) / 1e-4)", ("t",))
    assert jumps._steepness_of_time(Timed("wave", outside, 0.1), True, 0.01, 10.0, 4) is None
    both = Formula.parse(f"tanh((t - ({place - 0.1})) / 1e-4) + tanh((t - 4.9) / 1e-4)", ("t",))
    moment = jumps._steepness_of_time(Timed("wave", both, 0.1), True, 0.01, 10.0, 4)
    assert moment == pytest.approx(5.0, abs=0.01)


def test_delays_that_are_turned_are_not_looked_at_again(monkeypatch):
    looked = []
    monkeypatch.setattr(jumps, "_steepness", lambda *given: looked.append(given))
    formula = Formula.parse("sin(40 * t + 0.125)", ("t",))
    for delay in np.linspace(0, 1, 1000):
        jumps._steepness_of_time(Timed(f"source {delay}", formula, delay), True, 0.01, 2.0, 4)
    assert len(looked) <= 34
