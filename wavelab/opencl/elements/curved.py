"""The elements with arcs among their faces on a device; see kernels/stage/curved.cl.mako."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import Connectivity
from wavelab.numerics.mesh.curved_elements import CurvedElements, with_straight
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.properties import kind_of

#: A work group has a multiple of this many items.
_GROUP_STEP = 32


@dataclass(frozen=True)
class DenseMatrices:
    """What some equations need of every curved element.

    Attributes
    ----------
    template : of kernels/stage/, with the kernels that take them.
    size : how many numbers of an element that is, for kernels/stage/curved_items.cl.mako.
    of : in the order in which they lie, (n, ..., rows, columns) each, or (n, numbers) what is no
        matrix.
    """

    template: str
    size: str
    of: Callable[[ReferenceElement, CurvedElements], Sequence[Array]]


class CurvedElementKernels:
    """The last elements of a mesh, from number ``first`` on, and the launches over them.

    A variant that computes whole blocks of elements begins with those at a block: the few straight
    ones before the first curved one are then computed that is curved too.

    Parameters
    ----------
    block : elements that the variant's own kernels compute together.
    dense : what the equations need.
    connectivity : where the traces across faces are found; None for that of the elements.

    Raises
    ------
    DeviceError : not enough memory.
    """

    def __init__(
        self,
        d: Discretization,
        block: int,
        memory: DeviceMemory,
        dense: DenseMatrices,
        connectivity: Connectivity | None = None,
    ) -> None:
        self.first = d.first_curved // block * block if d.curved is not None else d.n_elements
        self._memory, self._dense = memory, dense
        self._count = d.n_elements - self.first
        self._group = items_of_element(d, memory) if self._count else 0
        #: Those of all elements, as the kernels take them.
        self.matrices = memory.reals(np.zeros(0))
        # Numbers in a vector register of most processors.
        self._together = 1 if self._group else 32 // memory.real.itemsize
        if not self._count:
            return
        assert d.curved is not None
        elements = with_straight(d.mesh, d.element, d.curved, self.first)
        packed = _packed(dense.of(d.element, elements), self._together, memory.real)
        factors = np.linalg.cholesky(elements.mass)
        memory.check_fits([packed.nbytes, factors.size * memory.real.itemsize])
        self.matrices, self._factors = memory.reals(packed), memory.reals(factors)
        self._outside = memory.integers(_outside(connectivity or d.connectivity)[self.first :])

    @property
    def group(self) -> int:
        """Items for an element."""
        return self._group or 1

    def names(self) -> dict[str, Any]:
        """What the template refers to."""
        return {
            "grouped": self._group,
            "together": self._together,
            "dense_size": self._dense.size,
        }

    @property
    def templates(self) -> tuple[str, ...]:
        """What is to be compiled."""
        return (self._dense.template,) if self._count else ()

    def stage(
        self,
        kernels: KernelSet,
        *buffers: cl.Buffer,
        turns: tuple[cl.Buffer, ...] = (),
        numbers: tuple[float | int, ...],
    ) -> list[Launch]:
        """The launch that follows those over the other elements, if there is anything to do.

        Parameters
        ----------
        buffers, numbers : of the kernel ``dense_elements``, before and after those that are here.
        turns : by which the fields of neighbours turn, if some do and are asked for.
        """
        return self._over(
            kernels, "dense_elements", *buffers, self.matrices, self._outside, *turns,
            self.first, *numbers,
        ) if self._count else []  # fmt: skip

    def publish(self, kernels: KernelSet, *buffers: cl.Buffer) -> list[Launch]:
        """The traces of the fields, if there is anything to do."""
        if not self._count:
            return []
        return self._over(kernels, "publish_dense", *buffers, self.matrices, self.first)

    def energy(self, kernels: KernelSet, *buffers: cl.Buffer, energy: cl.Buffer) -> list[Launch]:
        """Replaces the energies of these elements, if there is anything to do."""
        if not self._count:
            return []
        return [
            kernels.bound(
                "dense_energy", *buffers, self._factors, energy, self.first, items=self._count
            )
        ]

    def _over(self, kernels: KernelSet, name: str, *arguments: Argument) -> list[Launch]:
        group = self.group
        return [kernels.bound(name, *arguments, items=self._count * group, group=group)]


def items_of_element(d: Discretization, memory: DeviceMemory) -> int:
    """Work items of a group that does one element, as many as it has nodes or face nodes; 0 where
    one does all of an element."""
    needed = max(d.nodes_per_element, 3 * d.element.nodes_per_face)
    items = -(-needed // _GROUP_STEP) * _GROUP_STEP
    if kind_of(memory.device) == "CPU" or items > memory.device.max_work_group_size:
        return 0
    return items


def _packed(matrices: Sequence[Array], together: int, real: np.dtype) -> NDArray:
    """(n, numbers): all that belongs to an element one after the other, matrices transposed and
    with rows of zeros to a multiple of ``together``."""

    def laid(values: Array) -> Array:
        if values.ndim > 2:
            values = np.swapaxes(values, -1, -2)
            filled = (0, -values.shape[-1] % together)
            values = np.pad(values, (*[(0, 0)] * (values.ndim - 1), filled))
        return values.reshape(len(values), -1)

    return np.concatenate([laid(values).astype(real) for values in matrices], axis=1)


def _outside(c: Connectivity) -> NDArray[np.int32]:
    """(n_elements, 3): 3 times the neighbour's number plus that of its face, -1 at a wall."""
    return np.where(c.is_boundary, np.int32(-1), 3 * c.neighbor_element + c.neighbor_face)
