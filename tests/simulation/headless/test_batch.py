"""Headless runs: the summary, the files, and the same numbers twice."""

import csv
import json
import os
import signal
from dataclasses import replace
from xml.etree import ElementTree

import av
import h5py
import meshio
import numpy as np
import pytest

from wavelab.ctrl_c import ENDING
from wavelab.errors import OutputError, WavelabError
from wavelab.output.palette import surroundings
from wavelab.simulation.headless import batch, preparing
from wavelab.simulation.headless.batch import run_batch, run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.interrupt import RunInterrupted
from wavelab.simulation.headless.summary import as_json
from wavelab.simulation.movies.film import Film

NUMPY = BatchOptions(backend="numpy", progress=False)
KEYS = [
    "scene",
    "physics",
    "device",
    "backend",
    "precision",
    "stepper",
    "order",
    "elements",
    "unknowns",
    "dt",
    "steps",
    "time",
    "wall_s",
    "energy",
    "error",
    "probes",
]


def test_the_summary_is_as_documented(problem):
    summary = run_problem(problem, NUMPY)
    assert list(summary) == KEYS
    assert json.loads(as_json(summary))["probes"]["p"]["ez"] == list(summary["probes"]["p"]["ez"])
    assert summary["time"] == pytest.approx(0.4, rel=1e-14)
    assert summary["steps"] * summary["dt"] == pytest.approx(0.4, rel=1e-14)
    assert summary["dt"] <= problem.dt_max
    assert (summary["steps"] - 1) * problem.dt_max < 0.4
    assert summary["unknowns"] == 3 * 32 * 10
    assert set(summary["error"]) == {"hx", "hy", "ez"}
    assert 0 < summary["error"]["ez"]["l2"] < summary["error"]["ez"]["max"] < 0.02
    assert summary["energy"]["final"] <= summary["energy"]["initial"] * (1 + 1e-14)
    trace = summary["probes"]["p"]
    assert len(trace["t"]) == len(trace["ez"]) == summary["steps"]
    assert trace["t"][-1] == pytest.approx(0.4)


def test_without_an_exact_solution_there_is_no_error(make_problem, scenes):
    assert run_problem(make_problem(scenes["driven"]()), NUMPY)["error"] is None


def test_two_runs_give_the_same_numbers(problem):
    first, second = run_problem(problem, NUMPY), run_problem(problem, NUMPY)
    for summary in (first, second):
        del summary["wall_s"]
    assert as_json(first) == as_json(second)


def test_pictures_show_the_part_that_the_scene_says(make_problem, scenes, tmp_path):
    def pictures(part: tuple) -> list:
        scene = scenes["driven"]()
        scene = replace(scene, view=replace(scene.view, part=part))
        files = {"image": tmp_path / "part.png", "movie": tmp_path / "part.gif"}
        run_problem(make_problem(scene), replace(NUMPY, **files, size=(80, 60)))
        found = []
        for path in files.values():
            with av.open(str(path)) as file:
                found.append(next(file.decode(video=0)).to_ndarray(format="rgb24"))
        return found

    outside = np.array(surroundings("berlin"))
    for whole, part in zip(pictures(()), pictures(((0.3, 0.3), (0.5, 0.4))), strict=True):
        assert (whole == outside).all(axis=2).any()
        assert not (part == outside).all(axis=2).any()


