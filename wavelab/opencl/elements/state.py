"""The buffers that a step reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import DeviceError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.equations import N_METRIC, equations_of, material_table
from wavelab.opencl.elements.layout import (
    KernelConfig,
    deinterleave,
    fill_blocks,
    interleave,
    outside_slots,
)
from wavelab.opencl.elements.phases import PhasedFaces
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator

#: Of the table of materials, so that it has room.
_LEAST_ROWS = 16


@dataclass(frozen=True)
class DeviceState:
    """Fields, residual, traces and what is constant per element; see
    kernels/element/element.cl.mako.

    The traces are double-buffered.  Where a step has an odd number of stages, the roles of the two
    buffers alternate from step to step; ``parity`` is 0 or 1.
    """

    fields: cl.Buffer
    residual: cl.Buffer
    traces: tuple[cl.Buffer, cl.Buffer]
    constants: tuple[cl.Buffer, ...]
    outside: cl.Buffer

    def read_by(self, stage: int, parity: int) -> cl.Buffer:
        """The traces that a stage reads."""
        return self.traces[(stage + parity) % 2]

    def written_by(self, stage: int, parity: int) -> cl.Buffer:
        """The traces that a stage writes."""
        return self.traces[(stage + parity + 1) % 2]

    def change(self, operator: Operator, config: KernelConfig, memory: DeviceMemory) -> bool:
        """Take the media and walls of another operator on the same nodes; False if there is no
        room for them, and nothing has changed."""
        numbers = _constants(equations_of(operator).coefficients_of(operator), config, memory.real)
        if any(n.nbytes > b.size for n, b in zip(numbers, self.constants, strict=True)):
            return False
        for buffer, values in zip(self.constants, numbers, strict=True):
            memory.write(buffer, values)
        return True


def upload(
    operator: Operator,
    n_traces: int,
    config: KernelConfig,
    memory: DeviceMemory,
    phased: PhasedFaces,
) -> DeviceState:
    """Buffers for an operator; the fields are undefined.

    Parameters
    ----------
    n_traces : numbers that each face node publishes.
    phased : faces whose neighbours' traces are made of others.

    Raises
    ------
    DeviceError : more unknowns than 32-bit indices reach or than the device holds.
    """
    d = operator.discretization
    n_slots = config.n_blocks(d.n_elements) * config.lanes
    equations = equations_of(operator)
    n_fields = n_slots * equations.n_fields * d.nodes_per_element
    n_more = config.n_blocks(phased.n_elements) * config.lanes
    n_face_values = (n_slots + n_more) * 3 * d.element.nodes_per_face * n_traces
    if max(n_fields, n_face_values) >= 2**31:
        raise DeviceError(
            f"{d.n_elements} elements of order {d.order} have {n_fields} unknowns; the kernels "
            f"count to {2**31 - 1}",
            where=memory.name,
            remedy="Use larger elements or a lower order.",
        )
    constants = equations.coefficients_of(operator)
    size = memory.real.itemsize
    of_fields, of_traces = n_fields * size, n_face_values * size
    of_elements = n_slots * constants.shape[1] * size, n_slots * 3 * np.dtype(np.int32).itemsize
    memory.check_fits([of_fields, of_fields, of_traces, of_traces, *of_elements])
    slots = outside_slots(
        phased.connectivity,
        d.element.nodes_per_face,
        n_traces,
        config.lanes,
        trace_lanes=1 if config.compact else None,
    )
    return DeviceState(
        fields=memory.empty(of_fields),
        residual=memory.empty(of_fields),
        traces=(memory.empty(of_traces), memory.empty(of_traces)),
        constants=tuple(
            memory.holding(values) for values in _constants(constants, config, memory.real)
        ),
        outside=memory.integers(slots),
    )


def _constants(values: Array, config: KernelConfig, real: np.dtype) -> tuple[NDArray, ...]:
    """As kernels/element/constants.cl.mako takes them: by element, or compact."""
    # Lanes that only fill up get metric terms and materials of 1, to stay finite.
    if not config.compact:
        return (interleave(values, config.lanes, padding=1).astype(real),)
    table, rows = material_table(values)
    # With room for some more, of media that are alike only now.
    room = np.zeros((max(_LEAST_ROWS, 1 << (len(table) - 1).bit_length()), table.shape[1]), real)
    room[: len(table)] = table
    metric = interleave(values[:, :N_METRIC], config.lanes, padding=1)
    return metric.astype(real), interleave(rows[:, None], config.lanes), room


def packed(fields: Fields, lanes: int, real: np.dtype) -> NDArray:
    """(n_blocks, n_fields nodes_per_element, lanes), as the device keeps the fields."""
    n_elements, n_nodes = fields.shape
    blocks = np.empty((-(-n_elements // lanes), len(fields.names) * n_nodes, lanes), real)
    for i, field in enumerate(fields.arrays):
        fill_blocks(blocks[:, i * n_nodes : (i + 1) * n_nodes], field)
    return blocks


def unpacked(blocks: NDArray, n_elements: int, of: type[Fields]) -> Fields:
    """Inverse of :func:`packed`, in double precision."""
    return of.of(
        [
            deinterleave(column, n_elements).astype(np.float64)
            for column in np.split(blocks, len(of.names), axis=1)
        ]
    )
