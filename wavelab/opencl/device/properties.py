"""What a device says of itself."""

from __future__ import annotations

from typing import Any

import pyopencl as cl


def attribute_of(thing: Any, name: str, default: Any) -> Any:
    """A property of a device; the default where the driver refuses to tell."""
    try:
        value = getattr(thing, name)
    except (cl.Error, AttributeError):
        return default
    return default if value is None else value


def kind_of(device: Any) -> str:
    """ "GPU", "accelerator" or "CPU"."""
    if device.type & cl.device_type.GPU:
        return "GPU"
    return "accelerator" if device.type & cl.device_type.ACCELERATOR else "CPU"


def has_double(device: Any) -> bool:
    """Whether the device computes in double precision."""
    return bool(attribute_of(device, "double_fp_config", 0)) or "cl_khr_fp64" in attribute_of(
        device, "extensions", ""
    )


def has_matrix_units(device: Any) -> bool:
    """Whether it multiplies small matrices of double precision in hardware, and its compiler takes
    the instruction for it: NVIDIA's since Ampere."""
    nvidia = "cl_nv_device_attribute_query" in attribute_of(device, "extensions", "")
    return nvidia and attribute_of(device, "compute_capability_major_nv", 0) >= 8


def groups_at_once(device: Any) -> int:
    """Work groups that run at the same time and see what the others write, as far as instructions
    for that are at hand: NVIDIA's since Volta, two to a compute unit; 0 where they are not."""
    nvidia = "cl_nv_device_attribute_query" in attribute_of(device, "extensions", "")
    if not nvidia or attribute_of(device, "compute_capability_major_nv", 0) < 7:
        return 0
    return 2 * int(device.max_compute_units)


def shares_memory(device: Any) -> bool:
    """Whether the device works in the host's own memory."""
    return bool(attribute_of(device, "host_unified_memory", False))
