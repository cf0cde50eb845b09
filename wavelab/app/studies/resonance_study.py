"""The resonances of the present scene, found beside the running wave."""

from __future__ import annotations

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits.edits import add_source
from wavelab.app.panels.dialogs.resonance_dialog import ResonanceDialog
from wavelab.app.session.session import Session
from wavelab.app.studies.driving import driving
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.scene.sources import placed_source
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.studies.modes.mode_files import mode_picture
from wavelab.simulation.studies.modes.resonances import Resonances, find_resonances


class ResonanceStudy:
    """Owns the dialog and its thread.

    Parameters
    ----------
    settings : where to compute.
    """

    def __init__(
        self,
        session: Session,
        editor: Editor,
        views: ViewController,
        window: Window,
        settings: RunnerSettings,
    ) -> None:
        self._session = session
        self._editor = editor
        self._settings = settings
        self._views = views
        self._shown: tuple[int, str] | None = None  # the number of a mode, and its palette
        self._modes: Resonances | None = None
        self.dialog = ResonanceDialog(window)
        self._search = BackgroundTask[Resonances].shown_in(self.dialog, "resonances", self._found)
        self.tasks = (self._search,)
        self.dialog.started.connect(self._start)
        self.dialog.chosen.connect(self._show)
        self.dialog.driven.connect(self._drive)

    def open(self) -> None:
        """Open the dialog."""
        self.dialog.show()
        self.dialog.raise_()

    def follow(self) -> None:
        """The palette may be another."""
        if self._modes is None or self._shown is None:
            return
        if self._shown[1] != self._palette(self._modes):
            self._show(self._shown[0])

    def _palette(self, found: Resonances) -> str:
        return self._views.state.palette_for(signed=found.signed)

    def _start(self, modes: int | None, band: tuple[float, float] | None) -> None:
        scene, settings = self._session.scene, self._settings
        self._search.start(
            lambda task: find_resonances(
                scene,
                modes,
                band,
                backend=settings.backend,
                device=settings.device,
                tell=task.tell,
                cancelled=task.cancelled,
            )
        )

    def _found(self, found: Resonances) -> None:
        self._modes = found
        self.dialog.show_found(found)

    def _drive(self, row: int) -> None:
        """A source of the mode's frequency where it is strongest."""
        modes = self._modes
        if modes is None:
            return
        at = modes.loudest(row)
        settings = driving(modes.modes[row].frequency, modes.direction(row))
        self._editor.attempt(
            add_source, lambda name: placed_source(name, settings, start=at, end=at)
        )

    def _show(self, row: int) -> None:
        if self._modes is None:
            return
        palette = self._palette(self._modes)
        self._shown = row, palette
        self.dialog.show_shape(mode_picture(self._modes, row, *self.dialog.shape_size, palette))
