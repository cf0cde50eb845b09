"""The pictures of two runs and of their difference, next to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.output.line_plot import Sheet
from wavelab.output.palette import colorize, luminance, surroundings
from wavelab.output.stroke_font import width
from wavelab.simulation.movies.movie_recorder import AutoLimit
from wavelab.simulation.side_by_side.in_step import Look

Rgb = NDArray[np.uint8]

#: Between pictures and around them, for a line of words, and letters, in pixels.
_GAP, _LINE, _LETTER = 16, 26, 10.0
_DARK, _LIGHT = (40, 40, 40), (225, 225, 225)


@dataclass(frozen=True, eq=False)
class Pictures:
    """(height, width, 3) each.

    Attributes
    ----------
    limit : the field at full colour, of both runs.
    difference_limit : likewise, of the difference.
    """

    this: Rgb
    other: Rgb
    difference: Rgb
    limit: float
    difference_limit: float


class Scales:
    """Colours of looks that follow each other: one scale for both runs, and one for the difference,
    which go up at once and down slowly."""

    def __init__(self) -> None:
        self._field, self._difference = AutoLimit(), AutoLimit()

    def pictures(self, look: Look, palette: str) -> Pictures:
        """
        Parameters
        ----------
        palette : a diverging one.
        """
        limit = self._field.follow(np.concatenate([look.this, look.other], axis=1))
        apart = self._difference.follow(np.where(look.counted, look.difference, np.float32(np.nan)))
        outside = surroundings(palette)
        this, other, difference = (
            colorize(values, palette, scale, outside)
            for values, scale in (
                (look.this, limit), (look.other, limit), (look.difference, apart),
            )
        )  # fmt: skip
        return Pictures(this, other, difference, limit, apart)


def one_picture(pictures: Pictures, names: tuple[str, str, str], palette: str, symbol: str) -> Rgb:
    """All three in one, with a name above and the scale below each.

    Parameters
    ----------
    symbol : of the field that is shown.
    """
    height, across = pictures.this.shape[:2]
    outside = surroundings(palette)
    size = height + 2 * (_LINE + _GAP), 3 * across + 4 * _GAP, 3
    rgb = np.full(size, outside, dtype=np.uint8)
    places = [_GAP + number * (across + _GAP) for number in range(3)]
    for left, part in zip(
        places, (pictures.this, pictures.other, pictures.difference), strict=True
    ):
        rgb[_GAP + _LINE : _GAP + _LINE + height, left : left + across] = part
    sheet = Sheet(rgb, _LIGHT if luminance(outside) < 128 else _DARK)
    limits = (pictures.limit, pictures.limit, pictures.difference_limit)
    for left, name, limit in zip(places, names, limits, strict=True):
        sheet.text(_fitting(name, across), (left, _GAP + _LINE / 2))
        sheet.text(f"{symbol} +- {limit:.3g}", (left, size[0] - _GAP))
    return sheet.pixels()


def _fitting(text: str, room: float) -> str:
    """As much of it as there is room for."""
    if width(text, _LETTER) <= room:
        return text
    while text and width(text + "...", _LETTER) > room:
        text = text[:-1]
    return text + "..."
