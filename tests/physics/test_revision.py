"""A problem that is changed in numbers is the one that would have been made from the mesh on."""

from __future__ import annotations

import operator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from wavelab.benchmark.changes import CHANGES
from wavelab.cli.shared.arguments import scene_named
from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics import revision
from wavelab.physics.continuation import continued
from wavelab.physics.materials import cross_sections
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, remeshed, revised, same_system, settled
from wavelab.scene.editing.item_places import displaced
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Scene
from wavelab.scene.poles import Drude
from wavelab.scene.toml.toml_io import load_scene, parse_scene
from wavelab.scene.walls import ImpedanceWall, MagneticWall, OpenWall
from wavelab.scene.waveforms import FormulaWaveform, Ricker, Sine

TEXT = """
title = "Lamp"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.15
order = 3
[[materials]]
name = "glass"
epsilon = 2
shape = "ellipse"
center = [0.6, 0.5]
radii = [0.15, 0.15]
[[walls]]
edges = ["domain.left"]
kind = "open"
thickness = 0.3
[[sources]]
name = "lamp"
position = [0.6, 0.7]
radius = 0.05
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[[sources]]
name = "bang"
position = [0.7, 0.3]
radius = 0.05
amplitude = 1
waveform = { kind = "ricker", frequency = 3, delay = 0.5 }
[[probes]]
name = "p"
position = [0.8, 0.8]
[[monitors]]
kind = "flux"
name = "through"
vertices = [[0.9, 0.1], [0.9, 0.9]]
frequencies = [2.0]
"""


def lamp() -> Scene:
    return parse_scene(TEXT)


@pytest.fixture(scope="module")
def made() -> Problem:
    return discretize_scene(lamp(), mesh_scene(lamp()))


def with_source(scene: Scene, number: int, **changes: Any) -> Scene:
    sources = list(scene.sources)
    sources[number] = replace(sources[number], **changes)
    return replace(scene, sources=tuple(sources))


def with_glass(scene: Scene, **changes: Any) -> Scene:
    region = scene.materials[0]
    return replace(
        scene, materials=(replace(region, material=replace(region.material, **changes)),)
    )


def with_solver(scene: Scene, **changes: Any) -> Scene:
    return replace(scene, solver=replace(scene.solver, **changes))


DRIVING = {
    "amplitude": lambda s: with_source(s, 0, amplitude=3.0),
    "frequency": lambda s: with_source(s, 0, waveform=Sine(4.0)),
    "place": lambda s: with_source(s, 0, position=(0.5, 0.5)),
    "waveform": lambda s: with_source(s, 0, waveform=Ricker(2.0, 1.0)),
    "one less": lambda s: replace(s, sources=s.sources[:1]),
    "probe": lambda s: replace(s, probes=()),
    "monitor": lambda s: replace(s, monitors=()),
}
SYSTEM = {
    "epsilon": lambda s: with_glass(s, epsilon=0.7),
    "graded": lambda s: with_glass(s, epsilon=Formula.parse("2 + x", ("x", "y", "t"))),
    "sigma": lambda s: with_glass(s, sigma=3.0),
    "mu": lambda s: replace(s, background=Material(mu=2.0)),
    "axes": lambda s: with_glass(s, mu_axes=(1.0, 2.0), mu_angle=30.0),
    "magnetic sigma": lambda s: with_glass(s, magnetic_sigma=0.5),
    "magnetic poles": lambda s: with_glass(s, magnetic_poles=(Drude(0.5, 0.1),)),
    "wall": lambda s: replace(s, walls=(*s.walls, MagneticWall(("domain.top",)))),
    "impedance": lambda s: replace(s, walls=(*s.walls, ImpedanceWall(("domain.top",), 0.3))),
    "layer": lambda s: replace(s, walls=(OpenWall(("domain.left",), 0.24),)),
    "no layer": lambda s: replace(s, walls=()),
    "upwinding": lambda s: with_solver(s, upwinding=0.2),
    "safety": lambda s: with_solver(s, safety=0.5),
    "scheme": lambda s: with_solver(s, stepper="ck54"),
}


