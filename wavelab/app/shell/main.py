"""The command that opens the window."""

from __future__ import annotations

import gc
from pathlib import Path

from wavelab.app.base.qt import make_application
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
    application = make_application()
    end_without_destructors()
    keep_errors(data_directory())
    program = Program(
        application, scene_path, options or LaunchOptions(), timeline=timeline, far=far
    )
    # What is loaded by now stays: looking through it for garbage would cost frames now and then.
    gc.freeze()

    def leave(*_: object) -> None:
        program.leave()
        application.closeAllWindows()  # with whatever dialog is in front of it

    # Ctrl+C, the end of a session and a terminal that goes close the window and ask nothing; Python
    # hears of them only while it runs, which it does five times a second to look for garbage.
    with handled(leave):
        program.start()
        status = application.exec_()
    program.close()
    return status
