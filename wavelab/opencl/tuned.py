"""Which kernel shape proved fastest for which case, kept from one run to the next.

One small file in the user's cache.  What it says is only ever a hint: a file that is damaged, or
written by other kernels than these, counts as empty.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab import paths
from wavelab.atomic import whole_file
from wavelab.errors import OutputError
from wavelab.opencl.layout import KernelShape
from wavelab.opencl.shapes import candidate_shapes, kernel_shape
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.reading import read_plain_file

_FILE = "kernel-shapes.json"
_N_FIELDS = 3
#: Taken where a driver does not say how large its last cache is.
_USUAL_CACHE = 32 << 20


@dataclass(frozen=True)
class Case:
    """All that decides which shape is fastest.

    Attributes
    ----------
    device, driver : names as the driver gives them.
    real : "float32" or "float64".
    n_fluxes : numbers lifted per face node.
    size : "small" if fields and residual fit the device's last cache, "large" if not.
    """

    device: str
    driver: str
    order: int
    real: str
    n_fluxes: int
    size: str

    @property
    def key(self) -> str:
        """The case in one line, for the file."""
        return (
            f"{self.device} | {self.driver} | order {self.order} | {self.real} | "
            f"{self.n_fluxes} per face node | {self.size}"
        )

    @property
    def needs(self) -> dict[str, Any]:
        """What ``shapes`` asks for."""
        return {
            "order": self.order,
            "n_fluxes": self.n_fluxes,
            "real": np.dtype(self.real),
            "small": self.size == "small",
        }


def case_of(operator: MaxwellTM, device: cl.Device, real: np.dtype) -> Case:
    """The case of an operator on a device."""
    d = operator.discretization
    small = d.n_elements <= elements_in_cache(device, d.nodes_per_element, real)
    return Case(
        device=device.name.strip(),
        driver=device.driver_version.strip(),
        order=d.order,
        real=real.name,
        n_fluxes=1 if operator.upwinding == 1 else 2,
        size="small" if small else "large",
    )


def elements_in_cache(device: cl.Device, nodes_per_element: int, real: np.dtype) -> int:
    """How many elements have fields and residual that fit the device's last cache together."""
    per_element = 2 * _N_FIELDS * nodes_per_element * real.itemsize
    return (device.global_mem_cache_size or _USUAL_CACHE) // per_element


def candidates_of(case: Case, device: cl.Device) -> list[KernelShape]:
    """The shapes worth timing, what is taken without timing first."""
    return candidate_shapes(device, **case.needs)


def stored_shape(case: Case, device: cl.Device) -> KernelShape | None:
    """What was fastest when it was timed; None if it never was, or is no candidate any more."""
    known = _read().get(case.key)
    return next((s for s in candidates_of(case, device) if asdict(s) == known), None)


def best_shape(operator: MaxwellTM, device: cl.Device, real: np.dtype) -> KernelShape:
    """What was fastest for an operator like this one, or what suits the device."""
    case = case_of(operator, device, real)
    return stored_shape(case, device) or kernel_shape(device, **case.needs)


def store_shape(case: Case, shape: KernelShape) -> None:
    """Remember a winner; silently not, where the cache cannot be written."""
    with contextlib.suppress(OSError, OutputError):
        path = _path()
        content = {"kernels": _kernels(), "shapes": _read() | {case.key: asdict(shape)}}
        with whole_file(path, (path.suffix,)) as partial:
            partial.write_text(json.dumps(content, indent=1), encoding="utf-8")


def _path() -> Path:
    return paths.cache_directory() / _FILE


def _read() -> dict[str, Any]:
    try:
        content = json.loads(read_plain_file(_path()))
        shapes = content["shapes"] if content["kernels"] == _kernels() else {}
        return shapes if isinstance(shapes, dict) else {}
    # Whatever somebody may have put there, deep nesting included.
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


@cache
def _kernels() -> str:
    """Changes with every kernel."""
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).parent / "kernels").glob("*.mako")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
