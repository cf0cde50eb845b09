"""A problem that is on its way to the solver, and is there in a moment."""

from __future__ import annotations

from collections.abc import Callable

#: Wall time that steps wait for it, s: what is prepared in a moment is here by then, and what is
#: not, or cannot be, keeps nobody from going on.
_PATIENCE = 0.05
#: Wall time that steps have had since the last one, s: a wave goes on while a slider is turned.
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
        self._until = self._last = clock() - _PATIENCE - _APART

    def begin(self) -> None:
        """One is on its way; it is waited for unless another one has just come."""
        now = self._clock()
        if now - self._last > _APART:
            self._until = now + _PATIENCE

    @property
    def seconds(self) -> float:
        """How long to wait for it still; 0 for not at all."""
        return max(0.0, self._until - self._clock())

    def end(self) -> None:
        """It is here."""
        self._last = self._until = self._clock()
