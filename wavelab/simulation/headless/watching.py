"""Windows that look at a headless run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.batch_records import BatchRecords

if TYPE_CHECKING:  # few runs are watched
    from wavelab.simulation.watching.watch import Watch

#: Where a run listens if nothing else is said: on this machine alone, at a port that is free.
USUAL_ADDRESS = "127.0.0.1:0"


@contextmanager
def watched(
    records: BatchRecords, options: BatchOptions, notify: Callable[[str], None]
) -> Iterator[Watch | None]:
    """Let windows look at a run, if the options say so.

    Raises
    ------
    WavelabError : nobody can, at that address or with that key.
    """
    if options.watch is None:
        yield None
        return
    from wavelab.simulation.watching.key_file import key_in
    from wavelab.simulation.watching.watch import Watch
    from wavelab.simulation.watching.watched import WatchedRun
    from wavelab.simulation.watching.wire import host_and_port

    fixed = options.checkpoint is not None
    run = WatchedRun(records.simulation, records.pings, records.pinged, fixed)
    watch = Watch(run, *host_and_port(options.watch), key_in(options.key, make=True))
    notify(f"the run is watched with: wavelab --attach {watch.address}")
    try:
        yield watch
    finally:
        watch.close()
