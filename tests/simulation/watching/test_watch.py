"""Windows that look at a far run: it shows and does what is asked, and nothing that comes over the
network stops it."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab import __version__
from wavelab.errors import WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Material, Probe, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_io import dump_scene
from wavelab.scene.waveforms import Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.interrupt import RunInterrupted
from wavelab.simulation.messages.events import Event, Loaded, LoadFailed, MovieFailed, Notice
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.pings import Pings
from wavelab.simulation.solver import commands
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.watching import far as far_run
from wavelab.simulation.watching import wire
from wavelab.simulation.watching.far import BACK, LOST, NOT_HERE, OTHER, FarRun
from wavelab.simulation.watching.key_file import key_in
from wavelab.simulation.watching.watched import WatchedRun

SOURCE = PointSource("lamp", (0.35, 0.5), 0.1, 1.0, Sine(2.0))
SCENE = Scene(
    "Far",
    Solver(0.3, order=2, until=1e6),
    sources=(SOURCE,),
    probes=(Probe("p", (0.6, 0.4)),),
)
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def problem() -> Problem:
    return discretize_scene(SCENE, mesh_scene(SCENE))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_text(KEY)
    path.chmod(0o600)
    return path


class Running:
    """A headless run in a thread, which ends when it is told to."""

    def __init__(self, problem: Problem, key: Path, address: str = "127.0.0.1:0", **how) -> None:
        self.problem, self.told, self.failure = problem, [], None
        options = BatchOptions(
            backend="numpy", progress=False, long=True, watch=address, key=key, **how
        )
        self.thread = threading.Thread(target=self._run, args=(options,), daemon=True)
        self.thread.start()
        until(lambda: self.told or self.failure)

    def _run(self, options: BatchOptions) -> None:
        try:
            run_problem(self.problem, options, notify=self._note, ranks=RankGroup.of_threads(2))
        except RunInterrupted:
            pass
        except Exception as error:
            self.failure = error

    def _note(self, text: str) -> None:
        if "--attach" in text:
            self.told.append(text)

    @property
    def address(self) -> str:
        assert self.failure is None, self.failure
        return self.told[-1].split()[-1]

    @property
    def host_and_port(self) -> tuple[str, int]:
        return wire.host_and_port(self.address)


def until(true: Callable[[], object]) -> None:
    for _ in range(6000):
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("it never came")


@pytest.fixture
def running(problem, key, monkeypatch) -> Iterator[Running]:
    """A run on two ranks, of which the first one serves."""
    ending = threading.Event()

    class Asked:
        @property
        def number(self) -> int:
            return 15 if ending.is_set() else 0

    @contextmanager
    def first_request():
        yield Asked()

    monkeypatch.setattr("wavelab.simulation.headless.batch.first_request", first_request)
    run = Running(problem, key)
    yield run
    ending.set()
    run.thread.join(30)
    assert not run.thread.is_alive()


@pytest.fixture
def far(running, problem) -> Iterator[FarRun]:
    """A window's end that shows the run."""
    made = FarRun(running.address, KEY.encode())
    made.commands.put(commands.Play())  # as windows begin
    load(made, problem)
    yield made
    made.close()


def load(far: FarRun, problem: Problem, generation: int = 1) -> list[Event]:
    far.commands.put(commands.Load(problem, generation))
    return heard(far)


def heard(far: FarRun) -> list[Event]:
    """What the window is told after a turn or two."""
    for _ in range(2):
        far.turn()
    found = []
    while not far.events.empty():
        found.append(far.events.get())
    return found


def newest(far: FarRun, such: Callable[[Frame], bool] = lambda frame: True) -> Frame:
    found: list[Frame] = []

    def seen() -> bool:
        far.mailbox.request()
        far.turn()
        frame = far.mailbox.take()
        if frame is not None:
            found.append(frame)
        return frame is not None and such(frame)

    until(seen)
    return found[-1]


def test_a_window_has_scene_mesh_fields_and_traces_of_the_run(far, problem):
    assert far.scene == replace(SCENE, path=far.scene.path)
    assert np.array_equal(far.mesh.triangles, problem.discretization.mesh.triangles)
    again = discretize_scene(far.scene, far.mesh)
    assert np.array_equal(again.discretization.x, problem.discretization.x)
    frame = newest(far, lambda frame: len(frame.probes) > 3)
    assert frame.generation == 1
    assert frame.values.shape == problem.discretization.shape
    assert np.isfinite(frame.values).all()
    assert frame.probes.names == ("p",)
    steps = np.diff(frame.probes.times) / frame.dt
    assert np.allclose(steps, 1)
    assert newest(far).time > frame.time


