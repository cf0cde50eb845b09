"""The command that opens the window."""

from __future__ import annotations

import signal
from pathlib import Path

from wavelab.app.program import Program
from wavelab.app.qt import QTimer, make_application
from wavelab.app.settings import LaunchOptions


def run_window(
    scene_path: Path | None,
    *,
    device: str | None = None,
    backend: str = "auto",
    order: int | None = None,
    element_size: float | None = None,
    precision: str | None = None,
) -> int:
    """Open the window and return the exit status once it is closed.

    ``order``, ``element_size`` and ``precision`` replace the first scene's own values; None keeps
    them.
    """
    application = make_application()
    options = LaunchOptions(device, backend, order, element_size, precision)
    program = Program(application, scene_path, options)
    # Ctrl+C closes the window as the mouse does; Python hears of it only while it runs.
    signal.signal(signal.SIGINT, lambda *_: program.window.close())
    heartbeat = QTimer()
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(200)
    program.start()
    status = application.exec_()
    program.close()
    return status
