"""Long work beside the window: one thread, its progress, and a way to give it up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Runs ``work(self)`` in a thread.

    ``work`` calls :meth:`tell` now and then and ends soon after :attr:`cancelled` is set.

    Parameters
    ----------
    changed : called in the thread when ``work`` tells something, and when it is :attr:`done`.

    Attributes
    ----------
    part, text : how much is done, 0 to 1, and what is being done.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Background[T]], T],
        text: str = "",
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.part = 0.0
        self.text = text
        self._changed = changed
        self._ended = threading.Event()
        self._work = work
        self._cancelled = threading.Event()
        self._result: T | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def tell(self, part: float, text: str) -> None:
        self.part, self.text = part, text
        self._changed()

    def cancel(self) -> None:
        self._cancelled.set()

    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancelled_within(self, seconds: float) -> bool:
        """Wait so long, or until it is cancelled; whether it is."""
        return self._cancelled.wait(seconds)

    @property
    def done(self) -> bool:
        return self._ended.is_set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end, and of all that ``work`` began; False if it has not come in time."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def result(self) -> T | None:
        """What came out, once ``done``; None if it was cancelled.

        Raises
        ------
        Exception : what ``work`` raised.
        """
        if self._cancelled.is_set():
            return None
        if self._error is not None:
            raise self._error
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._work(self)
        except Exception as error:  # handed to whoever asks for the result
            self._error = error
        self._ended.set()
        self._changed()
