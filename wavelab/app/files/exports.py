"""What leaves the program besides scenes: pictures, fields, probe series, data of monitors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from wavelab.app.base import measures
from wavelab.app.base.images import pixels_of
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.sound_controller import SoundController
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.files.outbox import Outbox
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.session.field_picture import field_picture
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.session.replay import take_and_choose
from wavelab.app.session.session import Session
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.output.files.field_files import write_fields
from wavelab.output.files.tables import write_table
from wavelab.output.files.touchstone import suffix_of
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.output.picture import write_png
from wavelab.scene.systems import system_of
from wavelab.simulation.records.monitor_tables import file_part, write_tables
from wavelab.simulation.records.probe_sound import write_sounds
from wavelab.simulation.solver.questions import FieldsTaken, Measure, MonitorRead, TakeFields
from wavelab.simulation.studies.scattering import Scattering

PNG_FILTER = "PNG picture (*.png)"
FIELDS_FILTER = "VTK grid, for ParaView (*.vtu);;HDF5 (*.h5 *.hdf5)"
CSV_FILTER = "Comma-separated values (*.csv)"
SERIES_FILTER = f"{CSV_FILTER};;Sound (*.wav)"
PLOT_FILTER = f"{CSV_FILTER};;{PNG_FILTER}"

#: Longer edge suggested for a picture of the field.
PICTURE_SIZE = 2048


class Exports:
    """Saves what is on show, or what was measured."""

    def __init__(
        self,
        session: Session,
        editor: Editor,
        views: ViewController,
        outbox: Outbox,
        dialogs: Dialogs,
        probe_series: ProbeSeries,
        sound: SoundController,
        window: Window,
    ) -> None:
        self._session = session
        self._editor = editor
        self._views = views
        self._outbox = outbox
        self._dialogs = dialogs
        self._probe_series = probe_series
        self._sound = sound
        self._window = window
        window.save_plot_wished.connect(self.save_plot)
        window.save_scattering_wished.connect(self.save_scattering)

    def save_picture(self) -> None:
        # Before the dialog covers the canvas, and at the moment that was asked for.
        picture = self._window.canvas.grab_rgb()
        path = self._choose("Save picture", ".png", PNG_FILTER)
        if path is not None:
            self._outbox.write(path, lambda: write_png(path, picture), "Picture")

    def save_field_picture(self) -> None:
        shown = self._views.shown()
        if shown is None:
            self._complain("there is no field yet", "Wait for the wave.")
            return
        x0, y0, x1, y1 = shown.extent
        shrink = PICTURE_SIZE / max(x1 - x0, y1 - y0)
        wish = self._dialogs.picture_size(
            (max(16, round(shrink * (x1 - x0))), max(16, round(shrink * (y1 - y0))))
        )
        if wish is None:
            return
        size = wish.width, wish.height
        # Drawn here and now: Qt's painter belongs to this thread, and the scene may change.
        over = self._room(*size) if wish.room and shown.view.relief is None else None

        def write(path: Path) -> None:
            picture = field_picture(shown, *size)
            if over is not None:
                over.draw(picture)
            write_png(path, picture)

        path = self._choose("Save picture", ".png", PNG_FILTER)
        if path is not None:
            self._outbox.write_beside(path, partial(write, path), "Picture")

    def _room(self, width: int, height: int) -> MovieOverlay:
        """Walls and materials as large as on the canvas, for a picture of what is in view there."""
        look = self._window.canvas.look
        view = look.view
        factor = min(width / view.width, height / view.height)
        there = replace(view, width=width / factor, height=height / factor)
        room = replace(look, drawing=look.drawing.room, view=there, measured=False)
        return MovieOverlay.of(room.on_picture(width, height))

    def save_plot(self, plot: Plot) -> None:
        """Its numbers, or what it looks like."""
        picture, (names, columns) = pixels_of(plot.grab().toImage()), plot.table()
        numbers = len(columns) > 1
        filters = PLOT_FILTER if numbers else PNG_FILTER
        path = self._choose("Save plot", "_plot.csv" if numbers else "_plot.png", filters)
        if path is None:
            return
        if path.suffix.lower() == ".csv":
            self._outbox.write(path, lambda: write_table(path, names, columns), "Plot")
        else:
            self._outbox.write(path, lambda: write_png(path, picture), "Plot")

    def save_scattering(self, found: Scattering) -> None:
        """The matrix of all frequencies."""
        suffix = suffix_of(len(found.channels))
        filters = f"{CSV_FILTER};;Touchstone (*{suffix})"
        path = self._choose("Save scattering parameters", "_s.csv", filters)
        if path is not None:
            self._outbox.write(path, lambda: found.write(path), "Scattering parameters")

    def save_fields(self) -> None:
        """All fields of the moment that was asked for, on the whole mesh."""

        def write(path: Path, taken: FieldsTaken) -> None:
            problem, state = taken.problem, taken.state
            if problem is None or state is None:
                self._complain("no field could be taken", "Let the wave run, save again.")
                return
            write = partial(write_fields, path, problem, state.fields, state.time)
            time = measures.time(state.time, "{:.4g}".format)
            self._outbox.write_beside(path, write, f"Fields at t = {time}")

        take_and_choose(
            partial(self._session.solver.ask, TakeFields()),
            lambda: self._choose("Save all fields", ".vtu", FIELDS_FILTER),
            write,
        )

    def save_probe_series(self) -> None:
        names, times = self._probe_series.names, self._probe_series.times.copy()
        if not names or not len(times):
            self._complain("nothing was recorded yet", "Place a probe (B) and play.")
            return
        values = self._probe_series.values.copy()
        path = self._choose("Save probe series", ".csv", SERIES_FILTER)
        if path is not None and path.suffix.lower() == ".wav":
            hertz = self._sound.hertz
            write = partial(write_sounds, path, names, times, values, hertz)
            self._outbox.write_beside(path, write, f"Sound, in which f = 1 is {hertz:.4g} Hz,")
        elif path is not None:
            header, columns = ("time", *names), (times, *values.T)
            self._outbox.write(path, lambda: write_table(path, header, columns), "Probe series")

    def save_monitor(self) -> None:
        """All that the monitor chosen in the panel has measured, as CSV."""
        running, panel = self._session.running, self._window.monitor_panel
        monitors, number = running.scene.monitors if running else (), panel.chosen_number
        if running is None or number is None or number >= len(monitors):
            remedy = "Place one with the probe tool (B): choose at the right what it measures."
            self._complain("there is no monitor to save data of", remedy)
            return
        monitor = monitors[number]
        if panel.has_nothing:
            text = f'monitor "{monitor.name}" has measured nothing yet'
            self._complain(text, "Let the wave run (Space).")
            return
        path = self._choose("Save data", f"_{file_part(monitor.name)}.csv", CSV_FILTER)
        if path is None:
            return

        def then(read: MonitorRead) -> None:
            result = read.result
            if result is None or result.name != monitor.name:
                self._complain(f'monitor "{monitor.name}" is gone', "Undo brings it back.")
                return
            write = partial(write_tables, path, monitor, result, system_of(running.scene))
            self._outbox.write_beside(path, write, "Data")

        self._session.solver.ask(Measure(number), then)

    def _choose(self, title: str, suffix: str, filters: str) -> Path | None:
        return self._outbox.choose(title, self._outbox.suggestion(suffix), filters)

    def _complain(self, text: str, remedy: str) -> None:
        self._editor.complain(WavelabError(text, remedy=remedy))
