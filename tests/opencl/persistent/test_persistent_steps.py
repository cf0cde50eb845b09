"""Many steps in one launch are those steps, whatever acts around their stages.

A processor runs few groups at the same time, so here it is mostly one that does everything.
"""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pyopencl as cl
import pytest

from tests.opencl.conftest import mixed_operator
from tests.products import ALL, only_in_hunt
from tests.sample_kinds import EVERY, SCENES
from wavelab.errors import DeviceError
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.properties import kind_of
from wavelab.opencl.elements import curved
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.persistent import building, together
from wavelab.opencl.persistent.steps import PersistentSteps
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.configs import by_node, unrolled_config
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

#: One for each set of kernels; all of them: EVERY=all pytest tests/opencl/persistent
KINDS = (
    EVERY
    if ALL
    else [
        ("wall", "open"), ("phase", "periodic"), ("source", "plane_wave"), ("source", "current"),
        ("monitor", "far_field"), ("formula", "mu"), ("medium", "crystal"), ("source", "moving"),
    ]
)  # fmt: skip
#: In batches, after which a step of an odd number of stages has the other buffers.
BATCHES = (1, 6)


@dataclass
class Run:
    """What came out of some steps."""

    fields: MaxwellFields
    samples: np.ndarray
    measured: list[np.ndarray]
    together: bool


def small(scene: Scene) -> Scene:
    """Fewer and simpler elements, which compile sooner."""
    return replace(scene, solver=replace(scene.solver, order=2, until=1.0))


def run(problem: Problem, groups: int | None, config: KernelConfig | None = None) -> Run:
    """With so many groups; None for NumPy."""
    dt, scheme = 0.25 * problem.dt_max, problem.scheme
    if groups is None:
        stepper = NumpyStepper(problem.operator, dt=dt, scheme=scheme)
    else:
        stepper = OpenCLStepper(
            problem.operator, dt=dt, scheme=scheme, precision="double", groups=groups, config=config
        )
    simulation = Simulation(problem, stepper)
    samples = [simulation.advance(count)[1] for count in BATCHES]
    measured = [a for result in simulation.measured() for a in result.arrays.values()]
    together = isinstance(stepper, OpenCLStepper) and stepper._persistent.works
    found = Run(stepper.fields(), np.concatenate(samples), measured, together)
    simulation.close()
    return found


def assert_alike(found: Run, expected: Run, within: float) -> None:
    largest = np.abs(expected.fields.ez).max()
    for name in ("hx", "hy", "ez"):
        error = np.abs(getattr(found.fields, name) - getattr(expected.fields, name)).max()
        assert error <= within * largest, name
    for one, other in zip(found.fields.auxiliary, expected.fields.auxiliary, strict=True):
        assert np.abs(one - other).max(initial=0) <= within * np.abs(other).max(initial=0)
    for one, other in zip(found.measured, expected.measured, strict=True):
        assert np.abs(one - other).max(initial=0) <= within * np.abs(other).max(initial=0)


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_what_acts_around_the_stages_acts_in_one_launch_too(kind):
    what, name = kind
    registry, scene_with = SCENES[what]
    scene = small(scene_with(registry[name]))
    problem = discretize_scene(scene, mesh_scene(scene))
    together = run(problem, 1)
    assert together.together
    assert_alike(together, run(problem, 0), 1e-13)
    assert_alike(together, run(problem, None), 1e-9)


# PoCL's compiler takes 14 s for the second.
@pytest.mark.parametrize(
    "kind", [("source", "plane_wave"), *only_in_hunt(("wall", "open"))], ids=" ".join
)
def test_a_group_does_what_asks_for_fewer_items_side_by_side(monkeypatch, kind):
    """As on a graphics card: an item for each node, and the items of an element with faces that
    something comes through are a part of a group.  Those of elements with arcs are so too, but
    PoCL's compiler gets them wrong in one group with others."""
    monkeypatch.setattr(curved, "kind_of", lambda device: "GPU")
    what, name = kind
    registry, scene_with = SCENES[what]
    scene = small(scene_with(registry[name]))
    problem = discretize_scene(scene, mesh_scene(scene))
    together = run(problem, 1, by_node(2, 16, 1))
    assert together.together
    assert_alike(together, run(problem, 0, by_node(2, 16, 1)), 1e-13)
    assert_alike(together, run(problem, None), 1e-9)


def stepper_of(groups: int, config: KernelConfig | None = None, *, n: int = 5, epsilon: float = 1):
    operator = mixed_operator(2, 1.0, n=n)
    operator = replace(operator, epsilon=epsilon * operator.epsilon)
    stepper = OpenCLStepper(operator, dt=1e-3, precision="double", groups=groups, config=config)
    rng = np.random.default_rng(3)
    shape = operator.discretization.shape
    stepper.set_fields(MaxwellFields(*(rng.standard_normal(shape) for _ in range(3))))
    return stepper


@pytest.mark.parametrize(
    "config",
    [
        unrolled_config(1, 32),
        KernelConfig(32, 1, 16, tile=2),
        by_node(2, 16, 1),
        *only_in_hunt(unrolled_config(4, 32)),
    ],
    ids=["unrolled", "loops", "nodes", *only_in_hunt("halves")],
)
def test_groups_that_share_elements_among_their_items_agree(config):
    """As on a graphics card: several work items to an element, 32 elements to a group."""
    alone, together = stepper_of(0, config), stepper_of(1, config)
    for stepper in (alone, together):
        stepper.advance(3)
    assert together._persistent.works
    assert np.allclose(together.fields().ez, alone.fields().ez, rtol=0, atol=1e-13)
    for stepper in (alone, together):
        stepper.close()


