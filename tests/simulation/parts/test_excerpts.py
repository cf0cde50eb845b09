"""A run of which the first rank sees an excerpt of the mesh does what a run on all of it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.sample_kinds import BOX, EVERY, SCENES, made
from wavelab.errors import MeshError, SceneError, WavelabError
from wavelab.meshing.formats import write_mesh
from wavelab.meshing.job import mesh_scene
from wavelab.meshing.parts.part_files import (
    INDEX,
    PartIndex,
    new_directory,
    read_index,
    write_parts,
)
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.mesh_part import deal_out
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.time import time_step
from wavelab.scene.model.scene import Probe, Scene
from wavelab.scene.sources.point import PointSource
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.walls.open import OpenWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.summary import Summary
from wavelab.simulation.parts import excerpts
from wavelab.simulation.parts.excerpts import problem_of_parts, whole_mesh
from wavelab.simulation.parts.places import looks_everywhere
from wavelab.simulation.steppers.dealing_out import made_of_parts
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.rank_part import Place
from wavelab.simulation.steppers.steppers import make_stepper

STEPS, SHORT = 6, 0.25
QUIET = BatchOptions(backend="numpy", progress=False)


@pytest.fixture(autouse=True)
def small_meshes_are_large(monkeypatch):
    """Little is looked at to find the time step, so that an excerpt is less than a small mesh."""
    monkeypatch.setattr(time_step, "CANDIDATES", 8)
    monkeypatch.setattr(time_step, "WORST_ELEMENTS", 4)
    monkeypatch.setattr(time_step, "_SPREAD_ELEMENTS", 2)


def parted(folder: Path, mesh: Mesh, n: int, name: str = "parts") -> tuple[Path, PartIndex]:
    folder.mkdir(exist_ok=True)
    file = folder / "mesh.msh"
    write_mesh(mesh, file)
    with new_directory(folder / name) as directory:
        return directory, write_parts(
            directory, deal_out(mesh, n), file, mesh.region_names, mesh.face_names, mesh.n_vertices
        )


def finer(scene: Scene) -> Scene:
    return replace(scene, solver=replace(scene.solver, element_size=0.06, order=2))


def run(simulation: Simulation) -> Simulation:
    for _ in range(STEPS):
        simulation.advance(1)
    simulation.check()
    return simulation


def on_one(problem: Problem) -> Simulation:
    stepper = make_stepper(
        problem.operator, dt=SHORT * problem.dt_max, scheme=problem.scheme, backend="numpy"
    )
    return run(Simulation(problem, stepper))


@contextmanager
def on_parts(scene: Scene, mesh: Mesh, n_ranks: int, folder: Path) -> Iterator[Simulation]:
    group = RankGroup.of_threads(n_ranks)
    directory, index = parted(folder, mesh, n_ranks)
    problem, dealt = problem_of_parts(scene, group, directory, index)
    stepper = made_of_parts(
        problem, group, dealt, dt=SHORT * problem.dt_max, backend="numpy", device=None
    )
    yield run(Simulation(problem, stepper))
    group.end()


def places_in(whole: Simulation, excerpt: Simulation) -> np.ndarray:
    """Which elements of the mesh those of an excerpt are."""
    keys = {}
    d = whole.problem.discretization
    for i, (x, y) in enumerate(zip(d.x.tolist(), d.y.tolist(), strict=True)):
        keys[tuple(x), tuple(y)] = i
    d = excerpt.problem.discretization
    return np.array(
        [keys[tuple(x), tuple(y)] for x, y in zip(d.x.tolist(), d.y.tolist(), strict=True)]
    )


def check_alike(whole: Simulation, excerpt: Simulation) -> None:
    assert excerpt.dt == pytest.approx(whole.dt, rel=1e-13)
    rows = places_in(whole, excerpt)
    assert (np.diff(rows) > 0).all()
    expected, found = whole.stepper.fields(), excerpt.stepper.fields()
    largest = max(float(np.abs(values).max()) for values in expected.arrays)
    assert largest > 1e-6
    for name in expected.names:
        off = np.abs(getattr(found, name) - getattr(expected, name)[rows]).max()
        assert off <= 1e-12 * largest, name
    energies = whole.element_energy(), excerpt.element_energy()
    assert energies[1].sum() == pytest.approx(energies[0].sum(), rel=1e-12)
    for one, other in zip(whole.measured(), excerpt.measured(), strict=True):
        assert one.arrays.keys() == other.arrays.keys()
        for name, values in one.arrays.items():
            scale = float(np.abs(values).max(initial=0.0)) or 1.0
            assert np.abs(other.arrays[name] - values).max(initial=0.0) <= 1e-11 * scale, name


def of_a_kind(what: str, name: str) -> Scene:
    registry, scene_with = SCENES[what]
    return finer(scene_with(registry[name]))


#: Of waveforms and shapes one each, which act all alike.
KINDS = [
    pair
    for pair in EVERY
    if pair[0] not in ("waveform", "hole", "domain") or pair[1] in ("sine", "ellipse")
    if not looks_everywhere(of_a_kind(*pair))
]


@pytest.mark.parametrize("pair", KINDS, ids=" ".join)
def test_every_kind_acts_through_an_excerpt(pair, tmp_path):
    scene = of_a_kind(*pair)
    mesh = mesh_scene(scene)
    with on_parts(scene, mesh, 2, tmp_path) as excerpt:
        check_alike(on_one(discretize_scene(scene, mesh)), excerpt)


#: Something of all that an excerpt is made for: a layer, an absorbing wall, a curved hole, a source
#: that reaches over a border between parts, a field at the start, a lossy medium.
ROOM = replace(
    finer(of_a_kind("hole", "ellipse")),
    initial=BOX.initial,
    walls=(OpenWall(("domain.right",), thickness=0.2), AbsorbingWall(("domain.left",))),
    sources=(made(PointSource, position=(0.15, 0.2), radius=0.01),),
)


def test_an_excerpt_is_a_part_of_the_mesh_and_all_fields_are_those_of_one(tmp_path, monkeypatch):
    mesh = mesh_scene(ROOM)
    whole = on_one(discretize_scene(ROOM, mesh))
    with on_parts(ROOM, mesh, 3, tmp_path) as excerpt:
        check_alike(whole, excerpt)
        seen = excerpt.problem.discretization
        assert seen.n_elements < 0.8 * mesh.n_elements
        assert excerpt.problem.n_elements == mesh.n_elements
        assert excerpt.problem.unknowns == whole.problem.operator.unknowns
        assert excerpt.problem.notices == whole.problem.notices
    everywhere = Place(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]), closed=True, filled=True)
    usual = excerpts.places_of
    monkeypatch.setattr(excerpts, "places_of", lambda scene: [*usual(scene), everywhere])
    with on_parts(ROOM, mesh, 4, tmp_path / "all") as all_of_it:
        assert all_of_it.problem.discretization.n_elements == mesh.n_elements
        check_alike(whole, all_of_it)


@pytest.fixture
def room(tmp_path) -> tuple[Scene, Mesh]:
    """With a mesh file."""
    scene = replace(ROOM, holes=(), walls=ROOM.walls[1:])
    mesh = mesh_scene(scene)
    write_mesh(mesh, tmp_path / "mesh.msh")
    return replace(scene, outline=None, mesh_file=tmp_path / "mesh.msh"), mesh


def parted_run(scene: Scene, directory: Path, n_ranks: int, **options) -> tuple[Summary, list[str]]:
    told: list[str] = []
    group = RankGroup.of_threads(n_ranks) if n_ranks > 1 else None
    try:
        summary = run_batch(
            scene, replace(QUIET, **options), notify=told.append, ranks=group, parts=directory
        )
    finally:
        if group is not None:
            group.end()
    return summary, told


def test_a_run_of_parts_tells_what_a_run_of_the_mesh_does(room, tmp_path):
    scene, mesh = room
    directory, _ = parted(tmp_path, mesh, 2)
    one = run_batch(scene, QUIET)
    two, told = parted_run(scene, directory, 2)
    assert not any("whole mesh" in text for text in told)
    for name in ("elements", "unknowns", "steps", "order"):
        assert one[name] == two[name], name
    for name in ("initial", "final", "largest"):
        assert two["energy"][name] == pytest.approx(one["energy"][name], rel=1e-12)
    its, theirs = (run["probes"]["p"]["ez"] for run in (two, one))
    assert np.abs(theirs).max() > 0
    assert np.abs(its - theirs).max() <= 1e-12 * np.abs(theirs).max()


@pytest.mark.parametrize("why", ["--ledger", "a periodic wall"])
def test_what_looks_at_all_of_it_has_the_first_rank_hold_the_mesh(room, tmp_path, why):
    scene, mesh = room
    directory, _ = parted(tmp_path, mesh, 2)
    if why == "a periodic wall":
        periodic = SCENES["wall"][0]["periodic"]
        scene = replace(scene, walls=(made(periodic, edges=("domain.top", "domain.bottom")),))
    one = run_batch(scene, QUIET)
    two, told = parted_run(scene, directory, 2, ledger=why == "--ledger")
    assert f"the first rank holds the whole mesh, for {why}" in told
    assert two["energy"]["final"] == pytest.approx(one["energy"]["final"], rel=1e-12)


def test_one_process_puts_the_mesh_together(room, tmp_path):
    scene, mesh = room
    directory, index = parted(tmp_path, mesh, 1)
    whole = whole_mesh(directory, index)
    assert whole.n_elements == mesh.n_elements
    assert parted_run(scene, directory, 1)[0]["elements"] == mesh.n_elements


def test_parts_that_do_not_suit_are_refused(room, tmp_path):
    scene, mesh = room
    directory, index = parted(tmp_path, mesh, 2)
    with pytest.raises(WavelabError, match="2 parts, and there are 3 ranks"):
        parted_run(scene, directory, 3)
    with pytest.raises(WavelabError, match="draws its own domain"):
        parted_run(ROOM, directory, 2)
    with pytest.raises(SceneError, match='edge "nowhere"'):
        parted_run(replace(scene, walls=(AbsorbingWall(("nowhere",)),)), directory, 2)
    with pytest.raises(SceneError, match='probe "out"'):
        parted_run(replace(scene, probes=(Probe("out", (3.0, 3.0)),)), directory, 2)
    (directory / index.parts[1].file).unlink()
    with pytest.raises(MeshError, match="part 1 is missing") as refused:
        parted_run(scene, directory, 2)
    assert "rank 1" in refused.value.where
    write_mesh(replace(mesh, vertices=2 * mesh.vertices), scene.mesh_file)
    with pytest.raises(MeshError, match="not the mesh that was parted"):
        parted_run(scene, directory, 2)
    (directory / INDEX).unlink()
    with pytest.raises(MeshError, match=r"has no parts\.json"):
        read_index(directory)
