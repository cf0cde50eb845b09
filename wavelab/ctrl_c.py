"""Ctrl-C and other wishes that the program end: where they must not come in the middle, and an end
that they cannot spoil.

SIGTERM (a batch system whose time is up, ``kill``) and SIGHUP (the terminal has gone) are heard as
Ctrl-C is.  What is ignored, as SIGHUP is under ``nohup``, stays so.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

#: Signals by which the program is asked to end, as far as this system knows them.
ENDING = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
Handler = Callable[[int, FrameType | None], Any]


class Ended(KeyboardInterrupt):
    """A signal has asked the program to end.

    Attributes
    ----------
    number : of the signal.
    """

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__("interrupted" if number == signal.SIGINT else "terminated")
        self.number = number

    @property
    def status(self) -> int:
        """Of the program, as shells count: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
        return 128 + self.number


def hear_all() -> None:
    """Have SIGTERM and SIGHUP raise :class:`Ended`, wherever Ctrl-C raises KeyboardInterrupt."""

    def end(number: int, frame: FrameType | None) -> None:
        raise Ended(number)

    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, end)


@contextmanager
def handled(handler: Handler) -> Iterator[dict[int, Handler]]:
    """``handler`` gets all signals of ``ENDING`` that somebody listens to; gives their usual
    handlers, which come back at the end.

    Signals cannot be caught in any thread but the main one, where no exception comes either; there
    nothing is changed.
    """
    usual: dict[int, Handler] = {}
    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            if callable(before := signal.getsignal(number)):
                usual[number] = before
                signal.signal(number, handler)
    try:
        yield usual
    finally:
        for of, before in usual.items():
            signal.signal(of, before)


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C in the block, or another signal to end, is heard at its end.

    For what cannot bear an exception anywhere: modules in C++ abort the program when Python code
    that they call while they are loaded raises one.
    """
    came: list[tuple[int, FrameType | None]] = []
    with handled(lambda number, frame: came.append((number, frame))) as usual:
        yield
    if came:
        usual[came[0][0]](*came[0])


def end_without_destructors() -> None:
    """From now on a library that ends the process, as Qt does when the X server has gone, ends it
    right there, with its status; so does the interpreter, once it has done all of its own.

    Destructors of C++ would run while other threads still compute, and crash.
    """
    with suppress(OSError, AttributeError):  # of C libraries, only glibc has it
        library = ctypes.CDLL(None)
        library.on_exit(ctypes.cast(library._exit, ctypes.c_void_p), None)


def leave(status: int) -> int:
    """The exit status, for the last line of a program; with threads at work, or where there were
    windows, it ends right here.

    A driver's compiler, for example, goes on after Ctrl-C until it is done.  Its thread would end
    with the interpreter, by unwinding its stack; where that meets C++, the program is aborted.
    What Qt has would be taken apart with the modules, in any order, and crash now and then.
    """
    at_work = any(thread.daemon for thread in threading.enumerate())
    if not at_work and "PyQt5.QtGui" not in sys.modules:
        return status
    # What the interpreter would do, as far as anybody would miss it.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
