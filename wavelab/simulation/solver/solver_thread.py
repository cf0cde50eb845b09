"""The thread in which a runner turns."""

from __future__ import annotations

import threading

from wavelab.simulation.solver.commands import Quit
from wavelab.simulation.solver.runner import Runner


class SolverThread:
    """Runs ``runner.turn`` until ``Quit``."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._thread = threading.Thread(target=self._work, name="wavelab solver", daemon=True)

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end."""
        self._runner.commands.put(Quit())

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end; False if it has not come within ``timeout`` seconds."""
        if self._thread.ident is not None:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            while self._runner.turn():
                pass
        finally:
            self._runner.close()
