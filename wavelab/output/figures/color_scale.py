"""What the colours of a field stand for, as the ticks of a colour bar."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.output.figures.axes import Axis, Ticks, decades, signed
from wavelab.output.numbers import MINUS, labelled_ticks
from wavelab.output.palette import palette_info
from wavelab.scene.view.quantities import ERROR_DECADES, ERROR_FLOOR

#: From tick to tick of a scale of levels, in decibels.
_STEPS = (1, 2, 5, 10, 20, 40, 60)


@dataclass(frozen=True)
class ColorScale:
    """Attributes
    ----------
    label : of the quantity.
    palette : of ``PALETTES``.
    limit : value at full colour.
    decades : powers of ten below it of a logarithmic scale; None for a linear one.
    decibels : in a power of ten, where levels are told in place of values; else 0.
    of_error : whether values are decades of an error.
    """

    label: str
    palette: str
    limit: float
    decades: int | None = None
    decibels: int = 0
    of_error: bool = False

    def axis(self, room: float, letters: float) -> Axis:
        """Along the bar, from 0 at the colour of the lowest value to 1 at that of the highest."""
        most = max(2, int(room / (3.0 * letters)))
        label = self.label
        if self.decades is not None and self.decibels and not self.of_error:
            label = f"{label} (dB)"
        return Axis(label, 0.0, 1.0, ticks=self._ticks(most))

    def _ticks(self, most: int) -> Ticks:
        if self.of_error:
            floor = round(math.log10(ERROR_FLOOR))
            found = decades(float(floor), floor + ERROR_DECADES, most)
            return [((at - floor) / ERROR_DECADES, text) for at, text in found]
        diverging = palette_info(self.palette).diverging
        if self.decades is None:
            low = -self.limit if diverging else 0.0
            span = self.limit - low
            if not span > 0:
                return [(0.5 if diverging else 0.0, "0")]
            return [((v - low) / span, text) for v, text in labelled_ticks(low, self.limit, most)]
        upwards = self._decades(max(1, most // 2 if diverging else most))
        if not diverging:
            return upwards
        # Both signs, symmetric; what is below the last decade is quiet, of either.
        above = [((1 + part) / 2, text) for part, text in upwards if part > 0]
        below = [((1 - part) / 2, signed(text, -1)) for part, text in upwards if part > 0]
        if self.decibels:
            below = [(at, text) for (at, _), (_, text) in zip(below, above, strict=True)]
        return [*reversed(below), *above]

    def _decades(self, most: int) -> list[tuple[float, str]]:
        """From 0 at the lowest of the decades to 1 at full colour."""
        assert self.decades is not None
        if self.decibels:
            whole = self.decades * self.decibels
            step = next((s for s in _STEPS if whole / s <= most), _STEPS[-1])
            down = range(0, whole + 1, step)
            return [(1 - d / whole, f"{MINUS if d else ''}{d}") for d in reversed(down)]
        top = math.log10(self.limit) if self.limit > 0 else 0.0
        bottom = top - self.decades
        return [((at - bottom) / self.decades, text) for at, text in decades(bottom, top, most)]
