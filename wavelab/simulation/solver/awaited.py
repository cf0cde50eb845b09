"""A problem that is on its way to the solver, and is there in a moment."""

from __future__ import annotations

from collections.abc import Callable

#: Wall time that steps wait for it, s: what is prepared in a moment is here by then, and what is
#: not, or cannot be, keeps nobody from going on.
_PATIENCE = 0.05
#: Wall time that steps have after that, s: a wave goes on while a slider is turned, also where none
#: of its numbers can be.
_APART = 0.03


class Awaited:
    """Whether steps wait for a problem, so that they neither take the processor from whoever
    prepares it nor are still at work when it comes.

    Parameters
    ----------
    clock : wall time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until = clock() - _PATIENCE - _APART

    def begin(self) -> None:
        """One is on its way; it is waited for unless another one is or has just been."""
        now = self._clock()
        if now - self._until > _APART:
            self._until = now + _PATIENCE

    @property
    def seconds(self) -> float:
        """How long to wait for it still; 0 for not at all."""
        return max(0.0, self._until - self._clock())

    def end(self) -> None:
        """It is here."""
        self._until = self._clock()
