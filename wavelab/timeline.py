"""What ran when: spans and counters of a run, written in Chrome's trace-event format.

Perfetto (ui.perfetto.dev) and chrome://tracing open the file.  Whoever has something to show is
given a timeline, :data:`NO_TIMELINE` if nobody profiles; there is no global one.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from wavelab.atomic import check_target, whole_file

SUFFIXES = (".json",)

#: Rows of the program's threads, and rows of a device, are shown as two processes.
_HOST, _DEVICE = 1, 2
#: Events kept of either, about 100 MB of memory and as much of a file; a quarter is for the host,
#: so that a flood of kernels does not wash away what came after it.
MOST_EVENTS = 400_000


class Timeline:
    """Collects events of all threads until it is written; safe to use from any of them.

    Parameters
    ----------
    most_events : how many are kept; later ones are only counted.
    clock : nanoseconds on the host.
    """

    recording = True

    def __init__(
        self, most_events: int = MOST_EVENTS, clock: Callable[[], int] = time.perf_counter_ns
    ) -> None:
        self.clock = clock
        self.origin = clock()
        self.dropped = 0
        self._lock = threading.Lock()
        self._room = {_HOST: most_events // 4, _DEVICE: most_events - most_events // 4}
        self._rows: dict[tuple[int, str], int] = {}
        self._events: list[tuple[Any, ...]] = []
        self._notes: dict[str, Any] = {}

    def span(self, name: str, **arguments: Any) -> AbstractContextManager[None]:
        """The time spent in a ``with`` block, on the row of this thread."""
        return self._timed(name, arguments)

    @contextmanager
    def _timed(self, name: str, arguments: dict[str, Any]) -> Iterator[None]:
        began = self.clock()
        try:
            yield
        finally:
            self.add(name, began, self.clock(), **arguments)

    def add(self, name: str, began: int, ended: int, *, device: str = "", **arguments: Any) -> None:
        """A span measured elsewhere, in nanoseconds of :attr:`clock`.

        Parameters
        ----------
        device : the device whose row it belongs to; "" for the row of this thread.
        """
        process = _DEVICE if device else _HOST
        row = device or threading.current_thread().name
        self._keep(process, row, "X", name, began, ended - began, arguments or None)

    def count(self, name: str, value: float) -> None:
        """The value of a quantity from now on, drawn as a curve."""
        self._keep(_HOST, "", "C", name, self.clock(), 0, {"value": value})

    def note(self, name: str, value: Any) -> None:
        """Something to know about the whole timeline, shown as its metadata."""
        with self._lock:
            self._notes[name] = value

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write the file; the number of events that did not fit into the timeline.

        Raises
        ------
        OutputError : the file cannot be written; there is none then.
        """
        with self._lock:
            events, rows, notes = list(self._events), dict(self._rows), dict(self._notes)
            notes["events left out"] = self.dropped
        with whole_file(path, SUFFIXES) as partial, partial.open("w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit":"ms","otherData":')
            json.dump(notes, file)
            file.write(',"traceEvents":[\n')
            for i, event in enumerate(itertools.chain(_titles(rows), self._described(events))):
                file.write(",\n" * (i > 0))
                # One by one: a long run has more events than fit in memory twice.
                file.write(json.dumps(event, separators=(",", ":")))
            file.write("\n]}\n")
        return self.dropped

    def _keep(self, process: int, row: str, kind: str, *event: Any) -> None:
        """``event``: its name, when it began, how long it took, and its arguments."""
        with self._lock:
            if not self._room[process]:
                self.dropped += 1
                return
            self._room[process] -= 1
            number = self._rows.setdefault((process, row), len(self._rows) + 1)
            self._events.append((kind, process, number, *event))

    def _described(self, events: list[Any]) -> Iterator[dict[str, Any]]:
        for kind, process, row, name, began, length, arguments in events:
            event = {"name": name, "ph": kind, "pid": process, "tid": row}
            event["ts"] = (began - self.origin) / 1000
            if kind == "X":
                event["dur"] = length / 1000
            if arguments:
                event["args"] = arguments
            yield event


class _NoTimeline(Timeline):
    """Keeps nothing and costs nothing."""

    recording = False

    def span(self, name: str, **arguments: Any) -> AbstractContextManager[None]:
        return _NOTHING

    def add(self, *_: Any, **__: Any) -> None:
        pass

    def count(self, name: str, value: float) -> None:
        pass

    def note(self, name: str, value: Any) -> None:
        pass


_NOTHING = nullcontext()
NO_TIMELINE: Timeline = _NoTimeline(0)


@contextmanager
def written_timeline(path: Path | None, notify: Callable[[str], None]) -> Iterator[Timeline]:
    """A timeline that is written to ``path`` at the end of the block, however it ends;
    :data:`NO_TIMELINE` for None.

    Parameters
    ----------
    notify : told if the timeline was too short for all events.

    Raises
    ------
    OutputError : the file cannot be written; before the block where that shows before.
    """
    if path is None:
        yield NO_TIMELINE
        return
    check_target(path, SUFFIXES)
    timeline = Timeline()
    try:
        yield timeline
    finally:
        if left_out := timeline.write(path):
            notify(f"the timeline is full: its last {left_out:,} events were left out")


def _titles(rows: dict[tuple[int, str], int]) -> Iterator[dict[str, Any]]:
    """Names of processes and rows."""
    for process, title in ((_HOST, "wavelab"), (_DEVICE, "OpenCL device")):
        if any(p == process for p, _ in rows):
            yield {"name": "process_name", "ph": "M", "pid": process, "args": {"name": title}}
    for (process, row), number in rows.items():
        if row:
            yield {
                "name": "thread_name", "ph": "M", "pid": process, "tid": number,
                "args": {"name": row},
            }  # fmt: skip
