"""Waves of every system with every kind of monitor, source and view, and with every study: each
works, or is refused in words that name it.

Systems and kinds are those of the registries: what is missing for a new one fails here.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import wavelab
from tests.sample_kinds import BOX, made
from wavelab.app.edits.monitor_edits import measured_of
from wavelab.errors import SceneError, WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics.modes.modes import mode_estimate
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.semi_discrete import operator_of
from wavelab.physics.walls.walls import discretized
from wavelab.scene.edges.guide import guide_end
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Written
from wavelab.scene.model.view import View
from wavelab.scene.monitors import MONITORS
from wavelab.scene.monitors.flux import FluxMonitor
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import SOURCES
from wavelab.scene.sources.guided_mode import GuidedMode
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.view.quantities import (
    ARROWS,
    QUANTITIES,
    can_show,
    names_of,
    offered,
)
from wavelab.scene.view.view_rules import check_view
from wavelab.scene.walls import PeriodicWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.loading import carried_over
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.bands.band_search import find_bands
from wavelab.simulation.studies.doctor import diagnose
from wavelab.simulation.studies.reference import referenced
from wavelab.simulation.studies.scattering import ports_of
from wavelab.simulation.verification.cases import CASES
from wavelab.simulation.views.arrows import arrows, points_in_picture
from wavelab.simulation.views.views import view

WRITTEN = Written(None, "{:.3g}".format)
COARSE = replace(BOX, solver=replace(BOX.solver, element_size=0.25, order=2), probes=())
MESH = mesh_scene(COARSE)


def scene_of(physics: str) -> Scene:
    """A room of these waves with something in it at once."""
    scene, system = switched(COARSE, physics)[0], SYSTEMS[physics]
    bump = BOX.initial.ez
    name = "velocity" if system.integral is not None else system.scalar.key
    return replace(scene, initial=system.fields(**{name: bump}))


@cache
def problem_of(physics: str) -> Problem:
    """Of the room with all monitors that such waves have."""
    scene = scene_of(physics)
    kept = [m for m in monitors() if not refusal(replace(scene, monitors=(m,)))]
    return discretize_scene(replace(scene, monitors=tuple(kept)), MESH)


def monitors() -> list[Monitor]:
    """One of each kind, with frequencies where it can have them and without."""
    found = [made(kind, name=name) for name, kind in MONITORS.items()]
    return [*found, made(FluxMonitor, name="flux at f", frequencies=(1.0,))]


def refusal(scene: Scene) -> SceneError | None:
    try:
        check_scene(scene)
    except SceneError as error:
        return error
    return None


def run_of(problem: Problem) -> Simulation:
    return Simulation(problem, stepper_of(problem, backend="numpy"))


@pytest.mark.parametrize("physics", SYSTEMS)
def test_there_is_a_scene_of_it_and_an_exact_case(physics):
    """Cases begin with the name of the system, but for light, of which most are."""
    assert any(load_scene(path).physics == physics for path in SCENES.glob("*.toml"))
    assert physics == "light" or any(name.split()[0] == physics for name in CASES)


@pytest.mark.parametrize("physics", SYSTEMS)
def test_every_monitor_measures_or_is_refused_by_name(physics):
    scene = scene_of(physics)
    for monitor in monitors():
        error = refusal(replace(scene, monitors=(monitor,)))
        assert error is None or (monitor.what in str(error) and error.remedy)
    simulation = run_of(problem_of(physics))
    simulation.advance(3)
    results = simulation.measured()
    assert {"line", "energy", "flux", "intensity"} <= {result.name for result in results}
    for monitor, result in zip(simulation.problem.scene.monitors, results, strict=True):
        assert all(np.isfinite(values).all() for values in result.arrays.values())
        assert all(type(monitor).told(result, WRITTEN))
        assert all(type(monitor).in_short(result.summary(), WRITTEN))
        assert monitor.tables(result)
    simulation.close()


def test_the_intensity_of_a_solid_is_that_of_the_velocity_that_is_shown():
    """A body that moves as a whole goes on doing so."""
    scene = scene_of("elastic")
    pairs = (("domain.left", "domain.right"), ("domain.bottom", "domain.top"))
    moving = SYSTEMS["elastic"].fields(
        vx=Formula.parse("0.3", ("x", "y")), vy=Formula.parse("0.7", ("x", "y"))
    )
    walls = tuple(PeriodicWall(pair) for pair in pairs)
    monitor = made(MONITORS["intensity"])
    scene = replace(scene, walls=walls, initial=moving, monitors=(monitor,))
    simulation = run_of(discretize_scene(scene, MESH))
    simulation.advance(4)
    (found,) = simulation.measured()
    assert found.arrays["mean_square"] == pytest.approx(0.49)
    simulation.close()


@pytest.mark.parametrize("physics", SYSTEMS)
def test_what_a_hand_can_measure_is_what_a_scene_may_hold(physics):
    """With frequencies where there is a field to type them."""
    scene, known = scene_of(physics), measured_of(physics)
    for kind in MONITORS.values():
        for name, placing in kind.placings.items():
            shown = known.get(name, placing)
            given = {"frequencies": (1.0,) if shown.frequencies else ()}
            monitor = made(kind, **(given if placing.frequencies else {}))
            assert (refusal(replace(scene, monitors=(monitor,))) is None) == (name in known), name


@pytest.mark.parametrize("physics", SYSTEMS)
def test_everything_that_is_offered_can_be_shown(physics):
    system, simulation = SYSTEMS[physics], run_of(problem_of(physics))
    simulation.advance(2)
    there = simulation.problem.scene.monitors
    points = points_in_picture(simulation.problem.discretization, (0, 0, 1, 1), 100)
    for quantity in offered(system):
        assert can_show(quantity, there), quantity
        assert np.isfinite(view(simulation, quantity)).all(), quantity
    for kind in list(ARROWS)[1:]:
        assert can_show(kind, there), kind
        assert arrows(simulation, kind, points)
        check_view(View(arrows=kind), there, system)
    simulation.close()
    for name in QUANTITIES.keys() - offered(system):
        # And not for want of a monitor that would be refused.
        with pytest.raises(SceneError, match=f'quantity is "{name}"'):
            check_view(View(quantity=name), there, system)


@pytest.mark.parametrize("physics", SYSTEMS)
def test_a_program_gets_every_field_that_is_offered(physics):
    scene = replace(scene_of(physics), monitors=problem_of(physics).scene.monitors)
    system = SYSTEMS[physics]
    with wavelab.Simulation(
        wavelab.Scene.of(scene), backend="numpy", progress=False, notify=lambda text: None
    ) as simulation:
        for name in names_of(system):
            assert np.isfinite(simulation.field(name).values).all(), name
        # A pressure is minus the mean of two stresses, and so on: as it is shown.
        for name, key in names_of(system).items():
            shown = view(simulation._course.core, key)
            assert simulation.field(name).values == pytest.approx(shown, rel=1e-5, abs=1e-6), name


@pytest.mark.parametrize("physics", SYSTEMS)
def test_every_source_sends_or_is_refused_by_name(physics):
    scene, system = scene_of(physics), SYSTEMS[physics]
    for kind in SOURCES.values():
        source = made(kind)
        if kind is GuidedMode:
            source = replace(source, sides=system.unnamed.sides)
        error = refusal(tried := replace(scene, sources=(source,)))
        assert (error is None) == (kind.equations == system.equations), kind
        if error is not None:
            assert source.what in str(error)
        else:
            discretize_scene(tried, MESH)


@pytest.mark.parametrize("physics", SYSTEMS)
def test_edges_are_asked_about_guided_modes_whatever_the_waves_are(physics):
    """As for every edge that a hand points at, in front of any wall."""
    scene = scene_of(physics)
    for wall in SYSTEMS[physics].walls.values():
        if wall.glues:
            continue
        beside = made(wall, edges=("domain.bottom", "domain.top"))
        walled = replace(scene, walls=(beside,))
        if wall.sides:
            end = guide_end(walled, "domain.left")
            assert end is not None
            assert end.sides == wall.sides
        else:
            with pytest.raises(SceneError, match="beside domain") as refused:
                guide_end(walled, "domain.left")
            assert refused.value.remedy


@pytest.mark.parametrize("physics", SYSTEMS)
def test_studies_of_it_work_or_name_what_is_not_made_for_it(physics):
    problem = problem_of(physics)
    assert diagnose(problem).report()
    scene = scene_of(physics)
    pairs = (("domain.left", "domain.right"), ("domain.bottom", "domain.top"))
    cell = replace(scene, walls=tuple(PeriodicWall(pair) for pair in pairs))
    # Where nothing is a rim, the number of modes is that of the area alone.
    operator = operator_of(cell, discretized(cell, MESH))
    estimate = mode_estimate(operator)
    assert estimate.rim == 0
    assert estimate.area == pytest.approx((operator.slownesses[:, 0] ** 2).sum())
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # at G two bands of a solid have the frequency 0
        assert find_bands(cell, "G X", 1, 2).frequencies.shape == (2, 2)
    flux = made(FluxMonitor, frequencies=(1.0,))
    compared = replace(scene, monitors=(flux,))
    run = referenced(compared, compared, backend="numpy")
    assert run["it"].quotient == pytest.approx(1.0)
    if SYSTEMS[physics].equations == "maxwell":
        assert ports_of(replace(scene, monitors=(made(MONITORS["modes"]),)))
        return
    # Not a remedy that would be refused in its turn.
    with pytest.raises(WavelabError, match="scattering parameters are not made for"):
        ports_of(scene)


@pytest.mark.parametrize("there", SYSTEMS)
@pytest.mark.parametrize("here", SYSTEMS)
def test_a_wave_that_runs_becomes_one_of_the_other_waves_or_begins_anew(here, there):
    running, problem = run_of(problem_of(here)), problem_of(there)
    running.advance(2)
    start, live = carried_over(running, problem, lambda text: None)
    assert live == (SYSTEMS[here].equations == SYSTEMS[there].equations)
    goes_on = Simulation(problem, stepper_of(problem, backend="numpy"), start)
    assert goes_on.time == (running.time if live else 0.0)
    goes_on.advance(1)
    found = goes_on.stepper.fields()
    assert type(found) is problem.operator.fields
    assert all(np.isfinite(values).all() for values in found.arrays)
    goes_on.close()
    running.close()
