"""Colours and pens of everything drawn over the field, light on dark palettes and dark on light."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.app.base.qt import QColor, QPen, Qt
from wavelab.app.base.theme import THEMES
from wavelab.output.palette import (
    Rgb,
    background,
    luminance,
    palette_info,
    palette_table,
    surroundings,
)
from wavelab.scene.model.pens import Pen


@dataclass(frozen=True)
class Ink:
    """Colours that go with one palette."""

    quiet: Rgb
    outside: Rgb
    line: QColor
    accent: QColor
    warning: QColor
    positive: QColor
    negative: QColor
    halo: QColor
    letter_halo: QColor
    probes: tuple[QColor, ...]

    @classmethod
    def for_palette(cls, name: str) -> Ink:
        quiet = background(name)
        dark = luminance(quiet) < 128
        line = QColor(236, 239, 244) if dark else QColor(28, 32, 40)
        positive = negative = line
        if palette_info(name).diverging:
            negative, positive = (QColor(*palette_table(name)[i].tolist()) for i in (20, 235))
        # The hues of the window's theme, in the shade that shows on this palette, so that a probe
        # and its trace have one colour whatever theme and palette are combined.
        theme = THEMES["dark" if dark else "light"]
        return cls(
            quiet,
            surroundings(name),
            line=line,
            accent=QColor(theme.accent),
            warning=QColor(theme.danger),
            positive=positive,
            negative=negative,
            halo=QColor(0, 0, 0, 170) if dark else QColor(255, 255, 255, 190),
            # Letters are thin: over full colour of either sign only a nearly solid rim holds them.
            letter_halo=QColor(8, 10, 14, 225) if dark else QColor(255, 255, 255, 235),
            probes=tuple(QColor(colour) for colour in theme.probe_series),
        )

    def probe(self, number: int) -> QColor:
        """Colour of the scene's probe ``number``, that of its trace."""
        return self.probes[number % len(self.probes)]

    def pen(self, plain: Pen) -> QPen:
        """What Qt draws a line of the scene with."""
        colour = {"line": self.line, "accent": self.accent}[plain.colour]
        return pen(faded(colour, plain.opacity), plain.width, plain.dashes)


def faded(colour: QColor, alpha: int) -> QColor:
    result = QColor(colour)
    result.setAlpha(alpha)
    return result


def pen(colour: QColor, width: float, dashes: tuple[float, ...] = ()) -> QPen:
    """Round-joined pen; dash lengths are in pen widths."""
    result = QPen(colour, width)
    result.setJoinStyle(Qt.RoundJoin)
    result.setCapStyle(Qt.FlatCap if dashes else Qt.RoundCap)
    if dashes:
        result.setDashPattern(list(dashes))
    return result
