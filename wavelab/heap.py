"""How the C library keeps the memory of a program in which scenes come and go.

Left to itself glibc takes arrays of up to 32 MiB from its heaps as soon as one of that size has
been given back, and has up to eight heaps a core, for threads that allocate at once.  What is given
back in the middle of a heap stays with the process: a window kept twice what it used
(docs/scripted_user.md has the numbers).
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

#: Bytes from which an array has pages of its own, which go back at once.  Less would cost the NumPy
#: stepper time, whose work arrays would be pages anew in every stage.
MAPPED = 4 << 20
#: Bytes free at the end of a heap from which they go back.
TRIMMED = 4 * MAPPED
HEAPS = 2
# Of mallopt in malloc.h, with what says the same in the environment.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_WISHES = (
    (_MMAP_THRESHOLD, MAPPED, "MALLOC_MMAP_THRESHOLD_"),
    (_TRIM_THRESHOLD, TRIMMED, "MALLOC_TRIM_THRESHOLD_"),
    (_ARENA_MAX, HEAPS, "MALLOC_ARENA_MAX"),
)


def give_back() -> None:
    """Give all pages back in which nothing is left, also those between others, which the C library
    keeps: some 0.1 ms for each MiB, and 1 ms where there is nothing."""
    if (trim := _of_glibc("malloc_trim")) is not None:
        trim(ctypes.c_size_t(0))


def give_back_early() -> None:
    """Have large arrays given back to the system when they are freed; what the environment says
    about it goes before.  Other C libraries than glibc are left as they are."""
    if (mallopt := _of_glibc("mallopt")) is None:
        return
    for parameter, value, variable in _WISHES:
        if variable not in os.environ:
            mallopt(parameter, value)


def _of_glibc(name: str) -> Any:
    """A function of the C library; None where that is another one."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform.startswith("linux") else None
