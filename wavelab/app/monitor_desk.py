"""Between the panel of the monitors and the solver: which is watched, what is saved of it."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.files import Files
from wavelab.app.panels.monitor_panel import MonitorPanel
from wavelab.app.session import Session
from wavelab.errors import WavelabError


class MonitorDesk:
    """Has the solver tell what the monitor in view has measured, and saves all of it on demand.

    Parameters
    ----------
    complain : tells the user that there is nothing to save.
    taken : called with the name of a monitor that the user chose in the panel.
    """

    def __init__(
        self,
        session: Session,
        panel: MonitorPanel,
        files: Files,
        *,
        complain: Callable[[WavelabError], None],
        taken: Callable[[str], None],
    ) -> None:
        self._session = session
        self._panel = panel
        self._files = files
        self._complain = complain
        panel.watched.connect(session.solver.watch_monitor)
        panel.taken.connect(taken)

    def save(self) -> None:
        """The monitor chosen in the panel, as CSV."""
        running, number = self._session.running, self._panel.chosen_number
        monitors = running.scene.monitors if running is not None else ()
        if number is None or number >= len(monitors):
            remedy = "Place one with the probe tool (B): choose at the right what it measures."
            self._complain(WavelabError("there is no monitor to save data of", remedy=remedy))
        elif self._panel.has_nothing:
            text = f'monitor "{monitors[number].name}" has measured nothing yet'
            self._complain(WavelabError(text, remedy="Let the wave run (Space)."))
        else:
            self._files.save_monitor(number, monitors[number])
