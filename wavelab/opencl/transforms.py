"""Running transforms on the device: small sums beside the steps, read only when asked for."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.opencl.design import Placement
from wavelab.opencl.layout import deinterleave, interleave
from wavelab.opencl.memory import DeviceMemory
from wavelab.physics.probe_points import COMPONENTS
from wavelab.physics.running_transform import RunningTransform, Sums


class RunningSums:
    """One :class:`RunningTransform`, in one launch per sample.

    Parameters
    ----------
    batch : most steps between two calls of :meth:`prepare`.

    Raises
    ------
    DeviceError : the sums do not fit on the device.
    """

    def __init__(
        self,
        transform: RunningTransform,
        nodes_per_element: int,
        batch: int,
        design: Placement,
        memory: DeviceMemory,
    ) -> None:
        self._transform, self._memory, self._kernels = transform, memory, design.kernels
        self._n_nodes, self._lanes = nodes_per_element, design.lanes
        self._stride = 2 * len(transform.frequencies)
        self._factors = memory.empty(batch * self._stride * memory.real.itemsize)
        self._weights = np.zeros(0)
        self._weight = 0.0
        self._upload: cl.Event | None = None
        program = design.kernels.compile(
            "transforms", lanes=design.lanes, n_frequencies=len(transform.frequencies)
        )
        squared = int(transform.squared)
        given: tuple[cl.Buffer, ...]
        arguments: tuple[int, ...]
        if transform.points is not None:
            points = transform.points
            self._shape: tuple[int, ...] = (self._stride, len(points))
            self._make_sums()
            given = (
                memory.integers(points.elements),
                memory.reals(points.weights),
                memory.integers(points.components),
            )
            arguments = (len(points), squared, 0)
            name, items = "transform_points", len(points)
        else:
            assert transform.elements is not None
            lanes, chosen = design.lanes, transform.elements
            n_blocks = -(-len(chosen) // lanes)
            items = n_blocks * nodes_per_element * lanes
            self._shape = (
                self._stride, len(transform.components), n_blocks, nodes_per_element, lanes
            )  # fmt: skip
            self._make_sums()
            # Lanes that only fill up sum what the first element has.
            given = (
                memory.integers(interleave(chosen[:, None], lanes, padding=chosen[0])),
                memory.integers(np.array([COMPONENTS.index(c) for c in transform.components])),
            )
            arguments = (len(transform.components), items, squared, 0)
            name = "transform_nodes"
        self._buffers = (*given, self._factors, self._sums)
        self._add = design.kernels.bound(
            name, design.fields, *given, self._factors, self._sums, *arguments,
            items=items, program=program,
        )  # fmt: skip

    def prepare(self, times: NDArray[np.float64], steps: NDArray[np.int64]) -> None:
        """Evaluate the factors for a batch: simulated time and step count after each step."""
        factors, self._weights = self._transform.table(times, steps)
        # One after the other, so that the sum does not depend on how steps are batched.
        self._weight = float(np.cumsum(np.append(self._weight, self._weights))[-1])
        if self._weights.any():
            pairs = np.stack([factors.real, factors.imag], axis=2).astype(self._memory.real)
            # Not blocking, so that the device does not run dry; the event keeps the table alive.
            self._upload = cl.enqueue_copy(
                self._memory.queue, self._factors, pairs, is_blocking=False
            )

    def enqueue(self, step: int) -> None:
        """Add the fields as they are now, after step number ``step`` of the batch."""
        if self._weights[step]:
            self._add.set_last(np.int32(step * self._stride))
            self._kernels.launch(self._add)

    def read(self, dt: float) -> Sums:
        """What has come together."""
        raw = self._memory.read(self._sums, self._shape, self._memory.real).astype(np.float64)
        if self._transform.points is None:
            assert self._transform.elements is not None
            n = len(self._transform.elements)
            raw = np.array([[deinterleave(part, n) for part in parts] for parts in raw])
        shape = self._transform.shape(self._n_nodes)
        pairs = raw.reshape(shape[0], 2, *shape[1:])
        return Sums(pairs[:, 0] + 1j * pairs[:, 1], self._weight, self._weight * dt)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)

    def _make_sums(self) -> None:
        size = int(np.prod(self._shape)) * self._memory.real.itemsize
        self._memory.check_fits([size])
        self._sums = self._memory.reals(np.zeros(self._shape, self._memory.real))
