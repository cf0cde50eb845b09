"""The monitors of the scene: which one is looked at, its numbers and its plot."""

from __future__ import annotations

from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.panels.fields.section import muted_label
from wavelab.app.panels.plots.monitor_plot import MonitorPlot
from wavelab.app.panels.plots.profile_plot import ProfilePlot
from wavelab.scene.model.monitors import (
    FieldMonitor,
    LineMonitor,
    Monitor,
    as_measured,
    monitor_kind,
)
from wavelab.simulation.records.monitor_records import MonitorResult
from wavelab.simulation.records.profiles import profile

EMPTY = (
    "No monitors in this scene. The probe tool (B) places one: choose at the right what it "
    "measures, such as the power through a line, a far field or an amplitude map."
)
MAP = "A map: \u201cShow map\u201d puts it on the canvas."
#: What each kind is called.
KINDS = {
    "line": "receivers",
    "flux": "power",
    "energy": "energy",
    "field": "amplitude map",
    "intensity": "mean intensity",
    "far_field": "far field",
}
#: How a line of receivers is drawn, in the words of the list.
PLOT_LABELS = {
    "gather": "Over time, downwards",
    "profile": "Profile: field, amplitude",
    "intensity": "Profile: mean square",
}
#: Views that show a monitor on the canvas.
_MAPS = {"field": "amplitude", "intensity": "intensity"}


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
        self.chooser.setToolTip("The monitor to look at")
        self.numbers = muted_label()
        self.numbers.setFont(tabular_font(9))
        self.map = QtWidgets.QPushButton("Show map")
        self.map.setToolTip("Show it on the canvas in place of the field")
        self.frequency = QtWidgets.QComboBox()
        self.frequency.setToolTip("The frequency of which the map is shown")
        self.drawn = QtWidgets.QComboBox()
        self.drawn.addItems(list(PLOT_LABELS.values()))
        self.drawn.setToolTip("How it is drawn, which the scene file keeps")
        self.decibels = _switch("Decibels", "A logarithmic scale: decibels below the largest")
        self.decibels.setChecked(self.plot.decibels)
        self.decibels.toggled.connect(self._draw_again)
        self.spectral = _switch("Spectrum", "Mean power at each frequency, not over time")
        self.spectral.toggled.connect(self._draw_again)
        self._seen = False
        self._monitors: tuple[Monitor, ...] = ()
        self._result: MonitorResult | None = None
        side = QtWidgets.QVBoxLayout()
        side.setSpacing(GRID)
        side.setContentsMargins(GRID, GRID, GRID // 2, GRID)
        side.addWidget(self.chooser)
        side.addWidget(self.frequency)
        side.addWidget(self.drawn)
        scroll = QtWidgets.QScrollArea()
        scroll.setWidget(self.numbers)
        scroll.setWidgetResizable(True)
        scroll.setMinimumHeight(4 * GRID)
        side.addWidget(scroll, 1)
        buttons = QtWidgets.QHBoxLayout()
        buttons.setSpacing(GRID)
        for button in (self.map, self.decibels, self.spectral):
            buttons.addWidget(button)
        for action in actions:
            save = QtWidgets.QToolButton()
            save.setDefaultAction(action)
            save.setToolButtonStyle(Qt.ToolButtonTextBesideIcon)
            save.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Fixed)
            buttons.addWidget(save)
        side.addLayout(buttons)
        column = QtWidgets.QWidget()
        column.setLayout(side)
        column.setFixedWidth(28 * GRID)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(column)
        row.addWidget(self.plot, 1)
        row.addWidget(self.profile, 1)
        self.chooser.currentIndexChanged.connect(self._chosen)
        self.chooser.activated.connect(lambda number: self.taken.emit(self._monitors[number].name))
        self.map.clicked.connect(self._wish_map)
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
        same = [*map(as_measured, monitors)] == [*map(as_measured, self._monitors)]
        self._monitors = monitors
        if same:
            self._show_drawn()  # what was measured stays
            return False
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for monitor in monitors:
            self.chooser.addItem(f"{monitor.name} ({KINDS[monitor_kind(monitor)]})")
        self.chooser.setCurrentIndex(chosen)
        self.chooser.blockSignals(False)
        self._chosen()
        return bool(new)

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
        if result.kind == "line":
            self.profile.show_profile(profile(result))
        self.numbers.setText(numbers_of(result))
        several = len(result.arrays.get("frequency", ())) > 1
        self.spectral.setVisible(result.kind == "flux" and several)
        self.plot.show_result(result)

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

    def _kind(self) -> str:
        number = self.chooser.currentIndex()
        return monitor_kind(self._monitors[number]) if number >= 0 else ""

    @property
    def chosen_line(self) -> LineMonitor | None:
        """The monitor that is chosen, if it is a line of receivers."""
        number = self.chosen_number
        monitor = self._monitors[number] if number is not None else None
        return monitor if isinstance(monitor, LineMonitor) else None

    def _wish_plot(self, index: int) -> None:
        if (line := self.chosen_line) is not None:
            self.plot_wished.emit(line.name, list(PLOT_LABELS)[index])

    def _show_drawn(self) -> None:
        """A line of receivers the way the scene says."""
        line = self.chosen_line
        self.drawn.setVisible(line is not None)
        along = line is not None and line.plot != "gather"
        if line is not None:
            self.drawn.setCurrentIndex(list(PLOT_LABELS).index(line.plot))
            self.profile.begin(line.quantity, squared=line.plot == "intensity")
        self.profile.setVisible(along)
        self.plot.setVisible(not along)

    def _wish_map(self, *_: object) -> None:
        number = self.chosen_number
        if number is not None:
            monitor, frequency = self._monitors[number], max(0, self.frequency.currentIndex())
            self.map_wished.emit(_MAPS[monitor_kind(monitor)], monitor.name, frequency)

    def _chosen(self, *_: int) -> None:
        self._refresh()
        self.watched.emit(self.watched_number)

    def _refresh(self) -> None:
        is_map = self._kind() in _MAPS
        self.map.setVisible(is_map)
        number = self.chosen_number
        monitor = self._monitors[number] if number is not None else None
        frequencies = monitor.frequencies if isinstance(monitor, FieldMonitor) else ()
        self.frequency.clear()
        self.frequency.addItems([f"at f = {f:g}" for f in frequencies])
        self.frequency.setVisible(len(frequencies) > 1)
        self.decibels.setVisible(self._kind() == "far_field")
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
    if "duration" in result.numbers and result.kind != "flux":
        return not result.numbers["duration"] > 0
    return not len(result.arrays["time"])


