"""What a child process makes for a dragged shape is what would be made here."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.test_revision import alike, lamp
from tests.sample_kinds import EVERY, SCENES
from wavelab.errors import SceneError
from wavelab.meshing.job import MeshJob, mesh_scene
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import discretize_scene
from wavelab.physics.remeshing import Remeshing
from wavelab.physics.revision import known_quick_step, quick_step_of, remeshed
from wavelab.scene.editing.item_places import displaced

PARTS = ("operator", "source_terms", "auxiliary_equations", "probes", "monitors", "initial")


def there(further: Remeshing) -> tuple:
    """The mesh of its scene, and what a child has made of it."""
    running = (further.problem.scene, further.problem.discretization.mesh)
    job = MeshJob(further.scene, running=running, further=further)
    return job.start().wait(), job.made


def test_a_child_makes_the_problem_and_the_way_of_the_field():
    scene = lamp()
    running = discretize_scene(scene, mesh_scene(scene))
    moved = replace(scene, materials=(displaced(scene.materials[0], (0.05, 0.02)),))
    further = Remeshing(running, moved)
    mesh, made = there(further)
    problem, carrying = further.received(made)
    here = remeshed(running, moved, mesh)
    for part in PARTS:
        assert alike(getattr(problem, part), getattr(here, part)), part
    assert problem.dt_max == here.dt_max
    assert problem.reckoned_from is running
    assert problem.scene is moved
    assert carrying.goes(running.discretization, problem.discretization)
    d = running.discretization
    fields = [np.sin(3 * d.x + 2 * d.y), d.x * d.y]
    alone = Carrying(d, here.discretization)(fields)
    for one, other in zip(carrying(fields), alone, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_steps_are_compared_with_is_found_once():
    scene = lamp()
    running = discretize_scene(scene, mesh_scene(scene))
    moved = replace(scene, materials=(displaced(scene.materials[0], (0.05, 0.02)),))
    assert known_quick_step(running) is None
    first = Remeshing(running, moved)
    _, made = there(first)
    problem, _ = first.received(made)
    assert known_quick_step(running) == made.quick_step == quick_step_of(running)
    # The next one from there takes it along.
    further = pickle.loads(pickle.dumps(Remeshing(problem, moved)))
    assert known_quick_step(further.problem.reckoned_from) == made.quick_step


def test_an_error_of_the_scene_comes_back_from_the_child():
    scene = lamp()
    running = discretize_scene(scene, mesh_scene(scene))
    outside = replace(scene, probes=(replace(scene.probes[0], position=(9.0, 9.0)),))
    with pytest.raises(SceneError, match="probe"):
        there(Remeshing(running, outside))


def test_what_is_not_reckoned_stays_so():
    scene = lamp()
    mesh = mesh_scene(scene)
    running = discretize_scene(scene, mesh)
    further = Remeshing(running, replace(scene, solver=replace(scene.solver, order=2)))
    problem, _ = further.received(pickle.loads(pickle.dumps(further))(mesh))
    assert problem.reckoned_from is None


@pytest.mark.parametrize(("what", "name"), EVERY)
def test_problems_of_every_kind_travel(what, name):
    registry, scene_of = SCENES[what]
    scene = scene_of(registry[name])
    problem = discretize_scene(scene, mesh_scene(scene))
    back = pickle.loads(pickle.dumps(problem, protocol=5))
    for part in PARTS:
        assert alike(getattr(back, part), getattr(problem, part)), part
    assert back.discretization.element is problem.discretization.element
    for (_, term), (_, other) in zip(back.driven, problem.driven, strict=True):
        if hasattr(term, "waveform"):
            assert term.waveform(0.3) == other.waveform(0.3)
