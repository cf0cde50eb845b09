"""The thread in which a runner turns."""

from __future__ import annotations

import queue
import threading
from typing import Protocol

from wavelab.simulation.messages.events import EventQueue
from wavelab.simulation.messages.frames import Mailbox
from wavelab.simulation.solver.command import Command
from wavelab.simulation.solver.commands import Quit


class SolverEnd(Protocol):
    """What a window talks to: a :class:`wavelab.simulation.solver.runner.Runner`, or something that
    is asked the same."""

    commands: queue.SimpleQueue[Command]
    mailbox: Mailbox
    events: EventQueue

    def turn(self) -> bool:
        """One pass; False after ``Quit``."""

    def close(self) -> None:
        """Let go of everything."""


class SolverThread(threading.Thread):
    """Runs ``runner.turn`` until ``Quit``."""

    def __init__(self, runner: SolverEnd) -> None:
        super().__init__(name="wavelab solver", daemon=True)
        self._runner = runner

    def run(self) -> None:
        try:
            while self._runner.turn():
                pass
        finally:
            self._runner.close()

    def stop(self) -> None:
        """Ask the thread to end."""
        self._runner.commands.put(Quit())

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end, ``timeout`` seconds at most; not at all if it was never started."""
        if self.ident is not None:
            super().join(timeout)
