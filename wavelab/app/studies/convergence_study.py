"""How wrong the present setting is, measured beside the running wave."""

from __future__ import annotations

from wavelab.app.panels.dialogs.convergence_dialog import ConvergenceDialog
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.session import Session
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.studies.convergence import Study, study


class ConvergenceStudy:
    """Owns the dialog and its thread.

    Parameters
    ----------
    settings : where to compute.
    """

    def __init__(
        self, session: Session, presenter: Presenter, window: Window, settings: RunnerSettings
    ) -> None:
        self._session = session
        self._window = window
        self._settings = settings
        self._presenter = presenter
        self.dialog = ConvergenceDialog(window, window.theme)
        self._study = BackgroundTask[Study].shown_in(
            self.dialog, "convergence", self.dialog.show_study
        )
        self.tasks = (self._study,)
        self.dialog.started.connect(self._start)
        window.take_plot(self.dialog.plot)

    def open(self) -> None:
        """Open the dialog; the present time, or the scene's own end, is offered."""
        now = self._presenter.now
        until = now if now > 0 else self._session.scene.solver.until
        if not self._study.busy:
            self.dialog.until.set_value(float(f"{until:.3g}"))
        self.dialog.show()
        self.dialog.raise_()

    def follow(self) -> None:
        """The theme may be another."""
        self.dialog.plot.set_theme(self._window.theme)

    def _start(self, until: float) -> None:
        scene, settings = self._session.scene, self._settings
        self._study.start(
            lambda task: study(
                scene,
                until,
                backend=settings.backend,
                device=settings.device,
                tell=task.tell,
                cancelled=task.cancelled,
            )
        )
