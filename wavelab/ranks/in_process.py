"""Ranks that are threads of one process, as for several devices of one machine."""

from __future__ import annotations

import queue
import threading
from typing import Any

from numpy.typing import NDArray

from wavelab.ranks.communicator import RankError, Traces

#: Seconds between two looks whether a rank that one waits for has failed.
_PATIENCE = 0.05


class _Group:
    """What the ranks share: a box for each kind of thing from each rank to each other."""

    def __init__(self, size: int) -> None:
        pairs = [(of, to) for of in range(size) for to in range(size)]
        self.messages: dict[tuple[int, int], queue.SimpleQueue[Any]]
        self.messages = {pair: queue.SimpleQueue() for pair in pairs}
        self.traces: dict[tuple[int, int], queue.SimpleQueue[NDArray]]
        self.traces = {pair: queue.SimpleQueue() for pair in pairs}
        self.lock = threading.Lock()
        self.failure: RankError | None = None

    def taken(self, box: queue.SimpleQueue[Any]) -> Any:
        """What comes next into a box."""
        while True:
            try:
                return box.get(timeout=_PATIENCE)
            except queue.Empty:
                if self.failure is not None:
                    raise RankError(self.failure.rank, self.failure.error) from None


class ThreadRank:
    """A :class:`wavelab.ranks.communicator.Communicator` between threads."""

    def __init__(self, group: _Group, rank: int, size: int) -> None:
        self.rank, self.size, self._group = rank, size, group

    @property
    def failed(self) -> bool:
        return self._group.failure is not None

    def send(self, to: int, message: Any) -> None:
        self._group.messages[self.rank, to].put(message)

    def receive(self, of: int) -> Any:
        return self._group.taken(self._group.messages[of, self.rank])

    def exchange(self, outgoing: Traces, incoming: Traces) -> _Arriving:
        for to, numbers in outgoing.items():
            self._group.traces[self.rank, to].put(numbers.copy())
        return _Arriving(self._group, self.rank, incoming)

    def fail(self, error: BaseException) -> None:
        with self._group.lock:
            self._group.failure = self._group.failure or RankError(self.rank, error)


class _Arriving:
    """Numbers on their way."""

    def __init__(self, group: _Group, rank: int, incoming: Traces) -> None:
        self._group, self._rank, self._incoming = group, rank, incoming

    def wait(self) -> None:
        for of, numbers in self._incoming.items():
            numbers[...] = self._group.taken(self._group.traces[of, self._rank])


def in_process(size: int) -> list[ThreadRank]:
    """The ranks of a group of threads, the first one first."""
    group = _Group(size)
    return [ThreadRank(group, rank, size) for rank in range(size)]
