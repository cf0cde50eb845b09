"""Movies in simulated time: every picture there, none to spare, and no trouble for the wave."""

import json
import threading
from pathlib import Path

import av
import numpy as np
import pytest

from wavelab.errors import DeviceError, OutputError
from wavelab.output.movies.movie import MovieWriter
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.output.palette import background
from wavelab.simulation.messages.events import MovieDone, MovieFailed, MovieProgress
from wavelab.simulation.movies import film
from wavelab.simulation.movies.movie_recorder import AutoLimit, MovieRecorder
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver.commands import (
    Load,
    Pause,
    Play,
    Quit,
    Reset,
    SetMovieOverlay,
    StartMovie,
    StopMovie,
    TakeSteps,
)
from wavelab.simulation.solver.runner import Runner
from wavelab.timeline import Timeline


def pictures(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as movie:
        return [frame.to_ndarray(format="rgb24") for frame in movie.decode(video=0)]


def drained(events) -> list:
    got = []
    while not events.empty():
        got.append(events.get())
    return got


def tell(runner: Runner, *commands) -> None:
    for command in commands:
        runner.commands.put(command)


@pytest.fixture
def runner(make_numpy, problem):
    made = Runner(make=make_numpy)
    tell(made, Load(problem, 1))
    made.turn()
    drained(made.events)
    yield made
    made.close()


def run_until(runner: Runner, steps: int) -> None:
    tell(runner, TakeSteps(steps))
    while True:
        runner.turn()
        if runner.run.simulation.steps >= steps:
            return


def test_a_movie_has_one_picture_per_interval(runner, problem, tmp_path):
    path, dt = tmp_path / "wave.mp4", problem.dt_max
    tell(runner, StartMovie(MovieRequest(path, 96, 96, time_per_frame=4 * dt, limit=1.0)))
    run_until(runner, 40)
    assert not path.exists()  # it takes its name when it is whole
    tell(runner, StopMovie())
    runner.turn()
    events = drained(runner.events)
    assert events[-1] == MovieDone(path, 11)
    assert [e.frames for e in events if isinstance(e, MovieProgress)] == list(range(1, 12))
    shown = pictures(path)
    assert len(shown) == 11
    # The (1, 1) mode: bright in the middle at the start, dark a quarter period later.
    quiet = np.array(background("berlin"), float)
    loud = [np.abs(picture[48, 48] - quiet).sum() for picture in shown]
    quarter = round(0.25 * np.sqrt(2) / (4 * dt))
    assert loud[0] > 100
    assert loud[quarter] < 0.5 * loud[0]


def test_a_veil_lies_over_the_pictures_until_another_is_given(runner, problem, tmp_path):
    path, dt = tmp_path / "wave.mp4", problem.dt_max
    rgba = np.zeros((96, 96, 4), np.uint8)
    rgba[:32, :32] = 0, 255, 0, 255
    overlay, request = MovieOverlay.of(rgba), MovieRequest(path, 96, 96, 4 * dt, limit=1.0)
    tell(runner, StartMovie(request, overlay))
    run_until(runner, 20)
    tell(runner, SetMovieOverlay(None))
    run_until(runner, 40)
    tell(runner, StopMovie())
    runner.turn()
    greens = [picture[8:24, 8:24, 1].mean() for picture in pictures(path)]
    assert len(greens) == 11
    assert min(greens[:6]) > 230
    assert max(greens[6:]) < 200


def test_pictures_do_not_depend_on_how_steps_are_batched(make_numpy, problem, tmp_path):
    shown = []
    for chunks in ([60], [7, 20, 60]):
        runner, path = Runner(make=make_numpy), tmp_path / f"{len(chunks)}.gif"
        request = MovieRequest(path, 64, 64, time_per_frame=3.3 * problem.dt_max)
        tell(runner, Load(problem, 1), StartMovie(request))
        runner.turn()
        for steps in chunks:
            tell(runner, TakeSteps(steps - runner.run.simulation.steps))
            while runner.run.simulation.steps < steps:
                runner.turn()
        tell(runner, Quit())
        runner.turn()
        shown.append(pictures(path))
    np.testing.assert_array_equal(shown[0], shown[1])


@pytest.mark.parametrize("arrows", ["none", "power"])
def test_a_movie_slower_than_its_steps_glides(make_numpy, problem, tmp_path, arrows, monkeypatch):
    """Four pictures a step lie on the straight lines between steps, half a step behind."""
    taken, dt = [], problem.dt_max
    monkeypatch.setattr(MovieRecorder, "add", lambda _, *shown: taken.append(shown))
    request = MovieRequest(tmp_path / "wave.gif", 64, 64, time_per_frame=dt / 4, arrows=arrows)
    runner = Runner(make=make_numpy)
    tell(runner, Load(problem, 1), StartMovie(request))
    runner.turn()
    steps = [runner.run.simulation.stepper.view("ez").astype(float)]
    for n in range(1, 7):
        tell(runner, TakeSteps(1))
        while runner.run.simulation.steps < n:
            runner.turn()
        steps.append(runner.run.simulation.stepper.view("ez").astype(float))
    runner.close()
    assert len(taken) == 1 + 2 + 6 * 4, "as many as are due, those of half a step ahead too"
    for number, (values, _) in enumerate(taken):
        step, part = divmod(max(number / 4 - 0.5, 0.0), 1)
        further = steps[min(int(step) + 1, 6)]
        expected = (1 - part) * steps[int(step)] + part * further
        np.testing.assert_allclose(values, expected, atol=1e-6)
    flows = [there.vectors for _, there in taken if there is not None]
    assert len(flows) == (0 if arrows == "none" else len(taken))
    if flows:
        # Of the pictures of a step: in equal parts.
        np.testing.assert_allclose(np.diff(flows[7:11], 2, axis=0), 0, atol=1e-9)
        assert np.abs(np.diff(flows[7:11], axis=0)).max() > 1e-6


def test_recording_goes_on_through_a_remesh_and_a_reset(runner, make_problem, problem, tmp_path):
    path = tmp_path / "wave.webm"
    tell(runner, StartMovie(MovieRequest(path, 64, 64, time_per_frame=2 * problem.dt_max)))
    run_until(runner, 10)
    tell(runner, Load(make_problem(n=6, order=2), 2, keep_field=True))
    runner.turn()
    run_until(runner, 20)
    tell(runner, Reset())
    runner.turn()
    run_until(runner, 5)
    tell(runner, StopMovie())
    runner.turn()
    done = drained(runner.events)[-1]
    assert isinstance(done, MovieDone)
    assert len(pictures(path)) == done.frames > 8


def test_a_refused_movie_is_an_event_and_the_wave_goes_on(runner, tmp_path):
    tell(runner, StartMovie(MovieRequest(tmp_path / "no" / "wave.mp4", 64, 64, 0.1)), Play())
    runner.turn()
    (event,) = [e for e in drained(runner.events) if isinstance(e, MovieFailed)]
    assert isinstance(event.error, OutputError)
    steps = runner.run.simulation.steps
    runner.turn()
    assert runner.run.simulation.steps > steps


def test_a_movie_asked_for_before_there_is_a_wave_is_refused_too(make_numpy, tmp_path):
    """The window takes it for under way until it hears of its end."""
    waiting = Runner(make=make_numpy)
    path = tmp_path / "wave.mp4"
    tell(waiting, StartMovie(MovieRequest(path, 64, 64, 0.1)))
    waiting.turn()
    (event,) = drained(waiting.events)
    assert isinstance(event, MovieFailed)
    assert event.path == path
    assert "no wave yet" in str(event.error)
    waiting.close()
    assert not path.exists()


def test_an_encoder_that_fails_ends_the_recording_only(runner, problem, tmp_path, monkeypatch):
    path = tmp_path / "wave.mp4"
    tell(runner, StartMovie(MovieRequest(path, 64, 64, time_per_frame=problem.dt_max)), Play())
    runner.turn()

    def full(writer, rgb):
        raise OutputError("disk full")

    monkeypatch.setattr(MovieWriter, "add", full)
    for _ in range(200):
        runner.turn()
        failed = [e for e in drained(runner.events) if isinstance(e, MovieFailed)]
        if failed:
            break
    assert str(failed[0].error) == "disk full"
    steps = runner.run.simulation.steps
    runner.turn()
    assert runner.run.simulation.steps > steps
    tell(runner, Pause(), StopMovie())
    runner.turn()
    assert drained(runner.events) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [DeviceError("no room left"), RuntimeError("no room left")])
