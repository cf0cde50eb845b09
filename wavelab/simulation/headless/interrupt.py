"""Ctrl-C in a headless run: stop between two batches and finish all files."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a run early; every file is complete up to then, and so is ``summary``."""

    def __init__(self, summary: dict[str, Any]) -> None:
        super().__init__("interrupted")
        self.summary = summary


@contextmanager
def first_ctrl_c() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one is the usual KeyboardInterrupt.

    In any thread but the main one signals cannot be caught, and the event is never set.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return
    usual = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, usual)
