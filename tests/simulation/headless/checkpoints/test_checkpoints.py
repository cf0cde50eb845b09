"""A run that is ended at any moment and gone on with by another process comes to the same end, bit
for bit: its numbers, its files, and the pictures of its movie."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wavelab
from tests.simulation.past.test_exact import SCENES
from wavelab.errors import DeviceError, OutputError, WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.monitors import FluxMonitor
from wavelab.scene.sources import PointSource
from wavelab.scene.waveforms import Ricker
from wavelab.scene.waveforms.file_waveform import FileWaveform
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.checkpoints import checkpoint as checkpoint_file
from wavelab.simulation.headless.checkpoints import schedule
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.headless.checkpoints.schedule import Checkpoints
from wavelab.simulation.headless.resuming import resume_batch
from wavelab.simulation.headless.summary import Summary, as_json
from wavelab.simulation.records.wav import write_wav

pytestmark = pytest.mark.usefixtures("not_optimised")

SIMPLE = Scene(
    "Simple",
    Solver(0.3, order=2, until=0.6),
    sources=(PointSource("pulse", (0.35, 0.5), 0.08, 1.0, Ricker(3.0, 0.3)),),
    probes=(Probe("p", (0.6, 0.4)),),
    pings=(Ping(0.2, (0.7, 0.3), 0.1, 1.0),),
    monitors=(FluxMonitor("flux", ((0.75, 0.2), (0.75, 0.8)), frequencies=(0.8, 1.2)),),
)


NUMPY = BatchOptions(backend="numpy", progress=False)


class Killed(BaseException):
    """In the place of SIGKILL."""


def run(scene: Scene, options: BatchOptions, mesh=None) -> Summary:
    mesh = mesh or mesh_scene(scene)
    scene = options.applied(scene)
    made = Checkpoints(options, scene, mesh, print) if options.checkpoint is not None else None
    return run_problem(discretize_scene(scene, mesh), options, checkpoints=made)


def resumed(path: Path, **wished) -> Summary:
    begun = read_checkpoint(path)
    options = begun.options_again(BatchOptions(**wished), path)
    return resume_batch(begun, options, begun.scene_again())


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


def found(folder: Path, summary: Summary) -> dict[str, object]:
    """All that must be the same: bytes of files, pictures of movies, and what is told."""
    of = {
        path.name: _pictures(path)
        if path.suffix in (".mp4", ".webm", ".gif")
        else path.read_bytes()
        for path in sorted(folder.iterdir())
    }
    told = {name: part for name, part in summary.items() if name != "wall_s"}
    return of | {"told": as_json(told).replace(str(folder), "")}


def _pictures(path: Path) -> list[bytes]:
    with av.open(str(path)) as movie:
        return [frame.to_ndarray(format="rgb24").tobytes() for frame in movie.decode(video=0)]


def options_in(folder: Path, scene: Scene, **more) -> BatchOptions:
    folder.mkdir()
    given = {
        "progress": False,
        "ledger": True,
        "snapshot": folder / "wave.h5",
        "snapshot_every": 0.11,
        "probes": folder / "p.csv" if scene.probes else None,
        "monitors": folder / "m.h5" if scene.monitors else None,
    }
    return BatchOptions(**given | more)


CASES = [
    *itertools.product(SCENES, ["auto"], ["numpy", "opencl"]),
    *itertools.product(
        ["layers, poles, waves and monitors", "a source that jumps"], ["local"], ["numpy", "opencl"]
    ),
]


@pytest.mark.parametrize(("name", "stepper", "backend"), CASES, ids=[" ".join(c) for c in CASES])
def test_the_end_is_the_same_to_the_bit(name, stepper, backend, tmp_path, killed_after):
    precision = "double" if "double" in name else "single"
    solver = Solver(0.25, order=2, precision=precision, until=0.3, stepper=stepper)
    scene = replace(SCENES[name], solver=solver)
    mesh, more = mesh_scene(scene), {"backend": backend}
    whole = options_in(tmp_path / "whole", scene, **more)
    expected = found(tmp_path / "whole", run(scene, whole, mesh))
    file = tmp_path / "run.h5"
    parted = options_in(tmp_path / "parted", scene, **more, checkpoint=file, every=0.0)
    killed_after(2)
    with pytest.raises(Killed):
        run(scene, parted, mesh)
    step = read_checkpoint(file).mark.moment.step
    killed_after(1)
    with pytest.raises(Killed):
        resumed(file)
    assert step < read_checkpoint(file).mark.moment.step
    killed_after(1 << 30)
    summary = resumed(file, every=1e9)
    assert not file.exists()
    same(found(tmp_path / "parted", summary), expected)


@pytest.mark.parametrize("suffix", [".gif", ".mp4", ".webm"])
def test_a_movie_is_one_movie_however_often_it_was_gone_on_with(suffix, tmp_path, killed_after):
    def options(name: str, **more) -> BatchOptions:
        (tmp_path / name).mkdir()
        movie = tmp_path / name / f"wave{suffix}"
        given = {"movie": movie, "size": (64, 48), "time_per_frame": 0.02, "arrows": "power"}
        return BatchOptions(backend="numpy", progress=False, **given, **more)

    mesh, file = mesh_scene(SIMPLE), tmp_path / "run.h5"
    expected = found(tmp_path / "whole", run(SIMPLE, options("whole"), mesh))
    killed_after(4)
    with pytest.raises(Killed):
        run(SIMPLE, options("parted", checkpoint=file, every=0.0), mesh)
    # What a killed process has left of the next part is in nobody's way.
    (tmp_path / "parted" / f"wave.part005.partial{suffix}").write_bytes(b"half a picture")
    killed_after(3)
    with pytest.raises(Killed):
        resumed(file)
    killed_after(1 << 30)
    parted = found(tmp_path / "parted", resumed(file, every=1e9))
    name = f"wave{suffix}"
    assert list(parted) == [name, "told"]
    assert len(parted[name]) == len(expected[name]) > 20
    if suffix == ".gif":  # the others lose something, and begin anew with each part
        same(parted, expected)


def test_a_part_of_a_movie_that_is_gone_is_told(tmp_path, killed_after):
    file, movie = tmp_path / "run.h5", tmp_path / "wave.gif"
    killed_after(1)
    with pytest.raises(Killed):
        run(SIMPLE, replace(NUMPY, checkpoint=file, every=0.0, movie=movie, size=(64, 48)))
    (tmp_path / "wave.part001.gif").unlink()
    with pytest.raises(OutputError, match="there no more") as error:
        resumed(file)
    assert error.value.remedy


@pytest.fixture
def begun(tmp_path, killed_after) -> Path:
    """The checkpoint of a run."""
    file = tmp_path / "run.h5"
    killed_after(1)
    with pytest.raises(Killed):
        run(SIMPLE, replace(NUMPY, checkpoint=file, every=0.0, probes=tmp_path / "p.csv"))
    killed_after(1 << 30)
    return file


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(data=st.data())
def test_a_file_that_is_cut_off_or_damaged_is_refused(begun, data):
    content = begun.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    damaged = begun.with_name("damaged.h5")
    if data.draw(st.booleans()):
        damaged.write_bytes(content[:place])
    else:
        changed = bytes([content[place] ^ data.draw(st.integers(1, 255))])
        damaged.write_bytes(content[:place] + changed + content[place + 1 :])
    with pytest.raises(OutputError) as error:
        read_checkpoint(damaged)
    assert error.value.remedy


def test_what_is_no_checkpoint_is_refused(begun, tmp_path, monkeypatch):
    with pytest.raises(OutputError, match="cannot be read: No such file"):
        read_checkpoint(tmp_path / "nothing.h5")
    other = tmp_path / "other.h5"
    run(SIMPLE, replace(NUMPY, snapshot=other))
    with pytest.raises(OutputError, match="no wavelab checkpoint"):
        read_checkpoint(other)
    monkeypatch.setattr(wavelab, "__version__", "77.0")
    with pytest.raises(OutputError, match=r"written by version .* 77\.0") as error:
        read_checkpoint(begun)
    assert error.value.remedy


def test_a_run_goes_on_as_it_was_begun(begun, tmp_path, monkeypatch):
    checkpoint = read_checkpoint(begun)
    checkpoint.check_same(SIMPLE, replace(NUMPY, every=3.0, probes=tmp_path / "p.csv"))
    checkpoint.check_same(None, BatchOptions())
    with pytest.raises(WavelabError, match="movie is") as error:
        checkpoint.check_same(None, BatchOptions(movie=tmp_path / "wave.mp4"))
    assert error.value.remedy
    for other in (replace(SIMPLE, probes=()), replace(SIMPLE, title="Another")):
        with pytest.raises(WavelabError, match="not of this scene") as error:
            checkpoint.check_same(other, BatchOptions())
        assert error.value.remedy
    monkeypatch.setattr(checkpoint_file, "machine_of", lambda stepper: "opencl, a card, driver 7")
    with pytest.raises(DeviceError, match=r"was begun on numpy.* opencl, a card") as error:
        resumed(begun)
    assert error.value.remedy


def test_a_recording_that_has_become_another_is_told(tmp_path, killed_after):
    recording, file = tmp_path / "knock.wav", tmp_path / "run.h5"
    write_wav(recording, np.sin(np.arange(900.0) / 20))
    wave = FileWaveform(recording, pace=0.05)
    scene = replace(SIMPLE, sources=(replace(SIMPLE.sources[0], waveform=wave),))
    options = replace(NUMPY, checkpoint=file, every=0.0)
    killed_after(1)
    with pytest.raises(Killed):
        run(scene, options)
    killed_after(1 << 30)
    content = recording.read_bytes()
    recording.write_bytes(content[:-2] + b"\0\0")
    with pytest.raises(WavelabError, match="another file") as error:
        resumed(file)
    assert error.value.remedy
    recording.write_bytes(content)
    assert resumed(file)["time"] == pytest.approx(0.6)


def test_a_checkpoint_that_cannot_be_written_is_told_once_and_costs_nothing_else(
    tmp_path, monkeypatch
):
    def full(*_) -> None:
        raise OutputError("cannot be written: the disk is full")

    told: list[str] = []
    monkeypatch.setattr(schedule, "write_state", full)
    mesh, options = mesh_scene(SIMPLE), replace(NUMPY, checkpoint=tmp_path / "run.h5", every=0.0)
    kept = Checkpoints(options, SIMPLE, mesh, told.append)
    summary = run_problem(discretize_scene(SIMPLE, mesh), options, checkpoints=kept)
    assert summary["time"] == pytest.approx(0.6)
    assert told == ["no checkpoint: cannot be written: the disk is full"]
    assert not list(tmp_path.iterdir())


def same(one: dict, other: dict) -> None:
    assert list(one) == list(other)
    for name, value in one.items():
        assert value == other[name], name
