"""A context, a queue and the buffers of one stepper, with errors a user can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol, TypeVar, cast

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.errors import DeviceError
from wavelab.opencl.device.contexts import context_of, forget
from wavelab.opencl.device.device_profile import DeviceProfile
from wavelab.timeline import NO_TIMELINE, Timeline

#: By the name of a precision.
REALS: dict[str, type[np.floating]] = {"single": np.float32, "double": np.float64}


class Releasable(Protocol):
    """What has buffers of its own."""

    def release(self) -> None: ...


T = TypeVar("T", bound=Releasable | None)


class DeviceMemory:
    """Allocates, uploads and downloads on one device.

    Parameters
    ----------
    sharing : devices that buffers are copied between, this one among them.

    Attributes
    ----------
    real : NumPy type of the numbers on the device.
    profile : puts the commands of the queue on a timeline; None if nobody profiles.
    """

    def __init__(
        self,
        device: cl.Device,
        real: type[np.floating],
        timeline: Timeline = NO_TIMELINE,
        sharing: Sequence[cl.Device] = (),
    ) -> None:
        self.device = device
        self.name = device.name.strip()
        self.real = np.dtype(real)
        self._buffers: set[cl.Buffer] = set()
        self._mapped: list[tuple[cl.MemoryMap, cl.Buffer]] = []
        self._closed = False
        self._beside: cl.CommandQueue | None = None
        self._batch_done: cl.Event | None = None
        with self.guarded():
            self.context = context_of(*(sharing or [device]))
            self.profile: DeviceProfile | None = None
            if timeline.recording:
                # Stamping every command has a cost of its own.
                stamped = cl.command_queue_properties.PROFILING_ENABLE
                self.queue = cl.CommandQueue(self.context, device, properties=stamped)
                self.profile = DeviceProfile(timeline, self.queue, self.name)
            else:
                self.queue = cl.CommandQueue(self.context, device)

    @property
    def real_name(self) -> str:
        """What OpenCL calls the type of the numbers."""
        return {4: "float", 8: "double"}[self.real.itemsize]

    @property
    def n_bytes(self) -> int:
        """Size of all buffers together."""
        return sum(buffer.size for buffer in self._buffers)

    @contextmanager
    def guarded(self, asked: int = 0) -> Iterator[None]:
        """Turns the driver's errors into :class:`DeviceError`.

        ``asked`` bytes are wanted beside the buffers there are.
        """
        if self._closed:
            # Drivers crash on buffers that were released.
            raise RuntimeError("the stepper is closed")
        try:
            yield
        except cl.MemoryError as error:
            raise self._too_large(self.n_bytes + asked) from error
        except cl.Error as error:
            forget(self.device)
            raise DeviceError(
                f"the driver failed: {str(error).strip().splitlines()[0]}",
                where=self.name,
                remedy="Update the driver, choose another device, or use the NumPy backend.",
            ) from error

    def check_fits(self, sizes: list[int]) -> None:
        """Refuse buffers of these many bytes before the driver does something worse.

        Raises
        ------
        DeviceError : too large for the device, one by one or together; says how large.
        """
        if sum(sizes) > self.device.global_mem_size or max(sizes) > self.device.max_mem_alloc_size:
            raise self._too_large(sum(sizes))

    def empty(self, n_bytes: int) -> cl.Buffer:
        """A buffer that holds nothing in particular."""
        return self._made(n_bytes)

    def reals(self, values: NDArray) -> cl.Buffer:
        """A buffer with these numbers, in the device's precision."""
        return self.holding(np.asarray(values, dtype=self.real))

    def integers(self, values: NDArray) -> cl.Buffer:
        """A buffer with these 32-bit integers."""
        return self.holding(np.asarray(values, dtype=np.int32))

    def holding(self, values: NDArray) -> cl.Buffer:
        """A buffer with these numbers as they are."""
        return self._made(values.nbytes, np.ascontiguousarray(values) if values.nbytes else None)

    def write(self, buffer: cl.Buffer, values: NDArray) -> None:
        """Replace the numbers at the begin of a buffer; integers stay such."""
        of = values.dtype if values.dtype == np.int32 else self.real
        with self.guarded():
            cl.enqueue_copy(self.queue, buffer, np.ascontiguousarray(values, dtype=of))

    def clear(self, buffer: cl.Buffer) -> None:
        """Set all numbers in a buffer to 0."""
        with self.guarded():
            zero = np.zeros(1, dtype=self.real)
            cl.enqueue_fill_buffer(self.queue, buffer, zero, 0, buffer.size)

    def read(self, buffer: cl.Buffer, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        """Contents of a buffer, once all that was queued is done."""
        values = np.empty(shape, dtype)
        self.read_into(values, buffer)
        return values

    def read_into(self, values: NDArray, buffer: cl.Buffer) -> None:
        """The same into an array that is there."""
        with self.guarded():
            event = cl.enqueue_copy(self.queue, values, buffer)
            if self.profile is not None:
                self.profile.copied("read back", event)

    def begin_read(self, values: NDArray, buffer: cl.Buffer) -> cl.Event:
        """Read a buffer as it is now while the device goes on; done when the event says so.

        ``values`` are best pinned, and nothing may write to the buffer before.
        """
        with self.guarded():
            if self.profile is not None:  # which follows one queue in its order
                event = cl.enqueue_copy(self.queue, values, buffer, is_blocking=False)
                self.profile.copied("read back", event)
                self.queue.flush()
                return event
            if self._beside is None:
                self._beside = cl.CommandQueue(self.context, self.device)
            until_now = cl.enqueue_marker(self.queue)
            # A queue may wait for ever for what another one has not been told to begin.
            self.queue.flush()
            event = cl.enqueue_copy(
                self._beside, values, buffer, is_blocking=False, wait_for=[until_now]
            )
            self._beside.flush()
            return event

    def pinned(self, n_bytes: int) -> NDArray[np.uint8]:
        """Memory of the host that the device reaches without help, as bytes; there until
        :meth:`close`."""
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        # Two flags are an integer, which the call takes but its type does not say.
        both_ways = cast(cl.map_flags, cl.map_flags.READ | cl.map_flags.WRITE)
        n_bytes = max(n_bytes, 1)
        with self.guarded():
            buffer = cl.Buffer(self.context, flags, n_bytes)
            array, _ = cl.enqueue_map_buffer(
                self.queue, buffer, both_ways, 0, (n_bytes,), np.dtype(np.uint8)
            )
        mapping = array.base
        assert isinstance(mapping, cl.MemoryMap)
        self._mapped.append((mapping, buffer))
        return array

    def free(self, *buffers: cl.Buffer) -> None:
        """Give buffers back; the device finishes using them first."""
        for buffer in buffers:
            self._buffers.discard(buffer)
            # A device that is lost has given them back already; the others still have to be.
            with suppress(cl.Error):
                buffer.release()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Every buffer that is made inside, or, if anything fails there, none of them."""
        before = set(self._buffers)
        try:
            yield
        except BaseException:
            self.free(*(self._buffers - before))
            raise

    def replaced(self, old: Releasable | None, make: Callable[[], T]) -> T:
        """What ``make`` makes; ``old`` is released only then, and stays as it is if that fails.

        The other way round, what is used next would be what was released, and drivers crash on
        that.
        """
        with self.whole():
            made = make()
        if old is not None:
            old.release()
        return made

    def end_batch(self) -> None:
        """Have the device begin with what was queued, and wait for the batch before this one."""
        before, self._batch_done = self._batch_done, cl.enqueue_marker(self.queue)
        self.queue.flush()
        if before is not None:
            before.wait()
        if self.profile is not None:
            self.profile.collect()

    def finish(self) -> None:
        """Wait until the device has done all that was queued."""
        with self.guarded():
            self.queue.finish()
            if self.profile is not None:
                self.profile.collect()

    def close(self) -> None:
        """Give everything back; nothing is usable afterwards."""
        if self._closed:
            return
        try:
            with self.guarded():
                self.queue.finish()
                if self._beside is not None:
                    self._beside.finish()
                while self._mapped:
                    mapping, buffer = self._mapped.pop()
                    mapping.release(self.queue)
                    buffer.release()
                if self.profile is not None:
                    self.profile.release()
        finally:
            self.free(*list(self._buffers))
            self._closed = True

    def _made(self, n_bytes: int, holds: NDArray | None = None) -> cl.Buffer:
        """A buffer, with these numbers.

        They come with it, so that no turn of the queue is waited for: a wave that runs can be given
        new numbers while the device is at work.
        """
        flags = cl.mem_flags.READ_WRITE
        with self.guarded(n_bytes):
            if holds is None:
                buffer = cl.Buffer(self.context, flags, max(n_bytes, 1))
            else:
                both = flags | cl.mem_flags.COPY_HOST_PTR
                buffer = cl.Buffer(self.context, both, hostbuf=holds)
        self._buffers.add(buffer)
        return buffer

    def _too_large(self, needed: int) -> DeviceError:
        mib = 2**20
        return DeviceError(
            f"the scene needs {needed / mib:,.0f} MiB on the device, which has "
            f"{self.device.global_mem_size / mib:,.0f} MiB and gives at most "
            f"{self.device.max_mem_alloc_size / mib:,.0f} MiB at a time",
            where=self.name,
            remedy="Use larger elements, a lower order or single precision.",
        )
