"""How much of what cannot be given up halfway goes on at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds between two looks at whether what waits is still wanted.
_LOOK = 0.05


class Turns:
    """Lets so many at work at a time; may be asked from any thread.

    What is given up while it works goes on to its end, and holds what it needs.  Without turns as
    many of these would be at work at a time as somebody makes edits meanwhile.

    Parameters
    ----------
    most : at a time.
    """

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    @contextmanager
    def taken(self, cancelled: Callable[[], bool]) -> Iterator[bool]:
        """Wait for a turn and have it inside; whether it is still wanted then."""
        had = False
        while not cancelled() and not had:
            had = self._free.acquire(timeout=_LOOK)
        try:
            yield had and not cancelled()
        finally:
            if had:
                self._free.release()
