"""The variants of the kernels that there are."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.errors import WavelabError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants.aosoa import AoSoA
from wavelab.opencl.variants.per_node import PerNode
from wavelab.opencl.variants.variant import KernelVariant
from wavelab.physics.operator.maxwell_tm import MaxwellTM

#: Name: puts an operator on a device, in a config or in that which suits it.
VARIANTS: dict[str, Callable[[MaxwellTM, DeviceMemory, KernelConfig | None], KernelVariant]] = {
    "aosoa": AoSoA,
    "per_node": PerNode,
}
DEFAULT_VARIANT = "aosoa"
#: Names that variants had, in commands and records that people keep.
ALIASES = {"interleaved": "aosoa"}


def check_variant(name: str) -> str:
    """The name of a variant; ``name`` may be one that it had.

    Raises
    ------
    WavelabError : there is no such variant; lists all.
    """
    name = ALIASES.get(name, name)
    if name not in VARIANTS:
        raise WavelabError(
            f'there is no kernel variant "{name}"', remedy=f"Use {' or '.join(VARIANTS)}."
        )
    return name
