"""The kernels of local time stepping on one mesh (kernels/ader.cl.mako)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.numerics.clusters import Clusters
from wavelab.opencl.cluster_parts import PredictedPart, RememberingPart, equation_names
from wavelab.opencl.interleaved import Interleaved
from wavelab.opencl.launch import Launch
from wavelab.opencl.layout import interleave
from wavelab.opencl.memory import DeviceMemory
from wavelab.physics.ader import source_points
from wavelab.physics.local_equations import LocalEquations
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
        self._names = {"n_points": len(self.points), "to_coefficients": to_coefficients}
        levels, neighbors = clusters.levels, d.connectivity.neighbor_element
        n_blocks = -(-d.n_elements // lanes)
        size = n_blocks * 3 * d.element.nodes_per_face * lanes * memory.real.itemsize
        own, outgoing = memory.empty(size), memory.empty(2 * size)
        self.leaving = memory.empty(2 * size)
        self._program = self._compiled(None)
        own_levels = memory.integers(interleave(levels[:, None], lanes, padding=-1))
        relation = memory.integers(interleave(levels[neighbors] - levels[:, None], lanes))
        of_faces = (design.outside, relation)
        derivatives, lift = design.matrices
        #: In vectors of the device.
        self._second = size // memory.real.itemsize // design.shape.width
        self._before = (design.fields, own, outgoing, *design.constants)
        self._after = (*of_faces, derivatives, lift, self.leaving)
        self._parts: list[PredictedPart] = [self._plain_part(np.arange(d.n_elements))]
        self._blocks = [
            np.unique(np.flatnonzero(levels == level) // lanes)
            for level in range(clusters.n_levels)
        ]
        self.predict = self._predictors()
        self.correct = [
            [
                self._over(
                    "correct", blocks, self._program, *self._before, own_levels, *of_faces,
                    lift, self.leaving, self._second, level, odd,
                )
                for odd in (0, 1)
            ]
            for level, blocks in enumerate(self._blocks)
        ]  # fmt: skip

        everything = np.arange(n_blocks)
        #: After the fields were changed.
        self.leave = self._over(
            "leave", everything, self._program, design.fields, *design.constants, self.leaving
        )

    def set_local_equations(self, equations: Sequence[LocalEquations]) -> list[RememberingPart]:
        """Predict the elements of local equations with them from now on.

        Raises
        ------
        ValueError : an element has several.
        FormulaError : a number in a formula does not fit into single precision.
        """
        d, design = self._operator.discretization, self._design
        times = np.bincount(
            np.concatenate([np.zeros(0, np.int64), *(e.elements for e in equations)]),
            minlength=d.n_elements,
        )
        if times.max() > 1:
            raise ValueError("local equations of one element twice")
        remembering = [
            RememberingPart(
                e, self._clusters.levels, design.lanes, self._compiled(e), self._memory
            )
            for e in equations
        ]  # fmt: skip
        for old in self._parts:
            old.release()
        self._parts = [self._plain_part(np.flatnonzero(times == 0)), *remembering]
        self.predict = self._predictors()
        return remembering

    def _compiled(self, equations: LocalEquations | None) -> cl.Program:
        names = equation_names(equations, self._operator.discretization.order, self._precision)
        return self._design.kernels.compile("ader", **names, **self._names)

    def _plain_part(self, members: Indices) -> PredictedPart:
        levels = self._clusters.levels
        return PredictedPart(levels, members, self._design.lanes, self._program, self._memory)

    def _predictors(self) -> list[list[list[Launch]]]:
        return [self.predictor(level, blocks) for level, blocks in enumerate(self._blocks)]

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
        launches: list[list[Launch]] = [[], []]
        for part in self._parts:
            here = np.intersect1d(blocks, part.blocks(level))
            buffers = (
                *self._before, part.levels, *self._after, *sources, *part.arguments(here)
            )  # fmt: skip
            for odd in (0, 1):
                launches[odd] += self._over(name, here, part.program, *buffers, *numbers, odd)
        return launches

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
        self, name: str, blocks: Indices, program: cl.Program, *arguments: cl.Buffer | float | int
    ) -> list[Launch]:
        if not len(blocks):
            return []
        group = self._design.shape.local_size[0]
        return [
            self._design.kernels.bound(
                name, self._memory.integers(blocks), *arguments,
                items=len(blocks) * group, group=group, program=program,
            )
        ]  # fmt: skip
