"""Between the panel of the monitors and the rest: which is watched, chosen and read off."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.probe_controller import ProbeController
from wavelab.app.edits.monitor_edits import change_monitor
from wavelab.app.session.readout import LineReader
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.window.window import Window
from wavelab.arrays import Array
from wavelab.scene.editing.properties import Key
from wavelab.scene.monitors import LineMonitor
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.solver.commands import WatchMonitor


class MonitorController:
    """Has the solver tell what the monitor in view has measured, and lets the probe tool and the
    panel have the same one chosen."""

    def __init__(
        self,
        session: Session,
        editor: Editor,
        selection: Selection,
        probes: ProbeController,
        window: Window,
    ) -> None:
        self._session = session
        self._editor = editor
        self._probes = probes
        self._canvas = window.canvas
        self._panel = panel = window.monitor_panel
        self._reader: tuple[Array, LineReader] | None = None
        panel.watched.connect(lambda number: session.solver.send(WatchMonitor(number)))
        panel.taken.connect(self._taken)
        panel.plot_wished.connect(self._wish_plot)
        panel.profile.located.connect(window.canvas.set_reading)
        selection.presented.connect(self._presented)

    def show_scene(self) -> None:
        """How monitors are drawn may have changed."""
        self._panel.show_monitors(self._session.scene.monitors)

    def show_frame(self, frame: Frame) -> None:
        """What the monitor in view has measured; the curve along a line follows the picture where
        it shows the same field."""
        if frame.monitor is not None:
            self._panel.show_result(frame.monitor)
        line, number = self._panel.chosen_line, self._panel.watched_number
        if line is None or number is None or not LINE_PLOTS[line.plot].live:
            return
        running = self._session.running
        if running is None or frame.quantity != line.quantity:
            self._panel.profile.show_live(None)
            return
        positions = running.problem.monitors[number].positions
        assert positions is not None
        if self._reader is None or self._reader[0] is not positions:
            self._reader = (positions, running.reader.along(positions))
        self._panel.profile.show_live(self._reader[1](frame.values))

    def _wish_plot(self, name: str, plot: str) -> None:
        scene = self._editor.scene
        line = next((m for m in scene.monitors if m.name == name), None)
        if isinstance(line, LineMonitor):
            edit = change_monitor(scene, name, replace(line, plot=plot), "Draw monitor another way")
            self._editor.apply(replace(edit, merge=True))

    def _taken(self, name: str) -> None:
        """Chosen in the panel; its handles are shown where the probe tool is at hand."""
        self._probes.take(name)
        self._canvas.setFocus()
        self._canvas.refresh_tool()

    def _presented(self, item: Key) -> None:
        if item[0] == "monitors":
            name = self._session.scene.monitors[int(item[1])].name
            self._probes.take(name)
            self._panel.choose(name)
