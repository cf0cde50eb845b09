"""What limits the time step of the present problem, and what would help.

Nothing here changes the experiment but a remedy the user clicked, which is an edit like any other.
"""

from __future__ import annotations

from wavelab.app.base.loop.background import Background
from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.edits import Edit
from wavelab.app.panels.dialogs.doctor_dialog import DoctorDialog
from wavelab.app.session.session import Session
from wavelab.app.tools.tool import CircleMark
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.simulation.studies.doctor import Diagnosis, Remedy, diagnose, step_with

#: Least radius of a circle around a trouble, in parts of the domain's size.
SMALLEST_RING = 0.02

Gain = tuple[Remedy, float | None]


class DoctorStudy:
    """Owns the dialog and its threads."""

    def __init__(self, session: Session, editor: Editor, window: Window) -> None:
        self._session = session
        self._editor = editor
        self._window = window
        self.dialog = DoctorDialog(window)
        self._diagnosis = BackgroundTask[Diagnosis](
            "time step doctor", found=self._diagnosed, failed=self._give_in
        )
        self._gain = BackgroundTask[Gain]("remedy", found=self._gained, failed=self._give_in)
        self.tasks = (self._diagnosis, self._gain)
        self._open = False
        self._generation: int | None = None
        self._found: Diagnosis | None = None
        self._waiting: list[Remedy] = []
        self.dialog.chosen.connect(self._cure)
        self.dialog.pointed.connect(self._point)
        self.dialog.finished.connect(self._dismiss)

    def open(self) -> None:
        """Open the dialog and look at what runs."""
        self.dialog.show()
        self.dialog.raise_()
        self._open, self._generation = True, None
        self.follow()

    def follow(self) -> None:
        """Begin anew when another problem runs than the one looked at."""
        running = self._session.running
        if not self._open or running is None:
            return
        if running.generation == self._generation or self._session.busy:
            return
        self._stop()
        self._generation = running.generation
        self.dialog.show_waiting()
        problem = running.problem
        self._diagnosis.start(lambda task: diagnose(problem))

    def _diagnosed(self, found: Diagnosis) -> None:
        self._found = found
        self.dialog.show_diagnosis(found)
        self._waiting = list(found.remedies)
        self._circle(found)
        self._measure_next()

    def _measure_next(self) -> None:
        if not self._waiting:
            return
        remedy = self._waiting.pop(0)

        def work(task: Background[Gain]) -> Gain:
            try:
                return remedy, step_with(remedy, cancelled=task.cancelled)
            except WavelabError:
                return remedy, None

        self._gain.start(work)

    def _gained(self, outcome: Gain) -> None:
        assert self._found is not None
        remedy, dt = outcome
        self.dialog.show_gain(remedy, None if dt is None else dt / self._found.equivalent)
        self._measure_next()

    def _give_in(self, error: WavelabError) -> None:
        self._waiting = []
        self.dialog.show_failure(str(error))

    def _circle(self, found: Diagnosis) -> None:
        running = self._session.running
        if running is None:
            return
        self._window.canvas.set_marks(
            tuple(
                CircleMark(trouble.center, max(1.5 * trouble.radius, SMALLEST_RING * running.size))
                for trouble in found.troubles
            )
        )

    def _point(self, row: int) -> None:
        if self._found is not None and 0 <= row < len(self._found.troubles):
            self._window.canvas.look_at(self._found.troubles[row].center)

    def _cure(self, remedy: Remedy) -> None:
        self._editor.apply(Edit(remedy.label, remedy.scene, notes=(remedy.effect,)))

    def _dismiss(self, _result: int = 0) -> None:
        self._stop()
        self._open = False

    def _stop(self) -> None:
        """Forget what was found and what was still to be."""
        for task in self.tasks:
            task.abandon()
        self._waiting, self._found = [], None
        self._window.canvas.set_marks(())
