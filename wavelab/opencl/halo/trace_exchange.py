"""What elements publish at the borders of a subdomain, exchanged with other ranks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Indices
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.physics.subdomains.partition import FaceList
from wavelab.ranks.communicator import Communicator


class TraceExchange:
    """The traces that a stage reads, as far as others write them.

    They are gathered into one buffer, copied to the host, sent, received, copied back and put where
    the elements look for them.  The device goes on between :meth:`begin` and :meth:`end`.

    Parameters
    ----------
    out, in_ : by rank, where among the traces lies what is sent, and what comes; of the same ranks,
        one of them may be empty.
    traces : by parity, the buffer that each stage reads.
    """

    def __init__(
        self,
        out: Mapping[int, Indices],
        in_: Mapping[int, Indices],
        communicator: Communicator,
        variant: AoSoA,
        memory: DeviceMemory,
        traces: list[list[cl.Buffer]],
    ) -> None:
        self._communicator, self._memory, self._kernels = communicator, memory, variant.kernels
        self._outgoing, self._incoming = self._side(out), self._side(in_)
        self._packed = memory.empty(self._outgoing.whole.nbytes)
        self._arrived = memory.empty(self._incoming.whole.nbytes)
        self._pack = launches_of("pack_traces", out, self._packed, variant, memory, traces)
        self._unpack = launches_of("unpack_traces", in_, self._arrived, variant, memory, traces)
        self._read: cl.Event | None = None
        self._written: cl.Event | None = None
        self._begun = False

    def _side(self, places: Mapping[int, Indices]) -> _Side:
        """Memory of the host for what goes to, or comes from, each rank, one after the other."""
        n_bytes = sum(of.size for of in places.values()) * self._memory.real.itemsize
        whole = self._memory.pinned(n_bytes)[:n_bytes].view(self._memory.real)
        ends = np.cumsum([of.size for of in places.values()])[:-1]
        of_ranks = dict(zip(places, np.split(whole, ends), strict=True)) if places else {}
        return _Side(whole, {rank: numbers for rank, numbers in of_ranks.items() if numbers.size})

    def begin(self, stage: int, parity: int) -> None:
        """Queue that what others need is brought to the host."""
        self._begun = bool(self._pack or self._unpack)
        if not self._pack:
            return
        self._kernels.launch(self._pack[parity][stage])
        self._read = cl.enqueue_copy(
            self._memory.queue, self._outgoing.whole, self._packed, is_blocking=False
        )
        self._memory.queue.flush()

    def end(self, stage: int, parity: int) -> None:
        """Exchange it, and queue that what has come is put where a stage reads it."""
        if not self._begun:
            return
        self._begun = False
        if self._read is not None:
            self._memory.queue.flush()
            self._read.wait()
            self._read = None
        elif self._written is not None:
            self._memory.queue.flush()
            self._written.wait()
        # What came for the stage before has been copied from here: that was queued earlier.
        exchange = self._communicator.exchange(self._outgoing.of_ranks, self._incoming.of_ranks)
        exchange.wait()
        if self._unpack:
            queue = self._memory.queue
            self._written = cl.enqueue_copy(
                queue, self._arrived, self._incoming.whole, is_blocking=False
            )
            self._kernels.launch(self._unpack[parity][stage])


def places_of(faces: Mapping[int, FaceList], variant: AoSoA) -> dict[int, Indices]:
    """Where faces lie among the traces, by rank, one number after the other."""
    return {rank: variant.trace_places(*of).ravel() for rank, of in faces.items()}


def launches_of(
    name: str,
    places: Mapping[int, Indices],
    packed: cl.Buffer,
    variant: AoSoA,
    memory: DeviceMemory,
    traces: list[list[cl.Buffer]],
) -> list[list[Launch]]:
    """By parity and stage what brings traces from their places into a buffer, or back; nothing
    where there are none, at either end of all borders."""
    where = np.concatenate([np.zeros(0, np.int64), *places.values()])
    if not where.size:
        return []
    program, given = variant.kernels.compile("halo"), (memory.integers(where), packed)
    return [
        [variant.kernels.bound(name, b, *given, items=where.size, program=program) for b in buffers]
        for buffers in traces
    ]


class _Side:
    """Numbers on the host, and which of them are of which rank."""

    def __init__(self, whole: NDArray, of_ranks: Mapping[int, NDArray]) -> None:
        self.whole, self.of_ranks = whole, of_ranks
