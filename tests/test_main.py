"""How the program starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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


def test_a_bundle_is_its_own_interpreter_for_children():
    """A bundle has no other; what its children do is asked for by a word of its own."""
    code = (
        "import sys; sys.frozen = True\n"
        "from wavelab.child import command_of\n"
        "sys.argv = command_of('wavelab.meshing.worker')\n"
        "assert sys.argv[0] == sys.executable\n"
        "from wavelab.__main__ import start\n"
        "start()\n"
        "raise SystemExit(7)\n"
    )
    # Without a task the mesher ends, with status 0.
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 0
    words = [sys.executable, "-m", "wavelab", "--child", "wavelab.meshing.worker"]
    plain = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert plain.returncode == 2
    assert "there is no such file" in plain.stderr
