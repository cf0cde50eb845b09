"""Which kernel config proved fastest for which case, kept from one run to the next.

One small file in the user's cache.  What it says is only ever a hint: a file that is damaged, or
written by other kernels than these, counts as empty.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab import paths
from wavelab.atomic import whole_file
from wavelab.errors import OutputError
from wavelab.locks import locked
from wavelab.opencl.device.program import KERNELS
from wavelab.opencl.elements.equations import BY_TEMPLATE, MAXWELL, equations_of
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants.configs import (
    TinyBlocks,
    candidate_configs,
    kernel_config,
    tiny_blocks,
)
from wavelab.physics.operator.operator import Operator
from wavelab.reading import read_plain_file

_FILE = "kernel-configs.json"
#: Taken where a driver does not say how large its last cache is.
_USUAL_CACHE = 32 << 20


@dataclass(frozen=True)
class Case:
    """All that decides which config is fastest.

    Attributes
    ----------
    device, driver : names as the driver gives them.
    real : "float32" or "float64".
    n_fluxes : numbers lifted per face node.
    size : "tiny" if many steps may be taken in one launch, "small" if fields and residual fit the
        device's last cache, "large" if not.
    equations : of the kernels.
    block, crowded : as in TinyBlocks, where it is tiny.
    """

    device: str
    driver: str
    order: int
    real: str
    n_fluxes: int
    size: str
    equations: str = MAXWELL.template
    block: int = 0
    crowded: bool = False

    @property
    def key(self) -> str:
        """The case in one line, for the file."""
        of = "" if self.equations == MAXWELL.template else f" | {self.equations}"
        blocks = f" {self.block}{'+' if self.crowded else ''}" if self.block else ""
        return (
            f"{self.device} | {self.driver} | order {self.order} | {self.real} | "
            f"{self.n_fluxes} per face node | {self.size}{blocks}{of}"
        )

    @property
    def needs(self) -> dict[str, Any]:
        """What ``configs`` asks for."""
        return {
            "order": self.order,
            "n_fluxes": self.n_fluxes,
            "real": np.dtype(self.real),
            "small": self.size != "large",
            "tiny": TinyBlocks(self.block, self.crowded) if self.block else None,
            "load": BY_TEMPLATE[self.equations].load,
        }


def case_of(operator: Operator, device: cl.Device, real: np.dtype) -> Case:
    """The case of an operator on a device."""
    d, equations = operator.discretization, equations_of(operator)
    fits = elements_in_cache(device, d.nodes_per_element, real, equations.n_fields)
    small, tiny = d.n_elements <= fits, tiny_blocks(device, d.n_elements)
    return Case(
        device=device.name.strip(),
        driver=device.driver_version.strip(),
        order=d.order,
        real=real.name,
        n_fluxes=equations.n_fluxes(operator.upwinding),
        size="tiny" if tiny else "small" if small else "large",
        equations=equations.template,
        block=tiny.lanes if tiny else 0,
        crowded=tiny is not None and tiny.crowded,
    )


def elements_in_cache(
    device: cl.Device, nodes_per_element: int, real: np.dtype, n_fields: int = MAXWELL.n_fields
) -> int:
    """How many elements have fields and residual that fit the device's last cache together."""
    per_element = 2 * n_fields * nodes_per_element * real.itemsize
    return (device.global_mem_cache_size or _USUAL_CACHE) // per_element


def candidates_of(case: Case, device: cl.Device) -> list[KernelConfig]:
    """The configs worth timing, what is taken without timing first."""
    return candidate_configs(device, **case.needs)


@dataclass(frozen=True)
class Verdict:
    """What was found for a case.

    Attributes
    ----------
    config : the fastest of those that were timed.
    gain : steps per second, relative to what is taken without timing.
    untried : what there was no time for.
    """

    case: Case
    config: KernelConfig
    gain: float = 1.0
    untried: tuple[KernelConfig, ...] = ()


def stored_verdict(case: Case, device: cl.Device) -> Verdict | None:
    """What was found when it was timed; None if it never was, or if what was fastest is no
    candidate any more."""
    try:
        entry = _read()[case.key]
        known, untried, gain = entry["config"], list(entry["untried"]), float(entry["gain"])
    except (LookupError, TypeError, ValueError):
        return None
    candidates = candidates_of(case, device)
    found = [config for config in candidates if asdict(config) == known]
    left = tuple(config for config in candidates if asdict(config) in untried)
    return Verdict(case, found[0], gain, left) if found else None


def stored_verdicts(device: cl.Device) -> list[Verdict]:
    """All that was found for a device with its present driver, by precision and order."""
    here = (device.name.strip(), device.driver_version.strip())
    cases = []
    for entry in _read().values():
        try:
            case = Case(**entry["case"])
            np.dtype(case.real), BY_TEMPLATE[case.equations]
        except (LookupError, TypeError):
            continue
        if (case.device, case.driver) == here:
            cases.append(case)
    cases.sort(key=lambda case: (case.real, case.order, case.n_fluxes, case.size))
    return [verdict for case in cases if (verdict := stored_verdict(case, device)) is not None]


def configs_to_try(case: Case, device: cl.Device, known: Verdict | None) -> list[KernelConfig]:
    """The config to be beaten, and those that nobody has timed against it."""
    return candidates_of(case, device) if known is None else [known.config, *known.untried]


def best_config(operator: Operator, device: cl.Device, real: np.dtype) -> KernelConfig:
    """What was fastest for an operator like this one, or what suits the device."""
    case = case_of(operator, device, real)
    known = stored_verdict(case, device)
    return kernel_config(device, **case.needs) if known is None else known.config


def store_verdict(verdict: Verdict) -> None:
    """Remember it; silently not, where the cache cannot be written.

    Keeps what other threads and processes store at the same time, whoever is :func:`alone`.
    """
    with (
        contextlib.suppress(OSError, OutputError),
        open(_path().with_suffix(".writing"), "ab") as file,
    ):
        locked(file, wait=True)
        path = _path()
        content = {"kernels": _kernels(), "configs": _read() | {verdict.case.key: asdict(verdict)}}
        with whole_file(path, (path.suffix,)) as partial:
            partial.write_text(json.dumps(content, indent=1), encoding="utf-8")


@contextlib.contextmanager
def alone() -> Iterator[bool]:
    """Whether no other process tunes now, and what is found can be kept: two that time kernels at
    once would time each other.

    Raises
    ------
    OSError : nothing can be kept here.
    """
    with open(_path().with_suffix(".lock"), "ab") as file:
        # Until the file is closed, or this process ends in whatever way.
        yield locked(file, wait=False)


def _path() -> Path:
    return paths.cache_directory() / _FILE


def _read() -> dict[str, Any]:
    try:
        content = json.loads(read_plain_file(_path()))
        configs = content["configs"] if content["kernels"] == _kernels() else {}
        return configs if isinstance(configs, dict) else {}
    # Whatever somebody may have put there, deep nesting included.
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


@cache
def _kernels() -> str:
    """Changes with every kernel."""
    digest = hashlib.sha256()
    for path in sorted(KERNELS.glob("*/*.mako")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
