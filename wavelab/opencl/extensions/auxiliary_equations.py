"""Auxiliary equations on the device: two kernels around each stage, over the blocks that have
some."""

from __future__ import annotations

from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.elements.formula import opencl_source
from wavelab.opencl.extensions.extension import StageExtension
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.variants.variant import published_anew
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations

#: Work items of a group where one is a node.
_GROUP = 64


class LocalSystem(StageExtension):
    """One :class:`AuxiliaryEquations`.

    Before a stage, a kernel computes from the old fields what has to be added to them and advances
    the memory; after the stage, another adds it.

    Attributes
    ----------
    kept : the memory.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """

    def __init__(self, equations: AuxiliaryEquations, stages: Stages) -> None:
        variant, memory, scheme = stages.variant, stages.memory, stages.scheme
        self._kernels, self._device = variant.kernels, memory
        self.kept = AuxiliaryVariables(equations, variant.lanes, memory)
        elements = self.kept.listed
        n_auxiliary, _, n_nodes = equations.shape
        driven = equations.driven
        program = variant.kernels.compile(
            "auxiliary",
            auxiliary_coefficients=list(equations.coefficients),
            auxiliary_variables=list(equations.variables),
            driven=list(driven),
            rates={n: opencl_source(f, stages.precision) for n, f in equations.rates.items()},
        )
        n_blocks = len(elements.blocks)
        size = n_blocks * n_nodes * variant.lanes * memory.real.itemsize
        extra, residual = memory.empty(len(driven) * size), memory.empty(n_auxiliary * size)
        self._constant = constant = memory.reals(self.kept.coefficients())
        listed = [memory.reals(elements.listed_lanes()), memory.integers(elements.blocks)]
        self._buffers = [*listed, constant, residual, extra]
        if variant.config is not None:
            group = variant.config.local_size[0]
            items = n_blocks * group
        else:
            group = min(_GROUP, memory.device.max_work_group_size)
            items = -(-n_blocks * n_nodes // group) * group

        def bound(name: str, *arguments: Argument) -> Launch:
            return variant.kernels.bound(
                name, variant.fields, *arguments, items=items, group=group, program=program
            )

        def after(stage: int, parity: int) -> list[Launch]:
            traces = variant.traces(stage, parity)
            published = (*traces, *variant.constants) if traces else ()
            return [
                bound(
                    "add_extra", variant.residual, *published, extra, *listed, n_blocks,
                    float(scheme.b[stage]),
                ),
                *published_anew(equations.elements, variant, traces),
            ]  # fmt: skip

        self._before = [
            bound(
                "look", constant, self.kept.buffer, residual, extra, *listed, n_blocks,
                stages.dt, float(a), float(b),
            )
            for a, b in zip(scheme.a, scheme.b, strict=True)
        ]  # fmt: skip
        self._after = stages.each(after)

    def takes(self, equations: AuxiliaryEquations) -> bool:
        """Whether other equations are the same but for their coefficients."""
        return self.kept.equations.alike(equations)

    def change(self, equations: AuxiliaryEquations) -> None:
        """Go on with other coefficients; the memory stays as it is."""
        if equations is self.kept.equations:
            return
        self.kept.equations = equations
        self._device.write(self._constant, self.kept.coefficients())

    def before(self, step: int, stage: int, parity: int) -> None:
        """Look at the old fields, and advance the memory."""
        self._kernels.launch(self._before[stage])

    def after(self, step: int, stage: int, parity: int) -> None:
        """Add what was found to residual, fields and traces."""
        self._kernels.launch(*self._after[parity][stage])

    def release(self) -> None:
        """Free the device memory."""
        self.kept.release()
        self._device.free(*self._buffers)
