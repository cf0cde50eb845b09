"""The monitors of the scene: which one is looked at, its numbers and its plot."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.buttons import action_button, switch
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.scrolled import scrolling
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.panels.plots.monitor_plot import MonitorPlot
from wavelab.app.panels.plots.polar_plot import PolarPlot
from wavelab.app.panels.plots.profile_plot import ProfilePlot
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.measuring.plots import Polar, ResultPlot, Spectrum
from wavelab.scene.monitors import MONITORS, LineMonitor, Monitor
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.scene.monitors.profile import profile
from wavelab.scene.view.quantities import QUANTITIES, maps_of

EMPTY = (
    "No monitors in this scene. The probe tool (B) places one: choose at the right what it "
    "measures, such as the power through a line, a far field or an amplitude map."
)
MAP = "A map: \u201cShow map\u201d puts it on the canvas."


class MonitorPanel(QtWidgets.QWidget):
    """Emits ``watched(number)`` when another monitor is to be looked at, None for none, and
    ``map_wished(quantity, name, number)`` when one is to be shown on the canvas
    at the frequency of that number, ``taken(name)`` when the user chose one, and
    ``plot_wished(name, plot)`` with another way to draw a line of receivers.

    Parameters
    ----------
    actions : put below the numbers as buttons, in this order.
    """

    watched = Signal(object)
    map_wished = Signal(str, str, int)
    taken = Signal(str)
    plot_wished = Signal(str, str)

    def __init__(self, theme: Theme, actions: tuple[QtWidgets.QAction, ...] = ()) -> None:
        super().__init__()
        self.plot = MonitorPlot(theme)
        self.plot.empty_text = EMPTY
        self.profile = ProfilePlot(theme)
        self.chooser = QtWidgets.QComboBox()
        self.chooser.setToolTip(tr("The monitor to look at"))
        self.numbers = muted_label()
        self.numbers.setFont(tabular_font(9))
        self.map = QtWidgets.QPushButton(tr("Show map"))
        self.map.setToolTip(tr("Show it on the canvas in place of the field"))
        self.quantity = QtWidgets.QComboBox()
        self.quantity.setToolTip(tr("What of it is shown on the canvas"))
        self.frequency = QtWidgets.QComboBox()
        self.frequency.setToolTip(tr("The frequency of which the map is shown"))
        self.drawn = QtWidgets.QComboBox()
        self.drawn.addItems([tr(plot.label) for plot in LINE_PLOTS.values()])
        self.drawn.setToolTip(tr("How it is drawn, which the scene file keeps"))
        self.decibels = switch("Decibels", "A logarithmic scale: decibels below the largest")
        self.decibels.setChecked(self.plot.decibels)
        self.decibels.toggled.connect(self._draw_again)
        self.spectral = switch("Spectrum", "Mean power at each frequency, not over time")
        self.spectral.toggled.connect(self._draw_again)
        self._seen = False
        self._monitors: tuple[Monitor, ...] = ()
        self._result: MonitorResult | None = None
        buttons = row(self.map, self.decibels, self.spectral, *map(action_button, actions))
        side = QtWidgets.QWidget()
        column(
            self.chooser, self.quantity, self.frequency, self.drawn,
            (scrolling(self.numbers), 1), buttons, on=side, margins=(1, 1, 0.5, 1),
        )  # fmt: skip
        side.setFixedWidth(28 * GRID)
        parts = (side, (self.plot, 1), (self.profile, 1))
        row(*parts, on=self, margins=(1, 0, 0, 0), spacing=0)
        self.chooser.currentIndexChanged.connect(self._chosen)
        self.chooser.activated.connect(lambda number: self.taken.emit(self._monitors[number].name))
        self.map.clicked.connect(self._wish_map)
        self.quantity.activated.connect(self._wish_map)
        self.frequency.activated.connect(self._wish_map)
        self.drawn.activated.connect(self._wish_plot)
        self._refresh()

    def show_monitors(self, monitors: tuple[Monitor, ...]) -> bool:
        """Those of the running scene; whether one is among them that was not there before, which
        is then looked at."""
        if monitors == self._monitors:
            return False
        names, old = [m.name for m in monitors], [m.name for m in self._monitors]
        before = self.chooser.currentIndex()
        new = [number for number, name in enumerate(names) if name not in old]
        if new:
            chosen = new[-1] if old else 0
        elif before >= 0 and old[before] in names:
            chosen = names.index(old[before])
        else:
            chosen = min(before, len(monitors) - 1)
        same = [m.as_measured for m in monitors] == [m.as_measured for m in self._monitors]
        self._monitors = monitors
        if same:
            self._show_drawn()  # what was measured stays
            return False
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for monitor in monitors:
            self.chooser.addItem(f"{monitor.name} ({tr(monitor.label)})")
        self.chooser.setCurrentIndex(chosen)
        self.chooser.blockSignals(False)
        self._chosen()
        return bool(new)

    @property
    def plots(self) -> tuple[Plot | PolarPlot, ...]:
        """All that can be drawn."""
        return self.plot.curves, self.plot.polar, self.profile

    @property
    def chosen_number(self) -> int | None:
        """The monitor that is chosen; None if there is none."""
        number = self.chooser.currentIndex()
        return number if number >= 0 else None

    @property
    def watched_number(self) -> int | None:
        """The monitor that is looked at; None if there is none, or nobody sees it."""
        return self.chosen_number if self._seen else None

    @property
    def has_nothing(self) -> bool:
        """Whether the chosen monitor is known to have measured nothing yet."""
        return self._result is not None and is_empty(self._result)

    def choose(self, name: str) -> None:
        """Look at another monitor, if it is one of the running scene."""
        names = [monitor.name for monitor in self._monitors]
        if name in names:
            self.chooser.setCurrentIndex(names.index(name))

    def show_result(self, result: MonitorResult) -> None:
        """What a monitor has measured; that of another one than is looked at is passed over."""
        number = self.chooser.currentIndex()
        if number < 0 or result.name != self._monitors[number].name:
            return
        self._result = result
        if MONITORS[result.kind] is LineMonitor:
            self.profile.show_profile(profile(result))
        self.numbers.setText(said(numbers_of(result)))
        several = len(result.arrays.get("frequency", ())) > 1
        self.spectral.setVisible(several and self._is_drawn_as(Spectrum))
        self.plot.show_result(result)

    def show_units(self) -> None:
        """Times, frequencies and lengths are in other units from now on."""
        result, frequency = self._result, self.frequency.currentIndex()
        self._refresh()
        self.frequency.setCurrentIndex(frequency)
        if result is not None:
            self.show_result(result)

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)
        self.profile.set_theme(theme)

    def set_palette(self, name: str) -> None:
        """Of fields with a sign."""
        self.plot.palette = name
        self.plot.refresh()

    def set_seen(self, seen: bool) -> None:
        """Whether anybody sees the panel, which Qt calls visible behind another tab as well."""
        self._seen = seen
        self.watched.emit(self.watched_number)

    @property
    def _monitor(self) -> Monitor | None:
        """The one that is chosen."""
        return None if self.chosen_number is None else self._monitors[self.chosen_number]

    def _is_drawn_as(self, plot: type[ResultPlot]) -> bool:
        drawn = () if self._monitor is None else self._monitor.plots
        return any(isinstance(known, plot) for known in drawn)

    @property
    def chosen_line(self) -> LineMonitor | None:
        """The monitor that is chosen, if it is a line of receivers."""
        return self._monitor if isinstance(self._monitor, LineMonitor) else None

    def _wish_plot(self, index: int) -> None:
        if (line := self.chosen_line) is not None:
            self.plot_wished.emit(line.name, list(LINE_PLOTS)[index])

    def _show_drawn(self) -> None:
        """A line of receivers the way the scene says."""
        line = self.chosen_line
        self.drawn.setVisible(line is not None)
        along = line is not None and bool(LINE_PLOTS[line.plot].curves)
        if line is not None:
            self.drawn.setCurrentIndex(list(LINE_PLOTS).index(line.plot))
            self.profile.begin(tr(QUANTITIES[line.quantity].short), LINE_PLOTS[line.plot])
        self.profile.setVisible(along)
        self.plot.setVisible(not along)

    def _wish_map(self, *_: object) -> None:
        if self._monitor is not None and (maps := maps_of(self._monitor)):
            quantity = maps[max(0, self.quantity.currentIndex())]
            frequency = max(0, self.frequency.currentIndex())
            self.map_wished.emit(quantity, self._monitor.name, frequency)

    def _chosen(self, *_: int) -> None:
        self._refresh()
        self.watched.emit(self.watched_number)

    def _refresh(self) -> None:
        monitor = self._monitor
        maps = () if monitor is None else maps_of(monitor)
        is_map = bool(maps)
        self.quantity.clear()
        self.quantity.addItems([tr(QUANTITIES[name].label) for name in maps])
        self.quantity.setVisible(len(maps) > 1)
        self.map.setVisible(is_map)
        transform = monitor.transform if monitor is not None and is_map else None
        frequencies = transform.frequencies if transform is not None else ()
        self.frequency.clear()
        self.frequency.addItems(
            [tr("at f = {f}", f=measures.written().asked(f)) for f in frequencies]
        )
        self.frequency.setVisible(len(frequencies) > 1)
        self.decibels.setVisible(self._is_drawn_as(Polar))
        self.profile.forget()
        self._show_drawn()
        self.spectral.setVisible(False)
        self._result = None
        self.chooser.setVisible(bool(self._monitors))
        self.numbers.setText("")
        self.plot.empty_text = EMPTY if not self._monitors else ""
        if is_map:
            self.plot.empty_text = MAP
        self.plot.begin = getattr(monitor, "begin", 0.0)
        self.plot.show_result(None)

    def _draw_again(self, *_: bool) -> None:
        self.plot.decibels = self.decibels.isChecked()
        self.plot.spectral = self.spectral.isChecked()
        self.plot.draw_again()


def is_empty(result: MonitorResult) -> bool:
    """Whether nothing was recorded or summed up."""
    if "time" in result.arrays:
        return not len(result.arrays["time"])
    return not result.numbers["duration"] > 0


def numbers_of(result: MonitorResult) -> str:
    """The few numbers that go beside the plot, one a line."""
    lines = MONITORS[result.kind].told(result, measures.written())
    if "duration" in result.numbers:
        lines.append(f"Summed up over {measures.time(result.numbers['duration'])}")
    return "\n".join(lines)
