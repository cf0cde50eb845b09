"""A plot of the window as a figure for a paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wavelab.app.base.qt import QtCore, QtGui
from wavelab.app.language.language import said
from wavelab.app.panels.plots.axes.charted import Charted
from wavelab.arrays import Array
from wavelab.output.figures import axes
from wavelab.output.figures.chart import Chart, ChartCurve
from wavelab.output.figures.drawing import Drawing
from wavelab.output.figures.figure import Figure
from wavelab.output.figures.style import Style
from wavelab.output.figures.svg import encoded_svg

if TYPE_CHECKING:
    from wavelab.app.panels.plots.axes.axis import Axis
    from wavelab.app.panels.plots.axes.curve import Curve

#: Ticks of axes that have others than round numbers.
_MOST = 8


@dataclass(frozen=True, eq=False)
class PlotFigure:
    """What is drawn, with the table of the plot itself."""

    chart: Chart
    names: list[str]
    columns: list[Array]

    @property
    def title(self) -> str:
        return self.chart.title

    def drawing(self) -> Drawing:
        return self.chart.drawing()

    def table(self) -> tuple[list[str], list[Array]]:
        return self.names, self.columns


def figure_of(plot: Charted, style: Style, title: str = "") -> PlotFigure:
    """What is on show, in the part that is, with the curves that were kept."""
    across, up = plot.across, plot.up
    # A picture is shown whole, whatever part of it is looked at.
    x, y = plot.home if plot.picture is not None else plot.viewRange()
    if plot.picture is None and plot.getViewBox().yInverted():
        y = y[::-1]
    curves = [_curve(curve, across, up, said(plot.named(curve))) for curve in plot.placed]
    chart = Chart(
        title, curves, _axis(across, *x), _axis(up, *y), style, plot.picture
    )  # fmt: skip
    return PlotFigure(chart, *plot.table())


def _axis(axis: Axis, low: float, high: float) -> axes.Axis:
    """In places of the plot; their ticks say what they stand for."""
    ticks = axis.ticks_between(min(low, high), max(low, high), _MOST)
    label = axis.label_text
    if axis.log:
        return axes.Axis(label, low, high, ticks=ticks)
    if axis.ticks_are_round:
        return axes.Axis(label, float(axis.in_unit(low)), float(axis.in_unit(high)))
    return axes.Axis(label, low, high, ticks=ticks)


def _curve(curve: Curve, across: Axis, up: Axis, name: str) -> ChartCurve:
    x, y = curve.along, curve.drawn
    if len(curve.signs) > 1:  # up and down, with a gap between
        x = np.concatenate([x, [math.nan], x])
        y = np.concatenate([y, [math.nan], -y])
    places = across.in_unit(x) if across.ticks_are_round and not across.log else x
    heights = up.in_unit(y) if up.ticks_are_round and not up.log else y
    return ChartCurve(name, places, heights, curve.colour, dots=curve.dots, kept=curve.kept)


def on_clipboard(figure: Figure, picture: QtGui.QImage) -> QtCore.QMimeData:
    """A picture for programs that paste pixels, and lines and letters for those that draw."""
    mime = QtCore.QMimeData()
    mime.setImageData(picture)
    mime.setData("image/svg+xml", encoded_svg(figure.drawing()))
    return mime


def table_text(names: list[str], columns: list[Array]) -> str:
    """With tabs between columns, for a spreadsheet."""
    rows = zip(*(column.tolist() for column in columns), strict=True)
    lines = ["\t".join(names), *("\t".join(map(repr, row)) for row in rows)]
    return "\n".join(lines) + "\n"