def test_all_files_are_written_and_show_the_field(problem, tmp_path):
    options = replace(
        NUMPY,
        image=tmp_path / "wave.png",
        movie=tmp_path / "wave.mp4",
        probes=tmp_path / "wave.csv",
        snapshot=tmp_path / "wave.h5",
        size=(80, 60),
        time_per_frame=0.1,
    )
    summary = run_problem(problem, options)
    with av.open(str(options.image)) as file:
        picture = next(file.decode(video=0)).to_ndarray(format="rgb24")
    assert picture.shape == (60, 80, 3)
    assert picture[30, 40].astype(int).sum() != picture[30, 2].astype(int).sum()
    with av.open(str(options.movie)) as file:
        assert len(list(file.decode(video=0))) == 5
    with options.probes.open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time", "p"]
    assert [float(row[1]) for row in rows[1:]] == list(summary["probes"]["p"]["ez"])
    with h5py.File(options.snapshot) as file:
        assert file.attrs["time"] == summary["time"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "wave.csv", "wave.h5", "wave.mp4", "wave.png",
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".vtu", ".h5"])
def test_a_series_of_snapshots(problem, tmp_path, suffix):
    plain = run_problem(problem, replace(NUMPY, snapshot=tmp_path / f"end{suffix}"))
    options = replace(NUMPY, snapshot=tmp_path / f"wave{suffix}", snapshot_every=0.1)
    summary = run_problem(problem, options)
    files = [tmp_path / f"wave_{i:05d}{suffix}" for i in range(5)]
    shown = [tmp_path / "wave.pvd"] if suffix == ".vtu" else []
    assert {*files, *shown, tmp_path / f"end{suffix}"} == set(tmp_path.iterdir())
    assert summary["snapshots"] == [str(file) for file in shown or files]
    times = [time_of(file) for file in files]
    assert times == pytest.approx([0, 0.1, 0.2, 0.3, 0.4], abs=0.51 * summary["dt"])
    if shown:
        listed = ElementTree.parse(shown[0]).getroot().findall("Collection/DataSet")
        assert [each.get("file") for each in listed] == [file.name for file in files]
        assert [float(each.get("timestep")) for each in listed] == times
    # The last is what a single snapshot would have been, and no number is another.
    assert files[-1].read_bytes() == (tmp_path / f"end{suffix}").read_bytes()
    assert as_json(plain["probes"]) == as_json(summary["probes"])
    assert plain["energy"] == summary["energy"]


def time_of(snapshot):
    if snapshot.suffix == ".vtu":
        (time,) = meshio.read(snapshot).field_data["TimeValue"]
        return time
    with h5py.File(snapshot) as file:
        return file.attrs["time"]


def test_recording_changes_no_number(problem, tmp_path):
    plain = run_problem(problem, NUMPY)
    filmed = run_problem(problem, replace(NUMPY, movie=tmp_path / "a.gif", size=(32, 32)))
    assert as_json(plain["probes"]) == as_json(filmed["probes"])
    assert plain["energy"] == filmed["energy"]


def test_a_scene_is_meshed_and_overridden(scenes):
    options = replace(NUMPY, order=2, element_size=0.25, until=0.1)
    summary = run_batch(scenes["cavity"](), options)
    assert summary["order"] == 2
    assert summary["time"] == pytest.approx(0.1)
    assert 20 < summary["elements"] < 80
    assert summary["error"]["ez"]["l2"] < 1e-2


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"image": "a.jpeg"}, "jpeg"),
        ({"movie": "nowhere/a.mp4"}, "nowhere"),
        ({"snapshot": "a"}, "ending"),
        ({"snapshot_every": 0.1}, "no file to go to"),
        ({"snapshot": "a.vtu", "snapshot_every": -1.0}, "-1"),
        ({"snapshot": "a.vtu", "snapshot_every": 1e-9}, r"a snapshot every 1e-09.*\n.*Take"),
        ({"probes": "a.txt"}, "txt"),
        ({"until": float("nan")}, "nan"),
        ({"until": -1.0}, "-1"),
        ({"quantity": "charm"}, "charm"),
        ({"palette": "rainbow"}, "rainbow"),
        ({"decades": 13}, "decades is 13"),
        ({"arrows": "dragons"}, "dragons"),
        ({"relief": (0.0, 5.0)}, "elevation from 12 to 90"),
        ({"arrows": "mean_power"}, "no monitor measures"),
    ],
)
def test_bad_options_are_refused_before_anything_runs(
    scenes, tmp_path, monkeypatch, options, named
):
    def never(*_):
        raise AssertionError("meshing started")

    monkeypatch.setattr(preparing, "MeshJob", never)
    paths = {
        k: tmp_path / v if k in ("image", "movie", "snapshot", "probes") else v
        for k, v in options.items()
    }
    with pytest.raises(WavelabError, match=named):
        run_batch(scenes["cavity"](), BatchOptions(**paths))


