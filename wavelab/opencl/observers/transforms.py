"""Running transforms on the device: small sums beside the steps, read only when asked for."""

from __future__ import annotations

import math

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.opencl.elements.layout import deinterleave, interleave
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.physics.monitors.running_transform import RunningTransform, Sums

#: How samples are added to sums: a kernel of "transforms", and its arguments before the factors and
#: after the sums, the last of which is the number of work items.
_Sampling = tuple[str, list[cl.Buffer], tuple[int, ...]]


class RunningSums:
    """One :class:`RunningTransform`, in one launch per sample.

    Attributes
    ----------
    sums : the buffer of what has come together.
    duration : the simulated time that it stands for.

    Raises
    ------
    DeviceError : the sums do not fit on the device.
    """

    def __init__(self, transform: RunningTransform, stages: Stages) -> None:
        variant, memory = stages.variant, stages.memory
        self._transform, self._memory, self._kernels = transform, memory, variant.kernels
        self._dt, self._fields = float(stages.dt), stages.operator.fields
        self._n_nodes = stages.operator.discretization.nodes_per_element
        self._stride = 2 * len(transform.frequencies)
        self._factors = memory.empty(stages.batch * self._stride * memory.real.itemsize)
        self._weights = np.zeros(0)
        self.duration = 0.0
        # Of the sums; the real and the imaginary part of each frequency come first.
        self._shape: tuple[int, ...]
        self._upload: cl.Event | None = None
        at_points = transform.points is not None
        add, given, numbers = self._at_points() if at_points else self._at_nodes(variant.lanes)
        memory.check_fits([math.prod(self._shape) * memory.real.itemsize])
        self.sums = memory.reals(np.zeros(self._shape, memory.real))
        self._buffers = (*given, self._factors, self.sums)
        self._add = variant.kernels.bound(
            add, variant.fields, *self._buffers, *numbers, int(transform.squared), 0,
            items=numbers[-1],
            program=variant.kernels.compile(
                "transforms", lanes=variant.lanes, n_frequencies=len(transform.frequencies)
            ),
        )  # fmt: skip

    def _at_points(self) -> _Sampling:
        points, memory = self._transform.points, self._memory
        assert points is not None
        self._shape = (self._stride, len(points))
        given = [
            memory.integers(points.elements),
            memory.reals(points.weights),
            memory.integers(points.numbers(self._fields)),
        ]
        return "transform_points", given, (len(points),)

    def _at_nodes(self, lanes: int) -> _Sampling:
        chosen, components = self._transform.elements, self._transform.components
        assert chosen is not None
        n_blocks = -(-len(chosen) // lanes)
        items = n_blocks * self._n_nodes * lanes
        self._shape = (self._stride, len(components), n_blocks, self._n_nodes, lanes)
        given = [
            # Lanes that only fill up sum what the first element has.
            self._memory.integers(interleave(chosen[:, None], lanes, padding=chosen[0])),
            self._memory.integers(np.array([self._fields.index(c) for c in components])),
        ]
        return "transform_nodes", given, (len(components), items)

    def prepare(self, times: Array, steps: Indices) -> None:
        """Evaluate the factors for a batch: simulated time and step count after each step."""
        factors, self._weights = self._transform.table(times, steps, self._dt)
        # One after the other, so that the sum does not depend on how steps are batched.
        self.duration = float(np.cumsum(np.append(self.duration, self._weights))[-1])
        if self._weights.any():
            pairs = np.stack([factors.real, factors.imag], axis=2).astype(self._memory.real)
            # Not blocking, so that the device does not run dry; the event keeps the table alive.
            self._upload = cl.enqueue_copy(
                self._memory.queue, self._factors, pairs, is_blocking=False
            )

    def looks(self) -> list[Look]:
        """At the fields after those of the next steps that have a weight."""
        rows = np.arange(len(self._weights)) * self._stride
        return [Look(self._add, np.where(self._weights != 0, rows, -1))]

    def read(self) -> Sums:
        """What has come together."""
        raw = self._memory.read(self.sums, self._shape, self._memory.real).astype(np.float64)
        if self._transform.points is None:
            assert self._transform.elements is not None
            n = len(self._transform.elements)
            raw = np.array([[deinterleave(part, n) for part in parts] for parts in raw])
        shape = self._transform.shape(self._n_nodes)
        pairs = raw.reshape(shape[0], 2, *shape[1:])
        return Sums(pairs[:, 0] + 1j * pairs[:, 1], self.duration)

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
