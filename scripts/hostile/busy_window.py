"""The whole program with its window, which edits, saves and records until it is ended.

A child of the other scripts: python -m scripts.hostile.busy_window FOLDER [SECONDS]

Each edit is told on standard output before it is made.  After SECONDS, if they are given, the
window closes by itself.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

from scripts.hostile.files import COUNT, scene_of
from wavelab.app.base.qt import QTimer, QtWidgets, make_application
from wavelab.app.base.settings import LaunchOptions
from wavelab.app.edits.edits import Edit
from wavelab.app.shell.program import Program
from wavelab.app.window.dialogs import Dialogs
from wavelab.ctrl_c import end_without_destructors, leave
from wavelab.scene.toml.toml_io import save_scene

#: Milliseconds between two edits, and edits between two savings.
PACE, SAVED_EVERY = 60, 17


class Answers(Dialogs):
    """Answers by itself."""

    def __init__(self, folder: Path) -> None:
        super().__init__(QtWidgets.QWidget())
        self._folder = folder

    def save_file(self, title: str, suggestion: Path, filters: str) -> Path | None:
        return self._folder / "growing.mp4"

    def show_error(self, title: str, text: str, details: str) -> None:
        print(f"defect 0 0 {details!r}", flush=True)


def main() -> int:
    folder = Path(sys.argv[1]) / "wavelab"
    folder.mkdir(exist_ok=True)
    application = make_application()
    end_without_destructors()
    mine = folder / "mine.toml"
    save_scene(scene_of(1), mine)
    options = LaunchOptions(backend="numpy", tune=False)
    program = Program(application, mine, options, dialogs=Answers(folder))
    program.start()
    numbers = count(2)

    def edit() -> None:
        number = next(numbers)
        wanted = scene_of(number % COUNT + 1)
        print(f"edit {number % COUNT + 1} {time.monotonic():.6f}", flush=True)
        editor, here = program.workbench.editor, program.session.scene
        editor.apply(Edit("count", replace(wanted, path=here.path, view=here.view)))
        if number % SAVED_EVERY == 0:
            program.workbench.files.save()
            what = "refused" if program.session.modified else "saved"
            print(f"{what} {number % COUNT + 1} {time.monotonic():.6f}", flush=True)
        if number == 3:
            program.workbench.movie.toggle()

    timer = QTimer()
    timer.timeout.connect(edit)
    timer.start(PACE)
    if len(sys.argv) > 2:
        QTimer.singleShot(round(1000 * float(sys.argv[2])), program.window.close)
    status = application.exec_()
    timer.stop()
    program.close()
    return status


if __name__ == "__main__":
    sys.exit(leave(main()))
