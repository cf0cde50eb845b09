"""The present scene beside another one, in step, while the wave in the window goes on."""

from __future__ import annotations

import threading
import time
from contextlib import closing

from wavelab.app.base import measures
from wavelab.app.base.loop.background import Background
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.compare_dialog import CompareDialog
from wavelab.app.session.session import Session
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.editing.settings import Setting
from wavelab.scene.model.scene import Scene
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.side_by_side.changes import other_run
from wavelab.simulation.side_by_side.in_step import Look, in_step
from wavelab.simulation.side_by_side.pictures import Scales
from wavelab.simulation.side_by_side.words import cost_table, sentence

#: Looks at the runs, and the wall time from one to the next at least, so that they can be followed.
_LOOKS, _SECONDS = 200, 1 / 30
#: How often it is looked whether a pause is over.
_PAUSE_SECONDS = 0.05


class CompareStudy:
    """Owns the dialog and its thread.

    Parameters
    ----------
    settings : where to compute.
    """

    def __init__(
        self, session: Session, views: ViewController, window: Window, settings: RunnerSettings
    ) -> None:
        self._session, self._views, self._settings = session, views, settings
        self._window = window
        self._scene: Scene | None = None
        self._name, self._until = "", 1.0
        self._scales = Scales()
        self._held = threading.Event()
        self._newest: Look | None = None  # left by the thread
        self._shown: tuple[Look, str] | None = None  # and the palette
        self.dialog = CompareDialog(window, window.theme)
        self._runs = BackgroundTask[Look](
            "compare",
            found=self._ended,
            failed=self._failed,
            cancelled=lambda: self.dialog.show_ended(tr("Cancelled.")),
            progress=self._progress,
        )
        self.tasks = (self._runs,)
        self.dialog.started.connect(self._start)
        self.dialog.cancelled.connect(self._runs.cancel)
        self.dialog.paused.connect(self._pause)
        self.dialog.finished.connect(self._dismiss)
        window.take_plot(self.dialog.plot)

    def open(self) -> None:
        """Open the dialog; the scene's own end is offered."""
        if not self._runs.busy:
            self.dialog.until.set_value(self._session.scene.solver.until)
        self.dialog.show()
        self.dialog.raise_()
        self._offer()

    def follow(self) -> None:
        """The scene, the palette or the theme may be another."""
        self.dialog.plot.set_theme(self._window.theme)
        if self.dialog.isVisible():
            self._offer()
        if self._shown is not None and self._shown[1] != self._views.state.diverging:
            self._paint(self._shown[0])

    def _offer(self) -> None:
        if self._session.scene is not self._scene:
            self._scene = self._session.scene
            self.dialog.fields.show_scene(self._scene)

    def _start(self, changes: tuple[Setting, ...], until: float) -> None:
        scene, settings = self._session.scene, self._settings
        try:
            other_run(scene, changes)
        except WavelabError as error:
            self.dialog.show_ended(str(error))
            return
        self._scales, self._newest, self._until = Scales(), None, until
        self._name = self.dialog.fields.words()
        self.dialog.show_running(self._name)
        self._held.clear()

        def work(task: Background[Look]) -> Look:
            looks = in_step(
                scene,
                changes,
                until,
                backend=settings.backend,
                device=settings.device,
                intervals=_LOOKS,
                tell=lambda text: task.tell(0.0, text),
                cancelled=task.cancelled,
            )
            with closing(looks):
                for look in looks:
                    self._newest = look
                    task.tell(look.progress.part, "Running")
                    self._wait(task)
            return look

        self._runs.start(work)

    def _wait(self, task: Background[Look]) -> None:
        """So that the runs are not over before anybody has seen them, and while they are held."""
        end = time.monotonic() + _SECONDS
        while self._held.is_set() or time.monotonic() < end:
            pause = _PAUSE_SECONDS if self._held.is_set() else end - time.monotonic()
            if task.cancelled_within(max(pause, 0.0)):
                return

    def _pause(self, held: bool) -> None:
        if held:
            self._held.set()
        else:
            self._held.clear()

    def _progress(self, part: float, text: str) -> None:
        self.dialog.show_progress(part, text)
        look = self._newest
        if look is not None and (self._shown is None or self._shown[0] is not look):
            self._show(look)

    def _show(self, look: Look) -> None:
        self._paint(look)
        progress = look.progress
        self.dialog.show_numbers(
            progress, self._until, cost_table(progress, self._name, measures.scale())
        )

    def _paint(self, look: Look) -> None:
        palette = self._views.state.diverging
        self._shown = look, palette
        self.dialog.show_pictures(self._scales.pictures(look, palette))

    def _ended(self, look: Look) -> None:
        self._show(look)
        self.dialog.show_ended(sentence(look.progress, measures.scale()))

    def _failed(self, error: WavelabError) -> None:
        self.dialog.show_ended(str(error))

    def _dismiss(self, _result: int = 0) -> None:
        """A closed dialog runs nothing."""
        self._runs.abandon()
        self.dialog.show_ended("")
