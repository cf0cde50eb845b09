"""Between the panel of the monitors and the rest: which is watched, what is read off and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wavelab.app.canvas.canvas import Canvas
from wavelab.app.edits import Edit
from wavelab.app.files import Files
from wavelab.app.monitor_edits import change_monitor
from wavelab.app.panels.monitor_panel import MonitorPanel
from wavelab.app.readout import LineReader
from wavelab.app.session import Session
from wavelab.errors import WavelabError
from wavelab.scene.monitors import LineMonitor
from wavelab.simulation.frames import Frame


class MonitorDesk:
    """Has the solver tell what the monitor in view has measured, and saves all of it on demand.

    Parameters
    ----------
    apply : puts an edit into effect.
    complain : tells the user that there is nothing to save.
    taken : called with the name of a monitor that the user chose in the panel.
    """

    def __init__(
        self,
        session: Session,
        panel: MonitorPanel,
        files: Files,
        canvas: Canvas,
        *,
        apply: Callable[[Edit], None],
        complain: Callable[[WavelabError], None],
        taken: Callable[[str], None],
    ) -> None:
        self._session = session
        self._panel = panel
        self._files = files
        self._apply = apply
        self._complain = complain
        self._reader: LineReader | None = None
        panel.watched.connect(session.solver.watch_monitor)
        panel.taken.connect(taken)
        panel.plot_wished.connect(self._wish_plot)
        panel.profile.pointed.connect(canvas.set_reading)

    def show_frame(self, frame: Frame) -> None:
        """The curve along a line follows the picture where it shows the same field."""
        line, number = self._panel.chosen_line, self._panel.watched_number
        if line is None or number is None or line.plot != "profile":
            return
        running = self._session.running
        if running is None or frame.quantity != line.quantity:
            self._panel.profile.show_live(None)
            return
        positions = running.problem.monitors[number].positions
        assert positions is not None
        if self._reader is None or self._reader.positions is not positions:
            self._reader = running.reader.along(positions)
        self._panel.profile.show_live(self._reader.values(frame.values))

    def _wish_plot(self, name: str, plot: str) -> None:
        scene = self._session.scene
        line = next((m for m in scene.monitors if m.name == name), None)
        if isinstance(line, LineMonitor):
            edit = change_monitor(scene, name, replace(line, plot=plot), "Draw monitor another way")
            self._apply(replace(edit, merge=True))

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
