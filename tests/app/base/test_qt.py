"""The part of Qt that all windows of a process share."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LETS_GO = """
import gc
from wavelab.app.base.qt import QApplication, make_application
make_application()
gc.collect()
assert QApplication.instance() is make_application()
"""


def test_the_application_lives_as_long_as_the_process_though_nobody_holds_it():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", LETS_GO], check=True, env=environment, timeout=120)


ENDS = """
import ctypes, os, sys
from wavelab.app.base.qt import make_application
make_application()
destructor = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(lambda *_: os.write(1, b"late"))
ctypes.CDLL(None).on_exit(destructor, None)
sys.exit(7)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of C libraries only glibc can")
def test_destructors_of_libraries_loaded_later_do_not_run_beside_their_threads():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", ENDS], env=environment, timeout=120, capture_output=True
    )
    assert done.returncode == 7, done.stderr
    assert done.stdout == b""
