"""The scattering parameters of the present scene, found beside the running wave."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.panels.dialogs.scattering_dialog import ScatteringDialog
from wavelab.app.session.session import Session
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.monitors import ModeMonitor
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.studies.scattering import Scattering, ports_of, scatter


class ScatteringStudy:
    """Owns the dialog and its thread.

    Parameters
    ----------
    settings : where to compute.
    """

    def __init__(self, session: Session, window: Window, settings: RunnerSettings) -> None:
        self._session, self._window, self._settings = session, window, settings
        self.dialog = ScatteringDialog(window, window.theme)
        self._runs = BackgroundTask[Scattering].shown_in(
            self.dialog, "scattering", self.dialog.show_found
        )
        self.tasks = (self._runs,)
        self.dialog.started.connect(self._start)
        self.dialog.save_wished.connect(window.save_scattering_wished)
        self.dialog.plot.save_wished.connect(window.save_plot_wished)

    def open(self) -> None:
        """Open the dialog; the scene's own end is offered."""
        if not self._runs.busy:
            self.dialog.until.set_value(self._session.scene.solver.until)
        self._offer()
        self.dialog.show()
        self.dialog.raise_()

    def follow(self) -> None:
        """The scene or the theme may be another."""
        self.dialog.plot.set_theme(self._window.theme)
        if self.dialog.isVisible():
            self._offer()

    def _offer(self) -> None:
        monitors = self._session.scene.monitors
        self.dialog.show_ports([m.name for m in monitors if isinstance(m, ModeMonitor)])

    def _start(self, names: tuple[str, ...], until: float) -> None:
        scene, settings = self._session.scene, self._settings
        scene = replace(scene, solver=replace(scene.solver, until=until))
        try:
            ports_of(scene, names)
        except WavelabError as error:
            self.dialog.show_idle(str(error))
            return
        self._runs.start(
            lambda task: scatter(
                scene,
                names,
                backend=settings.backend,
                device=settings.device,
                tell=task.tell,
                cancelled=task.cancelled,
            )
        )
