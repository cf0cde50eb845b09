"""How far two runs are apart, over the time that both have reached."""

from __future__ import annotations

import numpy as np

from wavelab.app.base.numbers import rounded_up
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.scene.model.units import TIME

#: What is smaller is rounding.
_REST = 1e-12


class DifferencePlot(Plot):
    """A curve that grows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, Axis("bottom"), Axis("left", "difference"), legend=False)
        self.setMinimumHeight(16 * GRID)
        self.say("The difference of both runs is plotted here.")

    def show_differences(
        self, times: tuple[float, ...], values: tuple[float, ...], until: float
    ) -> None:
        """Relative ``values`` at ``times``, in axes that end at ``until``."""
        top = rounded_up(max(max(values), _REST))
        self.across.measure(TIME, until)
        curve = Curve("difference", np.array(times), np.array(values), 0)
        self.show_curves([curve], (0.0, until), (0.0, top))
