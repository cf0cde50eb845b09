"""The auxiliary variables on a device, at the nodes of their elements alone."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array, Indices
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import ListedBlocks
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations


class AuxiliaryVariables:
    """The memory of one :class:`AuxiliaryEquations`; it starts at 0.

    Attributes
    ----------
    listed : the blocks that hold its elements.
    buffer : where it is, in the layout of ``listed``.
    """

    def __init__(self, equations: AuxiliaryEquations, lanes: int, memory: DeviceMemory) -> None:
        self.equations = equations
        self._lanes, self._device = lanes, memory
        self.listed = ListedBlocks(equations.elements, lanes)
        self.buffer: cl.Buffer = memory.reals(self.listed.packed(np.zeros(equations.shape)))

    @property
    def places(self) -> Indices:
        """(n,) where the first number of each element is in it; those of a node are ``lanes``
        apart."""
        n_auxiliary, _, n_nodes = self.equations.shape
        return self.listed.places(n_auxiliary, n_nodes)

    def coefficients(self) -> Array:
        """Those of the equations, in the same layout."""
        return self.listed.packed(np.array(list(self.equations.coefficients.values())))

    def read(self) -> Array:
        """The memory, (n_auxiliary, n, nodes_per_element)."""
        n_auxiliary, _, n_nodes = self.equations.shape
        if not n_auxiliary:
            return np.zeros(self.equations.shape)
        shape = (len(self.listed.blocks), n_auxiliary, n_nodes, self._lanes)
        return self.listed.unpacked(self._device.read(self.buffer, shape, self._device.real))

    def write(self, values: Array) -> None:
        """Replace the variables."""
        if values.size:
            self._device.write(self.buffer, self.listed.packed(values))

    def release(self) -> None:
        """Free the device memory."""
        self._device.free(self.buffer)
