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
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.limits import best_seconds
from wavelab.opencl.device.memory import REALS, DeviceMemory
from wavelab.opencl.device.program import build, render
from wavelab.opencl.device.properties import kind_of
from wavelab.physics.operator.fields import Fields

#: Columns of zeros left of the grid; a whole cache line, so that rows begin at one.
_MARGIN = 32
#: Steps per batch; at most two are queued.
_BATCH = 256


@dataclass(frozen=True)
class YeeConfig:
    """How the kernel is laid over a device; see kernels/measuring/yee.cl.mako.

    Attributes
    ----------
    in_place : a work item takes a strip of whole rows, ``width`` columns at a time; if not, a
        column of a few rows, from one buffer to another.
    rows : rows of a work item.
    local_size : of a work group; for ``in_place`` (1,).
    """

    in_place: bool
    width: int
    rows: int
    local_size: tuple[int, ...]


class YeeStepper:
    """Steps Ez at the nodes of a square grid and H between them, half a step apart.

    Ez(i, j) is at column i and row j, Hx(i, j) half a cell above it and Hy(i, j) half a cell to
    the right.  When Ez is at time t, H is at t - dt/2.

    Parameters
    ----------
    courant : c dt / h, stable up to 1 / sqrt(2).
    first, last : (n_rows,) columns first <= i < last of each row are vacuum; Ez is 0 elsewhere, as
        it must be on the first and last row and column.
    n_columns : columns of the grid.
    config : how the kernel is laid over the device; None times a few and takes the fastest.

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
        config: YeeConfig | None = None,
    ) -> None:
        self._memory = memory = DeviceMemory(device, REALS[precision])
        self._n_rows, self._n_columns = len(first), n_columns
        self._pitch = _MARGIN * -(-(n_columns + 2 * _MARGIN) // _MARGIN)
        self._courant = courant
        self.bytes_per_step = 2 * 3 * self._n_rows * n_columns * memory.real.itemsize
        self._buffers: list[cl.Buffer] = []
        self._launches: list[Launch] = []
        self._parity = 0
        try:
            self._rows = memory.integers(first), memory.integers(last)
            self._use(config or self._fastest())
        except BaseException:
            memory.close()
            raise

    def set_fields(self, fields: Fields) -> None:
        """Replace the fields, (n_rows, n_columns) each; Ez must be 0 in the conductor."""
        padded = []
        for values, buffer in zip(
            (fields.hx, fields.hy, fields.ez), self._old_and_new[self._parity][:3], strict=True
        ):
            rows = np.zeros((self._n_rows + 2, self._pitch), self._memory.real)
            rows[1:-1, _MARGIN : _MARGIN + self._n_columns] = values
            self._memory.write(buffer, rows)
            padded.append(rows[1:-1])
        if self._config.in_place:
            hx, _, ez = padded
            bottom = np.arange(0, self._n_rows, self._config.rows)
            top = np.minimum(bottom + self._config.rows, self._n_rows) - 1
            edges = np.stack([ez[bottom], ez[top], hx[top]], axis=1)
            self._memory.write(self._old_and_new[self._parity][3], edges)

    def fields(self) -> Fields:
        """The fields now, in double precision; H is half a step behind Ez."""
        shape, columns = (self._n_rows + 2, self._pitch), slice(_MARGIN, _MARGIN + self._n_columns)
        hx, hy, ez = (
            self._memory.read(buffer, shape, self._memory.real)[1:-1, columns].astype(np.float64)
            for buffer in self._old_and_new[self._parity][:3]
        )
        return Fields(hx, hy, ez)

    def advance(self, n_steps: int) -> None:
        """Take steps; may return before the device has finished."""
        for first in range(0, n_steps, _BATCH):
            with self._memory.guarded():
                for _ in range(min(_BATCH, n_steps - first)):
                    self._launch()
                self._memory.end_batch()

    def synchronize(self) -> None:
        """Wait until everything asked of the device is done."""
        self._memory.finish()

    def close(self) -> None:
        """Release the device memory."""
        self._memory.close()

    def _launch(self) -> None:
        self._launches[self._parity].enqueue(self._memory.queue)
        self._parity = 1 - self._parity

    def _use(self, config: YeeConfig) -> None:
        """Allocate and compile for a config; all fields become 0."""
        memory = self._memory
        memory.free(*self._buffers)
        self._buffers = []
        self._config, self._parity = config, 0
        n_strips = -(-self._n_rows // config.rows)
        items: tuple[int, ...] = (n_strips,)
        if config.in_place:
            fields = self._zeros(3, self._n_rows + 2)
            edges = self._zeros(2, 3 * n_strips)
            arguments = [(*fields, *edges), (*fields, *reversed(edges))]
            self._old_and_new = [(*fields, edges[0]), (*fields, edges[1])]
        else:
            items = (self._n_columns, n_strips)
            old, new = self._zeros(3, self._n_rows + 2), self._zeros(3, self._n_rows + 2)
            arguments = [(*old, *new), (*new, *old)]
            self._old_and_new = [tuple(old), tuple(new)]
        whole_groups = tuple(
            local * -(-n // local) for n, local in zip(items, config.local_size, strict=True)
        )
        source = render(
            "yee",
            real=memory.real_name,
            in_place=config.in_place,
            width=config.width,
            rows=config.rows,
        )
        with memory.guarded():
            program = build(memory.context, source, memory.device)
            self._launches = [
                Launch(cl.Kernel(program, "yee_step"), whole_groups, config.local_size)
                for _ in arguments
            ]
            for launch, buffers in zip(self._launches, arguments, strict=True):
                launch.kernel.set_args(
                    *buffers,
                    *self._rows,
                    *map(np.int32, (self._n_rows, self._n_columns, self._pitch, _MARGIN)),
                    memory.real.type(self._courant),
                )

    def _zeros(self, count: int, n_rows: int) -> list[cl.Buffer]:
        """Buffers of so many rows; zeros, so that margins stay so and timing meets no NaN."""
        memory = self._memory
        size = n_rows * self._pitch * memory.real.itemsize
        memory.check_fits([size] * (count + len(self._buffers)))
        if n_rows * self._pitch >= 2**31:
            raise DeviceError(
                f"a grid of {self._n_rows:,} rows has more nodes than the kernel counts to",
                where=memory.name,
                remedy="Use larger cells.",
            )
        buffers = [memory.empty(size) for _ in range(count)]
        self._buffers += buffers
        for buffer in buffers:
            memory.clear(buffer)
        return buffers

    def _fastest(self) -> YeeConfig:
        def seconds(config: YeeConfig) -> float:
            self._use(config)
            with self._memory.guarded():
                return best_seconds(self._launch, self._memory.queue.finish)

        return min(_configs(self._memory, self._n_rows), key=seconds)


def _configs(memory: DeviceMemory, n_rows: int) -> list[YeeConfig]:
    device = memory.device
    if kind_of(device) == "CPU" or device.max_work_group_size < 256:
        # One register wide; a few strips for each core, so that none waits long for the last.
        width = 32 // memory.real.itemsize
        counts = [device.max_compute_units * share for share in (1, 3, 8)]
        heights = dict.fromkeys(max(4, -(-n_rows // count)) for count in counts)
        return [YeeConfig(True, width, rows, (1,)) for rows in heights]
    return [
        YeeConfig(False, 1, rows, local)
        for rows in (1, 2, 4, 8)
        for local in ((32, 8), (64, 4), (128, 2), (256, 1))
    ]
