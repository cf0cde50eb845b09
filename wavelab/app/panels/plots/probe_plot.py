"""The plot of what the probes record: Ez over simulated time."""

from __future__ import annotations

from wavelab.app.base.numbers import rounded_up
from wavelab.app.base.qt import QtGui
from wavelab.app.base.theme import Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.levels import FAINTEST, counted_in_decibels, levels
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Interval, Plot
from wavelab.app.panels.plots.spectrum import amplitude_spectrum, shown_band
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.scene.model.units import FREQUENCY, TIME

#: What one notch of the wheel multiplies the span of the time axis by.
_ZOOM = 1.25


class ProbePlot(Plot):
    """Scrolls along with the newest sample until somebody moves it; the wheel changes the time
    shown.

    Attributes
    ----------
    span : simulated time from the left edge to the right.
    floor : least half height of the value axis; what is smaller is rounding and looks like rest.
    empty_text : what an empty plot says.
    spectral : whether the spectra of the series are drawn in their place.
    """

    def __init__(self, probe_series: ProbeSeries, theme: Theme) -> None:
        self.probe_series = probe_series
        self.span = 10.0
        self.floor = 0.0
        self.spectral = False
        self.empty_text = "No probes yet. Press B and click into the field to record it there."
        super().__init__(theme, Axis("bottom"), Axis("left", tr("Ez")), legend=False)
        self.refresh()

    def show_spectra(self, spectral: bool) -> None:
        """Draw spectra, or the series."""
        self.spectral = spectral
        self.forget()
        self.refresh()

    def limits(self) -> tuple[float, float, float]:
        """Start and end of the time axis, and half the height of the value axis."""
        (start, end), (_, height) = self.viewRange()
        return start, end, height

    def refresh(self) -> None:
        """There are new samples, or other probes."""
        series = self.probe_series
        if not series.names:
            self.say(self.empty_text)
        elif self.spectral:
            self._show_spectra()
        else:
            across = self._following()
            self.across.measure(TIME, across[1])
            self.up.name(tr("Ez"))
            curves = [
                Curve(name, series.times, series.values[:, i], i)
                for i, name in enumerate(series.names)
            ]
            if (series.times[-1:] < self.across.number(self.viewRange()[0][0])).any():
                self.forget()  # the wave has begun afresh
            low, high = series.times.searchsorted(across).tolist()
            largest = float(abs(series.values[max(0, low - 1) : high + 1]).max(initial=0.0))
            height = rounded_up(max(largest, self.floor)) if largest > 0 else 1.0
            self.show_curves(curves, across, (-height, height))

    def _following(self) -> Interval:
        times = self.probe_series.times
        end = float(times[-1]) if len(times) else 0.0
        start = max(end - self.span, float(times[0]) if len(times) else 0.0)
        return start, start + self.span

    def _show_spectra(self) -> None:
        series = self.probe_series
        frequencies, amplitudes = amplitude_spectrum(series.times, series.values)
        largest = float(amplitudes.max(initial=0.0))
        if not largest > 0:
            self.say("Too little recorded for a spectrum.")
            return
        highest = shown_band(frequencies, amplitudes)
        self.across.measure(FREQUENCY, highest)
        if counted_in_decibels():
            name, heights, up = tr("Level (dB)"), levels(amplitudes, largest), (FAINTEST, 0.0)
        else:
            name, heights, up = tr("|Ez|"), amplitudes, (0.0, rounded_up(largest))
        self.up.name(name)
        curves = [Curve(name, frequencies, heights[:, i], i) for i, name in enumerate(series.names)]
        self.show_curves(curves, (0.0, highest), up)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if self.moved or self.spectral:
            super().wheelEvent(event)
            return
        self.span *= _ZOOM ** (-event.angleDelta().y() / 120)
        self.span = min(max(self.span, 1e-9), 1e9)
        self.refresh()
        event.accept()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
