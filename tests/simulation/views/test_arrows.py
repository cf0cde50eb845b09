"""Arrows of the energy flow: exact in a cavity, outwards from a source, free where not wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.simulation.conftest import cavity, driven, square
from tests.simulation.records.test_elastic_monitors import PLANE
from tests.simulation.solver.test_runner import look, tell
from wavelab.errors import OutputError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.interpolation import Locator
from wavelab.output.picture import write_png
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Material
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.model.view import View
from wavelab.scene.monitors import FieldMonitor
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless import batch_pictures
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.movies.movie_recorder import check_request
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver.commands import Load, Play, ShowArrows, TakeSteps
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.views.arrows import ArrowPoints, arrows, begin_arrows

EVERYWHERE = (-1.0, -1.0, 2.0, 2.0)


def points_of(problem, least=0.1) -> ArrowPoints:
    d = problem.discretization
    return ArrowPoints.inside(d.element, Locator(d), EVERYWHERE, least)


def run(problem, time) -> Simulation:
    made = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    made.advance(round(time / made.dt))
    return made


def test_a_plane_wave_carries_its_energy_along():
    turn = np.linspace(0, 6, 7)
    along = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    # H is across both k and E: k x E / |k|.
    hx, hy, ez = along[:, 1], -along[:, 0], np.ones(7)
    np.testing.assert_allclose(MaxwellFields.power_flow(hx, hy, ez), along, atol=1e-15)
    phase = np.exp(0.7j)
    mean = MaxwellFields.mean_power_flow
    np.testing.assert_allclose(mean(hx * phase, hy * phase, ez * phase), along / 2, atol=1e-15)
    assert not mean(1j * hx, 1j * hy, ez).any()  # standing


def test_the_flow_in_a_cavity():
    simulation = run(discretize_scene(cavity(5), square(5)), 0.2)
    found = arrows(simulation, "power", points_of(simulation.problem))
    assert found.kind == "power"
    assert ((found.positions >= 0) & (found.positions <= 1)).all()
    assert len(found.positions) > 80
    x, y = np.pi * found.positions.T
    beat = np.sin(2 * np.sqrt(2) * np.pi * simulation.time) / np.sqrt(2) / 4
    exact = -beat * np.stack([np.sin(2 * x) * np.sin(y) ** 2, np.sin(x) ** 2 * np.sin(2 * y)], 1)
    np.testing.assert_allclose(found.vectors, exact, atol=2e-3)
    assert found.sizes().max() > 0.1


def test_on_average_energy_leaves_a_source_and_ends_in_what_absorbs():
    shape = Rectangle((0.0, 0.0), (1.0, 0.75))
    scene = replace(
        driven(4),
        background=Material(sigma=4.0),
        monitors=(FieldMonitor("f", (0.70710678,), begin=1.0, shape=shape),),
    )
    simulation = run(discretize_scene(scene, square(5)), 1.0 + 3 * np.sqrt(2))
    found = arrows(simulation, "mean_power", points_of(simulation.problem))
    outwards = found.positions - 0.5
    distance = np.linalg.norm(outwards, axis=1)
    sizes = found.sizes()
    near = (distance > 0.2) & (distance < 0.35) & (found.positions[:, 1] < 0.6)
    assert near.sum() > 15
    along = (found.vectors * outwards).sum(axis=1)[near] / (sizes * distance)[near]
    assert along.min() > 0.95
    assert not sizes[found.positions[:, 1] > 0.85].any()  # not measured there


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_a_p_wave_carries_its_energy_along(backend):
    """Its flow is density cp v^2 along its way, and half of that on average."""
    scene = parse_scene(PLANE, "plane.toml")
    problem = discretize_scene(scene, mesh_scene(scene))
    simulation = Simulation(problem, stepper_of(problem, backend=backend))
    simulation.advance(problem.steps_to_end())
    points = points_of(problem)
    now, mean = (arrows(simulation, kind, points).vectors for kind in ("power", "mean_power"))
    begun = begin_arrows(simulation, "power", points).values().vectors
    vx = points.places.of("vx").sample(simulation.stepper.fields())
    simulation.close()
    assert len(now) > 50
    np.testing.assert_allclose(now[:, 0], 2.0 * 1.5 * vx**2, atol=5e-3)
    assert now[:, 0].max() > 1
    np.testing.assert_allclose(begun, now, atol=1e-5)
    np.testing.assert_allclose(mean[:, 0], 2.0 * 1.5 * 0.7**2 / 2, rtol=5e-3)
    assert max(np.abs(now[:, 1]).max(), np.abs(mean[:, 1]).max()) < 2e-3


def test_steppers_get_the_same_points_while_arrows_stay_where_they_are(make_numpy, problem):
    """By which they know what they have made for them."""
    simulation, asked = run(problem, 0.01), []
    simulation.stepper.samples = lambda points: asked.append(points) or np.zeros(len(points))
    points = points_of(problem)
    for _ in range(2):
        arrows(simulation, "power", points)
    assert asked[0] is asked[1]


@pytest.fixture
def runner(make_numpy, problem):
    made = Runner(make=make_numpy)
    tell(made, Load(problem, 7))
    yield made
    made.close()


def test_frames_carry_the_arrows_that_were_asked_for(runner, problem):
    points = points_of(problem)
    assert look(runner).arrows is None
    tell(runner, ShowArrows("power", points, 7), TakeSteps(3))
    found = look(runner).arrows
    assert np.array_equal(found.positions, points.positions)
    tell(runner, ShowArrows("power", points, 6), TakeSteps(1))
    assert look(runner).arrows is None  # they belong to another mesh
    tell(runner, ShowArrows("none", None, 7), TakeSteps(1))
    assert look(runner).arrows is None


def test_a_window_without_arrows_asks_the_device_for_none(runner, monkeypatch):
    def never(*_):
        raise AssertionError("the device was asked for samples")

    monkeypatch.setattr(NumpyStepper, "begin_samples", never)
    tell(runner, Play())
    for _ in range(3):
        assert look(runner).arrows is None


def test_pictures_and_movies_show_them(problem, tmp_path, monkeypatch):
    pictures = {}

    def keep(path, rgb):
        pictures[path.stem] = rgb
        write_png(path, rgb)

    monkeypatch.setattr(batch_pictures.picture, "write_png", keep)
    sizes = {}
    for kind in ("none", "power"):
        shown = replace(problem, scene=replace(problem.scene, view=View(arrows=kind)))
        files = {"image": tmp_path / f"{kind}.png", "movie": tmp_path / f"{kind}.gif"}
        run_problem(shown, BatchOptions(backend="numpy", size=(120, 120), **files))
        sizes[kind] = files["movie"].stat().st_size
    changed = (pictures["none"] != pictures["power"]).any(axis=2)
    assert 0.02 < changed.mean() < 0.4  # sparse
    assert sizes["power"] > sizes["none"]


def test_arrows_that_are_not_known(tmp_path):
    with pytest.raises(OutputError, match="dragons"):
        check_request(MovieRequest(tmp_path / "a.gif", 16, 16, 0.1, arrows="dragons"))
