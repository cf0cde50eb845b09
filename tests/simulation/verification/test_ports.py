"""Modes sent into guides, and told apart in them, against theory."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.spectra.slab_modes import CrossSection, slab_modes
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver, Wall
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.monitors import FluxMonitor, ModeMonitor
from wavelab.scene.poles import Drude
from wavelab.scene.sources import Port
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.walls import AbsorbingWall, MagneticWall, OpenWall
from wavelab.scene.waveforms import ModulatedGaussian, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import make_stepper

F = 1.0
#: A core of 0.4 in the middle of a guide between walls 2.4 apart, with two modes at F.
CORE, WIDTH, LENGTH, INDEX = 0.4, 2.0, 4.4, 2.6
WHOLE = {"begin": 8.0, "end": 10.0}


def measured(problem: Problem) -> dict[str, dict[str, np.ndarray]]:
    """The arrays of the monitors at the end of the scene."""
    until = problem.scene.solver.until
    n_steps = math.ceil(until / problem.dt_max)
    stepper = make_stepper(
        problem.operator, dt=until / n_steps, scheme=problem.scheme, precision="double"
    )
    simulation = Simulation(problem, stepper)
    simulation.advance(n_steps)
    found = {result.name: result.arrays for result in simulation.measured()}
    simulation.close()
    return found


def turned(points, turn: float):
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return tuple((cosine * x - sine * y, sine * x + cosine * y) for x, y in points)


def guide(*monitors, turn: float = 0.0, wave=None, h: float = 0.26, mode: int = 0, **solver):
    """A guide from x = 0 to LENGTH along y = 0, open at both ends, turned by some degrees."""
    wide, thick = WIDTH / 2, CORE / 2
    domain = Polygon(turned([(0, -wide), (LENGTH, -wide), (LENGTH, wide), (0, wide)], turn))
    core = Polygon(turned([(0, -thick), (LENGTH, -thick), (LENGTH, thick), (0, thick)], turn))
    ends = tuple(f"domain.{domain.edge_names()[i]}" for i in (1, 3))
    source = Port("in", *across(1.6, turn), 1.0, wave or Sine(F), mode, F)
    return Scene(
        "guide",
        Solver(h, **{"order": 5, "until": 10.0} | solver),
        outline=domain,
        materials=(MaterialRegion("core", Material(epsilon=INDEX**2), core),),
        walls=(OpenWall(ends, 0.7),),
        sources=(source,),
        monitors=monitors,
    )


def across(x: float, turn: float = 0.0, reach: float = 0.1):
    """From the left of the way along the guide to its right; its ends reach beyond the walls."""
    return turned([(x, WIDTH / 2 + reach), (x, -WIDTH / 2 - reach)], turn)[::-1]


def modes(name: str, x: float, frequencies=(F,), turn: float = 0.0, **times) -> ModeMonitor:
    return ModeMonitor(name, across(x, turn), frequencies, 2, **times)


def problem_of(scene: Scene) -> Problem:
    return discretize_scene(scene, mesh_scene(scene))


def exact_index(frequency: float) -> np.ndarray:
    wide, thick = WIDTH / 2, CORE / 2
    epsilon = (1.0, INDEX**2, 1.0)
    section = CrossSection(
        np.array([-wide, -thick, thick, wide]),
        lambda layer, s: np.full_like(s, epsilon[layer]),
        lambda layer, s: np.ones_like(s),
    )
    return slab_modes(section, frequency).wave_numbers[:2] / (2 * math.pi * frequency)


@pytest.mark.parametrize(("mode", "turn"), [(0, 0.0), (1, 0.0), (0, 33.0)])
def test_a_mode_goes_one_way_alone_with_the_power_of_its_amplitude(mode, turn):
    """On a mesh that knows nothing of the line that it is sent from."""
    there, back = modes("there", 2.9, turn=turn, **WHOLE), modes("back", 1.1, turn=turn, **WHOLE)
    power = FluxMonitor("power", across(1.1, turn), frequencies=(F,), **WHOLE)
    found = measured(problem_of(guide(there, back, power, turn=turn, mode=mode)))
    out, behind = found["there"], found["back"]
    assert out["index"][0] == pytest.approx(exact_index(F), rel=1e-8)
    sent = np.abs(out["forward"][0]) ** 2
    assert sent[mode] == pytest.approx(1.0, abs=5e-3)
    assert sent[1 - mode] < 1e-5
    assert np.abs(out["backward"][0]).max() ** 2 < 1e-4  # what the open end sends back
    assert out["mean_power"][0] == pytest.approx(1.0, abs=5e-3)
    assert abs(found["power"]["mean_power"][0]) < 5e-5
    assert np.abs(behind["forward"]).max() ** 2 < 1e-5
    assert np.abs(behind["backward"]).max() ** 2 < 1e-5


@pytest.mark.parametrize("h", [0.26, 0.23, 0.2])
@pytest.mark.parametrize("phase", [0.0, 1.2])
def test_its_phase_at_the_line_is_that_of_the_waveform_whatever_the_mesh(h, phase):
    """So two ports of a scene are in phase if their waveforms are."""
    there = guide(modes("there", 2.4, **WHOLE), h=h, wave=Sine(F, phase=phase), order=4)
    found = measured(problem_of(there))["there"]
    beta = 2 * math.pi * F * found["index"].ravel()[0]
    # sin(w t) is the real part of i exp(-i w t).
    expected = 1j * np.exp(1j * (beta * (2.4 - 1.6) - phase))
    assert abs(np.angle(found["forward"].ravel()[0] / expected)) < 5e-3


def test_it_is_the_sharper_the_finer_the_mesh():
    def stray(h: float) -> float:
        power = FluxMonitor("power", across(1.1), frequencies=(F,), **WHOLE)
        return abs(float(measured(problem_of(guide(power, h=h)))["power"]["mean_power"][0]))

    assert stray(0.26) < stray(0.45) / 10


def test_a_pulse_keeps_its_direction_over_its_band():
    frequencies = (0.9, 1.0, 1.1)
    wave = ModulatedGaussian(F, 2.0, 9.0)
    found = measured(
        problem_of(
            guide(modes("there", 2.9, frequencies), modes("back", 1.1, frequencies),
                  wave=wave, until=28.0)
        )
    )  # fmt: skip
    sent = np.abs(found["there"]["forward"][:, 0]) ** 2
    back = np.abs(found["back"]["backward"][:, 0]) ** 2 / sent
    assert back[1] < 1e-5
    assert back.max() < 2e-4


@pytest.mark.parametrize("sides", ["conductor", "magnetic"])
def test_a_step_between_parallel_walls_reflects_as_theory_says(sides):
    """Between walls w apart the mode with m half waves has beta^2 = epsilon k^2 - (m pi / w)^2 on
    both sides of a step, and keeps its shape: r = (beta - beta') / (beta + beta')."""
    width, epsilon, frequency = 1.0, 2.25, 0.9
    half_waves = 1 if sides == "conductor" else 0
    transverse, k = half_waves * math.pi / width, 2 * math.pi * frequency
    one, other = (math.sqrt(e * k**2 - transverse**2) for e in (1.0, epsilon))
    line = lambda x: ((x, 1.1), (x, -0.1))  # noqa: E731
    walls: tuple[Wall, ...] = (OpenWall(("domain.left", "domain.right"), 1.2),)
    if sides == "magnetic":
        walls += (MagneticWall(("domain.top", "domain.bottom")),)
    glass = MaterialRegion("glass", Material(epsilon=epsilon), Rectangle((3.0, 0.0), (6.0, 1.0)))
    times = {"begin": 40 / 3, "end": 20.0}
    scene = Scene(
        "step", Solver(0.3, order=5, until=20.0), outline=Rectangle((0.0, 0.0), (6.0, 1.0)),
        materials=(glass,), walls=walls,
        sources=(Port("in", *line(1.7)[::-1], 1.0, Sine(frequency)),),
        monitors=(
            ModeMonitor("before", line(2.3)[::-1], (frequency,), **times),
            ModeMonitor("after", line(3.9)[::-1], (frequency,), **times),
        ),
    )  # fmt: skip
    found = measured(problem_of(scene))
    before, after = (
        {way: complex(found[name][way][0, 0]) for way in ("forward", "backward")}
        for name in ("before", "after")
    )
    r = (one - other) / (one + other)
    phase = np.exp(2j * one * 0.7)
    assert before["backward"] / before["forward"] == pytest.approx(r * phase, abs=3e-3)
    through = 2 * math.sqrt(one * other) / (one + other) * np.exp(1j * (0.7 * one + 0.9 * other))
    assert after["forward"] / before["forward"] == pytest.approx(through, abs=3e-3)
    assert abs(before["forward"]) == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("key", ["sound", "membrane"])
def test_waves_of_other_kinds_are_guided_as_light_is(key):
    """By what of their media is epsilon and mu there."""
    system = SYSTEMS[key]
    box = replace(guide(modes("there", 2.9, **WHOLE), modes("back", 1.1, **WHOLE)), materials=())
    walls, box = box.walls, replace(box, walls=())
    scene, _ = switched(box, key)
    slow = MaterialRegion("core", system.medium.of_index(INDEX), guide().materials[0].shape)
    scene = replace(scene, materials=(slow,), walls=walls)
    found = measured(problem_of(scene))
    assert np.abs(found["there"]["forward"][0, 0]) ** 2 == pytest.approx(1.0, abs=5e-3)
    assert found["there"]["mean_power"][0] == pytest.approx(1.0, abs=5e-3)
    assert np.abs(found["back"]["backward"][0, 0]) ** 2 < 1e-5


def test_a_graded_guide_has_modes_too():
    epsilon = Formula.parse("1 + 5*exp(-8*y^2)", ("x", "y", "t"))
    times = {"begin": 6.0, "end": 10.0}  # before the walls, which are made for other waves, answer
    scene = replace(
        guide(modes("there", 2.9, **times), modes("back", 1.1, **times)),
        background=Material(epsilon=epsilon), materials=(), walls=(),
    )  # fmt: skip
    found = measured(problem_of(scene))
    assert np.abs(found["there"]["forward"][0, 0]) ** 2 == pytest.approx(1.0, abs=5e-3)
    assert np.abs(found["there"]["forward"][0, 1]) ** 2 < 1e-5
    assert np.abs(found["back"]["backward"][0, 0]) ** 2 < 1e-5


CHANGING = Formula.parse("1 + 0.1*sin(t)", ("x", "y", "t"))
LINE = ((1.6, -1.1), (1.6, 1.1))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"materials": (), "walls": (AbsorbingWall(("domain",)),)}, "no mode"),
        ({"source": {"mode": 9}}, "modes 0 to"),
        ({"source": {"start": (1.6, 0.23), "end": (1.6, -0.23)}}, "largest field left"),
        ({"source": {"start": (9.0, 0.3), "end": (9.0, -0.3)}}, "outside the domain"),
        ({"source": {"start": (1.4, 1.2), "end": (1.9, -1.2)}}, "right angle"),
        ({"background": Material(sigma=0.1)}, "conducts"),
        ({"background": Material(mu_axes=(1.0, 2.0)), "walls": ()}, "has axes"),
        ({"background": Material(poles=(Drude(0.5),)), "walls": ()}, "is dispersive"),
        (
            {"background": Material(epsilon=CHANGING), "walls": ()},
            "changes in time",
        ),
    ],
)
@pytest.mark.parametrize("what", ["source", "monitor"])
def test_what_is_no_guide_is_refused(changes, told, what):
    scene, given = guide(), dict(changes)
    of_source = given.pop("source", {})
    if what == "source":
        if told == "is dispersive":
            told = "dispersive or lossy medium"
        scene = replace(scene, sources=(replace(scene.sources[0], **of_source),), **given)
    else:
        ends = (of_source.get("start", LINE[0]), of_source.get("end", LINE[1]))
        monitor = ModeMonitor("m", ends, (F,), 1)
        if "mode" in of_source:
            return  # the missing ones are told
        scene = replace(scene, sources=(), monitors=(monitor,), **given)
    with pytest.raises(SceneError, match=told) as caught:
        problem_of(scene)
    assert caught.value.remedy


def test_a_round_rod_is_no_guide_through_its_curved_edges():
    rod = MaterialRegion("rod", Material(epsilon=INDEX**2), Ellipse((1.6, 0.0), (0.3, 0.3)))
    with pytest.raises(SceneError, match="curved edge"):
        problem_of(replace(guide(), materials=(rod,)))


def test_what_is_cut_off_or_not_there_is_told():
    short = replace(guide().sources[0], start=(1.6, 0.5), end=(1.6, -0.5))
    lines = ModeMonitor("m", ((2.2, -1.2), (2.2, 1.2)), (0.3, F), 2)
    notices = problem_of(replace(guide(lines), sources=(short,))).notices
    assert any('source "in" ends at' in told and "largest field left" in told for told in notices)
    assert any("1 of 2 modes together at the frequency 0.3" in told for told in notices)
