"""A process made by fork after OpenCL was used says so, and does not wait for drivers that are not
there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from wavelab.errors import WavelabError
from wavelab.opencl.device import forks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")

_CHILD = """
import os, sys
from wavelab.errors import WavelabError
from wavelab.opencl.device.contexts import context_of
from wavelab.opencl.device.device import choose_device, device_reports

device = choose_device(probe=None) if "after" in sys.argv else None
if os.fork():
    sys.exit(os.wait()[1] >> 8)
calls = {
    "device": choose_device, "reports": device_reports, "context": lambda: context_of(device),
}
for name, call in calls.items():
    try:
        call()
    except WavelabError as error:
        print(name, error.message)
sys.stdout.flush()
os._exit(0)
"""


def said(*words: str) -> str:
    found = subprocess.run(
        [sys.executable, "-c", _CHILD, *words], capture_output=True, text=True, check=True
    )
    return found.stdout


def test_a_child_made_after_opencl_was_used_is_refused_at_once():
    lines = said("after").splitlines()
    assert [line.split()[0] for line in lines] == ["device", "reports", "context"]
    assert all("fork of one that has used OpenCL" in line for line in lines)


def test_another_process_is_told_by_its_number():
    forks.check_not_forked(os.getpid())
    with pytest.raises(WavelabError, match="fork") as caught:
        forks.check_not_forked(os.getppid())
    assert "spawn" in caught.value.remedy
