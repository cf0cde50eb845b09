"""The state to go back to when a field blows up."""

from __future__ import annotations

import math
from collections.abc import Callable

from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.core.state import State

#: Wall time between two copies, at least ...
_SECONDS = 1.0
#: ... and the share of all time that copying may take.
_SHARE = 0.01


class LastGoodState:
    """Keeps a copy of the fields that is about a second old, each checked by the guard.

    Reading the fields back is dear on large meshes, so copies are rarer there.

    Parameters
    ----------
    clock : wall time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._interval = _SECONDS
        self.forget()

    def forget(self) -> None:
        """Another run begins."""
        self._state: State | None = None
        self._taken = -math.inf

    def begin_with(self, state: State) -> None:
        """A run goes on from what another one has come to."""
        self._state, self._taken = state, self._clock()

    def offer(self, simulation: Simulation) -> None:
        """Copy the state if it is time to.

        Raises
        ------
        UnstableError : the field is not good any more.
        """
        began = self._clock()
        if began - self._taken < self._interval:
            return
        simulation.check()
        self._state = simulation.state()
        self._taken = self._clock()
        self._interval = max(_SECONDS, (self._taken - began) / _SHARE)

    @property
    def state(self) -> State | None:
        """The copy; None if there is none yet."""
        return self._state

    def restore(self, simulation: Simulation) -> None:
        """Put ``simulation`` back to the copy, or to its start if there is none yet."""
        simulation.restore(self._state or simulation.initial_state())
