"""A run on many ranks that is ended at any moment comes to the same end: bit for bit where the mesh
is dealt out as it was, and to rounding on any other number of ranks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests import products
from tests.simulation.past.test_exact import SCENES
from wavelab.errors import DeviceError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.checkpoints import checkpoint as checkpoint_file
from wavelab.simulation.headless.checkpoints import schedule
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.headless.checkpoints.schedule import Checkpoints
from wavelab.simulation.headless.resuming import resume_batch
from wavelab.simulation.headless.summary import Summary, as_json
from wavelab.simulation.steppers.rank_group import RankGroup

pytestmark = pytest.mark.usefixtures("not_optimised")

SOLVER = Solver(0.25, order=2, precision="double", until=0.3)
ALL = "layers, poles, waves and monitors"
CASES = [
    *itertools.product(SCENES, ["numpy"], ["auto"]),
    (ALL, "opencl", "auto"),
    ("media that jump", "opencl", "auto"),
    (ALL, "numpy", "local"),
    (ALL, "opencl", "local"),
]


def other_numbers(case: tuple[str, str, str]) -> tuple[int, ...]:
    """Of ranks, on which it goes on: with NumPy on fewer and on none but one process, in turn, and
    both with all kinds at once; both always: EVERY=all pytest THIS_FILE."""
    name, backend, _ = case
    if backend != "numpy":
        return (2,)
    both = name == ALL or products.ALL
    return (2, 1) if both else (1 + CASES.index(case) % 2,)


class Killed(BaseException):
    """In the place of SIGKILL."""


@pytest.fixture
def killed_after(monkeypatch) -> Iterator:
    """Has a run be killed after so many checkpoints of it."""
    usual = schedule.write_state

    def kill(count: int) -> None:
        left = itertools.count(count - 1, -1)

        def write(*given) -> None:
            usual(*given)
            if next(left) <= 0:
                raise Killed

        monkeypatch.setattr(schedule, "write_state", write)

    return kill


def options_in(folder: Path, backend: str, **more) -> BatchOptions:
    folder.mkdir()
    return BatchOptions(
        backend=backend, progress=False, ledger=True, snapshot=folder / "wave.h5", **more
    )


def begin(scene: Scene, mesh: Mesh, options: BatchOptions, n_ranks: int) -> Summary:
    kept = Checkpoints(options, scene, mesh, print) if options.checkpoint is not None else None
    return run_problem(
        discretize_scene(scene, mesh), options, checkpoints=kept, ranks=group_of(n_ranks)
    )


def go_on(path: Path, n_ranks: int, told: list[str], **wished) -> Summary:
    begun = read_checkpoint(path)
    options = begun.options_again(BatchOptions(**wished), path)
    group = group_of(n_ranks)
    return resume_batch(begun, options, begun.scene_again(), notify=told.append, ranks=group)


def group_of(n_ranks: int) -> RankGroup | None:
    """Threads, which end with this process."""
    return RankGroup.of_threads(n_ranks) if n_ranks > 1 else None


def found(folder: Path, summary: Summary) -> dict[str, object]:
    told = {name: part for name, part in summary.items() if name not in ("wall_s", "device")}
    return {"fields": (folder / "wave.h5").read_bytes(), "told": as_json(told)}


def near(one: object, other: object) -> bool:
    """Numbers to 1e-12 of the largest of their array, all else equal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(near(one[name], other[name]) for name in one)
    if isinstance(one, (list, tuple, np.ndarray)) and np.asarray(one).dtype.kind in "fc":
        one, other = np.asarray(one), np.asarray(other)
        return one.shape == other.shape and bool(
            np.all(np.abs(one - other) <= 1e-12 * max(1.0, np.abs(one).max(initial=0.0)))
        )
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float):
        return abs(one - other) <= 1e-12 * max(1.0, abs(one))
    return bool(np.all(one == other))