def test_probes_to_write_must_exist(scenes, tmp_path):
    scene = replace(scenes["cavity"](), probes=())
    with pytest.raises(WavelabError, match="no probes"):
        run_batch(scene, BatchOptions(probes=tmp_path / "a.csv"))


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_signal_finishes_the_files(make_problem, scenes, tmp_path, monkeypatch, number):
    usual = {each: signal.signal(each, signal.default_int_handler) for each in ENDING}
    try:
        _signalled(make_problem, scenes, tmp_path, monkeypatch, number)
        assert {signal.getsignal(each) for each in ENDING} == {signal.default_int_handler}
    finally:
        for each, handler in usual.items():
            signal.signal(each, handler)


def _signalled(make_problem, scenes, tmp_path, monkeypatch, number):
    scene = scenes["cavity"]()
    problem = make_problem(replace(scene, solver=replace(scene.solver, until=1000.0)))
    options = replace(
        NUMPY,
        movie=tmp_path / "wave.mp4",
        probes=tmp_path / "wave.csv",
        time_per_frame=problem.dt_max,
        size=(32, 32),
    )
    record, pictures = Film.record, []

    def record_and_interrupt(film, simulation):
        pictures.append(simulation.time)
        if len(pictures) == 6:
            os.kill(os.getpid(), number)
        return record(film, simulation)

    monkeypatch.setattr(Film, "record", record_and_interrupt)
    with pytest.raises(RunInterrupted) as caught:
        run_problem(problem, options)
    summary = caught.value.summary
    assert 0 < summary["time"] < 1.0
    with av.open(str(options.movie)) as file:
        assert len(list(file.decode(video=0))) == 6
    assert len(options.probes.read_text().splitlines()) == summary["steps"] + 1
    assert caught.value.status == 128 + number


def test_a_file_that_cannot_be_written_costs_no_other(make_problem, scenes, tmp_path, monkeypatch):
    problem = make_problem(scenes["cavity"]())
    names = {"image": "a.png", "probes": "a.csv", "snapshot": "a.h5", "movie": "a.gif"}
    options = replace(NUMPY, **{k: tmp_path / v for k, v in names.items()}, size=(32, 32))
    (tmp_path / "a.png").mkdir()
    (tmp_path / "a.h5").mkdir()
    with pytest.raises(OutputError, match=r"(?s)a\.png: is a directory.*a\.h5: is a directory"):
        run_problem(problem, options)
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["a.csv", "a.gif"]


def test_what_was_measured_is_kept_when_the_movie_cannot_go_on(
    make_problem, scenes, tmp_path, monkeypatch
):
    problem = make_problem(scenes["cavity"]())
    options = replace(
        NUMPY, movie=tmp_path / "a.mp4", probes=tmp_path / "a.csv", time_per_frame=problem.dt_max
    )
    record, times = Film.record, []

    def full_disk(film, simulation):
        times.append(simulation.time)
        if len(times) == 4:
            raise OutputError("No space left on device", where="a.mp4")
        return record(film, simulation)

    monkeypatch.setattr(Film, "record", full_disk)
    with pytest.raises(OutputError, match="No space left"):
        run_problem(problem, options)
    assert len(options.probes.read_text().splitlines()) == 1 + 3
    times[:] = [0.0] * 3
    options.probes.unlink()
    with pytest.raises(OutputError, match="No space left"):
        run_problem(problem, options)  # at the first picture
    assert not options.probes.exists()


def test_a_movie_of_a_run_that_fails_is_kept(make_problem, scenes, tmp_path, monkeypatch):
    problem = make_problem(scenes["cavity"]())
    options = replace(NUMPY, movie=tmp_path / "a.mp4", size=(32, 32))

    def fail(self, n_steps):
        raise WavelabError("lost the device")

    monkeypatch.setattr(batch.Simulation, "advance", fail)
    with pytest.raises(WavelabError, match="lost"):
        run_problem(problem, options)
    with av.open(str(options.movie)) as file:
        assert len(list(file.decode(video=0))) == 1


def test_an_unwritable_file_is_an_output_error(problem, tmp_path):
    with pytest.raises(OutputError):
        run_problem(problem, replace(NUMPY, image=tmp_path / "gone" / "a.png"))