def test_it_is_paused_stepped_and_goes_on(far):
    far.commands.put(commands.Pause())
    frame = newest(far, lambda frame: not frame.playing)
    assert newest(far).steps == frame.steps
    far.commands.put(commands.TakeSteps(3))
    assert newest(far, lambda f: f.steps > frame.steps).steps <= frame.steps + 3
    assert newest(far, lambda f: f.steps == frame.steps + 3).steps == frame.steps + 3
    far.commands.put(commands.Play())
    assert newest(far, lambda f: f.steps > frame.steps + 3).playing


def test_it_is_pinged_and_shows_other_quantities(far):
    far.commands.put(commands.Pause())
    before = newest(far, lambda frame: not frame.playing)
    far.commands.put(commands.GivePing(Ping(0.0, (0.5, 0.5), 0.2, 3.0)))
    after = newest(far, lambda f: not np.array_equal(f.values, before.values))
    assert (after.values - before.values).max() == pytest.approx(3.0, rel=0.2)
    far.commands.put(commands.SetQuantity("energy"))
    assert newest(far, lambda f: f.quantity == "energy").values.min() >= 0
    far.commands.put(commands.GivePing(Ping(0.0, (9.0, 9.0), 0.2, 3.0)))
    assert not heard(far)  # beside the mesh, where nothing is


def test_its_sources_are_changed_and_nothing_else(far, problem):
    off = replace(SCENE, sources=(replace(SOURCE, amplitude=0.0),))
    (loaded,) = load(far, replace(problem, scene=off), 2)
    assert isinstance(loaded, Loaded)
    assert (loaded.generation, loaded.kept) == (2, True)
    energy = newest(far, lambda frame: frame.generation == 2).energy
    # Conducting walls, and nothing that drives it: what is there stays, but for what fluxes lose.
    later = newest(far, lambda frame: frame.steps > 0)
    assert later.energy <= energy * (1 + 1e-9)
    for other in (
        replace(SCENE, background=Material(epsilon=2.0)),
        replace(SCENE, probes=()),
        replace(SCENE, sources=(replace(SOURCE, position=(5.0, 5.0)),)),
    ):
        (refused,) = load(far, replace(problem, scene=other), 3)
        assert isinstance(refused, LoadFailed)
        assert refused.generation == 3
        assert str(refused.error)
        assert refused.error.remedy
    assert newest(far).generation == 2


def test_what_cannot_be_done_there_is_said(far, tmp_path):
    for command in (commands.SetSpeed(1.0), commands.AwaitLoad()):
        far.commands.put(command)
        assert not heard(far)  # the speed of the scene, and what goes before each of its numbers
    for command in (commands.SetSpeed(2.0), commands.Reset(), commands.SetProbes(())):
        far.commands.put(command)
        assert heard(far) == [Notice(NOT_HERE)]
    far.commands.put(commands.StartMovie(MovieRequest(tmp_path / "m.mp4", 64, 48, 0.1)))
    (failed,) = heard(far)
    assert isinstance(failed, MovieFailed)
    far.commands.put(commands.Quit())
    assert not far.turn()


@pytest.mark.parametrize(
    ("other", "version", "told"),
    [
        (b"another key that is long enough", __version__, "the key is not that of the run"),
        (KEY.encode(), "0.0.1", f"the other side is wavelab {__version__}, and this is 0.0.1"),
    ],
)
def test_another_key_or_version_is_refused_and_told(running, other, version, told, monkeypatch):
    monkeypatch.setattr(far_run, "__version__", version)
    with pytest.raises(WavelabError, match=told) as error:
        FarRun(running.address, other)
    assert error.value.remedy


def test_what_is_no_run_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"

        def answer() -> None:
            link, _ = other.accept()
            with link:
                link.sendall(b"HTTP/1.1 400 Bad Request\r\n" + bytes(100))

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(WavelabError, match="no run of wavelab"):
            FarRun(address, KEY.encode())
    with pytest.raises(WavelabError, match="nobody answers") as error:
        FarRun(address, KEY.encode())
    assert error.value.remedy


