"""Tasks dealt out to child processes, some at a time, and what these answer.

Parent and children talk as :mod:`wavelab.child` says.  A child ends with its standard input, also
in the middle of a task.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from wavelab.child import receive, send, spawn

Name = TypeVar("Name")

#: A signal is heard at last after so long, where waiting for a result cannot be interrupted.
_LOOK_SECONDS = 0.2
#: How long a child that has died is waited for.
_GONE_SECONDS = 1.0


@dataclass(frozen=True)
class NoAnswer:
    """Why a task has none: its process died or never began, or something cannot be pickled."""

    reason: str


def answers(
    worker: str, tasks: Sequence[tuple[Name, Any]], jobs: int
) -> Generator[tuple[Name, Any | NoAnswer], None, None]:
    """What comes of some tasks, each under its name, in the order in which they end.

    A task whose process dies, or that cannot be sent, or its answer, has :class:`NoAnswer`, and the
    next has a process of its own.  All processes are gone when the iterator has ended or is closed.

    Parameters
    ----------
    worker : a module that calls :func:`serve`.
    jobs : tasks at a time.
    """
    waiting: queue.SimpleQueue[tuple[Name, Any]] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    done: queue.SimpleQueue[tuple[Name, Any]] = queue.SimpleQueue()
    slots = [_Slot(worker, waiting, done) for _ in range(min(jobs, len(tasks)))]
    try:
        for slot in slots:
            slot.start()
        for _ in tasks:
            yield _next(done)
    finally:
        for slot in slots:
            slot.end()
        for slot in slots:
            if slot.ident is not None:
                slot.join(_GONE_SECONDS)


def serve(work: Callable[[Any], Any]) -> None:
    """In a child: answer one task after the other until the parent wants no more.

    Parameters
    ----------
    work : from a task to its answer; what it raises ends the process.
    """
    # They are for the parent, which ends this by closing standard input.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    given = os.fdopen(os.dup(1), "wb")
    # Drivers print.
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks.put), daemon=True).start()
    while True:
        send(given, work(tasks.get()))


def _listen(stream: BinaryIO, put: Callable[[Any], None]) -> None:
    try:
        while True:
            put(receive(stream))
    finally:
        os._exit(0)


def _next(done: queue.SimpleQueue[tuple[Name, Any]]) -> tuple[Name, Any]:
    while True:
        with suppress(queue.Empty):
            return done.get(timeout=_LOOK_SECONDS)


class _Slot(threading.Thread):
    """Has a process do one task after the other, as long as any is waiting."""

    def __init__(self, worker: str, waiting: queue.SimpleQueue, done: queue.SimpleQueue) -> None:
        super().__init__(name=f"pool of {worker.rpartition('.')[0]}", daemon=True)
        self._worker, self._waiting, self._done = worker, waiting, done
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._ended = False

    def run(self) -> None:
        with suppress(queue.Empty):
            while not self._ended:
                name, task = self._waiting.get_nowait()
                self._done.put((name, self._answer(task)))
        self.end()

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self._lock:
            self._ended = True
            process, self._process = self._process, None
        if process is not None:
            _bury(process)

    def _answer(self, task: Any) -> Any | NoAnswer:
        process: subprocess.Popen[bytes] | None = None
        try:
            process = self._child()
            if process is None:
                return NoAnswer("nobody waits for it any more")
            assert process.stdin is not None
            assert process.stdout is not None
            send(process.stdin, task)
            return receive(process.stdout)
        except Exception as error:  # also what cannot be pickled, on either side
            if process is None:
                return NoAnswer(f"no process can be started: {error}")
            with self._lock:
                self._process = None
            dead = isinstance(error, OSError | EOFError | ValueError)
            with suppress(subprocess.TimeoutExpired):  # its own status says more
                process.wait(_GONE_SECONDS if dead else 0)
            status = process.poll()
            _bury(process)
            if status is None:
                return NoAnswer(f"{type(error).__name__}: {error}")
            return NoAnswer(f"its process ended with status {status}")

    def _child(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._process is None and not self._ended:
                self._process = spawn(self._worker, subprocess.DEVNULL)
            return self._process


def _bury(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a process."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # unsent bytes for one that is gone
            if stream is not None:
                stream.close()
