"""The buffers that a step reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import DeviceError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import (
    KernelConfig,
    deinterleave,
    fill_blocks,
    interleave,
    outside_slots,
)
from wavelab.opencl.elements.maxwell_tm import METRIC, coefficients, material_table
from wavelab.opencl.elements.phases import PhasedFaces
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM

_N_FIELDS = 3


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


def upload(
    operator: MaxwellTM,
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
    n_fields = n_slots * _N_FIELDS * d.nodes_per_element
    n_more = config.n_blocks(phased.n_elements) * config.lanes
    n_face_values = (n_slots + n_more) * 3 * d.element.nodes_per_face * n_traces
    if max(n_fields, n_face_values) >= 2**31:
        raise DeviceError(
            f"{d.n_elements} elements of order {d.order} have {n_fields} unknowns; the kernels "
            f"count to {2**31 - 1}",
            where=memory.name,
            remedy="Use larger elements or a lower order.",
        )
    constants = coefficients(operator)
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
        constants=_constants(constants, config, memory),
        outside=memory.integers(slots),
    )


def _constants(values: Array, config: KernelConfig, memory: DeviceMemory) -> tuple[cl.Buffer, ...]:
    """As kernels/element/constants.cl.mako takes them: by element, or compact."""
    # Lanes that only fill up get metric terms and materials of 1, to stay finite.
    if not config.compact:
        return (memory.reals(interleave(values, config.lanes, padding=1)),)
    table, rows = material_table(values)
    metric = interleave(values[:, : len(METRIC)], config.lanes, padding=1)
    return (
        memory.reals(metric),
        memory.integers(interleave(rows[:, None], config.lanes)),
        memory.reals(table),
    )


def packed(fields: Fields, lanes: int, real: np.dtype) -> NDArray:
    """(n_blocks, 3 nodes_per_element, lanes), as the device keeps the fields."""
    n_elements, n_nodes = fields.ez.shape
    blocks = np.empty((-(-n_elements // lanes), _N_FIELDS * n_nodes, lanes), real)
    for i, field in enumerate((fields.hx, fields.hy, fields.ez)):
        fill_blocks(blocks[:, i * n_nodes : (i + 1) * n_nodes], field)
    return blocks


def unpacked(blocks: NDArray, n_elements: int) -> Fields:
    """Inverse of :func:`packed`, in double precision."""
    hx, hy, ez = (
        deinterleave(column, n_elements).astype(np.float64)
        for column in np.split(blocks, _N_FIELDS, axis=1)
    )
    return Fields(hx, hy, ez)
