"""Which kernel shape suits which device."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from wavelab.opencl.device import kind_of
from wavelab.opencl.layout import KernelShape

#: Bytes of a vector: one AVX register.  Wider ones crash the compiler of PoCL 3.0.
_VECTOR_BYTES = 32
#: Elements side by side in the item form: one warp.
_ITEM_LANES = 32


def kernel_shape(
    device: cl.Device, *, nodes_per_element: int, nodes_per_face: int, n_fluxes: int, real: np.dtype
) -> KernelShape:
    """The shape for an order, a precision and a device, from what was measured."""
    shared_numbers = 3 * nodes_per_element + 3 * n_fluxes * nodes_per_face
    limit = device.max_work_group_size
    lanes = _ITEM_LANES
    while lanes > 1 and shared_numbers * lanes * real.itemsize > device.local_mem_size:
        lanes //= 2
    rows = 4
    if kind_of(device) == "CPU" or lanes < 8 or limit < lanes * rows:
        # Needs no work group larger than one, so it runs everywhere.
        tile = _vector_tile(nodes_per_element)
        return KernelShape(_VECTOR_BYTES // real.itemsize, vector=True, rows=1, tile=tile)
    return KernelShape(lanes, vector=False, rows=rows, tile=4)


def _vector_tile(nodes_per_element: int) -> int:
    return 3 if nodes_per_element % 3 == 0 else 4