@pytest.mark.parametrize("place", ["first view", "view", "worker", "finish"])
def test_no_trouble_of_a_movie_stops_the_wave(runner, problem, tmp_path, monkeypatch, place, error):
    path = tmp_path / "wave.mp4"

    def fails(*_):
        raise error

    if place == "first view":
        monkeypatch.setattr(film, "view", fails)
    tell(runner, StartMovie(MovieRequest(path, 64, 64, time_per_frame=problem.dt_max)), Play())
    runner.turn()
    if place == "view":
        monkeypatch.setattr(film, "view", fails)
    if place == "worker":
        monkeypatch.setattr(MovieRecorder, "_write", fails)
    if place == "finish":
        monkeypatch.setattr(MovieWriter, "close", fails)
        tell(runner, StopMovie())
    told: list = []
    for _ in range(200):
        runner.turn()
        told += drained(runner.events)
        if any(isinstance(event, MovieFailed) for event in told):
            break
    (failed,) = (event for event in told if not isinstance(event, MovieProgress))
    assert failed.path == path
    assert isinstance(failed.error, OutputError)
    assert "no room left" in str(failed.error)
    steps = runner.run.simulation.steps
    for _ in range(3):
        runner.turn()
    assert runner.run.simulation.steps > steps
    assert drained(runner.events) == []
    assert list(tmp_path.iterdir()) == []
    assert not any(thread.name == "wavelab movie" for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"quantity": "charm"}, "charm"),
        ({"palette": "rainbow"}, "rainbow"),
        ({"time_per_frame": 0.0}, "positive"),
        ({"time_per_frame": float("nan")}, "positive"),
        ({"limit": -1.0}, "positive"),
        ({"width": 63}, "even"),
    ],
)
def test_what_cannot_be_recorded_is_refused(problem, tmp_path, change, named):
    values = {"width": 64, "height": 64, "time_per_frame": 0.1} | change
    with pytest.raises(OutputError, match=named):
        MovieRecorder(MovieRequest(tmp_path / "wave.mp4", **values), problem.discretization)
    assert list(tmp_path.iterdir()) == []


