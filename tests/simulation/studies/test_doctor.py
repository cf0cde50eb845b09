"""The time step doctor names what limits the step, and its remedies are worth what they promise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.walls import OpenWall
from wavelab.simulation.studies.doctor import diagnose, step_with

NICKED = Polygon(((0, 0), (1, 0), (1, 0.5), (1.0005, 0.5005), (1, 1), (0, 1)))


@pytest.fixture(scope="module")
def nicked():
    scene = Scene("nicked", Solver(element_size=0.1, order=2), outline=NICKED)
    with pytest.warns(UserWarning, match="times smaller"):
        return discretize_scene(scene, mesh_scene(scene))


def test_a_nick_is_found_and_explained(nicked):
    found = diagnose(nicked)
    worst = found.troubles[0]
    assert worst.reason == 'edge "domain.2" is only 0.000707 long'
    assert worst.center == pytest.approx((1.0, 0.5), abs=0.03)
    assert worst.slowdown > 5
    gains = [gain for _, gain in found.without.values()]
    assert gains == sorted(gains)
    assert gains[-1] > 3
    assert "would be" in found.sentence()
    assert 'edge "domain.2"' in found.report()
    assert found.summary()["troubles"][0]["reason"] == worst.reason


def test_merging_its_vertices_gives_a_longer_step(nicked):
    found = diagnose(nicked)
    remedy = next(r for r in found.remedies if r.label == "Merge close vertices")
    assert "0.025" in remedy.effect
    dt = step_with(remedy)
    assert dt > 3 * found.dt
    after = diagnose(discretize_scene(remedy.scene, mesh_scene(remedy.scene)))
    assert after.dt == pytest.approx(dt)
    assert not any("domain.2" in trouble.reason for trouble in after.troubles)


def test_stepping_locally_helps_and_changes_nothing_else(nicked):
    found = diagnose(nicked)
    remedy = found.remedies[0]
    assert (remedy.label, remedy.gains) == ("Step locally", "less work")
    assert remedy.scene.outline == nicked.scene.outline
    assert found.equivalent == found.dt
    assert step_with(remedy) > 2 * found.dt
    after = diagnose(discretize_scene(remedy.scene, mesh_scene(remedy.scene)))
    assert after.equivalent > 2 * found.dt
    assert after.dt > 3 * found.dt
    assert "times fewer updates" in after.sentence()
    assert "Step locally" not in [r.label for r in after.remedies]


def test_local_steps_are_offered_beside_open_edges_and_round_things(nicked):
    scene = replace(
        nicked.scene,
        walls=(OpenWall(("domain.0",), thickness=0.2),),
        holes=(Hole("pillar", Ellipse((0.4, 0.6), (0.15, 0.15))),),
    )
    problem = discretize_scene(scene, mesh_scene(scene))
    assert problem.auxiliary_equations
    assert problem.discretization.curved is not None
    (remedy,) = (r for r in diagnose(problem).remedies if r.label == "Step locally")
    after = discretize_scene(remedy.scene, problem.discretization.mesh)
    assert after.scheme.n_levels > 2
    assert after.dt_max > 3 * problem.dt_max


def test_where_local_steps_do_not_work_they_are_not_offered(nicked):
    scene = replace(nicked.scene, solver=replace(nicked.scene.solver, upwinding=0.0))
    central = discretize_scene(scene, nicked.discretization.mesh)
    assert "Step locally" not in [r.label for r in diagnose(central).remedies]


def test_on_an_even_mesh_only_size_helps():
    scene = Scene("even", Solver(element_size=0.1, order=2), outline=Rectangle((0, 0), (1, 1)))
    found = diagnose(discretize_scene(scene, mesh_scene(scene)))
    assert found.troubles == ()
    assert "No element stands out" in found.sentence()
    assert [remedy.label for remedy in found.remedies] == ["Larger elements"]
    assert step_with(found.remedies[0]) > 1.05 * found.dt


def test_a_trial_can_be_given_up(nicked):
    assert step_with(diagnose(nicked).remedies[1], cancelled=lambda: True) is None
