"""A far run, as a window sees it: what the window asks for goes there, and frames come back.

It takes the place of a :class:`wavelab.simulation.solver.runner.Runner`.  All that is said to the
far side is said in the thread that turns it, so the window never waits.
"""

from __future__ import annotations

import queue
import socket
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from wavelab import __version__
from wavelab.errors import OutputError, WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.simulation.messages.events import EventQueue, Loaded, LoadFailed, MovieFailed, Notice
from wavelab.simulation.messages.frames import Mailbox
from wavelab.simulation.solver import commands
from wavelab.simulation.solver.command import Command, without_superseded
from wavelab.simulation.watching import wire
from wavelab.simulation.watching.frame_messages import frame_of, mesh_of

#: Seconds that connecting may take, between two attempts, and between two looks for what to do.
_CONNECTING, _AGAIN, _LOOK = 5.0, 1.0, 0.01
LOST = "The far run does not answer; it is asked again and again"
BACK = "The far run answers again"
OTHER = "Another run answers there now: close this window and attach anew"
#: What a window may ask for that makes no difference to a far run.
_IN_THE_WINDOW = (
    commands.AwaitLoad, commands.SetMovieOverlay, commands.SetTuning, commands.ShowArrows,
    commands.ShowMap, commands.StopMovie, commands.WatchMonitor,
)  # fmt: skip
NOT_HERE = "That cannot be done to a far run"


