"""The resonances of the present scene, found beside the running wave."""

from __future__ import annotations

import time

from wavelab.app.background import Background
from wavelab.app.panels.resonance_dialog import ResonanceDialog
from wavelab.app.session import Session
from wavelab.app.window import Window
from wavelab.errors import WavelabError
from wavelab.simulation.comparison import StudyCancelledError
from wavelab.simulation.mode_files import mode_picture
from wavelab.simulation.resonances import Resonances, find_resonances


class ResonanceStudy:
    """Owns the dialog and its thread."""

    def __init__(self, session: Session, window: Window) -> None:
        self._session, self._window = session, window
        self.dialog: ResonanceDialog | None = None
        self.found: Resonances | None = None
        self._task: Background[Resonances] | None = None

    def open(self) -> None:
        """Open the dialog."""
        if self.dialog is None:
            self.dialog = ResonanceDialog(self._window)
            self.dialog.started.connect(self._start)
            self.dialog.cancelled.connect(self._cancel)
            self.dialog.chosen.connect(self._show)
        self.dialog.show()
        self.dialog.raise_()

    def _start(self, modes: int, band: tuple[float, float] | None) -> None:
        assert self.dialog is not None
        if self._task is not None:
            return
        scene = self._session.scene

        def work(task: Background[Resonances]) -> Resonances:
            return find_resonances(scene, modes, band, tell=task.tell, cancelled=task.cancelled)

        self._task = Background("resonances", work)
        self.dialog.show_progress(0.0, "")

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _show(self, row: int) -> None:
        if self.dialog is not None and self.found is not None:
            self.dialog.show_shape(mode_picture(self.found, row, *self.dialog.shape_size))

    def poll(self) -> None:
        """Show what has come out; called at every turn of the frame pump."""
        task, dialog = self._task, self.dialog
        if task is None or dialog is None:
            return
        if not task.done:
            dialog.show_progress(task.part, task.text)
            return
        self._task = None
        try:
            found = task.result()
        except StudyCancelledError:
            found = None
        except WavelabError as error:
            dialog.show_idle(str(error))
            return
        if found is None:
            dialog.show_idle("Cancelled.")
            return
        self.found = found
        dialog.show_found(found)

    def close(self, timeout: float) -> bool:
        """Give it up; False if it was still alive after ``timeout`` seconds."""
        if self.dialog is not None:
            self.dialog.hide()
        task, self._task = self._task, None
        if task is None:
            return True
        task.cancel()
        end = time.monotonic() + timeout
        return task.join(max(0.0, end - time.monotonic()))
