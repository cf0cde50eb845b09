"""What auxiliary equations take, summed up on the device."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.elements.formula import opencl_source
from wavelab.opencl.elements.masses import masses
from wavelab.opencl.extensions.stages import Stages
from wavelab.opencl.observers.look import Look
from wavelab.physics.materials.auxiliary_energy import energy_weights
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.operator import Operator

#: Work items; each takes every so manieth element, and what they find is summed up by the host.
_MOST_ITEMS = 2048


class LostPower:
    """:func:`wavelab.physics.materials.auxiliary_energy.lost_power` of one
    :class:`AuxiliaryEquations`, sampled and kept on the device until it is read.

    Parameters
    ----------
    kept : their memory; None if they have none.
    rows : most samples between two calls of :meth:`read`.
    """

    def __init__(
        self,
        equations: AuxiliaryEquations,
        kept: AuxiliaryVariables | None,
        rows: int,
        stages: Stages,
    ) -> None:
        operator, variant, memory = stages.operator, stages.variant, stages.memory
        self._of, self._operator = (equations, kept, rows), operator
        d = operator.discretization
        self._kernels, self._memory = variant.kernels, memory
        n = len(equations.elements)
        weights = energy_weights(equations, operator)
        matrices, which, scales = masses(d, equations.elements)
        scale = np.repeat(scales[:, None], d.nodes_per_element, axis=1)
        self._items = min(n, _MOST_ITEMS)
        self._sums = memory.empty(rows * self._items * memory.real.itemsize)
        self._buffers = [
            memory.integers(equations.elements),
            memory.reals(np.array(list(equations.coefficients.values()))),
            memory.reals(np.array([scale * weight for weight in weights.values()])),
            memory.reals(matrices),
            memory.integers(which),
        ]
        places = memory.integers(np.zeros(n) if kept is None else kept.places)
        buffer = places if kept is None else kept.buffer
        program = variant.kernels.compile(
            "lost_power",
            auxiliary_coefficients=list(equations.coefficients),
            auxiliary_variables=list(equations.variables),
            terms=[
                (name, opencl_source(equations.rates[changed], stages.precision))
                for name, changed in weights
            ],
            lanes=variant.lanes,
        )
        self._launch = variant.kernels.bound(
            "lost_power", variant.fields, *self._buffers, buffer, places, self._sums, n, 0,
            items=self._items, program=program,
        )  # fmt: skip
        self._buffers += [places, self._sums]

    def serves(
        self,
        equations: AuxiliaryEquations,
        kept: AuxiliaryVariables | None,
        rows: int,
        operator: Operator,
    ) -> bool:
        """Whether another one would be the same."""
        return self._of == (equations, kept, rows) and operator.has_energies_of(self._operator)

    def looks(self, rows: Indices) -> list[Look]:
        """At what is lost after steps, which becomes these rows; none where negative."""
        return [Look(self._launch, np.where(rows < 0, -1, rows * self._items))]

    def sample(self) -> None:
        """What is lost now, as the first row."""
        self._launch.set_last(np.int32(0))
        self._kernels.launch(self._launch)

    def read(self, n_rows: int) -> Array:
        """(n_rows,) what was lost."""
        sums = self._memory.read(self._sums, (n_rows, self._items), self._memory.real)
        return np.asarray(sums.sum(axis=1, dtype=np.float64))

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)