def test_an_aborted_movie_leaves_nothing(problem, tmp_path):
    recorder = MovieRecorder(
        MovieRequest(tmp_path / "wave.mp4", 64, 64, 0.1), problem.discretization
    )
    recorder.add(problem.initial.ez.astype(np.float32))
    recorder.abort()
    assert list(tmp_path.iterdir()) == []


def test_a_movie_that_is_not_waited_for_leaves_nothing(problem, tmp_path, monkeypatch):
    recorder = MovieRecorder(
        MovieRequest(tmp_path / "wave.mp4", 64, 64, 0.1), problem.discretization
    )
    recorder.add(problem.initial.ez.astype(np.float32))
    join, waited = threading.Thread.join, []

    def interrupted(thread, timeout=None):
        waited.append(True)
        if len(waited) == 1:
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recorder.close()
    assert list(tmp_path.iterdir()) == []


def test_all_work_on_pictures_is_done_beside_the_caller(problem, tmp_path):
    timeline = Timeline()
    request = MovieRequest(tmp_path / "wave.gif", 64, 64, 0.1)
    recorder = MovieRecorder(request, problem.discretization, timeline)
    recorder.add(problem.initial.ez.astype(np.float32))
    recorder.add(problem.initial.ez.astype(np.float32))
    recorder.close()
    timeline.write(tmp_path / "t.json")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    (row,) = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert row == "wavelab movie"
    done = [e["name"] for e in events if e["ph"] == "X"]
    assert done == ["prepare sampling", *2 * ["sample", "colour", "encode"]]


def test_the_automatic_limit_rises_at_once_and_falls_slowly():
    limit = AutoLimit()
    picture = np.full((30, 30), np.nan, np.float32)
    assert limit.follow(picture) == 0.0
    picture[:, 10:] = 2.0
    assert limit.follow(picture) == pytest.approx(2.0)
    picture[:, 10:] = 0.0
    assert limit.follow(picture) == pytest.approx(2.0 * AutoLimit.FALL)
    picture[:, 10:] = -5.0
    assert limit.follow(picture) == pytest.approx(5.0)
