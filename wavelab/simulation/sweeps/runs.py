"""Runs of a sweep in child processes, some at a time."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from wavelab.child import receive, send, spawn
from wavelab.simulation.sweeps.worker import Answer, Task

Name = TypeVar("Name")

#: A signal is heard at last after so long, where waiting for a result cannot be interrupted.
_LOOK_SECONDS = 0.2
#: How long a child that has died is waited for.
_GONE_SECONDS = 1.0
_WORKER = "wavelab.simulation.sweeps.worker"


def answers(tasks: Sequence[tuple[Name, Task]], jobs: int) -> Iterator[tuple[Name, Answer]]:
    """What comes of some tasks, each under its name, in the order in which they end.

    A run whose process dies is answered with that, and the next has a process of its own.  All
    processes are gone when the iterator has ended or is closed.

    Parameters
    ----------
    jobs : runs at a time.
    """
    waiting: queue.SimpleQueue[tuple[Name, Task]] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    done: queue.SimpleQueue[tuple[Name, Answer]] = queue.SimpleQueue()
    slots = [_Slot(waiting, done) for _ in range(min(jobs, len(tasks)))]
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


def _next(done: queue.SimpleQueue[tuple[Name, Answer]]) -> tuple[Name, Answer]:
    while True:
        with suppress(queue.Empty):
            return done.get(timeout=_LOOK_SECONDS)


class _Slot(threading.Thread):
    """Has a process run one task after the other, as long as any is waiting."""

    def __init__(self, waiting: queue.SimpleQueue, done: queue.SimpleQueue) -> None:
        super().__init__(name="sweep", daemon=True)
        self._waiting, self._done = waiting, done
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

    def _answer(self, task: Task) -> Answer:
        process: subprocess.Popen[bytes] | None = None
        try:
            process = self._child()
            if process is None:
                return Answer(error="the sweep has ended")
            assert process.stdin is not None
            assert process.stdout is not None
            send(process.stdin, task)
            answer = receive(process.stdout)
            assert isinstance(answer, Answer)
            return answer
        except (OSError, EOFError, ValueError) as error:
            if process is None:
                return Answer(error=f"no process can be started: {error}")
            with self._lock:
                self._process = None
            with suppress(subprocess.TimeoutExpired):  # its own status says more
                process.wait(_GONE_SECONDS)
            _bury(process)
            return Answer(error=f"the process of the run ended with status {process.returncode}")

    def _child(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._process is None and not self._ended:
                self._process = spawn(_WORKER, subprocess.DEVNULL)
            return self._process


def _bury(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a process."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # unsent bytes for one that is gone
            if stream is not None:
                stream.close()
