"""Tells in the window when a wave has died away as far as its scene asks for."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.simulation.core.silence import silent_from
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.account import Account


class DiedAway:
    """Of one run, which goes on: only a run without a window ends then.

    Parameters
    ----------
    notify : told once, and once more after the energy has risen again, as after a ping.
    """

    def __init__(self, simulation: Simulation, notify: Callable[[str], None]) -> None:
        self._part = simulation.problem.scene.solver.decayed
        self._silent = silent_from(simulation.problem) if self._part else 0.0
        self._notify = notify
        self._largest, self._told = 0.0, False

    def look(self, account: Account) -> None:
        """At what is stored now."""
        if not self._part:
            return
        self._largest = max(self._largest, account.stored)
        gone = 0 < account.stored <= self._part * self._largest
        if gone and not self._told and account.until >= self._silent:
            self._notify(
                f"The wave has died away by t = {account.until:.6g}: its energy is "
                f"{self._part:g} of its largest, as the scene asks for"
            )
        self._told = gone
