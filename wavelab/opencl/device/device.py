"""Which OpenCL devices there are, which of them work, and which one to take.

pyopencl's own picker asks on standard input; this one never does.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pyopencl as cl

from wavelab.errors import DeviceError, WavelabError
from wavelab.opencl.device.forks import use_drivers
from wavelab.opencl.device.memory import REALS
from wavelab.opencl.device.pocl_linker import POCL
from wavelab.opencl.device.pocl_processor import name_processor
from wavelab.opencl.device.probe import probe_once, run_probe
from wavelab.opencl.device.properties import attribute_of, has_double, kind_of, shares_memory

_NO_PLATFORM = (
    'Install a driver for your graphics card, or the one for any CPU: pip install "pyopencl[pocl]"'
)
#: GPUs that are a program on the CPU; slower than a CPU device.
_SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "softwarerasterizer")
_MOST_PLATFORMS = 16


@dataclass(frozen=True)
class DeviceReport:
    """One device as ``wavelab devices`` shows it.

    Attributes
    ----------
    number : place in the list of all devices, from 0.
    address : "platform:device", counted from 0.
    platform, name, driver : as the driver calls them.
    kind : "GPU", "CPU" or "accelerator".
    compute_units : number of cores or multiprocessors.
    memory : bytes of device memory.
    double : whether it can compute in double precision.
    usable : whether wavelab can run on it; if not, ``reason`` says why.
    handover : how a frame gets from the device to the screen, and why so.
    """

    number: int
    address: str
    platform: str
    name: str
    driver: str
    kind: str
    compute_units: int
    memory: int
    double: bool
    usable: bool
    reason: str
    handover: str
    device: Any = field(repr=False, compare=False, default=None)

    def line(self) -> str:
        """One line for lists and messages."""
        state = "" if self.usable else f" (not usable: {self.reason})"
        return f"{self.number} [{self.address}] {self.name}, {self.kind}, {self.platform}{state}"


def device_reports(
    platforms: Sequence[Any] | None = None, probe: Callable[[Any], str] | None = run_probe
) -> list[DeviceReport]:
    """All devices of all platforms, in the order of the numbers that choose them.

    Parameters
    ----------
    platforms : what to look at instead of the system's platforms.
    probe : runs something on a device and says why that failed; None runs nothing.

    Returns an empty list where there is no platform; a driver that fails to list its devices has
    none.
    """
    reports: list[DeviceReport] = []
    for p, platform in enumerate(_platforms() if platforms is None else platforms):
        for d, device in enumerate(_devices(platform)):
            reports.append(_report(len(reports), f"{p}:{d}", platform, device, probe))
    return reports


def choose_device(
    spec: str | None = None,
    *,
    precision: str = "single",
    platforms: Sequence[Any] | None = None,
    probe: Callable[[Any], str] | None = probe_once,
) -> cl.Device:
    """The device to run on.

    Parameters
    ----------
    spec : a number ("1") or address ("0:1") of :func:`device_reports`, or part of the name of a
        device or platform, in any case.  None takes the first that works, best first: GPUs with
        their own memory, other GPUs, accelerators, CPUs, GPUs emulated on the CPU.
    precision : "single" or "double"; a device without it does not count as working.

    Raises
    ------
    DeviceError : no device, none that works, or none or several that fit ``spec``; lists all.
    WavelabError : this process is a fork of one that has used OpenCL.
    """
    reports = device_reports(platforms, probe=None)
    if not reports:
        raise DeviceError("there is no OpenCL device", remedy=_NO_PLATFORM)
    wanted = sorted(reports, key=_preference) if spec is None else [_matching(reports, spec)]
    failures: list[str] = []
    for report in wanted:
        reason = report.reason or (probe(report.device) if probe else "")
        if not reason and precision == "double" and not report.double:
            reason = "it cannot compute in double precision"
        if not reason:
            return report.device
        failures.append(f"{report.name}: {reason}")
    if spec is None:
        raise DeviceError("no OpenCL device is usable", remedy="\n  ".join(failures))
    raise DeviceError(
        failures[0].partition(": ")[2], where=wanted[0].name, remedy=_listing(reports)
    )


def devices_alike(precision: str) -> list[cl.Device]:
    """The device that :func:`choose_device` takes by itself, and those of the same kind that work.

    Raises
    ------
    DeviceError : none works.
    """
    best = choose_device(precision=precision)
    reports = sorted(device_reports(probe=None), key=_preference)
    kind = next(_preference(report)[:2] for report in reports if report.device == best)
    others = [
        report.device
        for report in reports
        if report.device != best
        and _preference(report)[:2] == kind
        and not (report.reason or probe_once(report.device))
        and (precision == "single" or report.double)
    ]
    return [best, *others]


def address_of(device: cl.Device) -> str:
    """ "platform:device", as in :func:`device_reports`; the same in every process."""
    for report in device_reports(probe=None):
        if report.device == device:
            return report.address
    raise DeviceError("is there no more", where=device.name.strip())


def usable_device(device: cl.Device | str | None, precision: str) -> cl.Device:
    """A device as it is, or the one that :func:`choose_device` takes.

    Raises
    ------
    WavelabError : there is no such precision.
    DeviceError : the device has not that precision, or as :func:`choose_device` does.
    """
    if precision not in REALS:
        raise WavelabError(
            f'there is no precision "{precision}"', remedy='Use "single" or "double".'
        )
    if not isinstance(device, cl.Device):
        return choose_device(device, precision=precision)
    if precision == "double" and not has_double(device):
        raise DeviceError(
            "it cannot compute in double precision",
            where=device.name.strip(),
            remedy="Use single precision, another device, or the NumPy backend.",
        )
    return device


def wake_drivers() -> None:
    """Have all drivers list their devices, which is what they begin with: NVIDIA's takes 0.4 s.

    It is done by the functions in C that pyopencl calls, because that holds the interpreter's lock.

    Raises
    ------
    WavelabError : this process is a fork of one that has used OpenCL.
    """
    use_drivers()
    platforms, count = (ctypes.c_void_p * _MOST_PLATFORMS)(), ctypes.c_uint()
    with suppress(AttributeError, OSError):  # where a library does not show what it is linked to
        loader = ctypes.CDLL(cl._cl.__file__)
        if loader.clGetPlatformIDs(_MOST_PLATFORMS, platforms, ctypes.byref(count)):
            return
        for platform in platforms[: count.value]:
            kinds = ctypes.c_uint64(cl.device_type.ALL)
            loader.clGetDeviceIDs(ctypes.c_void_p(platform), kinds, 0, None, ctypes.byref(count))


def _platforms() -> Sequence[Any]:
    use_drivers()
    try:
        return cl.get_platforms()
    except cl.Error:  # PLATFORM_NOT_FOUND_KHR: no driver, or only stale entries in its registry
        return []


def _devices(platform: Any) -> Sequence[Any]:
    try:
        found = platform.get_devices()
    except cl.Error:
        return []
    if attribute_of(platform, "name", "") == POCL:
        for device in found:
            name_processor(device)
    return found


def _report(
    number: int, address: str, platform: Any, device: Any, probe: Callable[[Any], str] | None
) -> DeviceReport:
    reason = ""
    if not attribute_of(device, "available", True):
        reason = "its driver says that it is not available"
    elif not attribute_of(device, "compiler_available", True):
        reason = "its driver has no compiler"
    elif probe is not None:
        reason = probe(device)
    return DeviceReport(
        number=number,
        address=address,
        platform=attribute_of(platform, "name", "unknown platform").strip(),
        name=attribute_of(device, "name", "unnamed device").strip(),
        driver=attribute_of(device, "driver_version", "").strip(),
        kind=kind_of(device),
        compute_units=attribute_of(device, "max_compute_units", 0),
        memory=attribute_of(device, "global_mem_size", 0),
        double=has_double(device),
        usable=not reason,
        reason=reason,
        handover=_handover(device),
        device=device,
    )


def _handover(device: Any) -> str:
    way = "copy in shared memory" if shares_memory(device) else "copy beside the steps"
    extensions = attribute_of(device, "extensions", "").split()
    if not {"cl_khr_gl_sharing", "cl_APPLE_gl_sharing"} & set(extensions):
        return f"{way} (the device has no cl_khr_gl_sharing)"
    if not cl.have_gl():
        return f"{way} (pyopencl is built without OpenGL)"
    return f"{way} (wavelab does not share buffers with OpenGL)"


def _preference(report: DeviceReport) -> tuple:
    software = any(word in report.name.lower() for word in _SOFTWARE_RENDERERS)
    rank = 3 if software else ("GPU", "accelerator", "CPU").index(report.kind)
    return rank, shares_memory(report.device), -report.compute_units, report.number


def _matching(reports: list[DeviceReport], spec: str) -> DeviceReport:
    spec = spec.strip()
    if re.fullmatch(r"\d+", spec):
        found = [r for r in reports if str(r.number) == str(int(spec))]
    elif re.fullmatch(r"\d+:\d+", spec):
        found = [r for r in reports if r.address == spec]
    else:
        part = spec.casefold()
        found = (
            [r for r in reports if r.name.casefold() == part]
            or [r for r in reports if part and part in r.name.casefold()]
            or [r for r in reports if part and part in r.platform.casefold()]
        )
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} devices fit" if found else "no device fits"
    raise DeviceError(f'{problem} "{spec}"', remedy=_listing(found or reports))


def _listing(reports: list[DeviceReport]) -> str:
    return "Choose by number: " + "; ".join(report.line() for report in reports) + "."
