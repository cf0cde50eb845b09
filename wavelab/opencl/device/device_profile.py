"""Commands of a device on a timeline, by the device's own clock."""

from __future__ import annotations

from collections import deque

import numpy as np
import pyopencl as cl

from wavelab.timeline import Timeline

#: Small copies whose times bound the difference of the two clocks, and nanoseconds after which
#: they are made anew, because clocks drift.
_COPIES = 16
_KEEPS = 1_000_000_000


class DeviceProfile:
    """Follows the commands of one queue that was made with profiling.

    A device stamps its commands with a clock of its own.  A copy on an idle queue, which begins
    after it was asked for and ends before the wait for it is over, bounds the difference to the
    host's clock from both sides; several bound it within microseconds, and half of what is left
    is noted as the uncertainty.
    """

    def __init__(self, timeline: Timeline, queue: cl.CommandQueue, device: str) -> None:
        self._timeline, self._queue, self._device = timeline, queue, device
        self._names: dict[int, str] = {}
        self._pending: deque[tuple[str, cl.Event]] = deque()
        self._measured_at = 0
        self._offset = 0
        self._uncertainty = 0
        self._ended = 0
        self._scrap = np.zeros(1, np.int32)
        self._buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, self._scrap.nbytes)
        self._measure_offset()

    def name(self, kernel: cl.Kernel, name: str) -> None:
        """What to call a kernel, if not by its function."""
        self._names[kernel.int_ptr] = name

    def launched(self, kernel: cl.Kernel, event: cl.Event) -> None:
        """A kernel was queued."""
        self._pending.append((self._names.get(kernel.int_ptr) or kernel.function_name, event))

    def copied(self, name: str, event: cl.Event) -> None:
        """A transfer was queued."""
        self._pending.append((name, event))

    def collect(self) -> None:
        """Put what the device has finished on the timeline."""
        complete = cl.command_execution_status.COMPLETE
        finished = []
        while self._pending and self._pending[0][1].command_execution_status == complete:
            finished.append(self._pending.popleft())
        # Only where the queue is idle: the bounds hold for a command that starts at once.
        if not self._pending and self._timeline.clock() - self._measured_at > _KEEPS:
            self._measure_offset()
        for name, event in finished:
            profile = event.profile
            # The queue works in order; a newer offset must not make neighbours overlap.
            began = max(profile.start + self._offset, self._ended)
            self._ended = max(profile.end + self._offset, began)
            self._timeline.add(name, began, self._ended, device=self._device)

    def release(self) -> None:
        """Collect what is left; the queue is finished."""
        self.collect()
        self._buffer.release()

    def _measure_offset(self) -> None:
        """The host's clock minus the device's."""
        clock = self._timeline.clock
        lowest, highest = [], []
        for _ in range(_COPIES):
            before = clock()
            event = cl.enqueue_copy(self._queue, self._buffer, self._scrap)
            event.wait()
            after = clock()
            lowest.append(before - event.profile.start)
            highest.append(after - event.profile.end)
        low, high = max(lowest), min(highest)
        self._offset, self._uncertainty = (low + high) // 2, max(0, high - low) // 2
        self._measured_at = clock()
        self._timeline.note("device clock uncertainty, us", self._uncertainty / 1000)
