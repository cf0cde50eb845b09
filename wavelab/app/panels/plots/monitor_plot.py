"""What one monitor has measured, drawn as suits its kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base import measures
from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QColor, QtGui, QtWidgets
from wavelab.app.base.theme import Theme
from wavelab.app.panels.plots.axes.axis import Axis, degrees
from wavelab.app.panels.plots.axes.curve import Array, Curve
from wavelab.app.panels.plots.axes.plot import Interval, Plot
from wavelab.app.panels.plots.polar_plot import PolarPlot
from wavelab.output.figures.polar import far_field
from wavelab.output.palette import DEFAULT_DIVERGING, colorize
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.measuring.plots import (
    Gather,
    ModeSpectra,
    Polar,
    ResultPlot,
    Spectrum,
    TimeSeries,
)
from wavelab.scene.model.units import FREQUENCY, LENGTH, TIME
from wavelab.scene.monitors import MONITORS
from wavelab.simulation.records.monitor_files import gather_limit, gather_pixels

#: Samples of a gather.
_GATHER = (400, 240)
#: Wide enough for a plot over the angle beside the polar one, in heights.
_BESIDE = 2.4
_ANY = 16777215  #: the greatest width that Qt knows


class MonitorPlot(QtWidgets.QWidget):
    """Power or energy over time, receivers as a gather, a far field as a polar plot and, where
    there is room beside it, over the angle.

    Attributes
    ----------
    empty_text : what is said where there is nothing to draw.
    begin : when the monitor begins to sum up.
    decibels : whether far fields are drawn on a logarithmic scale.
    spectral : whether a power is drawn over the frequency if there are several.
    palette : of a gather, one for fields with a sign.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: MonitorResult | None = None
        self.empty_text = ""
        self.begin = 0.0
        self.decibels = True
        self.spectral = False
        self.palette = DEFAULT_DIVERGING
        self.curves = Plot(theme, Axis("bottom"), Axis("left"))
        self.polar = PolarPlot(theme, self.curves.color)
        row((self.polar, 1), (self.curves, 1), on=self, spacing=0)
        self.refresh()

    def show_result(self, result: MonitorResult | None) -> None:
        """What is drawn from now on."""
        if result is None or self._result is None or result.name != self._result.name:
            self.curves.forget()
        self._result = result
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.polar.set_theme(theme)
        self.curves.set_theme(theme)
        self.refresh()

    def color(self, index: int) -> QColor:
        """Of frequency number ``index``."""
        return self.curves.color(index)

    def draw_again(self) -> None:
        """In another way, in which nothing has been moved."""
        self.curves.forget()
        self.refresh()

    def refresh(self) -> None:
        """What is known, as the attributes say."""
        self._arrange(polar=False)
        arrays = self._result.arrays if self._result is not None else {}
        match self._drawn():
            case Spectrum(array, label):
                self._over_frequency(arrays["frequency"], arrays[array], label)
            case TimeSeries(array, label):
                self._over_time(arrays["time"], arrays[array], label)
            case Gather():
                self._gather(arrays)
            case Polar():
                self._far_field(arrays)
            case ModeSpectra():
                self._modes(arrays)
            case None:
                self.curves.say(self.empty_text)

    def _drawn(self) -> ResultPlot | None:
        """The first way to draw the result, or its spectrum; None if there is nothing to draw."""
        if self._result is None:
            return None
        plots = MONITORS[self._result.kind].plots
        if self.spectral and len(self._result.arrays.get("frequency", ())) > 1:
            plots = tuple(plot for plot in plots if isinstance(plot, Spectrum)) or plots
        return plots[0] if plots else None

    def _over_time(self, times: Array, values: Array, label: str) -> None:
        if len(times) < 2:
            self.curves.say("Nothing measured yet.")
            return
        across = (float(times[0]), float(times[-1]))
        self.curves.across.measure(TIME, across[1])
        self.curves.up.name(label)
        self.curves.show_curves([Curve(label, times, values, 0)], across, _padded(values))

    def _over_frequency(self, frequencies: Array, values: Array, label: str) -> None:
        """A dot for each frequency, joined by straight lines."""
        order = np.argsort(frequencies)
        f, p = frequencies[order], values[order]
        margin = 0.03 * float(f[-1] - f[0])
        self.curves.across.measure(FREQUENCY, float(f[-1]))
        self.curves.up.name(label)
        across = (float(f[0]) - margin, float(f[-1]) + margin)
        self.curves.show_curves([Curve(label, f, p, 0, dots=True)], across, _padded(p))

    def _modes(self, arrays: dict[str, NDArray]) -> None:
        order = np.argsort(f := arrays["frequency"])
        if len(order) < 2:
            self.curves.say("One frequency is no spectrum: its powers stand beside the plot.")
            return
        curves = [
            Curve(f"mode {m} {way}", f[order], abs(arrays[way][order, m]) ** 2, number, dots=True)
            for number, (m, way) in enumerate(
                (m, way) for m in range(arrays["index"].shape[1]) for way in ("forward", "backward")
            )
        ]
        margin = 0.03 * float(np.ptp(f))
        self.curves.across.measure(FREQUENCY, float(f.max()))
        self.curves.up.name("mean power")
        across = (float(f.min()) - margin, float(f.max()) + margin)
        every = np.concatenate([curve.smooth for curve in curves])
        self.curves.show_curves(curves, across, _padded(every))

    def _gather(self, arrays: dict[str, NDArray]) -> None:
        times, values, along = arrays["time"], arrays["values"], arrays["along"]
        if len(times) < 2 or len(along) < 2:
            self.curves.say("Nothing recorded yet, or a single receiver.")
            return
        pixels, limit = gather_pixels(values, *_GATHER), gather_limit(values)
        quiet = QColor(self._theme.window)
        outside = (quiet.red(), quiet.green(), quiet.blue())
        self.curves.across.measure(LENGTH, float(along[-1]))
        self.curves.up.measure(TIME, float(times[-1]))
        # Time runs downwards, as seismologists draw it.
        self.curves.show_image(
            colorize(pixels, self.palette, limit, outside),
            (0.0, float(along[-1])), (float(times[-1]), float(times[0])),
        )  # fmt: skip

    def _far_field(self, arrays: dict[str, NDArray]) -> None:
        field = far_field(arrays, measures.written(), decibels=self.decibels)
        if field is None:
            begin = measures.time(self.begin, "{:g}".format)
            until = f" It begins at t = {begin}." if self.begin > 0 else ""
            self.curves.say(f"Nothing summed up yet.{until}")
            return
        self._arrange(polar=True)
        self.polar.show_field(field)
        self.curves.across.name("direction (degrees from the x axis)", degrees)
        self.curves.up.name(field.unit)
        curves = [
            Curve(name, field.angle, size, i)
            for i, (name, size) in enumerate(zip(field.names, field.size, strict=True))
        ]
        self.curves.show_curves(curves, (0.0, 360.0), (field.low, field.high))

    def _arrange(self, *, polar: bool) -> None:
        """The polar plot has as much room as it needs where there is any beside it."""
        beside = self.width() > _BESIDE * self.height()
        self.polar.setVisible(polar)
        self.curves.setVisible(beside or not polar)
        self.polar.setMaximumWidth(round(1.6 * self.height()) if beside else _ANY)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._arrange(polar=not self.polar.isHidden())


def _padded(values: Array) -> Interval:
    """From the least to the greatest value and 0, and a little further."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    room = 0.06 * ((high - low) or 1.0)
    return low - room * (low < 0), high + room
