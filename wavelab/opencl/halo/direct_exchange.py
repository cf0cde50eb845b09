"""The same from device to device, where all ranks are threads of one process and share a context.

Nothing passes through the memory of the host, and no thread waits for a device: ranks hand each
other events, on which the queues of others wait.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyopencl as cl

from wavelab.arrays import Indices
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.halo.trace_exchange import launches_of
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.ranks.communicator import Communicator

#: Two of each buffer, by turns.  Who packs for the next exchange but one has read what others have
#: packed for the next one, which they do after they have read what was packed for this one.
_TURNS = (0, 1)


class DirectExchange:
    """As :class:`wavelab.opencl.halo.trace_exchange.TraceExchange`.

    A rank packs what others need, and hands them the event of that; what others have packed it
    copies into its own buffer, on a queue of its own beside the kernels.
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
        size = memory.real.itemsize
        # In the order in which what comes lies one after the other.
        self._others = list(in_)
        self._lies = {rank: size * of.size for rank, of in out.items()}
        self._comes = {rank: size * of.size for rank, of in in_.items()}
        # There until nobody needs them, and not as long as the memory of this rank: others may have
        # to copy from them yet when this one has ended.
        flags, n_bytes = cl.mem_flags.READ_WRITE, max(1, sum(self._lies.values()))
        with memory.guarded(n_bytes):
            self._packed = [cl.Buffer(memory.context, flags, n_bytes) for _ in _TURNS]
        self._arrived = [memory.empty(sum(self._comes.values())) for _ in _TURNS]
        self._pack, self._unpack = (
            [launches_of(name, places, b, variant, memory, traces) for b in buffers]
            for name, places, buffers in (
                ("pack_traces", out, self._packed),
                ("unpack_traces", in_, self._arrived),
            )
        )
        with memory.guarded():
            self._copying = cl.CommandQueue(memory.context, memory.device)
        #: Of each other rank: its packed buffers, and where in them lies what is for this one.
        self._theirs: dict[int, tuple[list[cl.Buffer], int]] = {}
        self._turn = 0
        self._begun = False

    def begin(self, stage: int, parity: int) -> None:
        """Queue that what others need is packed."""
        if not self._others:
            return
        if not self._theirs:
            self._introduce()
        queue, turn = self._memory.queue, self._turn
        if self._pack[turn]:
            self._kernels.launch(self._pack[turn][parity][stage])
        packed = cl.enqueue_marker(queue)
        # A queue may wait for ever for what another one has not been told to begin.
        queue.flush()
        for rank in self._others:
            self._communicator.send(rank, packed)
        self._begun = True

    def end(self, stage: int, parity: int) -> None:
        """Queue that what others have packed is put where a stage reads it."""
        if not self._begun:
            return
        self._begun = False
        queue, turn = self._memory.queue, self._turn
        copied: list[cl.Event] = []
        first = 0
        for rank in self._others:
            buffers, lies = self._theirs[rank]
            arrived = self._communicator.receive(rank)
            if not self._comes[rank]:
                # All the same a sign that it has read what this rank has packed before.
                copied.append(arrived)
                continue
            event = cl.enqueue_copy(
                self._copying,
                self._arrived[turn],
                buffers[turn],
                src_offset=lies,
                dst_offset=first,
                byte_count=self._comes[rank],
                wait_for=[arrived],
            )
            first += self._comes[rank]
            copied.append(event)
        self._copying.flush()
        cl.enqueue_barrier(queue, wait_for=copied)
        if self._unpack[turn]:
            self._kernels.launch(self._unpack[turn][parity][stage])
        queue.flush()
        self._turn = 1 - turn

    def _introduce(self) -> None:
        """Tell each other where things lie; not before all ranks are made."""
        start = 0
        for rank, n_bytes in self._lies.items():
            self._communicator.send(rank, (self._packed, start))
            start += n_bytes
        self._theirs = {rank: self._communicator.receive(rank) for rank in self._others}
