"""The designs of the kernels that there are."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.errors import WavelabError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import KernelShape
from wavelab.opencl.variants.aosoa import Interleaved
from wavelab.opencl.variants.per_node import PerNode
from wavelab.opencl.variants.variant import Design
from wavelab.physics.operator.maxwell_tm import MaxwellTM

#: Name: puts an operator on a device, in a shape or in that which suits it.
DESIGNS: dict[str, Callable[[MaxwellTM, DeviceMemory, KernelShape | None], Design]] = {
    "interleaved": Interleaved,
    "per_node": PerNode,
}
DEFAULT_DESIGN = "interleaved"


def check_design(name: str) -> str:
    """The name, if it is one.

    Raises
    ------
    WavelabError : there is no such design; lists all.
    """
    if name not in DESIGNS:
        raise WavelabError(f'there is no design "{name}"', remedy=f"Use {' or '.join(DESIGNS)}.")
    return name
