"""The field along a line of receivers, over the way along it, where positions can be read off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavelab.app.base.numbers import rounded_up
from wavelab.app.base.qt import Signal
from wavelab.app.base.theme import Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.arrays import Array
from wavelab.scene.model.units import LENGTH
from wavelab.scene.monitors.line_plots import LINE_PLOTS, LinePlot
from wavelab.scene.monitors.profile import Profile

#: The axis shrinks once so small a part of it would do, so that it seldom changes.
_SHRINK = 0.4
#: What is smaller is rounding, of whatever wave.
_REST = 1e-30


class ProfilePlot(Plot):
    """Curves along a line of receivers, such as the field now with its amplitude.

    Emits ``located(points)`` with the place of the line that is pointed at, with all points of the
    stretch that was measured, or with none.

    Attributes
    ----------
    field : what people call the field that the line records.
    drawn : the way to draw it.
    """

    located = Signal(tuple)

    def __init__(self, theme: Theme) -> None:
        self.field, self.drawn = tr("Ez"), LINE_PLOTS["profile"]
        self._profile: Profile | None = None
        self._live: Array | None = None
        self._height = 0.0
        super().__init__(theme, Axis("bottom"), Axis("left"))
        self.pointed.connect(self._locate)

    def begin(self, field: str, drawn: LinePlot) -> None:
        """Another line, or another way to draw it."""
        if (field, drawn) != (self.field, self.drawn):
            self._height = 0.0
        self.field, self.drawn = field, drawn
        self._refresh()

    def forget(self) -> None:
        """Nothing is known of the line that is looked at now."""
        self._profile = self._live = None
        self._height = 0.0
        super().forget()
        self._refresh()

    def show_profile(self, profile: Profile | None) -> None:
        self._profile = profile
        self._refresh()

    def show_live(self, values: Array | None) -> None:
        """The field (p,) of the picture on show; None where that shows something else."""
        self._live = values
        if self.drawn.live:
            self._refresh()

    def named(self, curve: Curve) -> str:
        live = any(spec.live and spec.named(self.field) == curve.name for spec in self.drawn.curves)
        return f"{curve.name} now" if live else curve.name

    def _refresh(self) -> None:
        known = self._profile
        if not self.drawn.curves:
            return  # drawn with time downwards, elsewhere
        if known is None or len(known.along) < 3:
            self.say("Nothing recorded yet, or fewer than three receivers.")
            return
        live = self._live
        if live is not None and len(live) == len(known.along):
            known = replace(known, now=np.asarray(live, np.float64))
        curves = [
            Curve(
                curve.named(self.field), known.along, curve.values(known), curve.color,
                root=curve.root,
            )
            for curve in self.drawn.curves
        ]  # fmt: skip
        largest = max(float(np.abs(curve.drawn).max()) for curve in curves)
        if largest < _REST:
            self._height = 1.0  # nothing is there yet
        elif not _SHRINK * self._height <= largest <= self._height:
            self._height = rounded_up(largest)
        self.across.measure(LENGTH, float(known.along[-1]))
        self.up.name(curves[-1].name)
        bottom = -self._height if self.drawn.signed else 0.0
        self.show_curves(curves, (0.0, float(known.along[-1])), (bottom, self._height))

    def _locate(self, places: tuple[float, ...]) -> None:
        """Where on the line that is."""
        known = self._profile
        if known is None or not places:
            self.located.emit(())
            return
        low, high = min(places), max(places)
        inside = known.along[(known.along > low) & (known.along < high)]
        ways = np.array([low, *inside, *([high] if len(places) > 1 else [])])
        points = [np.interp(ways, known.along, known.points[:, i]) for i in (0, 1)]
        self.located.emit(tuple(zip(*(part.tolist() for part in points), strict=True)))
