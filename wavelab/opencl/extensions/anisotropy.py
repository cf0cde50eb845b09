"""A permeability that is a tensor, on the device: what follows each stage where it is one."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.arrays import Array
from wavelab.opencl.device.launch import Argument, Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import ListedBlocks
from wavelab.opencl.elements.masses import masses
from wavelab.opencl.extensions.stages import Stages
from wavelab.physics.operator.tensor import Tensor

_GROUP = 64


def largest_group(memory: DeviceMemory) -> int:
    """Work items of a group where one is a node or an element."""
    return min(_GROUP, memory.device.max_work_group_size)


class TensorOnDevice:
    """One :class:`wavelab.physics.operator.tensor.Tensor`; it keeps nothing from stage to stage.

    Attributes
    ----------
    elements : that have it.
    """

    def __init__(self, tensor: Tensor, stages: Stages) -> None:
        variant, memory = stages.variant, stages.memory
        self.elements = tensor.elements
        self._variant, self._memory = variant, memory
        self._program = variant.kernels.compile("anisotropy")
        d = stages.operator.discretization
        blocks = ListedBlocks(tensor.elements, variant.lanes)
        shares = np.tile(_entries(tensor.share - np.eye(2))[:, None, None], (len(self.elements), 1))
        listed = memory.reals(blocks.packed(shares)), memory.integers(blocks.blocks)
        matrices, which, scales = masses(d, tensor.elements)
        kept = memory.reals(scales), memory.integers(which), memory.reals(matrices)
        self._buffers: list[cl.Buffer] = [*listed, *kept, memory.integers(tensor.elements)]
        # One launch serves for all elements.
        excess = _entries(tensor.matrix - tensor.reference * np.eye(2)).tolist()
        self._of_energy = (self._buffers[-1], len(self.elements), *excess)
        self._kept = kept
        n_blocks = len(blocks.blocks)
        if variant.config is not None:
            group = variant.config.local_size[0]
            items = n_blocks * group
        else:
            group = largest_group(self._memory)
            items = -(-n_blocks * d.nodes_per_element // group) * group

        def after(stage: int, parity: int) -> Launch:
            traces = variant.traces(stage, parity)
            published = (*traces, *variant.constants) if traces else ()
            return variant.kernels.bound(
                "turn", variant.fields, variant.residual, *published, *listed, n_blocks,
                float(stages.scheme.b[stage]), items=items, group=group, program=self._program,
            )  # fmt: skip

        self._after = stages.each(after)

    def after(self, stage: int, parity: int) -> Launch:
        """What follows a stage."""
        return self._after[parity][stage]

    def energy_into(self, energy: cl.Buffer) -> Launch:
        """Adds what the energies of the elements lack."""
        return self._over_elements("add_energy", *self._of_energy, *self._kept, energy)

    def density_into(self, shown: cl.Buffer) -> Launch:
        """Adds what the density at the nodes lacks."""
        return self._over_elements("add_density", *self._of_energy, shown)

    def _over_elements(self, name: str, *arguments: Argument) -> Launch:
        group = largest_group(self._memory)
        items = -(-len(self.elements) // group) * group
        return self._variant.kernels.bound(
            name, self._variant.fields, *arguments, items=items, group=group, program=self._program
        )

    def release(self) -> None:
        """Free the device memory."""
        self._memory.free(*self._buffers)


def _entries(matrix: Array) -> Array:
    """(3,) xx, xy and yy."""
    return np.array([matrix[0, 0], matrix[0, 1], matrix[1, 1]])
