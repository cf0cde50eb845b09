"""Local time steps on many ranks are those on one: with clusters that borders of parts cut through,
and all that local time stepping allows acting there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_kinds import EVERY, SCENES
from tests.simulation.past.test_exact import REMEMBERING
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics import problem as problems
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.subdomains import partition
from wavelab.physics.time.local_stepping import stable_rates
from wavelab.scene.model.scene import Scene
from wavelab.scene.sources import SOURCES
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.partitioned import PartitionedStepper
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.steppers import stepper_of

pytestmark = pytest.mark.usefixtures("not_optimised")

#: Steps of a run, and numbers of ranks.  (All kinds, and more steps: LOCAL_KINDS=all
#: RANK_STEPS=1000 RANKS=2,4 pytest tests/simulation/steppers/test_local_steps_on_ranks.py)
STEPS = int(os.environ.get("RANK_STEPS", "12"))
RANKS = [int(n) for n in os.environ.get("RANKS", "2,4").split(",")]


def clusters_from_the_left(operator, equations=()) -> tuple[Clusters, float]:
    """Three levels whatever the sizes: elements on the left are the fastest, those beside them the
    next."""
    d = operator.discretization
    left, width = d.x.min(), np.ptp(d.x)
    levels = np.searchsorted([left + 0.2 * width, left + 0.45 * width], d.x.min(axis=1))
    neighbors = d.connectivity.neighbor_element
    for _ in range(3):
        levels = np.minimum(levels, levels[neighbors].min(axis=1) + 1)
    return Clusters(levels.astype(np.int32)), 1 / float(stable_rates(operator, equations).max())


def across(neighbor_element, weights, centers, n_parts: int, ties) -> np.ndarray:
    """Parts one above the other, so that borders cross all clusters, and of each some elements in
    the next one."""
    order = np.argsort(centers[:, 1], kind="stable")
    parts = np.empty(len(order), np.int64)
    parts[order] = np.arange(len(order)) * n_parts // len(order)
    parts[::11] = (parts[::11] + 1) % n_parts
    return parts


@pytest.fixture(autouse=True)
def cut_through_all_clusters(monkeypatch) -> None:
    monkeypatch.setattr(problems, "local_clusters", clusters_from_the_left)
    monkeypatch.setattr(partition, "partitioned", across)


def problem_of(scene: Scene) -> Problem:
    solver = replace(scene.solver, element_size=0.08, stepper="local", until=1e3)
    scene = replace(scene, solver=solver)
    return discretize_scene(scene, mesh_scene(scene))


def run(problem: Problem, backend: str, ranks: RankGroup | None) -> Simulation:
    stepper = stepper_of(problem, backend=backend, precision="double", ranks=ranks)
    simulation = Simulation(problem, stepper)
    simulation.advance(STEPS)
    return simulation


def near(found: np.ndarray, expected: np.ndarray, largest: float | None = None) -> bool:
    """To 1e-12 of the largest value."""
    if not expected.size:
        return not found.size
    scale = largest or float(np.abs(expected).max()) or 1.0
    return float(np.abs(found - expected).max()) <= 1e-12 * scale


def check(problem: Problem, backend: str, numbers: Sequence[int] = RANKS) -> None:
    one = run(problem, backend, None)
    expected = one.stepper.fields()
    largest = max(float(np.abs(values).max()) for values in expected.arrays)
    assert 1e-6 < largest < 1e6
    measured = one.measured()
    one.close()
    for n_ranks in numbers:
        group = RankGroup.of_threads(n_ranks)
        many = run(problem, backend, group)
        assert isinstance(many.stepper, PartitionedStepper)
        assert levels_at_borders(problem, many.stepper.parts) == {0, 1, 2}
        found = many.stepper.fields()
        for name in expected.names:
            assert near(getattr(found, name), getattr(expected, name), largest), name
        for its, theirs in zip(found.auxiliary, expected.auxiliary, strict=True):
            assert near(its, theirs)
        for its, theirs in zip(many.measured(), measured, strict=True):
            assert its.arrays.keys() == theirs.arrays.keys()
            for name, values in theirs.arrays.items():
                assert near(its.arrays[name], values), name
        many.close()
        group.end()


def levels_at_borders(problem: Problem, parts: Sequence[partition.Subdomain]) -> set[int]:
    halos = np.concatenate([part.elements[part.halo] for part in parts])
    return set(problem.scheme.levels[halos].tolist())


#: All that drives a wave, and one or two of each of the others.
CHOSEN = [
    *(("source", name) for name, kind in SOURCES.items() if kind.equations != "elastic"),
    ("wall", "absorbing"), ("wall", "periodic"), ("monitor", "flux"), ("pole", "lorentz"),
    ("magnetic pole", "debye"), ("hole", "ellipse"),
]  # fmt: skip
KINDS = EVERY if os.environ.get("LOCAL_KINDS") == "all" else CHOSEN


@pytest.mark.parametrize("kind", KINDS, ids=lambda pair: " ".join(pair))
def test_kinds_of_all_that_local_steps_allow(kind):
    what, name = kind
    registry, scene_with = SCENES[what]
    try:
        problem = problem_of(scene_with(registry[name]))
    except SceneError as refused:
        if kind in CHOSEN:
            raise
        pytest.skip(str(refused))
    check(problem, "opencl")


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_layers_poles_waves_and_monitors_at_once(backend):
    check(problem_of(REMEMBERING), backend)
