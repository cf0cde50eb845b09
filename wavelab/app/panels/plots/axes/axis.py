"""An axis with round numbers, a grid of thin lines and what the numbers mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QColor, QFontMetricsF, QRectF
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.output.numbers import labelled_ticks, power_of_ten
from wavelab.scene.model.units import FREQUENCY, LENGTH, TIME, Unit

#: What an axis of such numbers is called: without units of the scene, and with some.
_NAMES = {
    TIME: ("time t (length units / c)", "time t ({unit})"),
    FREQUENCY: ("frequency f (c / length unit)", "frequency f ({unit})"),
    LENGTH: ("along the line (length units)", "along the line ({unit})"),
}
#: Pixels from tick to tick across, at least: a label of five figures has room.
_TICK_ROOM = 56
#: The longest label of a value axis.
WIDEST_LABEL = "\u22121.5\u00d710\u207b\u00b9\u2070"

#: From the ends of an axis and how many there may be: places, and what stands beside them.
Ticks = Callable[[float, float, int], list[tuple[float, str]]]


class Axis(pyqtgraph.AxisItem):
    """At the bottom or at the left of a plot.

    Parameters
    ----------
    side : "bottom" or "left".
    name : what the numbers mean, with a unit in parentheses.
    ticks : where there are any.
    stands_for : what a place along it, or an array of them, stands for.

    Attributes
    ----------
    unit : of the numbers that are shown, "" where they are the scene's own.
    log : whether places along it are logarithms of these.
    of_sizes : whether it shows sizes of numbers that have a sign.
    """

    def __init__(
        self,
        side: str,
        name: str = "",
        ticks: Ticks = labelled_ticks,
        stands_for: Callable[[Any], Any] = lambda place: place,
    ) -> None:
        self.ticks, self.text, self._stands_for = ticks, name, stands_for
        self.unit, self._factor = "", 1.0
        self.log = self.of_sizes = False
        self._labels: dict[float, str] = {}
        self._metrics = QFontMetricsF(tabular_font(8))
        # In whole pixels, as the letters may be drawn.
        self.label_width = math.ceil(self._metrics.horizontalAdvance(WIDEST_LABEL))
        super().__init__(side, maxTickLength=0)
        self.enableAutoSIPrefix(False)
        self.setTickFont(tabular_font(8))
        self.label.setFont(tabular_font(8))
        self.setGrid(255)
        row = self._metrics.height()
        if side == "left":
            self.setWidth(self.label_width + row + GRID)
        else:
            self.setHeight(2 * row + GRID)
        self.resizeEvent()

    def name(self, text: str, ticks: Ticks = labelled_ticks) -> None:
        """Another meaning of the numbers."""
        self._mean(text, ticks, None)

    def measure(self, dimension: str, far: float) -> None:
        """Times, frequencies or lengths along a line, up to ``far``, in units of the scene."""
        usual, in_unit = _NAMES[dimension]
        unit = measures.unit(dimension, far)
        self._mean(tr(usual) if unit is None else tr(in_unit, unit=unit.name), labelled_ticks, unit)

    @property
    def can_be_log(self) -> bool:
        """Whether its numbers are not angles, names or logarithms already."""
        return self.ticks is labelled_ticks and self._stands_for(2.0) == 2.0

    @property
    def ticks_are_round(self) -> bool:
        """Whether they are round numbers of what places stand for."""
        return self.can_be_log or self.ticks is degrees

    @property
    def label_text(self) -> str:
        """What stands beside it."""
        text = said(self.text)
        if not self.of_sizes:
            return text
        name, bracket, unit = text.partition(" (")
        return f"|{name}|{bracket}{unit}" if name.strip("|") == name else text

    def set_log(self, log: bool, *, of_sizes: bool = False) -> None:
        """Places are logarithms of numbers from now on, or these."""
        if (log, of_sizes) != (self.log, self.of_sizes):
            self.log, self.of_sizes = log, of_sizes
            self._redraw()

    def place(self, number: Any) -> Any:
        """Where a number of the scene, or an array of them, lies; nan where that is nowhere."""
        if not self.log:
            return number
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.where(np.asarray(number) > 0, np.log10(number), math.nan)
        return found if found.ndim else float(found)

    def number(self, place: float) -> float:
        """The number of the scene that lies at a place."""
        return 10.0**place if self.log else place

    def value(self, place: Any) -> Any:
        """What a place, or an array of them, stands for, in the unit that is shown."""
        return self.in_unit(10.0**place if self.log else place)

    def in_unit(self, number: Any) -> Any:
        """The same of a number of the scene."""
        found = self._stands_for(number)
        return found if self._factor == 1.0 else self._factor * found

    def written(self, value: float) -> str:
        """One of these values."""
        return f"{three_figures(value)} {self.unit}".rstrip()

    def _mean(self, text: str, ticks: Ticks, unit: Unit | None) -> None:
        name, factor = (unit.name, unit.factor) if unit is not None else ("", 1.0)
        if (text, ticks, factor) != (self.text, self.ticks, self._factor):
            self.text, self.ticks, self.unit, self._factor = text, ticks, name, factor
            self._redraw()

    def _redraw(self) -> None:
        self.resizeEvent()
        self.picture = None  # of the ticks, which pyqtgraph keeps
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self.setPen(theme.border)
        self.setTickPen(theme.border)
        self.setTextPen(theme.muted)
        self.label.setDefaultTextColor(QColor(theme.muted))
        self.label.show()
        self.resizeEvent()

    # pyqtgraph

    def boundingRect(self) -> QRectF:
        """With room beside it for the labels at its ends."""
        return super().boundingRect().adjusted(-2 * GRID, -GRID, 2 * GRID, GRID)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.orientation == "bottom":
            most = max(2, int(size / _TICK_ROOM))
        else:
            most = 4 if size > 10 * GRID else 2
        self._labels = dict(self.ticks_between(min(low, high), max(low, high), most))
        return [(1.0, list(self._labels))]

    def ticks_between(self, low: float, high: float, most: int) -> list[tuple[float, str]]:
        """Places between two of them, and what is written there."""
        factor = self._factor
        if self.log:
            shift = math.log10(factor)
            return [(at - shift, text) for at, text in decades(low + shift, high + shift, most)]
        return [(at / factor, text) for at, text in self.ticks(factor * low, factor * high, most)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self._labels[value] for value in values]

    def resizeEvent(self, event: object = None) -> None:
        size = self.size()
        room = size.width() if self.orientation == "bottom" else size.height()
        self.label.setPlainText(fitting(self._metrics, self.label_text, room))
        super().resizeEvent(event)


def fitting(metrics: QFontMetricsF, label: str, width: float) -> str:
    """The label, without the unit in parentheses if there is no room for it."""
    return label if metrics.horizontalAdvance(label) <= width else label.partition(" (")[0]


def degrees(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Multiples of 45."""
    if high - low < 90:
        return labelled_ticks(low, high, most)
    step = 45 * math.ceil((high - low) / (45 * most))
    first, last = math.ceil(low / step), math.floor(high / step)
    return [(float(step * i), f"{step * i:g}") for i in range(first, last + 1)]


def decades(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Of an axis of logarithms: powers of ten, with 2 and 5 times them where there is room."""
    if high - low < 0.5:
        return [(at, f"10^{label}") for at, label in labelled_ticks(low, high, most)]
    every = math.ceil((high - low) / most)
    mantissas = (1, 2, 5) if 3 * (high - low) <= most + 2 else (1,)
    found = []
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        if exponent % every:
            continue
        for mantissa in mantissas:
            at = exponent + math.log10(mantissa)
            label = power_of_ten(exponent)
            if low <= at <= high:
                found.append((at, label if mantissa == 1 else f"{mantissa}\u00d7{label}"))
    return found
