"""Palettes: perceptually uniform, and readable with every common colour blindness.

A diverging palette shows a field with a sign: zero is the middle, and the range is always
symmetric, so that quiet is one colour whatever the limit.  A sequential palette shows a quantity
that is never negative.  Crameri, Shephard & Heron, "The misuse of colour in science communication"
(2020), say why no rainbow is offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import OutputError

Rgb = tuple[int, int, int]

#: Smaller limits count as this one, so that a field that is zero everywhere can be drawn.
SMALLEST_LIMIT = 1e-30
#: How far the colour outside the domain is from the colour of quiet, in 8-bit steps.
OUTSIDE_STEP = 16


@dataclass(frozen=True)
class PaletteInfo:
    """``name`` in scene files, ``label`` for people, ``source`` = the name cmap knows it by."""

    name: str
    label: str
    diverging: bool
    source: str


PALETTES: dict[str, PaletteInfo] = {
    info.name: info
    for info in (
        PaletteInfo("berlin", "Berlin: blue, black, red", True, "crameri:berlin"),
        PaletteInfo("vanimo", "Vanimo: pink, black, green", True, "crameri:vanimo"),
        PaletteInfo("managua", "Managua: orange to blue", True, "crameri:managua"),
        PaletteInfo("vik", "Vik: blue, white, red", True, "crameri:vik"),
        PaletteInfo("inferno", "Inferno: black to yellow", False, "bids:inferno"),
        PaletteInfo("lipari", "Lipari: night blue to cream", False, "crameri:lipari"),
        PaletteInfo("lipari_light", "Lipari: cream to night blue", False, "crameri:lipari_r"),
        PaletteInfo("batlow", "Batlow: blue over green to pink", False, "crameri:batlow"),
        PaletteInfo("cividis", "Cividis: blue to yellow", False, "cividis:cividis"),
    )
}

DEFAULT_DIVERGING = "berlin"
DEFAULT_SEQUENTIAL = "inferno"
#: By theme and ground, the usual palettes of fields with a sign and without on it: quiet is as dark
#: or light as it is.
USUAL_PALETTES = {
    "dark": (DEFAULT_DIVERGING, DEFAULT_SEQUENTIAL),
    "light": ("vik", "lipari_light"),
}


def palette_info(name: str) -> PaletteInfo:
    """Raises OutputError with the known names if there is no such palette."""
    try:
        return PALETTES[name]
    except KeyError:
        raise OutputError(
            f"there is no palette {name!r}", remedy=f"Use one of {', '.join(PALETTES)}."
        ) from None


@cache
def palette_table(name: str) -> NDArray[np.uint8]:
    """(256, 3) sRGB bytes from the lowest value to the highest; read-only."""
    from cmap import Colormap  # which takes as long to import as a short run to make

    colours = Colormap(palette_info(name).source)(np.linspace(0, 1, 256))
    table = np.rint(255 * np.asarray(colours)[:, :3]).astype(np.uint8)
    table.setflags(write=False)
    return table


def background(name: str) -> Rgb:
    """The colour of quiet: the one :func:`colorize` gives to zero."""
    r, g, b = palette_table(name)[128 if palette_info(name).diverging else 0].tolist()
    return r, g, b


def palette_on(ground: str, name: str) -> str:
    """The usual palettes of another ground become those of this one; any other stays."""
    for usual in USUAL_PALETTES.values():
        if name in usual:
            return USUAL_PALETTES[ground][usual.index(name)]
    return name


def palette_fit(name: str, *, signed: bool) -> str:
    """``name``, or the usual one where it is not for values with, or without, a sign; one that is
    not known is refused elsewhere."""
    if name not in PALETTES or PALETTES[name].diverging == signed:
        return name
    return DEFAULT_DIVERGING if signed else DEFAULT_SEQUENTIAL


def luminance(rgb: Rgb) -> float:
    """Perceived brightness of sRGB bytes, 0..255 (ITU-R BT.601 weights)."""
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]


def surroundings(name: str) -> Rgb:
    """Colour of what lies outside the domain: near that of quiet, so that walls and holes show
    where the field is quiet.

    It is grey, so that it cannot be taken for a weak field of either sign, and never darker than
    black: on a dark palette it is a little lighter.
    """
    quiet = luminance(background(name))
    grey = round(quiet) + (OUTSIDE_STEP if quiet < 128 else -OUTSIDE_STEP)
    return grey, grey + 1, grey + 4


def swapped(pixels: NDArray[np.uint8], old: str, new: str) -> NDArray[np.uint8]:
    """A picture by :func:`colorize` in another palette, (height, width, 3); pixels that are not of
    the old one stay as they are."""
    before, after = (
        np.vstack([palette_table(name), np.array([surroundings(name)], np.uint8)])
        for name in (old, new)
    )
    weights = np.array([1 << 16, 1 << 8, 1])
    keys, place = np.unique(before @ weights, return_index=True)
    wanted = pixels @ weights
    found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    there = keys[found] == wanted
    return np.where(there[..., None], after[place[found]], pixels)


def scaled(
    values: NDArray[np.floating], limit: float, decades: int | None = None
) -> NDArray[np.floating]:
    """Values on a scale where the limit is 1; see :func:`colorize`."""
    limit = max(limit, SMALLEST_LIMIT)
    with np.errstate(over="ignore", divide="ignore"):
        if decades is None:
            return values * (1 / limit)
        below = np.clip(1 + np.log10(np.abs(values / limit)) / decades, 0, 1)
        return np.asarray(np.sign(values) * below)


def colorize(
    values: NDArray[np.floating],
    name: str,
    limit: float,
    outside: Rgb,
    decades: int | None = None,
) -> NDArray[np.uint8]:
    """Colours of a sampled field.

    Parameters
    ----------
    values : (height, width), NaN where there is no field; infinities take the end colours.
    name : key of ``PALETTES``.
    limit : value at full colour, >= 0; the range is [-limit, limit] for a diverging palette and
        [0, limit] for a sequential one.
    outside : colour where ``values`` is NaN.
    decades : for a logarithmic scale: how many powers of ten below the limit the colour of quiet
        begins.  For a diverging palette it is symmetric, with the sign of the value.

    Returns
    -------
    (height, width, 3) uint8.

    Raises
    ------
    OutputError : no such palette.
    ValueError : ``limit`` is negative or not finite.
    """
    if not (np.isfinite(limit) and limit >= 0):
        raise ValueError(f"the limit of a palette is finite and not negative, not {limit}")
    diverging = palette_info(name).diverging
    table = np.vstack([palette_table(name), np.array([outside], np.uint8)])
    # Rounds to the nearest entry; for a diverging palette zero is entry 128.
    scale, offset = (127.5, 128.0) if diverging else (255.0, 0.5)
    with np.errstate(over="ignore"):
        position = scaled(values, limit, decades) * scale + offset
    np.clip(position, 0, 255, out=position)
    np.nan_to_num(position, copy=False, nan=256)
    return table.take(position.astype(np.int32), axis=0)