def _switch(text: str, tip: str) -> QtWidgets.QToolButton:
    button = QtWidgets.QToolButton()
    button.setText(text)
    button.setCheckable(True)
    button.setToolTip(tip)
    button.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Fixed)
    return button


def numbers_of(result: MonitorResult) -> str:
    """The few numbers that go beside the plot, one a line."""
    lines = []
    arrays = result.arrays

    def per_frequency(what: str, key: str) -> None:
        for f, value in zip(arrays["frequency"], arrays[key], strict=True):
            lines.append(f"{what} at {f:g}: {three_figures(float(value))}")

    match result.kind:
        case "flux":
            if len(arrays["power"]):
                lines.append(f"Power now: {three_figures(float(arrays['power'][-1]))}")
            lines.append(f"Energy so far: {three_figures(result.numbers['energy'])}")
            if "frequency" in arrays:
                per_frequency("Mean power", "mean_power")
        case "far_field":
            per_frequency("Radiated", "power")
            for f, size in zip(arrays["frequency"], abs(arrays["pattern"]), strict=True):
                most = size.argmax()
                peak = three_figures(float(size[most]))
                lines.append(f"|F| at {f:g}: {peak} at {arrays['angle'][most]:g}\u00b0")
        case "energy" if len(arrays["energy"]):
            lines.append(f"Energy now: {three_figures(float(arrays['energy'][-1]))}")
        case "line":
            if (found := profile(result)) is not None and found.frequency is not None:
                lines.append(f"Strongest f: {three_figures(found.frequency)}")
                lines.append(f"Mean over t: {three_figures(found.duration)}")
            lines.append(f"{len(arrays['along'])} receivers")
        case "field":
            for f, ez in zip(arrays["frequency"], arrays["ez"], strict=True):
                lines.append(f"|Ez| at {f:g} up to {three_figures(float(abs(ez).max()))}")
        case "intensity":
            lines.append(f"Mean Ez\u00b2 up to {three_figures(float(arrays['mean_square'].max()))}")
    if "duration" in result.numbers:
        lines.append(f"Summed up over {three_figures(result.numbers['duration'])}")
    return "\n".join(lines)
