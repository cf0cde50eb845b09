"""What is shown: the right numbers, in a fitting palette."""

from __future__ import annotations

from dataclasses import replace

import av
import numpy as np
import pytest

from tests.simulation.conftest import cavity, square
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.palette import colorize, surroundings
from wavelab.physics.operator.fields import ElasticFields, MaxwellFields
from wavelab.physics.problem import discretize_scene
from wavelab.physics.stepper import quantities_of
from wavelab.scene.model.scene import Material
from wavelab.scene.model.view import View
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.views.mesh_views import element_steps, on_elements
from wavelab.simulation.views.views import COMPUTED, view


@pytest.fixture
def simulation():
    """The (1, 1) mode of a square, shortly before a quarter of its period."""
    problem = discretize_scene(cavity(5), square(5))
    made = Simulation(problem, NumpyStepper(problem.operator, dt=0.9 * problem.dt_max))
    made.advance(round(0.3 / made.dt))
    return made


def test_the_strength_of_the_magnetic_field(simulation):
    d, t = simulation.problem.discretization, simulation.time
    x, y = np.pi * d.x, np.pi * d.y
    exact = (
        np.abs(np.sin(np.sqrt(2) * np.pi * t))
        / np.sqrt(2)
        * np.hypot(np.sin(x) * np.cos(y), np.cos(x) * np.sin(y))
    )
    assert view(simulation, "h") == pytest.approx(exact, abs=2e-3)


def test_headless_pictures_and_movies_on_a_logarithmic_scale(tmp_path):
    """Where Ez is small it shows, in both."""
    parts = {}
    for decades in (None, 4):
        scene = replace(cavity(3), view=View(limit=1.0, decades=decades))
        problem = discretize_scene(
            replace(scene, solver=replace(scene.solver, until=0.05)), square(4)
        )
        files = {"image": tmp_path / "a.png", "movie": tmp_path / "a.gif"}
        run_problem(problem, BatchOptions(backend="numpy", size=(60, 60), **files))
        for name, path in files.items():
            with av.open(str(path)) as file:
                *_, last = (f.to_ndarray(format="rgb24") for f in file.decode(video=0))
            parts[name, decades] = last[30, 4].astype(int)  # Ez = 0.1 or so
    expected = colorize(np.array([[0.1]]), "berlin", 1.0, (0, 0, 0), 4)[0, 0].astype(int)
    for name in ("image", "movie"):
        assert np.abs(parts[name, 4] - expected).max() < 40
        assert np.abs(parts[name, None] - expected).max() > 60


@pytest.mark.parametrize(
    ("options", "palette"),
    [
        ({}, "berlin"),
        ({"quantity": "h"}, "inferno"),
        ({"quantity": "hx"}, "berlin"),
        ({"quantity": "h", "palette": "vik"}, "vik"),
    ],
)
def test_a_headless_run_takes_a_palette_that_suits(options, palette):
    assert BatchOptions(**options).applied(cavity()).view.palette == palette


def test_the_elements_that_limit_the_step():
    problem = discretize_scene(replace(cavity(3), background=Material(sigma=0.5)), square(4))
    steps, sizes = element_steps(problem), problem.discretization.mesh.inradii()
    assert steps.min() == pytest.approx(problem.dt_max)
    assert steps.argmin() == sizes.argmin()
    shown = on_elements(problem, element_steps)
    assert (shown == shown[:, :1]).all()
    assert shown[:, 0] == pytest.approx(steps)
    assert on_elements(problem, element_steps) is shown  # found once
    # Loss counts, so that steps are less than in proportion to the sizes.
    assert 1 < steps.max() / steps.min() < sizes.max() / sizes.min()


def test_the_steps_of_elements_that_step_by_themselves():
    grid = square(8)
    vertices = grid.vertices**2 * (1 + grid.vertices) / 2  # small ones in a corner
    scene = replace(cavity(2), solver=replace(cavity(2).solver, stepper="local"))
    problem = discretize_scene(scene, Mesh.plain(vertices, grid.triangles))
    steps, clusters = element_steps(problem), problem.scheme
    assert clusters.n_levels > 2
    taken = problem.dt_max * 2.0**clusters.levels / clusters.ticks
    assert (taken <= steps * (1 + 1e-9)).all()
    assert (steps / taken).min() < 1.2


def test_a_picture_of_the_quality_of_a_mesh(tmp_path):
    scene = replace(cavity(2), view=View(quantity="quality", palette="cividis"))
    problem = discretize_scene(replace(scene, solver=replace(scene.solver, until=0.05)), square(4))
    path = tmp_path / "a.png"
    run_problem(problem, BatchOptions(backend="numpy", size=(106, 106), image=path))
    with av.open(str(path)) as file:
        picture = next(file.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    mesh = problem.discretization.mesh
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    # The domain has 100 pixels, and 3 of margin.
    found = picture[(103 - 100 * middles[:, 1]).astype(int), (3 + 100 * middles[:, 0]).astype(int)]
    expected = colorize(mesh.qualities()[None], "cividis", 1.0, (0, 0, 0))[0]
    assert np.abs(found - expected).max() <= 1


def test_headless_pictures_and_movies_of_the_height_view(tmp_path):
    scene = replace(cavity(3), view=View(limit=1.0, relief=(30.0, 30.0), arrows="power"))
    problem = discretize_scene(replace(scene, solver=replace(scene.solver, until=0.05)), square(4))
    files = {"image": tmp_path / "a.png", "movie": tmp_path / "a.gif"}
    run_problem(problem, BatchOptions(backend="numpy", size=(90, 60), **files))
    for path in files.values():
        with av.open(str(path)) as file:
            *_, last = (f.to_ndarray(format="rgb24").astype(int) for f in file.decode(video=0))
        ground = (np.abs(last - surroundings("berlin")).max(axis=2) > 12).any(axis=0)
        # From a corner it is wider than it is high, and the wave rises in the middle.
        assert 40 < ground.sum() < 90
        assert last[15:40, 35:55].sum(axis=2).max() > 400
        assert np.abs(last[:4] - surroundings("berlin")).max() < 12


def test_every_quantity_is_computed_in_one_place():
    maps = [name for name, quantity in QUANTITIES.items() if quantity.monitor is not None]
    by_steppers = {*quantities_of(MaxwellFields), *quantities_of(ElasticFields)}
    by_steppers -= {*ElasticFields.asked.values()}  # shown by the names of light
    assert sorted([*by_steppers, *COMPUTED, *maps]) == sorted(QUANTITIES)
