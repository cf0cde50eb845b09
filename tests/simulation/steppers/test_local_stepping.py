"""Local time stepping from the scene to the summary."""

from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError, WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.problem import discretize_scene
from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    FieldFormulas,
    Material,
    MaterialRegion,
    Probe,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Polygon, Rectangle
from wavelab.scene.poles import Debye, Lorentz
from wavelab.scene.walls import OpenWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.steppers.steppers import make_stepper

NICKED = Polygon(((0, 0), (1, 0), (1, 0.5), (1.004, 0.504), (1, 1), (0, 1)))


@pytest.fixture(scope="module")
def scene():
    return Scene(
        "nicked",
        Solver(element_size=0.12, order=4, stepper="local", precision="double", until=0.5),
        outline=NICKED,
        initial=FieldFormulas(ez=Formula.parse("exp(-((x-.6)^2+(y-.5)^2)/0.02)", ("x", "y"))),
        probes=(Probe("p", (0.8, 0.6)),),
    )


@pytest.fixture(scope="module")
def mesh(scene):
    return mesh_scene(scene)


@pytest.fixture(scope="module")
def problem(scene, mesh):
    return discretize_scene(scene, mesh)


def test_elements_lie_in_the_order_of_their_levels(problem):
    assert isinstance(problem.scheme, Clusters)
    assert problem.scheme.n_levels > 2
    assert (np.diff(problem.scheme.levels) >= 0).all()
    assert problem.scheme.gain > 3
    neighbors = problem.discretization.connectivity.neighbor_element
    levels = problem.scheme.levels
    assert (abs(levels[neighbors] - levels[:, None]) <= 1).all()


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_gives_what_global_steps_give(scene, mesh, problem, backend):
    globally = discretize_scene(replace(scene, solver=replace(scene.solver, stepper="auto")), mesh)
    local = run_problem(problem, BatchOptions(backend=backend, ledger=True))
    whole = run_problem(globally, BatchOptions(backend=backend))
    assert local["stepper"] == "local"
    assert local["steps"] < whole["steps"] * globally.scheme.n_stages / (globally.scheme.order + 1)
    assert local["energy"]["final"] == pytest.approx(whole["energy"]["final"], rel=1e-3)
    here, there = local["probes"]["p"], whole["probes"]["p"]
    name = next(key for key in here if key != "t")
    expected = np.interp(here["t"], there["t"], there[name])
    assert np.abs(np.array(here[name]) - expected).max() < 2e-3
    account = local["ledger"]
    assert abs(account["residual"]) < 1e-3 * account["initial"]


@pytest.fixture(scope="module")
def open_scene(scene):
    """An open wall on the right, and a dispersive medium on the left."""
    return replace(
        scene,
        solver=replace(scene.solver, order=3),
        outline=Polygon(((0, 0), (1.4, 0), (1.4, 1), (0, 1), (0, 0.5), (0.006, 0.494))),
        walls=(OpenWall(("domain.1",), thickness=0.4),),
        materials=(
            MaterialRegion(
                "water", Material(1.5, poles=(Debye(1.0, 0.1), Lorentz(1.0, 0.5, 0.2))),
                Rectangle((0.0, 0.0), (0.3, 1.0)),
            ),
        ),
    )  # fmt: skip


def test_layers_and_dispersive_media(open_scene):
    mesh = mesh_scene(open_scene)
    globally = discretize_scene(
        replace(open_scene, solver=replace(open_scene.solver, stepper="auto")), mesh
    )
    problem = discretize_scene(open_scene, mesh)
    assert problem.scheme.n_levels >= 3
    options = BatchOptions(backend="opencl", ledger=True)
    local, whole = run_problem(problem, options), run_problem(globally, options)
    assert local["energy"]["final"] == pytest.approx(whole["energy"]["final"], rel=1e-3)
    here, there = local["probes"]["p"], whole["probes"]["p"]
    name = next(key for key in here if key != "t")
    expected = np.interp(here["t"], there["t"], there[name])
    assert np.abs(np.array(here[name]) - expected).max() < 2e-3
    account = local["ledger"]
    assert account["walls"] > 1e-3 * account["initial"]
    assert account["conductors"] > 1e-3 * account["initial"]
    assert abs(account["residual"]) < 1e-3 * account["initial"]


def test_what_does_not_go_together_is_refused(scene, mesh):
    solver = replace(scene.solver, upwinding=0.25)
    with pytest.raises(SceneError, match=r"upwinding 0\.25, less than 0\.3,"):
        discretize_scene(replace(scene, solver=solver), mesh)
    graded = Material(epsilon=Formula.parse("1 + x", ("x", "y", "t")))
    with pytest.raises(SceneError, match="materials that are formulas"):
        discretize_scene(replace(scene, background=graded), mesh)


def test_a_membrane_with_an_open_wall_is_followed_by_numpy_and_refused_on_opencl(scene, mesh):
    """With its reason: the run ended with a ValueError about equations that hold twice."""
    solver = replace(scene.solver, order=3, until=0.05)
    membrane, _ = switched(replace(scene, solver=solver), "membrane")
    left = NICKED.edge_names()[-1]
    membrane = replace(membrane, walls=(OpenWall((f"domain.{left}",), 0.3),))
    problem = discretize_scene(membrane, mesh)
    with pytest.raises(SceneError, match="displacement of a membrane"):
        run_problem(problem, BatchOptions(backend="opencl", progress=False))
    run_problem(problem, BatchOptions(backend="numpy", progress=False))


def test_there_is_one_variant(problem):
    with pytest.raises(WavelabError, match="per_node"):
        make_stepper(problem.operator, dt=problem.dt_max, scheme=problem.scheme, variant="per_node")


def test_a_ping_rings_on(problem):
    stepper = make_stepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, precision="double"
    )
    simulation = Simulation(problem, stepper)
    before = simulation.check()
    assert simulation.ping(0.3, 0.3, 0.1, 1.0)
    after = simulation.check()
    assert after > before
    simulation.advance(20)
    assert 0.9 * after < simulation.check() < after
    simulation.close()
