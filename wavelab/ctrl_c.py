"""Ctrl-C where it must not come in the middle, and an end of the program that it cannot spoil."""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C in the block is heard at its end.

    For what cannot bear an exception anywhere: modules in C++ abort the program when Python code
    that they call while they are loaded raises one.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield  # no exception comes here
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if pressed:
            usual(*pressed[0])


def end_without_destructors() -> None:
    """From now on a library that ends the process, as Qt does when the X server has gone, ends it
    right there, with its status; so does the interpreter, once it has done all of its own.

    Destructors of C++ would run while other threads still compute, and crash.
    """
    with suppress(OSError, AttributeError):  # of C libraries, only glibc has it
        library = ctypes.CDLL(None)
        library.on_exit(ctypes.cast(library._exit, ctypes.c_void_p), None)


def leave(status: int) -> int:
    """The exit status, for the last line of a program; with threads at work it ends right here.

    A driver's compiler, for example, goes on after Ctrl-C until it is done.  Its thread would end
    with the interpreter, by unwinding its stack; where that meets C++, the program is aborted.
    """
    if not any(thread.daemon for thread in threading.enumerate()):
        return status
    # What the interpreter would do, as far as anybody would miss it.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
