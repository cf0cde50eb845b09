"""Ctrl-C or SIGTERM in a headless run: stop between two batches and finish all files."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from wavelab.ctrl_c import Ended, handled


class RunInterrupted(Ended):
    """A signal ended a run early; every file is complete up to then, and so is ``summary``."""

    def __init__(self, summary: dict[str, Any], number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.summary = summary


class Asked:
    """Whether a signal has asked the run to end: ``number`` is the signal's, 0 if none has."""

    number = 0


@contextmanager
def first_request() -> Iterator[Asked]:
    """Notes the first signal that asks the program to end; the second one is the usual exception.

    In any thread but the main one signals cannot be caught, and none is noted.
    """
    asked = Asked()

    def note(number: int, frame: FrameType | None) -> None:
        asked.number = number
        for each, handler in usual.items():
            signal.signal(each, handler)

    with handled(note) as usual:
        yield asked