def fields_of(path: Path) -> dict[str, np.ndarray]:
    arrays = {}
    with h5py.File(path) as file:
        file.visititems(
            lambda name, item: arrays.update({name: item[()]}) if hasattr(item, "shape") else None
        )
    return arrays


@pytest.mark.parametrize(
    ("name", "backend", "stepper"), CASES, ids=[" ".join(case) for case in CASES]
)
def test_a_run_goes_on_on_as_many_ranks_and_on_others(
    name, backend, stepper, tmp_path, killed_after
):
    # Of local steps there are many more, of several lengths.
    until = SOLVER.until / 2 if stepper == "local" else SOLVER.until
    solver = replace(SOLVER, stepper=stepper, until=until)
    scene = replace(SCENES[name], solver=solver, probes=(Probe("p", (0.6, 0.4)),))
    mesh, file = mesh_scene(scene), tmp_path / "run.h5"
    whole = begin(scene, mesh, options_in(tmp_path / "whole", backend), 3)
    parted = options_in(tmp_path / "parted", backend, checkpoint=file, every=0.0)
    killed_after(2)
    with pytest.raises(Killed):
        begin(scene, mesh, parted, 3)
    middle, told = file.read_bytes(), []

    killed_after(1)
    with pytest.raises(Killed):
        go_on(file, 3, told)
    killed_after(1 << 30)
    summary = go_on(file, 3, told, every=1e9)
    assert not file.exists()
    assert not any("rounding" in text for text in told)
    assert found(tmp_path / "parted", summary) == found(tmp_path / "whole", whole)

    expected = {**fields_of(tmp_path / "whole" / "wave.h5"), "told": whole}
    for n_ranks in other_numbers((name, backend, stepper)):
        file.write_bytes(middle)
        told = []
        killed_after(1)  # once more on as many, with what the first of them has carried
        with pytest.raises(Killed):
            go_on(file, n_ranks, told)
        killed_after(1 << 30)
        assert sum("rounding" in text for text in told) == 1
        summary = go_on(file, n_ranks, told, every=1e9)
        assert sum("rounding" in text for text in told) == 1
        now = {**fields_of(tmp_path / "parted" / "wave.h5"), "told": summary}
        for some in (expected["told"], now["told"]):
            some.pop("wall_s", None), some.pop("device", None)
        assert now.keys() == expected.keys()
        for key, value in expected.items():
            assert near(value, now[key]), (n_ranks, key)


def test_a_run_of_one_process_goes_on_on_many_ranks(tmp_path, killed_after):
    scene = replace(SCENES["media that swing"], solver=SOLVER)
    mesh, file = mesh_scene(scene), tmp_path / "run.h5"
    begin(scene, mesh, options_in(tmp_path / "whole", "numpy"), 1)
    killed_after(2)
    with pytest.raises(Killed):
        parted = options_in(tmp_path / "parted", "numpy", checkpoint=file, every=0.0)
        begin(scene, mesh, parted, 1)
    killed_after(1 << 30)
    go_on(file, 2, [])
    one, two = (fields_of(tmp_path / part / "wave.h5") for part in ("whole", "parted"))
    assert all(near(value, two[key]) for key, value in one.items())


def test_ranks_on_another_device_are_refused(tmp_path, killed_after, monkeypatch):
    scene = replace(SCENES["media that swing"], solver=SOLVER)
    mesh, file = mesh_scene(scene), tmp_path / "run.h5"
    killed_after(1)
    with pytest.raises(Killed):
        parted = options_in(tmp_path / "parted", "numpy", checkpoint=file, every=0.0)
        begin(scene, mesh, parted, 2)
    assert read_checkpoint(file).machine == "numpy, NumPy"
    usual = checkpoint_file.facts_of
    monkeypatch.setattr(
        checkpoint_file,
        "facts_of",
        lambda stepper: [replace(f, device=f"card {i}") for i, f in enumerate(usual(stepper))],
    )
    with pytest.raises(DeviceError, match="this is numpy, card 0 and numpy, card 1") as error:
        go_on(file, 2, [])
    assert error.value.remedy
