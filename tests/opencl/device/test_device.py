"""The device picker, on lists of platforms that no single machine has."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pyopencl as cl
import pytest

from wavelab.errors import DeviceError
from wavelab.opencl.device import probe as probe_module
from wavelab.opencl.device.device import choose_device, device_reports
from wavelab.opencl.device.probe import run_probe


def fake(name, kind="GPU", **properties):
    return SimpleNamespace(
        **{
            "name": name,
            "type": getattr(cl.device_type, kind),
            "driver_version": "1.0",
            "max_compute_units": 8,
            "global_mem_size": 2**30,
            "double_fp_config": 63,
            "extensions": "cl_khr_fp64",
            "host_unified_memory": False,
            "available": True,
            "compiler_available": True,
        }
        | properties
    )


class Platform(SimpleNamespace):
    def get_devices(self):
        if isinstance(self.devices, Exception):
            raise self.devices
        return self.devices


def platform(name, *devices):
    return Platform(name=name, devices=list(devices))


POCL = platform("Portable Computing Language", fake("pthread-EPYC", "CPU", max_compute_units=64))
NVIDIA = platform("NVIDIA CUDA", fake("H100 80GB"), fake("RTX 4000"))
INTEL = platform("Intel OpenCL", fake("Intel UHD 620", host_unified_memory=True))
MESA = platform("rusticl", fake("llvmpipe (LLVM 15)"))
EMPTY = Platform(name="stale", devices=cl.LogicError("DEVICE_NOT_FOUND"))
ALL = [EMPTY, POCL, NVIDIA, INTEL, MESA]


def works(device):
    return ""


def pick(spec, platforms=ALL, probe=works, **more):
    return choose_device(spec, platforms=platforms, probe=probe, **more).name


def test_numbers_count_devices_and_addresses_name_the_platform():
    reports = device_reports(ALL, probe=works)
    assert [(r.number, r.address, r.name) for r in reports][:3] == [
        (0, "1:0", "pthread-EPYC"),
        (1, "2:0", "H100 80GB"),
        (2, "2:1", "RTX 4000"),
    ]
    assert all(r.usable and r.reason == "" for r in reports)
    assert [r.kind for r in reports] == ["CPU", "GPU", "GPU", "GPU", "GPU"]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("0", "pthread-EPYC"),
        (" 2 ", "RTX 4000"),
        ("2:0", "H100 80GB"),
        ("h100", "H100 80GB"),
        ("pthread", "pthread-EPYC"),
        ("portable", "pthread-EPYC"),
        ("intel", "Intel UHD 620"),
        ("RTX 4000", "RTX 4000"),
    ],
)
def test_by_number_address_or_part_of_a_name(spec, name):
    assert pick(spec) == name


@pytest.mark.parametrize("spec", ["9", "7:0", "radeon", "", "-1", "nvidia", "H"])
def test_unknown_or_ambiguous_lists_what_there_is(spec):
    with pytest.raises(DeviceError, match="fit") as caught:
        pick(spec)
    assert "1 [2:0] H100 80GB, GPU, NVIDIA CUDA" in str(caught.value)


@pytest.mark.parametrize(
    ("platforms", "name"),
    [
        (ALL, "H100 80GB"),
        ([MESA, POCL, INTEL], "Intel UHD 620"),
        ([MESA, POCL], "pthread-EPYC"),
        ([MESA], "llvmpipe (LLVM 15)"),
    ],
)
def test_default_prefers_real_hardware(platforms, name):
    assert pick(None, platforms) == name


def test_default_goes_past_what_does_not_work():
    def probe(device):
        return "it is on fire" if device.name in ("H100 80GB", "RTX 4000") else ""

    assert pick(None, probe=probe) == "Intel UHD 620"
    with pytest.raises(DeviceError, match="on fire"):
        pick("h100", probe=probe)
    with pytest.raises(DeviceError, match=r"(?s)no OpenCL device is usable.*llvmpipe.*broken"):
        pick(None, probe=lambda device: "broken")


def test_double_precision_only_where_asked_for():
    old = platform("Old", fake("no doubles", double_fp_config=0, extensions=""))
    assert pick(None, [old, POCL]) == "no doubles"
    assert pick(None, [old, POCL], precision="double") == "pthread-EPYC"
    with pytest.raises(DeviceError, match="double precision"):
        pick("no doubles", [old, POCL], precision="double")
    assert not device_reports([old], probe=works)[0].double


def test_reasons():
    broken = platform(
        "Broken", fake("gone", available=False), fake("mute", compiler_available=False)
    )
    gone, mute = device_reports([broken], probe=works)
    assert not gone.usable
    assert "not available" in gone.reason
    assert "no compiler" in mute.line()


@pytest.mark.parametrize("platforms", [[], [EMPTY]])
def test_no_device_at_all_says_what_to_install(platforms):
    with pytest.raises(DeviceError, match="pocl"):
        pick(None, platforms)


def test_no_platform_at_all(monkeypatch):
    def fail():
        raise cl.LogicError("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")

    monkeypatch.setattr(cl, "get_platforms", fail)
    assert device_reports() == []
    with pytest.raises(DeviceError, match="no OpenCL device"):
        choose_device(None)


def test_a_device_that_refuses_to_describe_itself():
    class Shy(SimpleNamespace):
        @property
        def driver_version(self):
            raise cl.LogicError("INVALID_VALUE")

    shy = Shy(name="shy", type=cl.device_type.GPU)
    (report,) = device_reports([platform("P", shy)], probe=works)
    assert (report.name, report.memory, report.double, report.usable) == ("shy", 0, False, True)


def test_the_handover_names_its_reason(monkeypatch):
    monkeypatch.setattr(cl, "have_gl", lambda: False)
    sharing = fake("shares", extensions="cl_khr_gl_sharing", host_unified_memory=True)
    first, second = device_reports([platform("P", fake("plain"), sharing)], probe=works)
    assert first.handover == "copy beside the steps (the device has no cl_khr_gl_sharing)"
    assert second.handover == "copy in shared memory (pyopencl is built without OpenGL)"


def test_the_real_devices_work():
    reports = device_reports()
    assert reports
    usable = [r for r in reports if r.usable]
    assert usable
    assert choose_device(str(usable[0].number)) == usable[0].device


def test_a_driver_that_hangs_is_given_up(monkeypatch, device):
    release = threading.Event()
    monkeypatch.setattr(probe_module, "PROBE_SECONDS", 0.05)
    monkeypatch.setattr(cl, "Context", lambda devices: release.wait(20))
    assert "did not finish" in run_probe(device)
    release.set()


def test_a_driver_that_fails_is_quoted(monkeypatch, device):
    def fail(devices):
        raise cl.RuntimeError("OUT_OF_HOST_MEMORY\nand more")

    monkeypatch.setattr(cl, "Context", fail)
    assert run_probe(device) == "a test kernel failed: OUT_OF_HOST_MEMORY"
