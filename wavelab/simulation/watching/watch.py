"""A headless run that lets windows look at it, and does what they ask.

The run never waits for a window: it makes a frame where one is asked for, between two batches of
steps, and only as often as that takes a small part of the time.  Threads of their own talk to the
windows; one that is slow has its newest frame later, and one that says rubbish is let go.
"""

from __future__ import annotations

import contextlib
import math
import queue
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from wavelab import __version__
from wavelab.errors import WavelabError
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.toml.toml_io import dump_scene
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.simulation.messages.frames import Frame, Mailbox, SampleLog
from wavelab.simulation.views.views import view
from wavelab.simulation.watching import wire
from wavelab.simulation.watching.frame_messages import frame_message
from wavelab.simulation.watching.watched import WatchedRun

#: Windows at a time.
_MOST_WINDOWS = 4
#: Part of the time that frames may take, and seconds that a window waits for one, or for what it
#: has asked to be done.
_SHARE, _FRAME_SECONDS, _DONE_SECONDS = 0.1, 1.0, 10.0
#: Seconds without a question after which a window is taken to have gone.
_GONE_SECONDS = 60.0
#: Seconds between two looks at what is asked of a run that is paused, and at a mailbox.
_PAUSED_SECONDS, _LOOK_SECONDS = 0.05, 0.005
#: Most steps at once that a window can ask for.
_MOST_STEPS = 10**6

#: What is to be done, and where what was wrong goes, with the remedy.
_Job = tuple[Callable[[], None], "queue.SimpleQueue[tuple[str, str]]"]


