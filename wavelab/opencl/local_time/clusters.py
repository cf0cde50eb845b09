"""The kernels of local time stepping on one mesh (kernels/local_time/ader.cl.mako)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from wavelab.arrays import Indices
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.device.launch import Argument, Launch, StepLength
from wavelab.opencl.elements.layout import interleave
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.local_time.cluster_parts import (
    PredictedPart,
    Programs,
    RememberingPart,
    equation_names,
    without_equations,
)
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.time.ader_sources import source_points

#: Moments of a step at which sources are looked at, at most: the numbers by which the device takes
#: the values there to powers of time grow with them, and its rounding with those.
_SOURCE_POINTS = {"single": 4, "double": 6}

#: Small clusters are those of at most so many blocks, and floating-point operations in all of one
#: prediction: about as long as a launch takes.
_MOST_BLOCKS, _MOST_WORK = 64, 4e5
#: So that a launch does not last long, no more levels than this.
_MOST_LEVELS = 8


def _work(order: int) -> int:
    """Floating-point operations of a prediction of one element, about: derivatives."""
    return (order + 1) * 8 * ((order + 1) * (order + 2) // 2) ** 2


class ClusterKernels:
    """Prediction and correction of every cluster, ready to be launched.

    Parameters
    ----------
    around : macro steps as the stages of a step.
    inside : blocks of elements that meet none of other ranks.

    Attributes
    ----------
    clusters : levels of the elements.
    variant : AoSoA, which is the one there is.
    blocks : those with elements of each level.
    areas : of each level its blocks inside, and all others.
    predict, correct : by level, then by area, then by whether the step is the first or the second
        of two.
    outgoing, leaving : what elements publish, see the template; second : where in them the second
        ones begin, in numbers.
    """

    def __init__(self, clusters: Clusters, around: Stages, inside: Sequence[int] = ()) -> None:
        assert isinstance(around.variant, AoSoA)
        operator, variant, memory = around.operator, around.variant, around.memory
        d = operator.discretization
        self.clusters, self.around, self.variant = clusters, around, variant
        self._memory = memory
        lanes = variant.lanes
        self.points, to_coefficients = source_points(d.order, _SOURCE_POINTS[around.precision])
        self._names = {
            "n_points": len(self.points),
            "to_coefficients": to_coefficients,
            "upwinding": float(operator.upwinding),
        }
        levels, neighbors = clusters.levels, d.connectivity.neighbor_element
        n_blocks = -(-d.n_elements // lanes)
        n_traces = 1 if operator.upwinding == 1 else 2
        n_slots = 3 * d.element.nodes_per_face * memory.real.itemsize
        size = n_blocks * lanes * n_traces * n_slots
        own, self.outgoing = memory.empty(size), memory.empty(2 * size)
        # Of curved elements: Ez and H.
        curved_own = memory.empty(2 * (d.n_elements - variant.curved.first) * n_slots)
        self.leaving = memory.empty(2 * size)
        self._programs = self._compiled(None)
        own_levels = memory.integers(interleave(clusters.computed[:, None], lanes, padding=-1))
        relation = memory.integers(interleave(levels[neighbors] - levels[:, None], lanes))
        derivatives, self._lift = variant.matrices
        self.second = size // memory.real.itemsize
        #: In vectors of the device.
        self._second = self.second // variant.config.width
        self._state = (variant.fields, own, self.outgoing, *variant.constants)
        self._curved_state = (variant.fields, curved_own, self.outgoing, *variant.constants)
        self._own_levels, self._of_faces = own_levels, (variant.outside, relation)
        self._derivatives = derivatives
        #: Of all elements, those that auxiliary equations hold on too.
        self._everyone = self._plain_part(np.arange(d.n_elements))
        self._parts = [self._everyone]
        everywhere = range(clusters.n_levels)
        self.blocks = [np.unique(clusters.members(level) // lanes) for level in everywhere]
        self.areas = [
            (np.intersect1d(blocks, inside), np.setdiff1d(blocks, inside)) for blocks in self.blocks
        ]
        self.predict = self._predictors()
        self.correct = [
            [[self._corrector(level, area, odd) for odd in (0, 1)] for area in self.areas[level]]
            for level in everywhere
        ]
        #: After the fields were changed.
        self.leave = self._leaver()

    def set_auxiliary_equations(
        self, equations: Sequence[AuxiliaryEquations]
    ) -> list[RememberingPart]:
        """Predict the elements of auxiliary equations with them from now on.

        Raises
        ------
        SceneError : an element has several.
        FormulaError : a number in a formula does not fit into single precision.
        """
        if not equations and self._parts == [self._everyone]:
            return []
        d, variant = self.around.operator.discretization, self.variant
        without = without_equations(equations, d.n_elements)
        before = self._parts
        with self._memory.whole():
            remembering = [
                RememberingPart(e, self.clusters.computed, self._compiled(e), variant, self._memory)
                for e in equations
            ]
            plain = self._plain_part(without) if equations else self._everyone
            self._parts = [plain, *remembering]
            try:
                self.predict = self._predictors()
            except BaseException:
                self._parts = before
                raise
        for old in before:
            if old is not self._everyone:
                old.release()
        return remembering

    def _compiled(self, equations: AuxiliaryEquations | None) -> Programs:
        around = self.around
        names = equation_names(equations, around.operator.discretization.order, around.precision)
        names |= self._names
        compiled = self.variant.kernels.compile
        curved = compiled("ader_curved", **names) if self.variant.curved.templates else None
        return Programs(compiled("ader", **names), curved)

    def _plain_part(self, members: Indices) -> PredictedPart:
        return PredictedPart(
            self.clusters.computed, members, self._programs, self.variant, self._memory
        )

    def _predictors(self) -> list[list[list[list[Launch]]]]:
        return [
            [self.predictor(level, area) for area in areas]
            for level, areas in enumerate(self.areas)
        ]

    def _corrector(self, level: int, blocks: Indices, odd: int) -> list[Launch]:
        everyone = self._everyone
        return [
            *self._over(
                "correct", everyone.blocks(level, blocks), self._programs, *self._state,
                self._own_levels, *self._of_faces, self._lift, self.leaving, self._second, level,
                odd,
            ),
            *self._over_curved(
                "correct", everyone.curved(level, blocks), self._programs, *self._curved_state,
                *self._of_faces, self.variant.curved.matrices, self.leaving,
                self.variant.curved.first, self._second, odd,
            ),
        ]  # fmt: skip

    def _leaver(self) -> list[Launch]:
        d, curved = self.around.operator.discretization, self.variant.curved
        blocks = np.arange(-(-curved.first // self.variant.lanes))
        buffers = (self.variant.fields, *self.variant.constants)
        return [
            *self._over("leave", blocks, self._programs, *buffers, self.leaving),
            *self._over_curved(
                "leave", np.arange(curved.first, d.n_elements), self._programs, *buffers,
                curved.matrices, self.leaving, curved.first,
            ),
        ]  # fmt: skip

    def step(self, level: int) -> StepLength:
        """Time step of a level."""
        return StepLength(self.around.dt / self.steps(level))

    def steps(self, level: int) -> int:
        """Steps of a level in a macro step."""
        return self.clusters.ticks >> level

    def predictor(
        self, level: int, blocks: Indices, driven: Sequence[cl.Buffer] = ()
    ) -> list[list[Launch]]:
        """Predict some blocks of a level; by whether the step is the first or the second of two.

        Parameters
        ----------
        driven : where there are sources, what they do at each of the points, and in which elements
            they come in through faces.
        """
        step, curved = self.step(level), self.variant.curved
        name = "predict_driven" if driven else "predict"
        launches: list[list[Launch]] = [[], []]
        for part in self._parts:
            here = part.blocks(level, blocks)
            straight: tuple[Argument, ...] = (
                *self._state, part.levels, *self._of_faces, self._derivatives, self._lift,
                self.leaving, *driven, *part.arguments(here), self._second, level, step,
            )  # fmt: skip
            there = part.curved(level, blocks)
            bent: tuple[Argument, ...] = (
                *self._curved_state, *self._of_faces, curved.matrices, self.leaving, *driven,
                *part.arguments(there // self.variant.lanes), curved.first, self._second, step,
            )  # fmt: skip
            for odd in (0, 1):
                launches[odd] += self._over(name, here, part.programs, *straight, odd)
                launches[odd] += self._over_curved(name, there, part.programs, *bent, odd)
        return launches

    def together(self, alone: set[int]) -> tuple[int, list[Launch]]:
        """How many of the fastest levels are so small that one work item does best to step them
        all, and what launches that for one of their common steps.

        Parameters
        ----------
        alone : levels that need other kernels.
        """
        variant, d = self.variant, self.around.operator.discretization
        if not variant.config.alone:
            return 0, []
        most = min(_MOST_BLOCKS, int(_MOST_WORK / (variant.lanes * _work(d.order))))
        count = 0
        while (
            count < min(self.clusters.n_levels - 1, _MOST_LEVELS)
            and count not in alone
            and len(self.blocks[count]) <= most
            and self._parts[0].all_of(count, self._everyone)
        ):
            count += 1
        if not count:
            return 0, []
        ends = np.cumsum([0, *(len(self.blocks[level]) for level in range(count))])
        actions = np.array(
            [
                (act == "predict", level, number % 2, ends[level], ends[level + 1])
                for act, level, number in self.clusters.within(count)
            ]
        )
        launch = self.variant.kernels.bound(
            "together", self._memory.integers(np.concatenate(self.blocks[:count])), *self._state,
            self._own_levels, *self._of_faces, self._derivatives, self._lift, self.leaving,
            self._memory.integers(actions), len(actions), self._second, self.step(0),
            items=1, group=1, program=self._programs.straight,
        )  # fmt: skip
        return count, [launch]

    def forget(self, blocks: Indices, sources: Sequence[cl.Buffer]) -> list[Launch]:
        """Put 0 where sources acted."""
        n_reals = 3 * self.around.operator.discretization.nodes_per_element * self.variant.lanes
        if not len(blocks):
            return []
        return [
            self.variant.kernels.bound(
                "forget", self._memory.integers(blocks), *sources,
                items=len(blocks) * n_reals, program=self._programs.straight,
            )
        ]  # fmt: skip

    def _over(
        self, name: str, blocks: Indices, programs: Programs, *arguments: Argument
    ) -> list[Launch]:
        group = self.variant.config.local_size[0]
        return self._bound(name, blocks, group, programs.straight, *arguments)

    def _over_curved(
        self, name: str, elements: Indices, programs: Programs, *arguments: Argument
    ) -> list[Launch]:
        return self._bound(name, elements, self.variant.curved.group, programs.curved, *arguments)

    def _bound(
        self, name: str, over: Indices, group: int, program: cl.Program | None, *arguments: Argument
    ) -> list[Launch]:
        """A launch with a group of work items for each, none if there are none."""
        if not len(over):
            return []
        given, items = self._memory.integers(over), len(over) * group
        bound = self.variant.kernels.bound
        return [bound(name, given, *arguments, items=items, group=group, program=program)]
