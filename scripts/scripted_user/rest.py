"""Everything put aside, so that what the window holds can be compared with what it held before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wavelab.app.base.qt import QApplication, QtWidgets
from wavelab.app.shell.first_scene import DEFAULT_SCENE

if TYPE_CHECKING:
    from scripts.scripted_user.user import User

#: Seconds after which the window has had time enough to show the default scene.
_PATIENCE = 300.0


def rest(user: User, rested: Callable[[], None]) -> Iterator[int]:
    """The default scene runs, in a window as it was at the start, and nothing else does."""
    program, window = user.program, user.window
    solver, bench = program.session.solver, program.workbench
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QtWidgets.QDialog) and dialog.isVisible():
            dialog.close()
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
    for _ in range(8):  # what ends beside the window, and caches that are filled anew
        yield 1000
    rested()


def _until(user: User, holds: Callable[[], bool], complaint: str) -> Iterator[int]:
    end = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > end:
            user.found("stuck", f"{complaint} in {_PATIENCE:g} s: {user.window.message.text!r}")
            return
        yield 100
