"""What the clusters of local time stepping have on the device: elements that are predicted by one
kernel, those without local equations and those of each set of equations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.opencl.formula import opencl_source
from wavelab.opencl.layout import ListedBlocks, interleave
from wavelab.opencl.memory import DeviceMemory
from wavelab.physics.ader import terms
from wavelab.physics.local_equations import LocalEquations

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def equation_names(
    equations: LocalEquations | None, order: int, precision: str
) -> dict[str, object]:
    """What the template refers to, for elements with these local equations or with none.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """
    if equations is None:
        nothing: list[str] = []
        return {
            "n_terms": terms(order),
            "local_coefficients": nothing,
            "local_memory": nothing,
            "rates": {},
        }
    return {
        "n_terms": terms(order, remembers=True),
        "local_coefficients": list(equations.coefficients),
        "local_memory": list(equations.memory),
        "rates": {name: opencl_source(f, precision) for name, f in equations.rates.items()},
    }


class PredictedPart:
    """Elements that one kernel predicts.

    Parameters
    ----------
    levels : (n_elements,) of all elements.
    members : (n,) numbers of those of this part.
    program : compiled for them.

    Attributes
    ----------
    levels : buffer, -1 for all others.
    """

    def __init__(
        self,
        levels: NDArray[np.int32],
        members: Indices,
        lanes: int,
        program: cl.Program,
        memory: DeviceMemory,
    ) -> None:
        self.program, self._lanes, self._device = program, lanes, memory
        self._level_of = np.full(len(levels), -1, np.int32)
        self._level_of[members] = levels[members]
        self.levels = memory.integers(interleave(self._level_of[:, None], lanes, padding=-1))

    def blocks(self, level: int) -> Indices:
        """Blocks with elements of a level among those of this part."""
        return np.unique(np.flatnonzero(self._level_of == level) // self._lanes)

    def arguments(self, blocks: Indices) -> Sequence[cl.Buffer]:
        """What the kernel is given besides, to run over some blocks."""
        return ()

    def release(self) -> None:
        """Free the device memory."""
        self._device.free(self.levels)


class RememberingPart(PredictedPart):
    """The elements of one :class:`LocalEquations`; the memory starts at 0.

    Parameters
    ----------
    program : of the template "ader" with :func:`equation_names`.
    """

    def __init__(
        self,
        equations: LocalEquations,
        levels: NDArray[np.int32],
        lanes: int,
        program: cl.Program,
        memory: DeviceMemory,
    ) -> None:
        super().__init__(levels, equations.elements, lanes, program, memory)
        self.equations = equations
        self._listed = ListedBlocks(equations.elements, lanes)
        coefficients = np.array(list(equations.coefficients.values()))
        self._coefficients = memory.reals(self._listed.packed(coefficients))
        self._memory = memory.reals(self._listed.packed(np.zeros(equations.shape)))

    def arguments(self, blocks: Indices) -> Sequence[cl.Buffer]:
        """Where the blocks are in what lies at the nodes, and that."""
        rows = self._device.integers(np.searchsorted(self._listed.blocks, blocks))
        return rows, self._coefficients, self._memory

    def read(self) -> Array:
        """The memory, (n_memory, n, nodes_per_element)."""
        n_memory, _, n_nodes = self.equations.shape
        if not n_memory:
            return np.zeros(self.equations.shape)
        shape = (len(self._listed.blocks), n_memory, n_nodes, self._lanes)
        return self._listed.unpacked(self._device.read(self._memory, shape, self._device.real))

    def write(self, values: Array) -> None:
        """Replace the memory."""
        if values.size:
            self._device.write(self._memory, self._listed.packed(values))

    def release(self) -> None:
        """Free the device memory."""
        super().release()
        self._device.free(self._coefficients, self._memory)
