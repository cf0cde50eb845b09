"""Which kernel shapes suit which device.

The tables are from timings of whole stages; docs/performance.md says which, on which devices, and
how to repeat them.
"""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.opencl.device.device import has_matrix_units, kind_of
from wavelab.opencl.elements.layout import KernelShape

#: A warp that does eight elements.
TENSOR_SHAPE = KernelShape(lanes=8, width=1, rows=4, matrices="tensor")

#: Bytes of a vector on a CPU: one AVX register.  Wider ones crash the compiler of PoCL 3.0.
_VECTOR_BYTES = 32
#: Of 1 to 4 the best or within 5 % of it for every order on PoCL.
_CPU_TILE = 2
#: More gain nothing.
_BLOCKS_EACH = 16
_ITEMS_PER_UNIT = 16
#: Of 2 to 6, with whole matrices.
_CPU_WHOLE_TILE = 4
#: For each precision, by order: work items that share an element, and elements in a group.
_GPU = {
    "float32": {1: (1, 32), 2: (1, 64), 3: (1, 32)},
    "float64": {1: (1, 32), 2: (1, 64), 3: (1, 64)},
}
#: For all other orders.
_GPU_USUAL = (4, 32)
#: Where the mesh fits the last cache and something else is faster there.
_GPU_SMALL = {"float32": {6: (2, 32), 7: (2, 32)}, "float64": {}}
#: From this order on matrix units are faster.
_TENSOR_ORDER = 6
#: Numbers of an element that stage_tensor.cl.mako computes once for all its work items.
TENSOR_KEPT = 22


def kernel_shape(
    device: cl.Device, *, order: int, n_fluxes: int, real: np.dtype, small: bool = False
) -> KernelShape:
    """The shape to begin with for an order and a precision on a device.

    Parameters
    ----------
    n_fluxes : numbers lifted per face node.
    small : whether the fields fit the device's last cache.
    """
    if kind_of(device) == "CPU":
        return cpu_shape(real)
    if _takes_tensors(device, real) and order >= _TENSOR_ORDER:
        return TENSOR_SHAPE
    shape = gpu_shape(order, n_fluxes, real, device.local_mem_size, small=small)
    # The CPU's shape needs no work group larger than one, so it runs anywhere.
    fits = shape.local_size[0] <= device.max_work_group_size
    return shape if fits else cpu_shape(real)


def candidate_shapes(
    device: cl.Device, *, order: int, n_fluxes: int, real: np.dtype, small: bool = False
) -> list[KernelShape]:
    """Shapes worth timing on a device, the likeliest first, all of which it can run."""
    first = kernel_shape(device, order=order, n_fluxes=n_fluxes, real=real, small=small)
    if kind_of(device) == "CPU":
        width = first.lanes
        others = [
            *(KernelShape(width, width, rows=1, tile=t, matrices="mirrored") for t in (1, 3, 4)),
            whole_matrix_shape(real),
        ]
    else:
        others = [
            *([TENSOR_SHAPE] if _takes_tensors(device, real) else []),
            *(unrolled_shape(rows, 32) for rows in (4, 2, 8)),
            *(unrolled_shape(1, lanes) for lanes in (32, 64)),
            *(KernelShape(32, 1, rows, tile=2) for rows in (1, 4)),
        ]
    fitting = [
        shape
        for shape in dict.fromkeys([first, *others])
        if shape.local_size[0] <= device.max_work_group_size
        and local_bytes(shape, order, n_fluxes, real) <= device.local_mem_size
    ]
    return fitting


def _takes_tensors(device: cl.Device, real: np.dtype) -> bool:
    return real == np.float64 and has_matrix_units(device)


def cpu_shape(real: np.dtype) -> KernelShape:
    """One work item per block, with vectors of one register."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelShape(width, width, rows=1, tile=_CPU_TILE, matrices="mirrored")


def whole_matrix_shape(real: np.dtype) -> KernelShape:
    """The same for kernels that take D_r, D_s and LIFT as they are."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelShape(width, width, rows=1, tile=_CPU_WHOLE_TILE)


def blocks_each(n_blocks: int, compute_units: int) -> int:
    """Blocks that a work item of a mirrored kernel does one after the other: several, because to
    start one has its price, and few enough to be dealt out evenly."""
    return max(1, min(_BLOCKS_EACH, n_blocks // (_ITEMS_PER_UNIT * compute_units)))


def unrolled_shape(rows: int, lanes: int) -> KernelShape:
    """``rows`` work items to an element, matrices in the code."""
    return KernelShape(lanes, 1, rows, matrices="literal" if rows == 1 else "folded")


def gpu_shape(
    order: int, n_fluxes: int, real: np.dtype, local_memory: int, *, small: bool = False
) -> KernelShape:
    """Work items side by side, with the shared arrays in ``local_memory`` bytes."""
    usual = _GPU[real.name].get(order, _GPU_USUAL)
    shape = unrolled_shape(*(_GPU_SMALL[real.name].get(order, usual) if small else usual))
    if local_bytes(shape, order, n_fluxes, real) > local_memory:
        shape = KernelShape(32, 1, rows=4, tile=2)
    while local_bytes(shape, order, n_fluxes, real) > local_memory and shape.lanes > 1:
        shape = KernelShape(shape.lanes // 2, 1, rows=4, tile=2)
    return shape


def local_bytes(shape: KernelShape, order: int, n_fluxes: int, real: np.dtype) -> int:
    """Local memory that a work group of the stage kernel takes."""
    if shape.alone:
        return 0
    nodes, face_values = (order + 1) * (order + 2) // 2, 3 * (order + 1) * n_fluxes
    numbers = 3 * nodes + face_values
    if shape.tensor:
        # Two operands, to the next four nodes.
        numbers = TENSOR_KEPT + (face_values | 1) + 2 * 4 * -(-nodes // 4)
    elif shape.compact:
        # The traces wait here to leave in order.
        numbers = face_values | 1
        if shape.folded:
            # Even and odd parts; those of a node on the mirror take two places as well.
            numbers += 4 * (nodes + order // 2 + 1) + face_values
    return numbers * shape.lanes * real.itemsize
