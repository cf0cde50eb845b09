"""Several numbers over the frequency, a dot for each frequency."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wavelab.app.base.theme import GRID, Theme
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Array, Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.scene.model.units import FREQUENCY

#: Beside the first and the last frequency, and above and below all curves.
_MARGIN, _ROOM = 0.03, 0.06


class SpectraPlot(Plot):
    """Names of curves stand over them; what no number stands for is left out of them."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, Axis("bottom"), Axis("left"))
        self.setMinimumSize(40 * GRID, 20 * GRID)
        self.say(text)

    def show_spectra(self, frequency: Array, label: str, spectra: Mapping[str, Array]) -> None:
        """``spectra`` by name, (n,) each at ``frequency`` (n,), in any order."""
        order = np.argsort(frequency)
        f = frequency[order]
        known = {name: np.isfinite(values[order]) for name, values in spectra.items()}
        curves = [
            Curve(name, f[known[name]], values[order][known[name]], i, dots=True)
            for i, (name, values) in enumerate(spectra.items())
        ]
        every = np.concatenate([curve.smooth for curve in curves] or [np.zeros(0)])
        low, high = min(0.0, every.min(initial=0.0)), max(0.0, every.max(initial=0.0))
        room = _ROOM * ((high - low) or 1.0)
        margin = _MARGIN * float(np.ptp(f)) or _MARGIN * float(f[0])
        self.forget()
        self.across.measure(FREQUENCY, float(f[-1]))
        self.up.name(label)
        across = (float(f[0]) - margin, float(f[-1]) + margin)
        self.show_curves(curves, across, (low - room * (low < 0), high + room))
