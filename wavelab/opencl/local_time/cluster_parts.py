"""What the clusters of local time stepping have on the device: elements that are predicted by one
kernel, those without auxiliary equations and those of each set of equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Indices
from wavelab.errors import SceneError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.auxiliary_variables import AuxiliaryVariables
from wavelab.opencl.elements.formula import opencl_source
from wavelab.opencl.elements.layout import interleave
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.time.ader import terms


def equation_names(
    equations: AuxiliaryEquations | None, order: int, precision: str
) -> dict[str, object]:
    """What the template refers to, for elements with these auxiliary equations or with none.

    Raises
    ------
    FormulaError : a number in a formula does not fit into single precision.
    """
    rates = equations.rates if equations is not None else {}
    return {
        "n_terms": terms(order, remembers=equations is not None),
        "auxiliary_coefficients": list(equations.coefficients) if equations is not None else [],
        "auxiliary_variables": list(equations.variables) if equations is not None else [],
        "rates": {name: opencl_source(f, precision) for name, f in rates.items()},
    }


def without_equations(equations: Sequence[AuxiliaryEquations], n_elements: int) -> Indices:
    """The elements on which none of the equations hold.

    Raises
    ------
    SceneError : on some several do, as there are in a layer with what follows the fields
        everywhere; each element is predicted by one kernel, with one set of variables.
    """
    times = np.zeros(n_elements, np.int64)
    for each in equations:
        times[each.elements] += 1
    if times.max(initial=0) > 1:
        raise SceneError(
            "on OpenCL local time steps do not follow the displacement of a membrane in the layer "
            "of an open wall",
            remedy="Make its open walls absorbing, take another stepper, or compute with NumPy "
            "(--backend numpy).",
        )
    return np.flatnonzero(times == 0)


@dataclass(frozen=True)
class Programs:
    """The template "ader", and "ader_curved" where there are curved elements."""

    straight: cl.Program
    curved: cl.Program | None


class PredictedPart:
    """Elements that are predicted alike.

    Parameters
    ----------
    levels : (n_elements,) of all elements.
    members : (n,) numbers of those of this part.
    programs : compiled for them.

    Attributes
    ----------
    levels : buffer, -1 for all others.
    """

    def __init__(
        self,
        levels: NDArray[np.int32],
        members: Indices,
        programs: Programs,
        variant: AoSoA,
        memory: DeviceMemory,
    ) -> None:
        self.programs, self._lanes, self._device = programs, variant.lanes, memory
        # At the begin of a block.
        self._first_curved = variant.curved.first
        self._level_of = np.full(len(levels), -1, np.int32)
        self._level_of[members] = levels[members]
        self.levels = memory.integers(interleave(self._level_of[:, None], self._lanes, padding=-1))

    def blocks(self, level: int, among: Indices) -> Indices:
        """The blocks with elements of a level in this part that have no dense matrices."""
        elements = np.flatnonzero(self._level_of[: self._first_curved] == level)
        return np.intersect1d(elements // self._lanes, among)

    def curved(self, level: int, among: Indices) -> Indices:
        """The elements of a level in this part that have dense matrices, of some blocks."""
        elements = (
            np.flatnonzero(self._level_of[self._first_curved :] == level) + self._first_curved
        )
        return elements[np.isin(elements // self._lanes, among)]

    def all_of(self, level: int, everyone: PredictedPart) -> bool:
        """Whether all elements of a level are in this part and have no dense matrices."""
        here = self._level_of[: self._first_curved] == level
        return bool(here.sum() == (everyone._level_of == level).sum())

    def arguments(self, blocks: Indices) -> Sequence[cl.Buffer]:
        """What the kernels are given besides, for elements or blocks that lie in these blocks."""
        return ()

    def release(self) -> None:
        """Free the device memory."""
        self._device.free(self.levels)


class RememberingPart(PredictedPart):
    """The elements of one :class:`AuxiliaryEquations`.

    Parameters
    ----------
    programs : with :func:`equation_names`.

    Attributes
    ----------
    kept : the memory.
    """

    def __init__(
        self,
        equations: AuxiliaryEquations,
        levels: NDArray[np.int32],
        programs: Programs,
        variant: AoSoA,
        memory: DeviceMemory,
    ) -> None:
        super().__init__(levels, equations.elements, programs, variant, memory)
        self.kept = AuxiliaryVariables(equations, variant.lanes, memory)
        self._coefficients = memory.reals(self.kept.coefficients())

    def arguments(self, blocks: Indices) -> Sequence[cl.Buffer]:
        """Where the blocks are in what lies at the nodes, and that."""
        rows = self._device.integers(np.searchsorted(self.kept.listed.blocks, blocks))
        return rows, self._coefficients, self.kept.buffer

    def release(self) -> None:
        """Free the device memory."""
        super().release()
        self.kept.release()
        self._device.free(self._coefficients)
