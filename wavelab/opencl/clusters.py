"""The kernels of local time stepping on one mesh (kernels/ader.cl.mako)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.clusters import Clusters
from wavelab.opencl.interleaved import Interleaved
from wavelab.opencl.launch import Launch
from wavelab.opencl.layout import interleave
from wavelab.opencl.memory import DeviceMemory
from wavelab.physics.ader import source_points
from wavelab.physics.maxwell_tm import MaxwellTM

Indices = NDArray[np.int64]

#: Moments of a step at which sources are looked at, at most: the numbers by which the device takes
#: the values there to powers of time grow with them, and its rounding with those.
_SOURCE_POINTS = {"single": 4, "double": 6}


class ClusterKernels:
    """Prediction and correction of every cluster, ready to be launched.

    Attributes
    ----------
    predict, correct : by level, then by whether the step is the first or the second of two.
    """

    def __init__(
        self,
        operator: MaxwellTM,
        clusters: Clusters,
        dt: float,
        precision: str,
        design: Interleaved,
        memory: DeviceMemory,
    ) -> None:
        d = operator.discretization
        self._operator, self._clusters, self._dt = operator, clusters, dt
        self._precision, self._design, self._memory = precision, design, memory
        lanes = design.lanes
        self.points, to_coefficients = source_points(d.order, _SOURCE_POINTS[precision])
        self._program = design.kernels.compile(
            "ader", n_points=len(self.points), to_coefficients=to_coefficients
        )
        levels, neighbors = clusters.levels, d.connectivity.neighbor_element
        n_blocks = -(-d.n_elements // lanes)
        size = n_blocks * 3 * d.element.nodes_per_face * lanes * memory.real.itemsize
        own, outgoing = memory.empty(size), memory.empty(2 * size)
        self.leaving = memory.empty(2 * size)
        own_levels = memory.integers(interleave(levels[:, None], lanes, padding=-1))
        relation = memory.integers(interleave(levels[neighbors] - levels[:, None], lanes))
        of_faces = (own_levels, design.outside, relation)
        derivatives, lift = design.matrices
        #: In vectors of the device.
        self._second = size // memory.real.itemsize // design.shape.width
        self._buffers = (design.fields, own, outgoing, *design.constants, *of_faces)
        self._operands = (derivatives, lift, self.leaving)
        self._blocks = [
            np.unique(np.flatnonzero(levels == level) // lanes)
            for level in range(clusters.n_levels)
        ]
        self.predict = [self.predictor(level, blocks) for level, blocks in enumerate(self._blocks)]
        self.correct = [
            [
                self._over(
                    "correct", blocks, *self._buffers, lift, self.leaving, self._second, level, odd
                )
                for odd in (0, 1)
            ]
            for level, blocks in enumerate(self._blocks)
        ]

        everything = np.arange(n_blocks)
        #: After the fields were changed.
        self.leave = self._over("leave", everything, design.fields, *design.constants, self.leaving)

    def step(self, level: int) -> float:
        """Time step of a level."""
        return self._dt / (self._clusters.ticks >> level)

    def predictor(
        self, level: int, blocks: Indices, sources: Sequence[cl.Buffer] = ()
    ) -> list[list[Launch]]:
        """Predict some blocks of a level, with ``sources`` at each of the points if given; by
        whether the step is the first or the second of two."""
        numbers = (self._second, level, float(self.step(level)))
        name = "predict_driven" if sources else "predict"
        return [
            self._over(name, blocks, *self._buffers, *self._operands, *sources, *numbers, odd)
            for odd in (0, 1)
        ]

    def blocks(self, level: int) -> Indices:
        """Blocks with elements of a level."""
        return self._blocks[level]

    def forget(self, blocks: Indices, sources: Sequence[cl.Buffer]) -> list[Launch]:
        """Put 0 where sources acted."""
        n_reals = 3 * self._operator.discretization.nodes_per_element * self._design.lanes
        if not len(blocks):
            return []
        return [
            self._design.kernels.bound(
                "forget", self._memory.integers(blocks), *sources,
                items=len(blocks) * n_reals, program=self._program,
            )
        ]  # fmt: skip

    def _over(
        self, name: str, blocks: Indices, *arguments: cl.Buffer | float | int
    ) -> list[Launch]:
        if not len(blocks):
            return []
        group = self._design.shape.local_size[0]
        return [
            self._design.kernels.bound(
                name, self._memory.integers(blocks), *arguments,
                items=len(blocks) * group, group=group, program=self._program,
            )
        ]  # fmt: skip
