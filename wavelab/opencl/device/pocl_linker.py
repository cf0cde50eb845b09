"""Whether PoCL can link kernels here.

PoCL's wheel brings a compiler, but links what it compiles with the system's ld and the libraries of
gcc.  Without them it does not report an error: it aborts the program.  So this is found out before
PoCL is asked for anything.
"""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from wavelab.child import command_of

POCL = "Portable Computing Language"
_MISSING = (
    "PoCL cannot link kernels without a C compiler's linker and libraries "
    "(Debian, Ubuntu: apt-get install gcc libc6-dev)"
)
_COMPILERS = ("gcc", "clang", "cc")
_SECONDS = 30.0
_TRIAL = "wavelab.opencl.device.pocl_trial"


def link_trouble(device: Any) -> str:
    """Why PoCL cannot link kernels for its device; empty if it can, or for other platforms."""
    return _trouble() if device.platform.name == POCL else ""


@cache
def _trouble() -> str:
    # A compiler that links a shared library proves it in a few milliseconds; only without one is
    # PoCL itself tried, in a process that may be aborted.
    if any(map(_links, _COMPILERS)) or _succeeds(command_of(_TRIAL)):
        return ""
    return _MISSING


def _links(compiler: str) -> bool:
    with tempfile.TemporaryDirectory() as directory:
        output = str(Path(directory) / "empty.so")
        return _succeeds([compiler, "-shared", "-x", "c", "/dev/null", "-o", output])


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=_SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
