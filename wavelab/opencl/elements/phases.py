"""Faces at edges where waves have a phase: what they read is a sum of two traces.

Kernels read one trace across each face.  So the sums are made beforehand, see
kernels/stage/phases.cl.mako, and lie behind the traces of the elements, like those of more of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.mesh.connectivity import Connectivity
from wavelab.opencl.device.kernel_set import KernelSet
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.physics.operator.maxwell_tm import MaxwellTM


@dataclass(frozen=True, eq=False)
class PhasedFaces:
    """Attributes
    ----------
    connectivity : of the operator, but that faces with a phase have faces of more elements for
        neighbours, from number ``first`` on.
    sources : (n, 2) 3 times the number of an element plus that of its face, for both copies.
    weights : (n, 2) what their traces are multiplied with.
    """

    connectivity: Connectivity
    first: int
    sources: NDArray[np.int32]
    weights: Array

    @classmethod
    def of(cls, operator: MaxwellTM, lanes: int) -> PhasedFaces:
        """Those of an operator whose elements fill up blocks of ``lanes``."""
        d = operator.discretization
        c, first = d.connectivity, -(-d.n_elements // lanes) * lanes
        if operator.phases is None:
            return cls(c, first, np.zeros((0, 2), np.int32), np.zeros((0, 2)))
        element, face = np.nonzero(operator.phases)
        angle, near = operator.phases[element, face], c.neighbor_element[element, face]
        sign = np.where(d.is_seen[element], -1.0, 1.0)
        number = np.arange(len(element), dtype=np.int32)
        elements, faces = c.neighbor_element.copy(), c.neighbor_face.copy()
        elements[element, face], faces[element, face] = first + number // 3, number % 3
        copies = np.stack([near, near ^ 1], axis=1)
        return cls(
            replace(c, neighbor_element=elements, neighbor_face=faces),
            first,
            3 * copies + c.neighbor_face[element, face, None],
            np.stack([np.cos(angle), sign * np.sin(angle)], axis=1),
        )

    @property
    def n_elements(self) -> int:
        """How many more there are."""
        return -(-len(self.sources) // 3)


class PhasedTraces:
    """Makes the sums of :class:`PhasedFaces` on a device.

    Attributes
    ----------
    templates : what is to be compiled.
    """

    def __init__(self, faces: PhasedFaces, nodes_per_face: int, memory: DeviceMemory) -> None:
        self._first, self._items = faces.first, len(faces.sources) * nodes_per_face
        self.templates = ("phases",) if self._items else ()
        self._sources, self._weights = memory.integers(faces.sources), memory.reals(faces.weights)

    def launches(self, kernels: KernelSet, traces: cl.Buffer) -> list[Launch]:
        """What comes before a stage that reads these traces."""
        if not self._items:
            return []
        arguments = traces, self._sources, self._weights, self._first
        return [kernels.bound("turn_traces", *arguments, items=self._items)]
