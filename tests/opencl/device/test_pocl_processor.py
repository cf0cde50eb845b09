"""Processors that PoCL's compiler does not know compute all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pyopencl as cl
import pytest

from wavelab.opencl.device import pocl_processor
from wavelab.opencl.device.pocl_linker import POCL

PLATFORMS = [platform for platform in cl.get_platforms() if platform.name == POCL]

#: Gives the processor the name that LLVM has for those it does not know, and then another.
UNKNOWN = """
import json
import pyopencl as cl
from wavelab.opencl.device import pocl_processor
from wavelab.opencl.device.pocl_linker import POCL
from wavelab.opencl.device.probe import run_probe

(platform,) = [p for p in cl.get_platforms() if p.name == POCL]
device = platform.get_devices()[0]
usual, known = pocl_processor._PROCESSORS, device.version.rpartition("-")[2]
if known != "generic":
    pocl_processor._UNKNOWN = known.encode()
    pocl_processor._PROCESSORS = ((b"generic", set()),)
    assert pocl_processor.name_processor(device)
    pocl_processor._UNKNOWN, pocl_processor._PROCESSORS = b"generic", usual
pocl_processor._seen.clear()
before = run_probe(device)
changes = [pocl_processor.name_processor(device) for _ in range(2)]
print(json.dumps([before, changes, run_probe(device)]))
"""


@pytest.mark.skipif(
    not (PLATFORMS and "x86_64" in PLATFORMS[0].get_devices()[0].version),
    reason="PoCL is not here, or knows all processors of the kind",
)
def test_a_processor_that_came_after_the_compiler_gets_the_name_of_an_older_one(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", UNKNOWN],
        env=os.environ | {"POCL_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    before, changes, after = json.loads(done.stdout)
    assert "BUILD_PROGRAM_FAILURE" in before
    assert changes == [True, False]
    assert after == ""


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        ("", "x86-64"),
        ("avx f16c", "ivybridge"),
        ("avx avx2 fma bmi1 bmi2 f16c movbe abm avx512f", "haswell"),
        ("avx avx2 f16c", "ivybridge"),
    ],
)
def test_the_name_is_that_of_the_best_that_can_do_no_more(flags, name):
    assert pocl_processor.name_for(set(flags.split())) == name.encode()


def test_a_device_without_such_a_name_stays_as_it_is():
    class Device:
        int_ptr = id(object())

    assert not pocl_processor.name_processor(Device())
    Device.int_ptr = 8
    assert not pocl_processor.name_processor(Device())