class FarRun:
    """A connection to a run that is watched.

    Parameters
    ----------
    address : "host:port".
    key : that the run knows.
    woken : called after each event.

    Attributes
    ----------
    scene, mesh : of the run.
    commands, mailbox, events : as of a runner.

    Raises
    ------
    WavelabError : nobody answers there, or not as a run of this version with this key.
    """

    def __init__(self, address: str, key: bytes) -> None:
        self._host, self._port = wire.host_and_port(address)
        self._key = key
        self.commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self.mailbox = Mailbox()
        self.events = EventQueue(lambda: None)
        self._link: socket.socket | None = None
        self._link, hello, arrays = self._connected()
        self.scene, self.mesh = self._scene_in(hello), mesh_of(hello, arrays)
        self._facts = hello.get("facts", {})
        self._text, self._first = str(hello["scene"]), dump_scene(self.scene)
        self._generation, self._quantity = 0, "ez"
        self._shape: tuple[int, int] | None = None
        self._next_attempt, self._lost, self._over = 0.0, False, False
        self._paced = self._begun = False

    def wake(self, woken: Callable[[], None]) -> None:
        """Have this called after each event from now on."""
        self.events = EventQueue(woken)

    def turn(self) -> bool:
        """Say what there is to be said, and fetch a frame if one is wanted; False at the end."""
        for command in self._waiting():
            if isinstance(command, commands.Quit):
                return False
            self._obey(command)
        if self._link is None and not self._over and time.monotonic() >= self._next_attempt:
            self._come_back()
        if self._link is not None and self.mailbox.wanted.is_set() and self._shape is not None:
            self._fetch()
        return True

    def close(self) -> None:
        """Look no more; the run goes on."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _waiting(self) -> list[Command]:
        found = []
        try:
            found.append(self.commands.get(timeout=_LOOK))
            while True:
                found.append(self.commands.get_nowait())
        except queue.Empty:
            return without_superseded(found)

    def _obey(self, command: Command) -> None:
        match command:
            case commands.Load():
                self._load(command)
            case commands.Play() if not self._begun:
                self._begun = True  # as windows begin; it runs, or somebody has paused it
            case commands.Play():
                self._do(do="play")
            case commands.Pause():
                self._do(do="pause")
            case commands.TakeSteps(n):
                self._do(do="steps", n=n)
            case commands.GivePing(ping):
                self._do(do="ping", ping=[*ping.position, ping.radius, ping.amplitude])
            case commands.SetQuantity(quantity):
                self._quantity = quantity
            case commands.SetProbes(probes) if probes == self.scene.probes:
                pass
            case commands.SetSpeed() if not self._paced:
                self._paced = True  # every scene brings its own
            case commands.StartMovie(request):
                error = OutputError(NOT_HERE, remedy="Give the run a --movie when it begins.")
                self.events.put(MovieFailed(request.path, error))
            case _ if not isinstance(command, _IN_THE_WINDOW):
                self.events.put(Notice(NOT_HERE))

    def _load(self, command: commands.Load) -> None:
        """Have the far run go on with a scene, if it is not that of the run."""
        problem, generation = command.problem, command.generation
        try:
            d = problem.discretization.seen
            if not np.array_equal(d.mesh.triangles, self.mesh.triangles):
                raise WavelabError(
                    "the far run goes on with its own mesh",
                    remedy="Undo this, or run it here.",
                )
            text = dump_scene(problem.scene)
            if text != self._first:
                answer = self._asked({"do": "change", "scene": text})
                if answer.get("error"):
                    raise WavelabError(str(answer["error"]), remedy=str(answer.get("remedy", "")))
                self._first = text
        except WavelabError as error:
            self.events.put(LoadFailed(generation, error))
            return
        kept, self._shape, self._generation = self._shape is not None, d.shape, generation
        self.scene = problem.scene
        self.events.put(
            Loaded(
                generation,
                str(self._facts.get("device", "?")),
                str(self._facts.get("backend", "?")),
                str(self._facts.get("precision", "?")),
                d.order,
                d.n_elements,
                problem.operator.unknowns,
                problem.dt_max,
                kept,
            )
        )

    def _do(self, **asked: Any) -> None:
        try:
            error = self._asked(asked).get("error")
        except wire.LinkError:
            return
        if error:
            self.events.put(Notice(str(error)))

    def _fetch(self) -> None:
        self.mailbox.accept()
        try:
            answer, arrays = self._exchange({"quantity": self._quantity})
            frame = frame_of(answer, arrays, self._generation)
        except wire.LinkError:
            self._lose()
            frame = None
        if frame is None or frame.values.shape != self._shape:
            self.mailbox.request()
        else:
            self.mailbox.put(frame)

    def _asked(self, asked: dict[str, Any]) -> dict[str, Any]:
        if self._link is None:
            raise wire.LinkError("the far run does not answer")
        try:
            return self._exchange(asked)[0]
        except wire.LinkError:
            self._lose()
            raise

    def _exchange(self, asked: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        assert self._link is not None
        wire.send(self._link, asked)
        return wire.receive(self._link)

    def _connected(self) -> tuple[socket.socket, dict[str, Any], list[Any]]:
        try:
            link = socket.create_connection((self._host, self._port), _CONNECTING)
        except OSError as error:
            raise wire.LinkError(
                f"nobody answers at {self._host}:{self._port}: {error.strerror or error}",
                remedy="Name what a run with --watch has said, and leave that running.",
            ) from error
        try:
            wire.greet(link, self._key, __version__)
            return link, *wire.receive(link)
        except BaseException:
            link.close()
            raise

    def _scene_in(self, hello: dict[str, Any]) -> Scene:
        try:
            return parse_scene(hello["scene"])
        except (KeyError, TypeError, AttributeError) as error:
            raise wire.LinkError("what came is no scene") from error

    def _lose(self) -> None:
        self.close()
        self._next_attempt = time.monotonic() + _AGAIN
        if not self._lost:
            self._lost = True
            self.events.put(Notice(LOST))

    def _come_back(self) -> None:
        try:
            link, hello, arrays = self._connected()
            mesh = mesh_of(hello, arrays)
            same = dump_scene(self._scene_in(hello)) == self._first
        except WavelabError:
            self._next_attempt = time.monotonic() + _AGAIN
            return
        if not same or not np.array_equal(mesh.triangles, self.mesh.triangles):
            link.close()
            self._over = True
            self.events.put(Notice(OTHER))
            return
        self._link, self._lost = link, False
        self.events.put(Notice(BACK))
        self.mailbox.request()