def alike(one: Any, other: Any) -> bool:
    """Whether all numbers in two values are the same."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if is_dataclass(one) and not isinstance(one, type) and type(one) is type(other):
        names = [f.name for f in fields(one) if f.name not in ("dt_max", "reckoned_from")]
        return all(alike(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    return one is other or one == other


@pytest.mark.parametrize("change", [*DRIVING, *SYSTEM])
def test_what_is_changed_is_what_would_be_made_anew(made, change):
    scene = (DRIVING | SYSTEM)[change](lamp())
    assert can_be_revised(lamp(), scene)
    changed, anew = revised(made, scene), discretize_scene(scene, made.discretization.mesh)
    assert changed.discretization is made.discretization
    for part in ("operator", "source_terms", "auxiliary_equations", "probes", "monitors"):
        # The sampling interval of a transform follows from the step, which may be shorter.
        assert alike(getattr(changed, part), getattr(anew, part)), part
    assert set(changed.notices) == set(anew.notices)
    assert same_system(made, changed) == (change in DRIVING)


@pytest.mark.parametrize("change", SYSTEM)
def test_a_step_that_is_reckoned_is_about_as_long_as_the_one_found_later(made, change):
    changed = revised(made, SYSTEM[change](lamp()))
    found = settled(changed)
    assert changed.reckoned_from is made
    assert found.reckoned_from is None
    assert found.dt_max == discretize_scene(changed.scene, made.discretization.mesh).dt_max
    assert 0.6 < changed.dt_max / found.dt_max < 1.01


@pytest.mark.parametrize(("name", "upwinding"), [("single_slit", 0.65), ("corner_reflector", 0.7)])
def test_a_step_is_never_reckoned_too_long_for_another_flux(name, upwinding):
    """Where the spectrum has another shape: a third too long by what it is on some elements."""
    scene = load_scene(SCENES / f"{name}.toml")
    problem = discretize_scene(scene, mesh_scene(scene))
    changed = revised(problem, with_solver(scene, upwinding=upwinding))
    assert changed.dt_max < settled(changed).dt_max


def test_many_small_changes_lose_no_more_of_the_step_than_one(made):
    problem = made
    for epsilon in np.linspace(2.0, 1.0, 11):
        problem = revised(problem, with_glass(lamp(), epsilon=float(epsilon)))
    at_once = revised(made, with_glass(lamp(), epsilon=1.0))
    assert problem.dt_max == at_once.dt_max


def test_what_is_turned_back_has_the_step_that_it_had(made):
    there = revised(made, with_glass(lamp(), epsilon=1.3))
    back = revised(there, lamp())
    assert same_system(back, made)
    assert back.reckoned_from is None


def test_another_order_or_pair_begins_at_the_mesh():
    assert not can_be_revised(lamp(), with_solver(lamp(), order=4))
    local = with_solver(lamp(), stepper="local")
    assert not can_be_revised(lamp(), local)
    assert not can_be_revised(local, with_glass(local, epsilon=3.0))
    assert can_be_revised(local, DRIVING["place"](local))


# Sources go on


NOW = 7.3


def waveforms(problem: Problem) -> list:
    return [term.waveform for term in problem.source_terms]


def changed_at(now: float, running: Problem, said: Problem, scene: Scene) -> tuple:
    new = revised(said, scene)
    return continued(running, said, new, now), new


def test_a_sine_keeps_its_phase_when_its_frequency_changes(made):
    running, said = changed_at(NOW, made, made, with_source(lamp(), 0, waveform=Sine(3.7)))
    before, after = waveforms(made)[0], waveforms(running)[0]
    assert after(NOW) == pytest.approx(before(NOW), abs=1e-12)
    # As many periods have gone by, and from now on they are of the new length.
    assert after(NOW + 1 / 3.7) == pytest.approx(after(NOW), abs=1e-12)
    assert after(NOW + 0.25 / 3.7) == pytest.approx(before(NOW + 0.25 / 2), abs=1e-12)
    # Another change of anything else leaves it alone, however often.
    later = NOW + 0.77
    again, _ = changed_at(later, running, said, with_source(said.scene, 0, amplitude=2.0))
    times = later + np.linspace(0, 1, 11)
    np.testing.assert_allclose(waveforms(again)[0](times), after(times), atol=1e-12)


def test_a_sine_that_is_being_switched_on_goes_on_being_so(made):
    now = 0.31  # two periods of 0.5 are not over
    running, _ = changed_at(now, made, made, with_source(lamp(), 0, waveform=Sine(1.0)))
    assert waveforms(running)[0](now) == pytest.approx(waveforms(made)[0](now), abs=1e-12)


def test_what_is_new_begins_now_and_what_was_there_goes_on(made):
    lamp_again = replace(lamp().sources[0], name="second", waveform=Sine(2.0))
    scene = replace(lamp(), sources=(*lamp().sources, lamp_again))
    running, _ = changed_at(NOW, made, made, scene)
    first, bang, second = waveforms(running)
    assert second(NOW) == 0
    np.testing.assert_allclose(second(NOW + 0.9), first(0.9), atol=1e-12)
    assert first(NOW) == waveforms(made)[0](NOW)
    assert bang(0.5) == waveforms(made)[1](0.5)


def test_another_kind_of_wave_begins_now(made):
    running, _ = changed_at(NOW, made, made, with_source(lamp(), 0, waveform=Ricker(2.0, 1.0)))
    assert waveforms(running)[0](NOW + 1.0) == pytest.approx(1.0)


def test_another_phase_or_delay_is_what_was_asked_for(made):
    running, said = changed_at(NOW, made, made, with_source(lamp(), 0, waveform=Sine(3.0)))
    then = waveforms(running)[0]
    turned = with_source(said.scene, 0, waveform=Sine(3.0, phase=np.pi / 2))
    later, _ = changed_at(NOW + 1, running, said, turned)
    t = NOW + 1.1
    assert waveforms(later)[0](t) == pytest.approx(then(t + 0.25 / 3), abs=1e-12)
    delayed = with_source(said.scene, 0, waveform=Sine(3.0, delay=0.1))
    later, _ = changed_at(NOW + 1, running, said, delayed)
    assert waveforms(later)[0](t) == pytest.approx(then(t - 0.1), abs=1e-12)


def test_a_formula_of_t_means_the_time_of_the_run(made):
    wave = FormulaWaveform(Formula.parse("sin(5*t)", ("t",)))
    running, _ = changed_at(NOW, made, made, with_source(lamp(), 0, waveform=wave))
    assert waveforms(running)[0](NOW) == pytest.approx(np.sin(5 * NOW))


def test_a_new_name_changes_nothing(made):
    running, _ = changed_at(NOW, made, made, with_source(lamp(), 0, name="lantern"))
    assert waveforms(running)[0].origin == waveforms(made)[0].origin


@pytest.mark.parametrize("by", [(0.0, 0.0), (0.03, 0.01), (-0.1, 0.2), (0.12, -0.25)])
def test_on_another_mesh_all_but_the_step_is_as_made_anew_and_that_is_stable(made, by):
    scene = lamp()
    (glass,) = scene.materials
    scene = replace(scene, materials=(displaced(glass, by),))
    mesh = mesh_scene(scene)
    found, anew = remeshed(made, scene, mesh), discretize_scene(scene, mesh)
    for part in ("operator", "source_terms", "auxiliary_equations", "probes", "jumping"):
        assert alike(getattr(found, part), getattr(anew, part)), part
    assert found.reckoned_from is made
    assert 0.5 * anew.dt_max < found.dt_max < anew.dt_max
    # Another order, or steps of several lengths, are made as ever.
    other = with_solver(scene, order=2)
    assert remeshed(made, other, mesh).reckoned_from is None


@pytest.mark.parametrize("scene", ["marine_seismics", "snell"])
def test_another_layer_alone_leaves_the_step_but_for_the_margin(scene, monkeypatch):
    """Whatever the waves are: nothing is looked at on any element."""
    monkeypatch.setattr(revision, "quick_step", None)
    problem = discretize_scene(scene_named(scene), mesh_scene(scene_named(scene)))
    thicker = CHANGES["layer"](problem.scene, 1)
    assert thicker is not None
    changed = revised(problem, thicker)
    assert changed.auxiliary_equations is not problem.auxiliary_equations
    assert 0.85 * problem.dt_max < changed.dt_max < problem.dt_max


def test_layers_stay_while_other_things_are_turned():
    made = discretize_scene(lamp(), mesh_scene(lamp()))
    changed = revised(made, SYSTEM["upwinding"](lamp()))
    assert all(map(operator.is_, changed.auxiliary_equations, made.auxiliary_equations))
    assert changed.operator.has_energies_of(made.operator)
    denser = revised(made, SYSTEM["epsilon"](lamp()))
    assert not denser.operator.has_energies_of(made.operator)


def test_guides_are_looked_at_again_where_their_media_change_and_not_for_a_layer(monkeypatch):
    looked = []
    look = cross_sections._looked_across
    monkeypatch.setattr(
        cross_sections, "_looked_across", lambda *given: looked.append(given) or look(*given)
    )
    scene = scene_named("splitter")
    problem = discretize_scene(scene, mesh_scene(scene))
    lines = len(looked)
    assert lines > 1
    thicker = CHANGES["layer"](scene, 1)
    assert thicker is not None
    problem = revised(problem, thicker)
    assert len(looked) == lines
    denser = CHANGES["material"](thicker, 1)
    assert denser is not None
    revised(problem, denser)
    assert len(looked) == 2 * lines
