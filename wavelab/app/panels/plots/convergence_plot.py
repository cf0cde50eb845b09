"""Error against unknowns, both logarithmic: one line for finer elements, one for higher orders."""

from __future__ import annotations

import math

import numpy as np

from wavelab.app.base.theme import GRID, Theme
from wavelab.app.panels.plots.axes.axis import Axis, decades
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.simulation.studies.convergence import Study, StudyRun, percent


class ConvergencePlot(Plot):
    """Shows a :class:`Study`."""

    def __init__(self, theme: Theme) -> None:
        across, up = (
            Axis(side, name, decades, lambda exponent: 10.0**exponent)
            for side, name in (("bottom", "unknowns"), ("left", "relative error"))
        )
        super().__init__(theme, across, up)
        self.setMinimumSize(56 * GRID, 20 * GRID)
        self.say("The scene is run again on finer meshes and at higher orders.")

    def show_study(self, study: Study) -> None:
        curves = [
            _curve("smaller elements", study.in_h(), 0),
            _curve("higher order", study.in_order(), 1),
            _curve(f"now: {percent(study.present.error)}", [study.present], 2),
        ]
        x, y = (np.concatenate([getattr(c, part) for c in curves]) for part in ("along", "drawn"))
        room = max(0.15 * float(np.ptp(x)), 0.15)
        self.show_curves(
            curves, (float(x.min()) - room, float(x.max()) + 2 * room),
            (math.floor(y.min() - 0.2), math.ceil(y.max() + 0.2)),
        )  # fmt: skip


def _curve(name: str, runs: list[StudyRun], colour: int) -> Curve:
    unknowns = np.log10([run.unknowns for run in runs])
    errors = np.log10([min(max(run.error, 1e-15), 1e15) for run in runs])
    return Curve(name, unknowns, errors, colour, dots=True)
