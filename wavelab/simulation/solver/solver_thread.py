"""The thread in which a runner turns."""

from __future__ import annotations

import threading

from wavelab.simulation.solver.commands import Quit
from wavelab.simulation.solver.runner import Runner


class SolverThread(threading.Thread):
    """Runs ``runner.turn`` until ``Quit``."""

    def __init__(self, runner: Runner) -> None:
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