class _Window:
    """What the run has for one window."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.mailbox, self.quantity = Mailbox(), "ez"
        self.samples = SampleLog()
        self.samples.restart(names)
        self.due = -math.inf


class Watch:
    """Serves one run.

    Parameters
    ----------
    run : what is watched; used by the thread that calls :meth:`turn` alone.
    host, port : to listen at; port 0 takes a free one.
    key : that windows have to know.

    Attributes
    ----------
    address : "host:port" that it listens at.

    Raises
    ------
    WavelabError : nobody can listen there.
    """

    def __init__(self, run: WatchedRun, host: str, port: int, key: bytes) -> None:
        self._run, self._key = run, key
        self._hello = run.hello()
        self._windows: list[_Window] = []
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._playing, self._left = True, 0
        self._rate, self._counted = 0.0, (time.monotonic(), run.steps)
        try:
            self._socket = socket.create_server((host, port))
        except (OSError, OverflowError) as error:
            raise WavelabError(
                f"nobody can be let look at {host}:{port}: {error}",
                remedy="Name another address with --watch, or none.",
            ) from error
        self.address = "{}:{}".format(*self._socket.getsockname()[:2])
        threading.Thread(target=self._listen, name="watch", daemon=True).start()

    def most(self, steps: int) -> int:
        """So many steps, or fewer, may be taken before the next :meth:`turn`."""
        return steps if self._playing else min(steps, self._left)

    def took(self, steps: int, sampled: tuple[Any, Any]) -> None:
        """Steps were taken, with what probes have seen."""
        self._left = max(0, self._left - steps)
        now, (then, before) = time.monotonic(), self._counted
        if now - then > 1.0:
            self._rate = (self._run.steps - before) / (now - then)
            self._counted = now, self._run.steps
        with self._lock:
            windows = list(self._windows)
        for window in windows:
            window.samples.append(*sampled)

    def turn(self, ended: Callable[[], bool]) -> None:
        """Do what was asked, and show what is wanted; return when steps are to be taken, or the run
        is to end."""
        while True:
            self._do_all()
            self._show()
            if self._playing or self._left or ended():
                return
            self._rate, self._counted = 0.0, (time.monotonic(), self._run.steps)
            time.sleep(_PAUSED_SECONDS)

    def close(self) -> None:
        """Let nobody look any more."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def _do_all(self) -> None:
        while True:
            try:
                act, answer = self._jobs.get_nowait()
            except queue.Empty:
                return
            try:
                act()
            except WavelabError as error:
                answer.put((error.message, error.remedy))
            else:
                answer.put(("", ""))

    def _show(self) -> None:
        with self._lock:
            windows = list(self._windows)
        for window in windows:
            began = time.monotonic()
            if window.mailbox.wanted.is_set() and began >= window.due:
                window.mailbox.accept()
                window.mailbox.put(self._frame(window))
                # A paused run has nothing else to do.
                cost = (time.monotonic() - began) / _SHARE if self._playing else 0.0
                window.due = time.monotonic() + cost

    def _frame(self, window: _Window) -> Frame:
        simulation = self._run.simulation
        return Frame(
            0,
            window.quantity,
            view(simulation, window.quantity),
            time=simulation.time,
            steps=simulation.steps,
            dt=simulation.dt,
            steps_per_second=self._rate,
            energy=float(simulation.element_energy().sum()),
            playing=self._playing,
            probes=window.samples.drain(),
        )

    def _listen(self) -> None:
        while True:
            try:
                link, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(link,), name="watched", daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        """Talk to one window until it goes, or is let go."""
        window = _Window(self._run.probe_names)
        with link, contextlib.suppress(wire.LinkError):
            wire.be_greeted(link, self._key, __version__)
            with self._lock:
                if len(self._windows) >= _MOST_WINDOWS:
                    return
                self._windows.append(window)
            try:
                wire.send(link, *self._hello)
                while True:
                    asked, _ = wire.receive(link, wire.MOST_ASKED, idle=_GONE_SECONDS)
                    wire.send(link, *self._answer(window, asked))
            finally:
                with self._lock:
                    self._windows.remove(window)

    def _answer(self, window: _Window, asked: dict[str, Any]) -> tuple[dict[str, Any], wire.Arrays]:
        if "quantity" in asked:
            return self._newest(window, asked["quantity"])
        try:
            act = self._act(asked)
        except (KeyError, TypeError, ValueError, OverflowError):
            return {"error": "Nobody knows what was asked for", "remedy": ""}, ()
        answer: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._jobs.put((act, answer))
        try:
            error, remedy = answer.get(timeout=_DONE_SECONDS)
        except queue.Empty:
            error, remedy = "The run is busy, and does it later", ""
        return {"error": error, "remedy": remedy}, ()

    def _newest(self, window: _Window, quantity: Any) -> tuple[dict[str, Any], wire.Arrays]:
        known = isinstance(quantity, str) and quantity in QUANTITIES
        if known and self._run.has(quantity):
            window.quantity = quantity
        window.mailbox.request()
        until = time.monotonic() + _FRAME_SECONDS
        while (frame := window.mailbox.take()) is None and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        return frame_message(frame)

    def _act(self, asked: dict[str, Any]) -> Callable[[], None]:
        """What is asked for, to be done by the run."""
        match asked:
            case {"do": "play"}:
                return lambda: self._go(True, 0)
            case {"do": "pause"}:
                return lambda: self._go(False, 0)
            case {"do": "steps", "n": int(n)} if 0 <= n <= _MOST_STEPS:
                return lambda: self._go(False, n)
            case {"do": "ping", "ping": [x, y, radius, amplitude]}:
                numbers = [float(n) for n in (x, y, radius, amplitude)]
                if not all(map(math.isfinite, numbers)) or numbers[2] <= 0:
                    raise ValueError
                ping = Ping(0.0, (numbers[0], numbers[1]), numbers[2], numbers[3])
                return lambda: self._run.ping(ping)
            case {"do": "change", "scene": str(text)}:
                return lambda: self._change(text)
        raise ValueError

    def _go(self, playing: bool, steps: int) -> None:
        self._playing, self._left = playing, steps

    def _change(self, text: str) -> None:
        self._run.change(text)
        hello, arrays = self._hello
        self._hello = hello | {"scene": dump_scene(self._run.simulation.said.scene)}, arrays
