"""What is found out about the present experiment in the background: convergence, time step.

Nothing here changes the experiment but a remedy the user clicked, which is an edit like any other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from wavelab.app.background import Background
from wavelab.app.edits import Edit
from wavelab.app.panels.convergence_dialog import ConvergenceDialog
from wavelab.app.panels.doctor_dialog import DoctorDialog
from wavelab.app.session import Session
from wavelab.app.tools import Ring
from wavelab.app.window import Window
from wavelab.errors import WavelabError
from wavelab.simulation.comparison import StudyCancelledError
from wavelab.simulation.convergence import Study, study
from wavelab.simulation.doctor import Diagnosis, Remedy, diagnose, step_with

#: Least radius of a circle around a trouble, in parts of the domain's size.
SMALLEST_RING = 0.02

Gain = tuple[Remedy, float | None]


class Studies:
    """Owns the two dialogs and their threads.

    Parameters
    ----------
    apply : puts an edit into effect.
    now : simulated time.
    """

    def __init__(
        self,
        session: Session,
        window: Window,
        *,
        apply: Callable[[Edit], None],
        now: Callable[[], float],
    ) -> None:
        self._session = session
        self._window = window
        self._apply = apply
        self._now = now
        self.convergence: ConvergenceDialog | None = None
        self.doctor: DoctorDialog | None = None
        self._study: Background[Study] | None = None
        self._diagnosis: Background[Diagnosis] | None = None
        self._found: Diagnosis | None = None
        self._diagnosed: int | None = None
        self._gains: list[Background[Gain]] = []
        self._waiting: list[Remedy] = []
        self._ending: list[Background] = []

    # Convergence

    def check_convergence(self) -> None:
        """Open the dialog; the present time, or the scene's own end, is offered."""
        if self.convergence is None:
            self.convergence = ConvergenceDialog(self._window, self._window.theme)
            self.convergence.started.connect(self._start_study)
            self.convergence.cancelled.connect(self._cancel_study)
        now = self._now()
        until = now if now > 0 else self._session.scene.solver.until
        if self._study is None:
            self.convergence.until.set_value(float(f"{until:.3g}"))
        self.convergence.show()
        self.convergence.raise_()

    def _start_study(self, until: float) -> None:
        assert self.convergence is not None
        if self._study is not None:
            return
        scene = self._session.scene

        def work(task: Background[Study]) -> Study:
            return study(scene, until, tell=task.tell, cancelled=task.cancelled)

        self._study = Background("convergence", work)
        self.convergence.show_progress(0.0, "")

    def _cancel_study(self) -> None:
        if self._study is not None:
            self._study.cancel()

    def _poll_study(self) -> None:
        task, dialog = self._study, self.convergence
        if task is None or dialog is None:
            return
        if not task.done:
            dialog.show_progress(task.part, task.text)
            return
        self._study = None
        try:
            found = task.result()
        except StudyCancelledError:
            found = None
        except WavelabError as error:
            dialog.show_idle(str(error))
            return
        if found is None:
            dialog.show_idle("Cancelled.")
        else:
            dialog.show_study(found)

    # Time step

    def see_doctor(self) -> None:
        """Open the dialog and look at what runs."""
        if self.doctor is None:
            self.doctor = DoctorDialog(self._window)
            self.doctor.chosen.connect(self._cure)
            self.doctor.pointed.connect(self._point)
            self.doctor.finished.connect(self._dismiss)
        self.doctor.show()
        self.doctor.raise_()
        self._diagnosed = None

    def _examine(self) -> None:
        """Begin anew when another problem runs than the one looked at."""
        running = self._session.running
        if self.doctor is None or not self.doctor.isVisible() or running is None:
            return
        if running.generation == self._diagnosed or self._session.busy:
            return
        self._diagnosed = running.generation
        self._stop_examining()
        self.doctor.show_waiting()
        problem = running.problem
        self._diagnosis = Background("time step doctor", lambda task: diagnose(problem))

    def _poll_doctor(self) -> None:
        self._examine()
        if self.doctor is None:
            return
        if self._diagnosis is not None and self._diagnosis.done:
            task, self._diagnosis = self._diagnosis, None
            self._found = task.result()
            if self._found is not None:
                self.doctor.show_diagnosis(self._found)
                self._waiting = list(self._found.remedies)
                self._circle(self._found)
        for task in [task for task in self._gains if task.done]:
            self._gains.remove(task)
            outcome = task.result()
            if outcome is not None and self._found is not None:
                remedy, dt = outcome
                gain = None if dt is None else dt / self._found.equivalent
                self.doctor.show_gain(remedy, gain)
        if self._waiting and not self._gains:
            self._measure(self._waiting.pop(0))

    def _measure(self, remedy: Remedy) -> None:
        def work(task: Background[Gain]) -> Gain:
            try:
                return remedy, step_with(remedy, cancelled=task.cancelled)
            except WavelabError:
                return remedy, None

        self._gains.append(Background("remedy", work))

    def _circle(self, found: Diagnosis) -> None:
        mesh = self._session.running.mesh if self._session.running is not None else None
        if mesh is None:
            return
        size = math.dist(mesh.vertices.min(axis=0), mesh.vertices.max(axis=0))
        self._window.canvas.set_marks(
            tuple(
                Ring(trouble.center, max(1.5 * trouble.radius, SMALLEST_RING * size))
                for trouble in found.troubles
            )
        )

    def _point(self, row: int) -> None:
        if self._found is not None and 0 <= row < len(self._found.troubles):
            self._window.canvas.look_at(self._found.troubles[row].center)

    def _cure(self, remedy: Remedy) -> None:
        self._apply(Edit(remedy.label, remedy.scene, notes=(remedy.effect,)))

    def _dismiss(self, _result: int = 0) -> None:
        self._stop_examining()
        self._diagnosed = None
        self._window.canvas.set_marks(())

    def _stop_examining(self) -> None:
        for task in (self._diagnosis, *self._gains):
            if task is not None:
                task.cancel()
                self._ending.append(task)
        self._diagnosis, self._gains, self._waiting, self._found = None, [], [], None
        self._window.canvas.set_marks(())

    # All of it

    def poll(self) -> None:
        """Show what has come out; called at every turn of the frame pump."""
        self._ending = [task for task in self._ending if not task.done]
        self._poll_study()
        self._poll_doctor()

    def close(self, timeout: float) -> bool:
        """Give everything up; False if some of it was still alive after ``timeout`` seconds."""
        self._stop_examining()
        if self._study is not None:
            self._study.cancel()
            self._ending.append(self._study)
        deadline = time.monotonic() + timeout
        for dialog in (self.convergence, self.doctor):
            if dialog is not None:
                dialog.hide()
        return all([t.join(max(0.0, deadline - time.monotonic())) for t in self._ending])
