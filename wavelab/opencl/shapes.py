"""Which kernel shapes suit which device.

The tables are from timings of whole stages; docs/performance.md says which, on which devices, and
how to repeat them.
"""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.opencl.device import kind_of
from wavelab.opencl.layout import KernelShape

#: Bytes of a vector on a CPU: one AVX register.  Wider ones crash the compiler of PoCL 3.0.
_VECTOR_BYTES = 32
#: Of 2 to 6 the best or within 5 % of it for every order on PoCL.
_CPU_TILE = 4
#: By order, then for all higher ones.
_GPU = {
    1: KernelShape(64, 1, rows=1, matrices="literal"),
    2: KernelShape(64, 1, rows=1, matrices="literal"),
    3: KernelShape(32, 1, rows=1, matrices="literal"),
    4: KernelShape(32, 1, rows=1, matrices="literal"),
    5: KernelShape(32, 1, rows=1, matrices="literal"),
    6: KernelShape(32, 1, rows=1, matrices="literal"),
}
_GPU_HIGH = KernelShape(32, 1, rows=4, matrices="constant")

#: Constant memory that every device must have.
_CONSTANT_BYTES = 64 * 1024


def kernel_shape(device: cl.Device, *, order: int, n_fluxes: int, real: np.dtype) -> KernelShape:
    """The shape to begin with for an order and a precision on a device.

    Parameters
    ----------
    n_fluxes : numbers lifted per face node.
    """
    if kind_of(device) == "CPU":
        return cpu_shape(real)
    shape = gpu_shape(order, n_fluxes, real, device.local_mem_size)
    # The CPU's shape needs no work group larger than one, so it runs anywhere.
    fits = shape.local_size[0] <= device.max_work_group_size
    return shape if fits else cpu_shape(real)


def candidate_shapes(
    device: cl.Device, *, order: int, n_fluxes: int, real: np.dtype
) -> list[KernelShape]:
    """Shapes worth timing on a device, the likeliest first, all of which it can run."""
    first = kernel_shape(device, order=order, n_fluxes=n_fluxes, real=real)
    if kind_of(device) == "CPU":
        width = first.lanes
        others = [KernelShape(width, width, rows=1, tile=tile) for tile in (2, 3, 5, 6)]
    else:
        others = [
            *(KernelShape(64 // rows, 1, rows, matrices="literal") for rows in (1, 2)),
            *(KernelShape(32, 1, rows, matrices="literal") for rows in (1, 2, 4)),
            *(KernelShape(32, 1, rows, matrices="constant") for rows in (2, 4, 6)),
            *(KernelShape(64, 2, rows, tile=2) for rows in (2, 4, 6)),
            *(KernelShape(32, 1, rows, tile=2) for rows in (1, 4)),
        ]
    fitting = [
        shape
        for shape in dict.fromkeys([first, *others])
        if shape.local_size[0] <= device.max_work_group_size
        and local_bytes(shape, order, n_fluxes, real) <= device.local_mem_size
        and constant_bytes(shape, order, real) <= device.max_constant_buffer_size
    ]
    return fitting


def cpu_shape(real: np.dtype) -> KernelShape:
    """One work item per block, with vectors of one register."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelShape(width, width, rows=1, tile=_CPU_TILE)


def gpu_shape(order: int, n_fluxes: int, real: np.dtype, local_memory: int) -> KernelShape:
    """Work items side by side, with the shared arrays in ``local_memory`` bytes."""
    shape = _GPU.get(order, _GPU_HIGH)
    if constant_bytes(shape, order, real) > _CONSTANT_BYTES:
        shape = KernelShape(32, 1, rows=4, tile=2)
    while local_bytes(shape, order, n_fluxes, real) > local_memory and shape.lanes > 1:
        shape = KernelShape(shape.lanes // 2, 1, rows=4, tile=2)
    return shape


def local_bytes(shape: KernelShape, order: int, n_fluxes: int, real: np.dtype) -> int:
    """Local memory that a work group of the stage kernel takes."""
    if shape.alone:
        return 0
    face_values = 3 * (order + 1) * n_fluxes
    numbers = 3 * (order + 1) * (order + 2) // 2 + face_values
    if shape.unrolled:
        # One row keeps its nodes in registers; the outgoing traces wait in local memory.
        numbers = (numbers if shape.rows > 1 else 0) + (face_values | 1)
    return numbers * shape.lanes * real.itemsize


def constant_bytes(shape: KernelShape, order: int, real: np.dtype) -> int:
    """Constant memory that the larger of the two matrix buffers takes."""
    if shape.matrices != "constant":
        return 0
    nodes = (order + 1) * (order + 2) // 2
    per_row = -(-nodes // shape.rows)
    return shape.rows * nodes * -(-2 * per_row // 4) * 4 * real.itemsize