def test_groups_that_do_not_all_run_are_found_out_and_the_steps_are_taken_otherwise():
    device = choose_device(precision="double")
    if kind_of(device) != "CPU":
        pytest.skip("a graphics card has room for that many groups at once")
    n = 2 + int(np.sqrt(4 * device.max_compute_units))
    many, alone = stepper_of(8 * device.max_compute_units, n=n), stepper_of(0, n=n)
    for stepper in (many, alone):
        stepper.advance(2)
    assert not many._persistent.works
    assert np.array_equal(many.fields().ez, alone.fields().ez)
    for stepper in (many, alone):
        stepper.close()


def test_it_is_compiled_beside_steps_once_these_have_been_taken_for_a_while(monkeypatch):
    stepper, alone = stepper_of(1), stepper_of(0)
    stepper._persistent.beside = True
    monkeypatch.setattr(together, "_SETTLED", 1e9)
    stepper.advance(2)
    assert not compiling()
    assert stepper._persistent._steps is None
    monkeypatch.setattr(together, "_SETTLED", 0.0)
    stepper.advance(2)
    for thread in compiling():
        thread.join()
    stepper.advance(2)
    assert stepper._persistent.works
    alone.advance(6)
    assert np.array_equal(stepper.fields().ez, alone.fields().ez)
    for each in (stepper, alone):
        each.close()


def test_while_numbers_are_turned_it_is_compiled_once(monkeypatch):
    """A card's compiler takes seconds: one for each change would take all processors."""
    stepper, built, may_go_on = stepper_of(1), [], threading.Event()
    build = building.build

    def slowly(context, source, device):
        built.append(source)
        assert may_go_on.wait(60)
        return build(context, source, device)

    monkeypatch.setattr(building, "build", slowly)
    monkeypatch.setattr(together, "_SETTLED", 0.0)
    stepper._persistent.beside = True
    for number in range(4):
        other = replace(stepper.operator, sigma=stepper.operator.sigma + 0.1 * number)
        assert stepper.set_operator(other, (), stepper.dt)
        stepper.advance(2)
    assert len(built) == 1
    may_go_on.set()
    for thread in compiling():
        thread.join()
    stepper.advance(2)
    assert stepper._persistent.works
    monkeypatch.setattr(together, "_SETTLED", 1e9)
    assert stepper.set_operator(other, (), stepper.dt)
    stepper.advance(2)
    assert not stepper._persistent.works, "not at once, for more may be changed"
    stepper.close()


def compiling() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "compile steps"]


def test_where_too_many_groups_do_not_all_run_half_of_them_may(monkeypatch):
    gave_up = PersistentSteps._gave_up
    monkeypatch.setattr(
        PersistentSteps, "_gave_up", lambda self: self._n_groups > 1 or gave_up(self)
    )
    half, alone = stepper_of(2), stepper_of(0)
    for stepper in (half, alone):
        stepper.advance(2)
    assert half._persistent.works
    assert np.array_equal(half.fields().ez, alone.fields().ez)
    for stepper in (half, alone):
        stepper.close()


def test_a_moving_source_gets_more_room_where_it_needs_it(monkeypatch):
    monkeypatch.setattr("wavelab.opencl.extensions.sources._LEAST_ROOM", 1)
    registry, scene_with = SCENES["source"]
    scene = small(scene_with(registry["moving"]))
    scene = replace(scene, solver=replace(scene.solver, element_size=0.1))
    problem = discretize_scene(scene, mesh_scene(scene))
    found = run(problem, 1)
    assert found.together
    assert_alike(found, run(problem, None), 1e-12)
    sizes, made = [], []
    stepper = OpenCLStepper(problem.operator, dt=problem.dt_max, scheme=problem.scheme, groups=1)
    with closing(Simulation(problem, stepper)) as simulation:
        for _ in range(12):
            simulation.advance(1)
            sizes.append(stepper._sources[0].size)
            made.append(stepper._persistent._steps)
    assert len(set(sizes)) > 1
    changes = zip(sizes, sizes[1:], made, made[1:], strict=False)
    for before, after, one, other in changes:
        assert (before == after) == (one is other)


def test_numbers_of_a_scene_are_no_part_of_the_source():
    one, other = stepper_of(1), stepper_of(1, epsilon=1.7)
    for stepper in (one, other):
        stepper.advance(1)
    sources = {s._persistent._steps._program.source for s in (one, other)}
    assert len(sources) == 1
    for stepper in (one, other):
        stepper.close()


def test_steps_that_were_not_taken_to_the_end_are_told():
    stepper = stepper_of(1)
    stepper.advance(1)
    steps = stepper._persistent._steps
    before = stepper.fields().ez
    cl.enqueue_copy(stepper.memory.queue, steps._met, np.array([0, 1], np.int32))
    stepper.advance(1)
    with pytest.raises(DeviceError, match="in vain"):
        stepper.synchronize()
    assert np.array_equal(stepper._variant.get_fields().ez, before)
    stepper.close()
