"""What others ask of a plot: its figure, its menu, and what keys do with its curves."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.theme import Theme
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.kept import KeptCurves
from wavelab.app.panels.plots.axes.on_axes import Interval
from wavelab.arrays import Array
from wavelab.output.figures.figure import Figure
from wavelab.output.figures.style import Style


class Charted(Protocol):
    """A :class:`wavelab.app.panels.plots.axes.plot.Plot`."""

    across: Axis
    up: Axis
    theme: Theme
    kept: KeptCurves
    curves: tuple[Curve, ...]
    placed: tuple[Curve, ...]
    picture: NDArray[np.uint8] | None
    home: tuple[Interval, Interval]
    save_wished: Any
    figure_wished: Any

    def table(self) -> tuple[list[str], list[Array]]: ...
    def figure(self, style: Style, title: str = "") -> Figure: ...
    def named(self, curve: Curve) -> str: ...
    def set_log(self, axis: Axis, log: bool) -> None: ...
    def show_kept(self) -> None: ...
    def show_all(self) -> None: ...
    def grab(self) -> Any: ...
    def viewRange(self) -> Any: ...
    def getViewBox(self) -> Any: ...
