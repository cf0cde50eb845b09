"""Running transforms on the device: small sums beside the steps, read only when asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import deinterleave, interleave
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform, Sums
from wavelab.physics.operator.fields import FIELD_NAMES


class RunningSums:
    """One :class:`RunningTransform`, in one launch per sample.

    Raises
    ------
    DeviceError : the sums do not fit on the device.
    """

    def __init__(self, transform: RunningTransform, stages: Stages) -> None:
        variant, memory = stages.variant, stages.memory
        nodes_per_element = stages.operator.discretization.nodes_per_element
        self._transform, self._memory, self._kernels = transform, memory, variant.kernels
        self._n_nodes = nodes_per_element
        self._stride = 2 * len(transform.frequencies)
        self._factors = memory.empty(stages.batch * self._stride * memory.real.itemsize)
        self._weights = np.zeros(0)
        self._weight = 0.0
        self._upload: cl.Event | None = None
        self._sampling = sampling = (
            _at_nodes(transform, nodes_per_element, variant.lanes, memory)
            if transform.points is None
            else _at_points(transform, transform.points, memory)
        )
        self._buffers = (*sampling.given, self._factors, sampling.sums)
        self._add = variant.kernels.bound(
            sampling.kernel, variant.fields, *self._buffers, *sampling.numbers,
            int(transform.squared), 0,
            items=sampling.items,
            program=variant.kernels.compile(
                "transforms", lanes=variant.lanes, n_frequencies=len(transform.frequencies)
            ),
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
        sampling, real = self._sampling, self._memory.real
        raw = self._memory.read(sampling.sums, sampling.shape, real).astype(np.float64)
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


@dataclass(frozen=True)
class _Sampling:
    """How a kernel of "transforms" adds samples to sums.

    Attributes
    ----------
    given, numbers : its arguments, before the factors and after the sums.
    items : work items.
    shape : of the sums; the real and the imaginary part of each frequency come first.
    """

    kernel: str
    given: tuple[cl.Buffer, ...]
    numbers: tuple[int, ...]
    items: int
    sums: cl.Buffer
    shape: tuple[int, ...]


def _at_points(transform: RunningTransform, points: ProbePoints, memory: DeviceMemory) -> _Sampling:
    shape = (2 * len(transform.frequencies), len(points))
    return _Sampling(
        sums=_sums(shape, memory),
        shape=shape,
        kernel="transform_points",
        given=(
            memory.integers(points.elements),
            memory.reals(points.weights),
            memory.integers(points.components),
        ),
        numbers=(len(points),),
        items=len(points),
    )


def _at_nodes(
    transform: RunningTransform, nodes_per_element: int, lanes: int, memory: DeviceMemory
) -> _Sampling:
    chosen, components = transform.elements, transform.components
    assert chosen is not None
    n_blocks = -(-len(chosen) // lanes)
    items = n_blocks * nodes_per_element * lanes
    shape = (
        2 * len(transform.frequencies), len(components), n_blocks, nodes_per_element, lanes
    )  # fmt: skip
    return _Sampling(
        sums=_sums(shape, memory),
        shape=shape,
        kernel="transform_nodes",
        given=(
            # Lanes that only fill up sum what the first element has.
            memory.integers(interleave(chosen[:, None], lanes, padding=chosen[0])),
            memory.integers(np.array([FIELD_NAMES.index(c) for c in components])),
        ),
        numbers=(len(components), items),
        items=items,
    )


def _sums(shape: tuple[int, ...], memory: DeviceMemory) -> cl.Buffer:
    memory.check_fits([math.prod(shape) * memory.real.itemsize])
    return memory.reals(np.zeros(shape, memory.real))
