"""Which kernel configs suit which device.

The tables are from timings of whole stages; docs/performance.md says which, on which devices, and
how to repeat them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyopencl as cl

from wavelab.numerics.elements.nodes import nodes_per_triangle
from wavelab.opencl.device.properties import groups_at_once, has_matrix_units, kind_of
from wavelab.opencl.elements.layout import MAXWELL, KernelConfig, Load


class TinyBlocks(NamedTuple):
    """Blocks of a mesh of which many steps are taken in one launch: a group does one.

    Attributes
    ----------
    lanes : elements of each, at least.
    crowded : whether there are more than compute units.
    """

    lanes: int
    crowded: bool


#: A warp that does eight elements.
TENSOR_CONFIG = KernelConfig(lanes=8, width=1, rows=4, matrices="tensor")

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
#: Of elastic waves, where something else is faster.
_GPU_ELASTIC = {"float32": dict.fromkeys((3, 4, 6), (2, 32)), "float64": {}}
#: Blocks of a mesh of which many steps are taken in one launch: how many elements they have, and
#: whether there are more than compute units, which then have two groups each.
_TINY_BLOCKS = ((8, False), (16, False), (16, True), (32, True))
#: There a group has one block, and nothing to do while it waits for instructions of long code: so
#: many work items share products, which are short.  By precision and order the nodes of each item
#: with such blocks; 0 where something else is faster.
_TINY_NODES = {
    "float32": {
        3: (1, 1, 1, 1), 4: (1, 1, 1, 3), 5: (1, 1, 3, 3), 6: (1, 1, 2, 4), 7: (1, 3, 3, 0),
        8: (1, 3, 3, 0), 9: (1, 5, 5, 0),
    },
    "float64": {
        3: (1, 1, 1, 1), 4: (1, 1, 3, 3), 5: (1, 1, 3, 3), 6: (1, 2, 4, 4), 7: (3, 3, 3, 0),
        8: (3, 3, 3, 0), 9: (5, 5, 5, 0),
    },
}  # fmt: skip
#: From this order on matrix units are faster.
_TENSOR_ORDER = 6
#: Numbers of an element that stage_tensor.cl.mako computes once for all its work items.
TENSOR_KEPT = 22


def kernel_config(
    device: cl.Device,
    *,
    order: int,
    n_fluxes: int,
    real: np.dtype,
    small: bool = False,
    load: Load = MAXWELL,
    tiny: TinyBlocks | None = None,
) -> KernelConfig:
    """The config to begin with for an order and a precision on a device.

    Parameters
    ----------
    n_fluxes : numbers lifted per face node.
    small : whether the fields fit the device's last cache.
    tiny : the blocks with which many steps may be taken in one launch; None if they may not.
    """
    if kind_of(device) == "CPU":
        return cpu_config(real)
    if tiny and (known := _tiny_config(tiny, order, real, load)) is not None:
        return known
    if load.tensor and _takes_tensors(device, real) and order >= _TENSOR_ORDER:
        return TENSOR_CONFIG
    config = gpu_config(order, n_fluxes, real, device.local_mem_size, small=small, load=load)
    # The CPU's config needs no work group larger than one, so it runs anywhere.
    fits = config.local_size[0] <= device.max_work_group_size
    return config if fits else cpu_config(real)


def candidate_configs(
    device: cl.Device,
    *,
    order: int,
    n_fluxes: int,
    real: np.dtype,
    small: bool = False,
    load: Load = MAXWELL,
    tiny: TinyBlocks | None = None,
) -> list[KernelConfig]:
    """Shapes worth timing on a device, the likeliest first, all of which it can run."""
    case = {"order": order, "n_fluxes": n_fluxes, "real": real, "small": small, "tiny": tiny}
    first = kernel_config(device, **case, load=load)  # type: ignore[arg-type]
    if kind_of(device) == "CPU":
        width = first.lanes
        others = [
            *(
                KernelConfig(width, width, rows=1, tile=t, matrices="even_odd_cpu")
                for t in (1, 3, 4)
            ),
            whole_matrix_config(real),
        ]
    else:
        others = [
            *([TENSOR_CONFIG] if load.tensor and _takes_tensors(device, real) else []),
            *(unrolled_config(rows, 32) for rows in (4, 2, 8)),
            *(unrolled_config(1, lanes) for lanes in (32, 64)),
            *(KernelConfig(32, 1, rows, tile=2) for rows in (1, 4)),
            *(
                by_node(order, tiny.lanes, nodes)
                for nodes in (1, 2, 3, 5)
                if tiny and nodes_per_triangle(order) % nodes == 0
            ),
        ]
    fitting = [
        config
        for config in dict.fromkeys([first, *others])
        if config.local_size[0] <= device.max_work_group_size
        and local_bytes(config, order, n_fluxes, real, load) <= device.local_mem_size
    ]
    return fitting


def _takes_tensors(device: cl.Device, real: np.dtype) -> bool:
    return real == np.float64 and has_matrix_units(device)


def cpu_config(real: np.dtype) -> KernelConfig:
    """One work item per block, with vectors of one register."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelConfig(width, width, rows=1, tile=_CPU_TILE, matrices="even_odd_cpu")


