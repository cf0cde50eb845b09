"""Everything put aside, so that what the window holds can be compared with what it held before."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wavelab.app.base.qt import QApplication, QtWidgets
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.shell.first_scene import DEFAULT_SCENE

if TYPE_CHECKING:
    from scripts.scripted_user.user import User

#: Seconds after which the window has had time enough to show the default scene.
_PATIENCE = 300.0
#: Threads that are there as long as the window is, or as long as a scene runs; and that of a bar of
#: progress, which stays where a command has run in the same process.
_USUAL = {"MainThread", "watch", "wavelab solver", "frames", "kernel tuning", "tqdm_monitor"}


def rest(user: User, rested: Callable[[], None], settle: int = 8) -> Iterator[int]:
    """The default scene runs, in a window as it was at the start, and nothing else does: studies,
    which go on when their dialog is closed, are cancelled, and what was given up has ended.  After
    ``settle`` seconds of that it has rested."""
    program, window = user.program, user.window
    solver, bench = program.session.solver, program.workbench
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QtWidgets.QDialog) and dialog.isVisible():
            dialog.close()
        if isinstance(dialog, StudyDialog):
            dialog.cancelled.emit()
    if solver.recording is not None:
        bench.movie.toggle()
    program.presentation.leave()
    if window.isFullScreen():
        bench.appearance.toggle_full_screen()
    if window.bare:
        window.set_bare(False)
    if window.theme.name == "light":
        bench.appearance.toggle_theme()
    window.showNormal()
    window.resize(1280, 800)
    bench.toolbox.choose("ping")
    bench.files.open_path(DEFAULT_SCENE)
    if not solver.playing:
        solver.toggle()
    yield from _until(user, lambda: not program.session.busy, "the default scene does not run")
    before = bench.presenter.frame
    yield from _until(user, lambda: bench.presenter.frame is not before, "no frame comes")
    yield from _until(user, lambda: solver.recording is None, "a movie is not finished")
    yield from _until(user, lambda: not _at_work(), "something is still at work")
    for _ in range(settle):  # what ends beside the window, and caches that are filled anew
        yield 1000
    rested()


def _at_work() -> list[str]:
    """Names of threads that do what somebody has asked for."""
    return [t.name for t in threading.enumerate() if t.name not in _USUAL]


def _until(user: User, holds: Callable[[], bool], complaint: str) -> Iterator[int]:
    end = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > end:
            told = f"{user.window.message.text!r}, {', '.join(_at_work())}"
            user.found("stuck", f"{complaint} in {_PATIENCE:g} s: {told}")
            return
        yield 100
