"""Ranks that are processes, on one machine or many, by the Message Passing Interface."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from mpi4py import MPI

from wavelab.ranks.communicator import RankError, Traces

_MESSAGE, _TRACES, _FAILURE = 1, 2, 3
#: Looks for something to come before a rank that waits for commands begins to sleep, and for how
#: long it sleeps each time: MPI itself would keep a processor busy, while the first rank meshes or
#: draws.
_LOOKS, _SLEEP = 200, 1e-3
#: The same for one that waits for traces, some 50 ms: by then another one compiles, draws or
#: writes, and may need the core of who looks.
_LOOKS_FOR_TRACES = 20_000
#: Seconds that the first rank has to say what has failed, and the exit status then.
_LAST_WORDS, _FAILED_STATUS = 60.0, 2
#: Seconds that what it has said has to come through: who started the ranks passes on what they
#: write, and an abort ends that, too.
_PASSED_ON = 0.5
#: Looks for traces between two looks whether a rank has failed.
_LOOKS_PER_CHECK = 64


def library() -> str:
    """The name of the MPI library."""
    return MPI.Get_library_version().strip().splitlines()[0]


class MPIRank:
    """A :class:`wavelab.ranks.communicator.Communicator` of all processes that were started
    together.

    Attributes
    ----------
    local_rank : which of the ranks of this machine.
    processes : machine and number of the process of each rank.
    cores : of the processor that are there for this rank alone, if all ranks compute on it.
    """

    def __init__(self) -> None:
        self._world = MPI.COMM_WORLD.Dup()
        self.rank, self.size = self._world.Get_rank(), self._world.Get_size()
        self.processes = self._world.allgather((MPI.Get_processor_name(), os.getpid()))
        node = self._world.Split_type(MPI.COMM_TYPE_SHARED)
        self.local_rank = node.Get_rank()
        mine = _own_cores()
        # Ranks that were bound to cores of their own share these with nobody.
        self.cores = max(1, len(mine) // node.allgather(mine).count(mine))
        node.Free()
        self._failure: RankError | None = None
        self._last_words: list[MPI.Request] = []

    @property
    def failed(self) -> bool:
        """Whether this or another rank is known to have failed."""
        return self._failure is not None

    def send(self, to: int, message: Any) -> None:
        self._check()
        request = self._world.isend(message, to, _MESSAGE)
        self._until(lambda: request.test()[0])

    def receive(self, of: int) -> Any:
        found: list[MPI.Message] = []

        def come() -> bool:
            message = self._world.improbe(of, _MESSAGE)
            if message is not None:
                found.append(message)
            return message is not None

        self._until(come, sleeping=True)
        return found[0].recv()

    def exchange(self, outgoing: Traces, incoming: Traces) -> _Arriving:
        requests = [self._world.Irecv(numbers, of, _TRACES) for of, numbers in incoming.items()]
        requests += [self._world.Isend(numbers, to, _TRACES) for to, numbers in outgoing.items()]
        return _Arriving(self, requests)

    def fail(self, error: BaseException) -> None:
        if self.failed:
            return
        self._failure = RankError(self.rank, error)
        for rank in range(self.size):
            if rank != self.rank:
                # Nobody waits until it has arrived: the process may be about to end.
                told = self._world.isend((self.rank, error), rank, _FAILURE)
                self._last_words.append(told)

    def leave(self) -> None:
        """The last that a rank does.

        Where one has failed the first ends them all, when it has said so: what is on its way stays
        so, and MPI would wait for it.
        """
        if self.failed:
            until = time.monotonic() + (_LAST_WORDS if self.rank else _PASSED_ON)
            while time.monotonic() < until:
                self._world.iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)  # lets what was sent arrive
                time.sleep(_SLEEP)
            MPI.COMM_WORLD.Abort(_FAILED_STATUS)
        MPI.Finalize()

    def wait_for(self, requests: list[MPI.Request]) -> None:
        """Wait until all are done."""
        self._until(lambda: MPI.Request.Testall(requests))

    def _until(self, done: Callable[[], bool], *, sleeping: bool = False) -> None:
        looks = 0
        while not done():
            looks += 1
            if looks % _LOOKS_PER_CHECK == 0:
                self._check()
            if looks > (_LOOKS if sleeping else _LOOKS_FOR_TRACES):
                time.sleep(_SLEEP)
            else:
                time.sleep(0)  # the device may compute on the core that looks

    def _check(self) -> None:
        message = self._world.improbe(MPI.ANY_SOURCE, _FAILURE)
        if message is not None:
            self._failure = self._failure or RankError(*message.recv())
        if self._failure is not None:
            raise RankError(self._failure.rank, self._failure.error)


class _Arriving:
    """Traces on their way."""

    def __init__(self, of: MPIRank, requests: list[MPI.Request]) -> None:
        self._of, self._requests = of, requests

    def wait(self) -> None:
        self._of.wait_for(self._requests)


def _own_cores() -> list[int]:
    """The numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
