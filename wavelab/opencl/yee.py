"""Finite differences for comparison: Yee's scheme on an OpenCL device.

K. S. Yee, IEEE Trans. Antennas Propag. 14 (1966) 302.  What somebody would use who does not use
discontinuous Galerkin, written with the same care: one kernel per step, which moves each field
through memory once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.errors import DeviceError
from wavelab.opencl.device import kind_of
from wavelab.opencl.limits import best_seconds
from wavelab.opencl.memory import DeviceMemory
from wavelab.opencl.program import build, render
from wavelab.physics.fields import Fields

_REALS = {"single": np.float32, "double": np.float64}
#: Columns of zeros left of the grid; a whole cache line, so that rows begin at one.
_MARGIN = 32
#: Steps per batch; at most two are queued.
_BATCH = 256


@dataclass(frozen=True)
class YeeShape:
    """How the kernel is laid over a device; see kernels/yee.cl.mako."""

    width: int
    chunk: int
    rows: int
    local_size: tuple[int, int]


class YeeStepper:
    """Steps Ez at the nodes of a square grid and H between them, half a step apart.

    Ez(i, j) is at column i and row j, Hx(i, j) half a cell above it and Hy(i, j) half a cell to
    the right.  When Ez is at time t, H is at t - dt/2.

    Parameters
    ----------
    courant : c dt / h, stable up to 1 / sqrt(2).
    first, last : (n_rows,) columns first <= i < last of each row are vacuum; Ez is 0 elsewhere.
    n_columns : columns of the grid.
    shape : how the kernel is laid over the device; None times a few and takes the fastest.

    Attributes
    ----------
    bytes_per_step : what must pass between memory and device: each field read and written once.

    Raises
    ------
    DeviceError : not enough memory, or the driver fails.
    """

    def __init__(
        self,
        courant: float,
        first: NDArray[np.int32],
        last: NDArray[np.int32],
        n_columns: int,
        *,
        precision: str = "single",
        device: cl.Device,
        shape: YeeShape | None = None,
    ) -> None:
        self._memory = memory = DeviceMemory(device, _REALS[precision])
        self._n_rows, self._n_columns = len(first), n_columns
        self._pitch = _MARGIN * -(-(n_columns + 2 * _MARGIN) // _MARGIN)
        n_bytes = (self._n_rows + 2) * self._pitch * memory.real.itemsize
        self.bytes_per_step = 2 * 3 * self._n_rows * n_columns * memory.real.itemsize
        self._batch_done: cl.Event | None = None
        self._parity = 0
        try:
            memory.check_fits([n_bytes] * 6)
            if (self._n_rows + 2) * self._pitch >= 2**31:
                raise DeviceError("the grid is larger than the kernel counts", where=memory.name)
            self._fields = tuple(tuple(memory.empty(n_bytes) for _ in range(3)) for _ in range(2))
            self._rows = memory.integers(first), memory.integers(last)
            self._courant = courant
            self.set_fields(Fields.zeros((self._n_rows, n_columns)))
            self._use(shape or self._fastest())
        except BaseException:
            memory.close()
            raise

    def set_fields(self, fields: Fields) -> None:
        """Replace the fields, (n_rows, n_columns) each; Ez must be 0 in the conductor."""
        for values, old, new in zip((fields.hx, fields.hy, fields.ez), *self._fields, strict=True):
            padded = np.zeros((self._n_rows + 2, self._pitch), self._memory.real)
            padded[1:-1, _MARGIN : _MARGIN + self._n_columns] = values
            self._memory.write(old, padded)
            self._memory.write(new, padded)

    def fields(self) -> Fields:
        """The fields now, in double precision; H is half a step behind Ez."""
        shape = (self._n_rows + 2, self._pitch)
        return Fields(
            *(
                self._memory.read(buffer, shape, self._memory.real)[
                    1:-1, _MARGIN : _MARGIN + self._n_columns
                ].astype(np.float64)
                for buffer in self._fields[self._parity]
            )
        )

    def advance(self, n_steps: int) -> None:
        """Take steps; may return before the device has finished."""
        for first in range(0, n_steps, _BATCH):
            with self._memory.guarded():
                for _ in range(min(_BATCH, n_steps - first)):
                    self._launch()
                before, self._batch_done = (
                    self._batch_done,
                    cl.enqueue_marker(self._memory.queue),
                )
                self._memory.queue.flush()
                if before is not None:
                    before.wait()

    def synchronize(self) -> None:
        """Wait until everything asked of the device is done."""
        with self._memory.guarded():
            self._memory.queue.finish()

    def close(self) -> None:
        """Release the device memory."""
        self._memory.close()

    def _launch(self) -> None:
        cl.enqueue_nd_range_kernel(
            self._memory.queue,
            self._kernels[self._parity],
            self._global_size,
            self._shape.local_size,
        )
        self._parity = 1 - self._parity

    def _use(self, shape: YeeShape) -> None:
        memory = self._memory
        source = render(
            "yee",
            real={np.float32: "float", np.float64: "double"}[memory.real.type],
            width=shape.width,
            chunk=shape.chunk,
            rows=shape.rows,
        )
        with memory.guarded():
            program = build(memory.context, source)
            self._kernels = [cl.Kernel(program, "yee_step") for _ in range(2)]
            for parity, kernel in enumerate(self._kernels):
                kernel.set_args(
                    *self._fields[parity], *self._fields[1 - parity], *self._rows,
                    *map(np.int32, (self._n_rows, self._n_columns, self._pitch, _MARGIN)),
                    memory.real.type(self._courant),
                )  # fmt: skip
        self._shape = shape
        items = (
            -(-self._n_columns // (shape.chunk * shape.width)),
            -(-self._n_rows // shape.rows),
        )
        self._global_size = tuple(
            local * -(-n // local) for n, local in zip(items, shape.local_size, strict=True)
        )

    def _fastest(self) -> YeeShape:
        def seconds(shape: YeeShape) -> float:
            self._use(shape)
            with self._memory.guarded():
                return best_seconds(self._launch, self._memory.queue.finish)

        best = min(_shapes(self._memory.device, self._memory.real), key=seconds)
        self._parity = 0
        return best


def _shapes(device: cl.Device, real: np.dtype) -> list[YeeShape]:
    if kind_of(device) == "CPU" or device.max_work_group_size < 256:
        # A work item alone is fastest on PoCL, and neighbouring rows stay in its cache.
        width = 32 // real.itemsize
        return [YeeShape(width, chunk, rows, (1, 1)) for chunk in (64, 4096) for rows in (8, 32)]
    return [
        YeeShape(1, 1, rows, local)
        for rows in (1, 2, 4, 8)
        for local in ((32, 8), (64, 4), (128, 2), (256, 1))
    ]
