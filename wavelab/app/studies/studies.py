"""What is found out about the present experiment in the background."""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.session import Session
from wavelab.app.studies.band_study import BandStudy
from wavelab.app.studies.compare_study import CompareStudy
from wavelab.app.studies.convergence_study import ConvergenceStudy
from wavelab.app.studies.doctor_study import DoctorStudy
from wavelab.app.studies.reference_study import ReferenceStudy
from wavelab.app.studies.resonance_study import ResonanceStudy
from wavelab.app.studies.scattering_study import ScatteringStudy
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.simulation.messages.loading import RunnerSettings

#: A dialog and the tasks that work for it.
Study = (
    BandStudy
    | CompareStudy
    | ConvergenceStudy
    | DoctorStudy
    | ReferenceStudy
    | ResonanceStudy
    | ScatteringStudy
)


class Studies:
    """The studies, each made when it is first asked for.

    Parameters
    ----------
    settings : where to compute: where the wave runs too.
    """

    def __init__(
        self,
        session: Session,
        editor: Editor,
        presenter: Presenter,
        views: ViewController,
        window: Window,
        settings: RunnerSettings,
    ) -> None:
        self._makers: dict[str, Callable[[], Study]] = {
            "bands": lambda: BandStudy(session, editor, views, window),
            "compare": lambda: CompareStudy(session, views, window, settings),
            "convergence": lambda: ConvergenceStudy(session, presenter, window, settings),
            "doctor": lambda: DoctorStudy(session, editor, window),
            "reference": lambda: ReferenceStudy(session, window, settings),
            "resonances": lambda: ResonanceStudy(session, editor, views, window, settings),
            "scattering": lambda: ScatteringStudy(session, window, settings),
        }
        self._made: dict[str, Study] = {}

    def __getitem__(self, key: str) -> Study:
        """The study of a name, such as "bands"."""
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def follow(self) -> None:
        """What runs, or how it is shown, is another."""
        for study in self._made.values():
            study.follow()

    def close(self, timeout: float) -> bool:
        """Give everything up; False if some of it was still alive after ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        tasks: list[BackgroundTask] = [
            task for study in self._made.values() for task in study.tasks
        ]
        for study in self._made.values():
            study.dialog.hide()
        for task in tasks:
            task.abandon()
        ended = [task.close(max(0.0, deadline - time.monotonic())) for task in tasks]
        return all(ended)