@pytest.mark.parametrize("address", ["", "somewhere", "host:", "host:99999", "host:-1", "host:٣"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(WavelabError, match="is no address"):
        wire.host_and_port(address)


def test_an_address_is_taken_apart():
    assert wire.host_and_port("7000") == ("127.0.0.1", 7000)
    assert wire.host_and_port("[::1]:7000") == ("::1", 7000)


def greeted(running: Running) -> socket.socket:
    link = socket.create_connection(running.host_and_port)
    wire.greet(link, KEY.encode(), __version__)
    wire.receive(link)
    return link


@settings(max_examples=30, deadline=None)
@given(rubbish=st.binary(max_size=300))
def test_rubbish_is_refused_by_who_reads_it(rubbish):
    """Before anything else is done with it, and whatever it is."""
    here, there = socket.socketpair()
    with here, there:
        there.sendall(rubbish)
        there.close()
        with pytest.raises(wire.LinkError):
            wire.receive(here, wire.MOST_ASKED, idle=0.5)


HEADS = [
    b"[]", b"{}", b"nonsense", b"[" * 100_000, b'{"message": [], "arrays": []}',
    b'{"message": {}, "arrays": [["<f8", [-1]]]}', b'{"message": {}, "arrays": [["O", [1]]]}',
    b'{"message": {}, "arrays": [["<f8", [1099511627775, 1099511627775]]]}',
    b'{"message": {}, "arrays": [["<f8", [true]]]}', b'{"message": {}, "arrays": 3}',
    b'{"message": {}, "arrays": [["<f8", "ab"]]}', b'{"message": {}, "arrays": [[[], []]]}',
]  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_a_head_that_says_what_cannot_be_is_refused(head):
    here, there = socket.socketpair()
    with here, there:
        threading.Thread(
            target=there.sendall, args=(struct.pack("<4sIQ", b"wl1\n", len(head), 0) + head,)
        ).start()
        with pytest.raises(wire.LinkError):
            wire.receive(here)


def test_more_than_was_agreed_is_refused_before_it_is_read():
    for n_head, n_body in ((2**32 - 1, 0), (2, 2**63)):
        here, there = socket.socketpair()
        with here, there:
            there.sendall(struct.pack("<4sIQ", b"wl1\n", n_head, n_body))
            with pytest.raises(wire.LinkError, match="too long"):
                wire.receive(here)


@given(
    message=st.dictionaries(st.text(), st.floats(allow_nan=False) | st.text() | st.none()),
    shape=st.lists(st.integers(0, 5), max_size=3),
    kind=st.sampled_from(["f4", "f8", "i4", "i8"]),
)
def test_what_is_sent_arrives(message, shape, kind):
    here, there = socket.socketpair()
    values = np.arange(np.prod(shape, dtype=int)).astype(kind).reshape(shape)
    with here, there:
        wire.send(there, message, [values, values[..., None]])
        found, (same, other) = wire.receive(here)
        assert found == message
        assert same.dtype == values.dtype
        assert np.array_equal(same, values)
        assert np.array_equal(other[..., 0], values)


def test_who_sends_byte_by_byte_is_let_go(monkeypatch):
    """However long it takes between two of them: a message has a time for all of it."""
    monkeypatch.setattr(wire, "MESSAGE_SECONDS", 0.2)
    here, there = socket.socketpair()
    message = struct.pack("<4sIQ", b"wl1\n", 100_000, 0) + bytes(100_000)

    def drip() -> None:
        with there:
            for byte in message:
                try:
                    there.send(bytes([byte]))
                except OSError:
                    return
                time.sleep(0.01)

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    with here, pytest.raises(wire.LinkError, match="too slow"):
        wire.receive(here)
    thread.join(30)
    assert not thread.is_alive()


def test_who_does_not_read_is_let_go(monkeypatch):
    monkeypatch.setattr(wire, "MESSAGE_SECONDS", 0.2)
    here, there = socket.socketpair()
    with here, there, pytest.raises(wire.LinkError, match="too slow"):
        wire.send(here, {}, [np.zeros(2**24)])


def test_nothing_that_anybody_sends_stops_the_run(running, problem):
    """Rubbish, half of a message, silence, too many windows, one that never reads what it asks for,
    and questions that nobody knows: another window goes on looking."""
    open_ones = [socket.create_connection(running.host_and_port) for _ in range(3)]
    open_ones[0].sendall(b"GET / HTTP/1.1\r\n\r\n" * 50)
    open_ones[1].sendall(b"wavelab watch 1\n")
    half = greeted(running)
    half.sendall(struct.pack("<4sIQ", b"wl1\n", 1000, 0) + b"{")
    deaf = greeted(running)
    for _ in range(200):
        try:
            wire.send(deaf, {"quantity": "ez"})
        except wire.LinkError:
            break
    odd = greeted(running)
    for asked in (
        {}, {"do": "quit"}, {"do": "steps", "n": -1}, {"do": "steps", "n": 1e9},
        {"do": "steps", "n": 10**30}, {"do": "ping", "ping": [0, 0, 0, 1]}, {"do": []},
        {"do": "ping", "ping": [0, 0, float("nan"), 1]}, {"do": "ping", "ping": ["a"] * 4},
        {"do": "ping", "ping": [10**400, 0, 1, 1]}, {"do": "change", "scene": 3},
        {"do": "change", "scene": "no scene"}, {"do": "change", "scene": "a = ["},
    ):  # fmt: skip
        wire.send(odd, asked)
        answer, _ = wire.receive(odd)
        assert answer["error"], asked
    wire.send(odd, {"quantity": ["ez"]})
    assert "frame" in wire.receive(odd)[0]
    odd.sendall(b"x" * 100)
    far = FarRun(running.address, KEY.encode())
    load(far, problem)
    first = newest(far)
    assert newest(far, lambda frame: frame.steps > first.steps).playing
    for link in (*open_ones, half, deaf, odd):
        link.close()
    far.close()


def test_a_window_outlives_its_run_and_comes_back_to_it(running, problem, far, monkeypatch):
    monkeypatch.setattr(far_run, "_AGAIN", 0.05)
    far._link.shutdown(socket.SHUT_RDWR)  # the network is gone
    far.commands.put(commands.Pause())
    told: list[Event] = []

    def came(text: str) -> bool:
        far.mailbox.request()
        told.extend(heard(far))
        return Notice(text) in told

    until(lambda: came(LOST))
    until(lambda: came(BACK))
    assert told.count(Notice(LOST)) == 1
    assert newest(far).values.shape == problem.discretization.shape


def test_another_run_at_the_same_place_is_not_taken_for_it(running, problem, far, monkeypatch):
    monkeypatch.setattr(far_run, "_AGAIN", 0.05)
    far._first = far._first.replace("Far", "Near")
    far._link.shutdown(socket.SHUT_RDWR)
    told: list[Event] = []

    def came() -> bool:
        far.mailbox.request()
        told.extend(heard(far))
        return Notice(OTHER) in told

    until(came)
    far.mailbox.request()
    assert not heard(far)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path, monkeypatch):
    path = tmp_path / "data" / "watch.key"
    path.parent.mkdir()
    monkeypatch.setattr("wavelab.simulation.watching.key_file.usual_key_file", lambda: path)
    with pytest.raises(WavelabError, match="cannot be read"):
        key_in(None, make=False)
    key = key_in(None, make=True)
    assert key == key_in(None, make=False) == key_in(None, make=True)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with pytest.raises(WavelabError, match="others can read") as error:
        key_in(None, make=False)
    assert "chmod 600" in error.value.remedy
    path.chmod(0o600)
    path.write_text("short")
    with pytest.raises(WavelabError, match="16 bytes or more"):
        key_in(None, make=False)


def test_an_address_that_is_taken_is_told(running, problem, key):
    second = Running(problem, key, running.address)
    assert "nobody can be let look" in str(second.failure)


def test_json_of_the_hello_has_no_surprises(running):
    link = socket.create_connection(running.host_and_port)
    with link:
        wire.greet(link, KEY.encode(), __version__)
        hello, arrays = wire.receive(link)
    assert set(hello) == {"scene", "mesh", "facts"}
    assert json.loads(json.dumps(hello)) == hello
    assert [a.dtype.kind for a in arrays] == ["f", "i", "i", "i", "i"]


def test_a_run_with_a_checkpoint_keeps_its_sources(problem):
    simulation = Simulation(problem, stepper_of(problem, backend="numpy"))
    run = WatchedRun(simulation, Pings(simulation, None), lambda step: None, fixed=True)
    with pytest.raises(WavelabError, match="with a checkpoint") as error:
        run.change(dump_scene(SCENE))
    assert error.value.remedy
    simulation.close()
