"""Which kernel shape suits which device, from timings of whole stages.

Measured on an H100 at 320,000 elements in single precision, microseconds a stage for orders 1 to
8 with these shapes: 36, 67, 115, 158, 228, 330, 468, 630.
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
#: By order, then for all higher ones; single precision on a GPU.
_GPU_SINGLE = {
    1: KernelShape(64, 2, rows=1, tile=3),
    2: KernelShape(32, 1, rows=1, tile=2),
    3: KernelShape(32, 1, rows=1, tile=2),
    4: KernelShape(64, 2, rows=2, tile=4),
    5: KernelShape(32, 1, rows=4, tile=2),
    6: KernelShape(64, 2, rows=4, tile=2),
}
_GPU_SINGLE_HIGH = KernelShape(64, 2, rows=6, tile=2)


def kernel_shape(device: cl.Device, *, order: int, n_fluxes: int, real: np.dtype) -> KernelShape:
    """The shape for an order and a precision on a device.

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


def cpu_shape(real: np.dtype) -> KernelShape:
    """One work item per block, with vectors of one register."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelShape(width, width, rows=1, tile=_CPU_TILE)


def gpu_shape(order: int, n_fluxes: int, real: np.dtype, local_memory: int) -> KernelShape:
    """Work items side by side, with the shared arrays in ``local_memory`` bytes."""
    if real.itemsize == 4:
        shape = _GPU_SINGLE.get(order, _GPU_SINGLE_HIGH)
    else:
        shape = KernelShape(32, 1, rows=1 if order <= 3 else 4, tile=2)
    numbers = 3 * (order + 1) * (order + 2) // 2 + n_fluxes * 3 * (order + 1)
    while numbers * shape.lanes * real.itemsize > local_memory and shape.lanes > 1:
        shape = KernelShape(shape.lanes // 2, 1, rows=4, tile=2)
    return shape
