"""What the probe tool places next."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.app.edits.monitor_edits import MEASURED
from wavelab.errors import WavelabError
from wavelab.scene.model.measuring.monitor import Measurement

#: How a region is drawn; the last only for what can be measured everywhere.
SHAPES = ("rectangle", "ellipse", "polygon", "everywhere")


@dataclass(frozen=True)
class MeasureSettings:
    """``kind`` is a key of ``MEASURED``, ``shape`` one of ``SHAPES``."""

    kind: str = "point"
    shape: str = "rectangle"
    frequencies: tuple[float, ...] = ()

    @property
    def measured(self) -> Measurement:
        return MEASURED[self.kind]

    @property
    def shapes(self) -> tuple[str, ...]:
        """The ways to say where; none for what is a point or a line."""
        if self.measured.placing != "shape":
            return ()
        return SHAPES if self.measured.everywhere else SHAPES[:-1]

    @property
    def placing(self) -> str:
        """ "click", "line" or one of ``SHAPES``."""
        if self.measured.placing != "shape":
            return self.measured.placing
        return self.shape if self.shape in self.shapes else SHAPES[0]


def read_frequencies(text: str) -> tuple[float, ...]:
    """Numbers with commas or blanks between them; none in an empty text.

    Raises
    ------
    WavelabError : one of them is no number; says which.
    """
    found = []
    for part in text.replace(",", " ").replace(";", " ").split():
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise WavelabError(
                f"{part!r} is no frequency", remedy="Type numbers and commas, such as 1.5, 2."
            )
        found.append(value)
    return tuple(found)


def written_frequencies(frequencies: tuple[float, ...]) -> str:
    return ", ".join(f"{f:.6g}" if float(f"{f:.6g}") == f else repr(f) for f in frequencies)