def whole_matrix_config(real: np.dtype) -> KernelConfig:
    """The same for kernels that take D_r, D_s and LIFT as they are."""
    width = _VECTOR_BYTES // real.itemsize
    return KernelConfig(width, width, rows=1, tile=_CPU_WHOLE_TILE)


def blocks_each(n_blocks: int, compute_units: int) -> int:
    """Blocks that a work item of stage_even_odd_cpu does one after the other: several, because to
    start one has its price, and few enough to be dealt out evenly."""
    return max(1, min(_BLOCKS_EACH, n_blocks // (_ITEMS_PER_UNIT * compute_units)))


def tiny_blocks(device: cl.Device, n_elements: int) -> TinyBlocks | None:
    """The blocks with which a device may take many steps of a mesh in one launch, if it may."""
    groups = groups_at_once(device)
    for lanes, crowded in _TINY_BLOCKS:
        if n_elements <= lanes * (groups if crowded else groups // 2):
            return TinyBlocks(lanes, crowded)
    return None


def _tiny_config(blocks: TinyBlocks, order: int, real: np.dtype, load: Load) -> KernelConfig | None:
    """What is fastest with them, if it is not what is fastest elsewhere."""
    # Of elastic waves an item keeps more: it has one node, and a group has two blocks if need be.
    alone = load != MAXWELL and (blocks.lanes, False) in _TINY_BLOCKS
    of = (blocks.lanes, blocks.crowded and not alone)
    nodes = _TINY_NODES[real.name].get(order, (0,) * len(_TINY_BLOCKS))[_TINY_BLOCKS.index(of)]
    return by_node(order, blocks.lanes, nodes) if nodes else None


def by_node(order: int, lanes: int, nodes: int) -> KernelConfig:
    """A work item for so many nodes of an element, a divisor of all."""
    rows = nodes_per_triangle(order) // nodes
    return KernelConfig(lanes, 1, rows, tile=nodes, matrices="by_node")


def unrolled_config(rows: int, lanes: int) -> KernelConfig:
    """``rows`` work items to an element, matrices in the code."""
    return KernelConfig(lanes, 1, rows, matrices="literal" if rows == 1 else "even_odd_gpu")


def gpu_config(
    order: int,
    n_fluxes: int,
    real: np.dtype,
    local_memory: int,
    *,
    small: bool = False,
    load: Load = MAXWELL,
) -> KernelConfig:
    """Work items side by side, with the shared arrays in ``local_memory`` bytes."""
    usual = _GPU[real.name].get(order, _GPU_USUAL)
    if load != MAXWELL:
        usual = _GPU_ELASTIC[real.name].get(order, usual)
    config = unrolled_config(*(_GPU_SMALL[real.name].get(order, usual) if small else usual))
    if local_bytes(config, order, n_fluxes, real, load) > local_memory:
        config = KernelConfig(32, 1, rows=4, tile=2)
    while local_bytes(config, order, n_fluxes, real, load) > local_memory and config.lanes > 1:
        config = KernelConfig(config.lanes // 2, 1, rows=4, tile=2)
    return config


def local_bytes(
    config: KernelConfig, order: int, n_fluxes: int, real: np.dtype, load: Load = MAXWELL
) -> int:
    """Local memory that a work group of the stage kernel takes."""
    if config.alone:
        return 0
    nodes, face_values = nodes_per_triangle(order), 3 * (order + 1) * n_fluxes
    if config.by_node:  # both in quads
        nodes, face_values = 4 * -(-nodes // 4), 12 * -(-(order + 1) // 4) * n_fluxes
    numbers = load.n_operands * nodes + face_values
    if config.tensor:
        # Two operands, to the next four nodes.
        numbers = TENSOR_KEPT + (face_values | 1) + 2 * 4 * -(-nodes // 4)
    elif config.compact:
        # The traces wait here to leave in order.
        numbers = face_values | 1
        if config.even_odd_gpu:
            # Even and odd parts; those of a node on the mirror take two places as well.
            numbers += load.n_products * (nodes + order // 2 + 1) + face_values
    return numbers * config.lanes * real.itemsize
