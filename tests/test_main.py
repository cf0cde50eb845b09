"""How the program starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_COUNT = """
import os, wavelab.__main__, numpy
numpy.ones((600, 600)) @ numpy.ones((600, 600))
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc to count threads in")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no other threads")
@pytest.mark.parametrize("asked", [None, "2"])
def test_products_take_one_thread_unless_more_are_asked_for(asked):
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    if asked is not None:
        environment["OPENBLAS_NUM_THREADS"] = asked
    printed = subprocess.run(
        [sys.executable, "-c", _COUNT], env=environment, capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) == int(asked or 1)
