"""The command that opens the window."""

from __future__ import annotations

import gc
from pathlib import Path

from wavelab.app.base.qt import QTimer, make_application
from wavelab.app.base.settings import LaunchOptions
from wavelab.app.shell.program import Program
from wavelab.ctrl_c import end_without_destructors, handled
from wavelab.diagnosis.error_log import keep_errors
from wavelab.heap import give_back_early
from wavelab.paths import data_directory
from wavelab.simulation.watching.far import FarRun
from wavelab.timeline import NO_TIMELINE, Timeline


def run_window(
    scene_path: Path | None,
    options: LaunchOptions | None = None,
    timeline: Timeline = NO_TIMELINE,
    far: FarRun | None = None,
) -> int:
    """Open the window on a scene or mesh file (None: the default scene).

    ``far`` is a run elsewhere to look at, in place of one here.  ``timeline`` gets what all threads
    do until the window is closed.

    Returns the exit status once the window is closed.
    """
    give_back_early()
    program: Program | None = None
    asked = False

    def leave(*_: object) -> None:
        nonlocal asked
        asked = True
        if program is not None:
            program.leave()
            QTimer.singleShot(0, close)

    def close() -> None:
        application.closeAllWindows()  # with whatever dialog is in front of it
        application.quit()

    # Ctrl+C, the end of a session and a terminal that goes close the window and ask nothing; Python
    # hears of them only while it runs, which it does five times a second to look for garbage.  From
    # here on, since an exception that they raised would be lost where Qt calls Python.
    with handled(leave):
        application = make_application()
        end_without_destructors()
        keep_errors(data_directory())
        program = Program(
            application, scene_path, options or LaunchOptions(), timeline=timeline, far=far
        )
        # What is loaded by now stays: to look through it for garbage would cost frames.
        gc.freeze()
        if not asked:
            program.start()
        if asked:  # of what is not yet at work nothing could be asked
            QTimer.singleShot(0, close)
        status = application.exec_()
    program.close()
    return status
