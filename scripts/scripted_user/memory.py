"""How much the process holds when nothing is going on."""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, dataclass
from pathlib import Path

from wavelab.app.base.qt import QApplication
from wavelab.heap import give_back

#: Seconds after which nothing may grow any more, and by how much it may at most.
SETTLED, GROWTH = 600.0, 0.05
_MIB = 2.0**20


@dataclass(frozen=True)
class Holding:
    """At ``time`` (seconds): resident memory in MiB, how much of it are pages of files (code,
    mostly, which the system can have back) and pictures of windows that are shared with the X
    server, how much the C library has for the program, and keeps free, and how many of what else
    can leak."""

    time: float
    resident: float
    code: float
    pictures: float
    used: float
    free: float
    objects: int
    widgets: int
    threads: int
    files: int

    @classmethod
    def now(cls, time: float) -> Holding:
        gc.collect()
        give_back()  # as the window does after it has looked for all garbage
        lines = Path("/proc/self/status").read_text().splitlines()
        told = dict(line.split(":", 1) for line in lines)
        kinds = ("VmRSS", "RssFile", "RssShmem")
        return cls(
            time,
            *(int(told[kind].split()[0]) / 1024 for kind in kinds),
            *_heaps(),
            # In one call: a thread that makes a tuple fails if somebody else holds it by then.
            sum(map(len, map(gc.get_objects, range(3)))),
            len(QApplication.allWidgets()),
            threading.active_count(),
            len(os.listdir("/proc/self/fd")),
        )

    def __str__(self) -> str:
        return (
            f"{self.time:6.0f} s: {self.resident:.0f} MiB ({self.code:.0f} of files, "
            f"{self.pictures:.0f} shared; {self.used:.0f} in heaps, {self.free:.0f} free there), "
            f"{self.objects} objects, "
            f"{self.widgets} widgets, {self.threads} threads, {self.files} files"
        )


def _heaps() -> tuple[float, float]:
    """MiB that are in use, and free, by what glibc says of all its heaps."""
    libc = ctypes.CDLL(None)
    text, size = ctypes.c_char_p(), ctypes.c_size_t()
    libc.open_memstream.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(libc.open_memstream(ctypes.byref(text), ctypes.byref(size)))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    told = ElementTree.fromstring(ctypes.string_at(text, size.value))
    libc.free(text)

    def total(path: str) -> float:
        return sum(int(found.get("size", 0)) for found in told.findall(path)) / _MIB

    free = total("total[@type='fast']") + total("total[@type='rest']")
    return total("system[@type='current']") + total("total[@type='mmap']") - free, free


def growth(held: list[Holding]) -> float | None:
    """By which part memory has grown since it was settled; None if nobody can say yet."""
    later = [h.resident for h in held if h.time >= SETTLED]
    return max(later) / later[0] - 1 if len(later) > 1 else None


def slope(held: list[Holding]) -> float | None:
    """MiB an hour since it was settled, by least squares."""
    later = [(h.time, h.resident) for h in held if h.time >= SETTLED]
    if len(later) < 3:
        return None
    n = len(later)
    t0, r0 = sum(t for t, _ in later) / n, sum(r for _, r in later) / n
    return 3600 * sum((t - t0) * (r - r0) for t, r in later) / sum((t - t0) ** 2 for t, _ in later)


def as_rows(held: list[Holding]) -> list[dict[str, float]]:
    return [asdict(h) for h in held]
