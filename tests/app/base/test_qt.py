"""The part of Qt that all windows of a process share."""

from __future__ import annotations

import os
import subprocess
import sys

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
