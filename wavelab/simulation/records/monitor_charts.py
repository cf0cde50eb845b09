"""What monitors and probes have recorded, as figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.output.figures.axes import Axis
from wavelab.output.figures.chart import Chart, ChartCurve, span
from wavelab.output.figures.figure import Figure
from wavelab.output.figures.polar import PolarChart, far_field
from wavelab.output.figures.style import Style
from wavelab.output.palette import colorize, palette_on, surroundings
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.measuring.plots import (
    Gather,
    ModeSpectra,
    Polar,
    ResultPlot,
    Spectrum,
    TimeSeries,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import FREQUENCY, LENGTH, TIME, Scale, Written
from wavelab.scene.monitors import Monitor
from wavelab.scene.monitors.line import LineMonitor
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.scene.monitors.profile import profile
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.simulation.records.monitor_files import gather_limit, gather_pixels

#: What axes of numbers of a dimension are called, without units of the scene and with some.
_NAMES = {
    TIME: ("time t (length units / c)", "time t ({})"),
    FREQUENCY: ("frequency f (c / length unit)", "frequency f ({})"),
    LENGTH: ("along the line (length units)", "along the line ({})"),
}
#: Samples of a picture of receivers.
_GATHER = (600, 400)

Arrays = dict[str, NDArray]


def charts_of(
    monitor: Monitor, result: MonitorResult, scene: Scene, style: Style
) -> Iterator[tuple[str, Figure]]:
    """All that there is to plot of a monitor, each with what its file name ends with."""
    charts = _Charts(scene, style, monitor.name)
    for plot in monitor.plots:
        chart = charts.of(plot, result, monitor)
        if chart is not None:
            yield "_spectrum" if isinstance(plot, Spectrum) else "", chart


def probe_chart(
    scene: Scene, names: Sequence[str], times: Array, values: Array, style: Style
) -> Figure:
    """What the probes have recorded, ``values`` (n, p), over time (n,)."""
    charts = _Charts(scene, style, scene.title)
    curves = [(name, values[:, i]) for i, name in enumerate(names)]
    shown, recorded = system_of(scene).shown, {p.name: p.quantity for p in scene.probes}
    label = ", ".join(dict.fromkeys(shown[recorded[name]].symbol for name in names))
    return charts.over(TIME, times, curves, f"{label} at {names[0]}" if len(names) == 1 else label)


class _Charts:
    def __init__(self, scene: Scene, style: Style, title: str) -> None:
        self._scene, self._style, self._title = scene, style, title
        self._scale: Scale | None = scale_of(scene)

    def of(self, plot: ResultPlot, result: MonitorResult, monitor: Monitor) -> Figure | None:
        """None where there is nothing to plot."""
        arrays = result.arrays
        match plot:
            case TimeSeries(array, label) if len(arrays["time"]) > 1:
                return self.over(TIME, arrays["time"], [(label, arrays[array])], label)
            case Spectrum(array, label) if len(arrays.get("frequency", ())) > 1:
                order = np.argsort(f := arrays["frequency"])
                curves = [(label, arrays[array][order])]
                return self.over(FREQUENCY, f[order], curves, label, dots=True)
            case ModeSpectra() if len(arrays["frequency"]) > 1:
                return self._modes(arrays)
            case Polar():
                return self._polar(arrays)
            case Gather() if len(arrays["time"]) > 1 and len(arrays["along"]) > 1:
                assert isinstance(monitor, LineMonitor)
                return self._line(arrays, result, monitor)
        return None

    def over(
        self,
        dimension: str,
        places: Array,
        curves: Sequence[tuple[str, Array]],
        label: str,
        *,
        dots: bool = False,
    ) -> Chart:
        """Curves over times, frequencies or lengths."""
        axis, factor = self._axis(dimension, places)
        drawn = [
            ChartCurve(name, factor * places, values, i, dots=dots)
            for i, (name, values) in enumerate(curves)
        ]
        up = Axis(label, *span([values for _, values in curves]))
        return Chart(self._title, drawn, axis, up, self._style)

    def _axis(self, dimension: str, places: Array) -> tuple[Axis, float]:
        """An axis from the least to the largest place, and the factor into its unit."""
        low, high = float(places.min()), float(places.max())
        unit = None if self._scale is None else self._scale.unit(dimension, high)
        plain, in_unit = _NAMES[dimension]
        if unit is None:
            return Axis(plain, low, high), 1.0
        return Axis(in_unit.format(unit.name), unit.factor * low, unit.factor * high), unit.factor

    def _modes(self, arrays: Arrays) -> Chart:
        order = np.argsort(f := arrays["frequency"])
        curves = [
            (f"mode {m} {way}", np.abs(arrays[way][order, m]) ** 2)
            for m in range(arrays["index"].shape[1])
            for way in ("forward", "backward")
        ]
        return self.over(FREQUENCY, f[order], curves, "mean power", dots=True)

    def _polar(self, arrays: Arrays) -> PolarChart | None:
        field = far_field(arrays, Written(self._scale, "{:.3g}".format), decibels=True)
        return None if field is None else PolarChart(self._title, field, self._style)

    def _line(self, arrays: Arrays, result: MonitorResult, monitor: LineMonitor) -> Chart | None:
        """As the scene has it drawn: over time, or as a profile."""
        drawn, known = LINE_PLOTS[monitor.plot], profile(result)
        if not drawn.curves:
            return self._gather(arrays)
        if known is None:
            return None
        symbol = system_of(self._scene).in_words(QUANTITIES[monitor.quantity].short)
        curves: list[tuple[str, Array]] = []
        for curve in drawn.curves:
            values = curve.values(known)
            size = np.sqrt(2 * np.maximum(values, 0.0)) if curve.root else values
            curves.append((curve.named(symbol), size))
        return self.over(LENGTH, known.along, curves, curves[-1][0])

    def _gather(self, arrays: Arrays) -> Chart:
        """Time runs downwards, as seismologists draw it."""
        values = arrays["values"]
        palette = palette_on(self._style.ground, self._scene.view.palette)
        rgb = colorize(
            gather_pixels(values, *_GATHER), palette, gather_limit(values), surroundings(palette)
        )
        across, _ = self._axis(LENGTH, arrays["along"])
        down, factor = self._axis(TIME, arrays["time"])
        up = Axis(down.label, down.high, down.low)
        names = [f"receiver {i + 1}" for i in range(values.shape[1])]
        curves = [
            ChartCurve(name, factor * arrays["time"], values[:, i], i)
            for i, name in enumerate(names)
        ]
        return Chart(self._title, curves, across, up, self._style, rgb, places=down.label)
