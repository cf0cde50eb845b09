"""Arrows over a picture: how long they are, and how they are drawn without a window.

The length of an arrow grows with the square root of what it shows.  Of an energy flow that is the
strength of the field, and a flow a hundred times weaker still has an arrow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.output.palette import Rgb, background, luminance

Extent = tuple[float, float, float, float]

#: Pixels from arrow to arrow on a screen.
SCREEN_SPACING = 36.0
#: In a picture there are this many along the longer side, if that leaves them room in pixels.
ALONG, ROOM = 32, 16.0
#: No view has more of them.
MOST_ARROWS = 2500
#: All in parts of the distance from arrow to arrow: the longest arrow, one too short to be drawn,
#: the barbs of the head, the lines, and the rim that sets them off from the field.
LONGEST, SHORTEST, HEAD, THICK, RIM = 0.92, 0.09, 0.24, 0.042, 0.03
#: Barbs take at most this part of the arrow, and lie at this angle to it.
_HEAD_PART, _HEAD_ANGLE = 0.4, math.radians(27)
#: The largest part that arrows may be longer than this quantile of them: a source must not make all
#: others short.
_QUANTILE, _CLIPPING = 0.98, 4.0
#: Arrows drawn at a time.
_PIECE = 64


@dataclass(frozen=True, eq=False)
class Arrows:
    """Vectors at points, as far apart as ``spacing``.

    Attributes
    ----------
    kind : what they show, one of ``wavelab.scene.view.quantities.ARROWS``.
    positions : (m, 2) their middles.
    vectors : (m, 2).
    spacing : distance from arrow to arrow, in the unit of the positions.
    """

    kind: str
    positions: Array
    vectors: Array
    spacing: float

    def sizes(self) -> Array:
        """(m,) lengths of the vectors; 0 where they are not finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            sizes = np.hypot(*self.vectors.T)
        return np.where(np.isfinite(sizes), sizes, 0.0)


def longest_shown(sizes: Array) -> float:
    """The size that has the longest arrow, if it is to follow these (m,) sizes; 0 without any."""
    if not len(sizes):
        return 0.0
    return max(float(np.quantile(sizes, _QUANTILE)), float(sizes.max()) / _CLIPPING)


def lattice(extent: Extent, spacing: float) -> Array:
    """(m, 2) points of a lattice of equilateral triangles in (x0, y0, x1, y1).

    It hangs together with the coordinates: where the extent moves, the points stay.
    """
    x0, y0, x1, y1 = extent
    rise = math.sqrt(3) / 2 * spacing
    rows = np.arange(math.ceil(y0 / rise), math.floor(y1 / rise) + 1)
    columns = np.arange(math.ceil(x0 / spacing) - 1, math.floor(x1 / spacing) + 1)
    x = (columns + 0.5 * (rows[:, None] % 2)) * spacing
    y = np.broadcast_to(rise * rows[:, None], x.shape)
    inside = (x >= x0) & (x <= x1)
    return np.stack([x[inside], y[inside]], axis=1)


def lattice_spacing(extent: Extent, least: float) -> float:
    """The distance from arrow to arrow, at least ``least``, with which no view has too many."""
    x0, y0, x1, y1 = extent
    area = (x1 - x0) * (y1 - y0)
    return max(least, math.sqrt(area / (math.sqrt(3) / 2 * MOST_ARROWS)))


def strokes(arrows: Arrows, limit: float, scale: float) -> Array:
    """(n, 3, 2, 2) lines of the arrows that are long enough to be seen: shaft and two barbs, each
    from the first point to the second, the shaft ending at the tip.

    In pixels to the right and down from the origin of the coordinates, of which ``scale`` make a
    unit; ``limit`` is the size of the vector with the longest arrow.
    """
    sizes, spacing = arrows.sizes(), arrows.spacing * scale
    part = np.sqrt(np.minimum(sizes / limit, 1.0)) if limit > 0 else np.zeros(len(sizes))
    shown = LONGEST * part > SHORTEST
    length = LONGEST * spacing * part[shown]
    along = arrows.vectors[shown] / sizes[shown, None] * (1, -1)
    middle = arrows.positions[shown] * (scale, -scale)
    half = length[:, None] / 2 * along
    tip, barb = middle + half, np.minimum(HEAD * spacing, _HEAD_PART * length)[:, None]
    across = along[:, ::-1] * (-1, 1)
    back, aside = barb * math.cos(_HEAD_ANGLE), barb * math.sin(_HEAD_ANGLE)
    barbs = [tip - back * along + side * aside * across for side in (-1, 1)]
    ends = [(middle - half, tip), *((end, tip) for end in barbs)]
    return np.stack([np.stack(pair, axis=1) for pair in ends], axis=1)


def arrow_colours(palette: str) -> tuple[Rgb, Rgb]:
    """Of the lines and of their rim: light on dark palettes, dark on light ones."""
    if luminance(background(palette)) < 128:
        return (236, 239, 244), (0, 0, 0)
    return (28, 32, 40), (255, 255, 255)


def draw_arrows(
    rgb: NDArray[np.uint8], arrows: Arrows, limit: float, extent: Extent, palette: str
) -> None:
    """Draw over a picture of ``extent``, antialiased.

    Parameters
    ----------
    rgb : (height, width, 3), changed in place.
    limit : size of the vector with the longest arrow.
    palette : of the field below.
    """
    height, width = rgb.shape[:2]
    scale = width / (extent[2] - extent[0])
    lines = strokes(arrows, limit, scale) - np.array((extent[0] * scale, -extent[3] * scale))
    spacing = arrows.spacing * scale
    half = max(THICK * spacing, 1.0) / 2
    rim = half + max(RIM * spacing, 0.8)
    solid = np.zeros((height, width), np.float32)
    around = np.zeros((height, width), np.float32)
    # Those of a length together, so that patches are no larger than they need to be.
    order = np.argsort(np.abs(lines[:, 0, 1] - lines[:, 0, 0]).max(axis=1))
    for first in range(0, len(order), _PIECE):
        _cover(lines[order[first : first + _PIECE]], half, rim, solid, around)
    rows, columns = np.nonzero(around)
    line, edge = (np.array(colour, np.float32) for colour in arrow_colours(palette))
    below = rgb[rows, columns].astype(np.float32)
    below += 0.6 * around[rows, columns, None] * (edge - below)
    below += 0.95 * solid[rows, columns, None] * (line - below)
    rgb[rows, columns] = np.rint(below).astype(np.uint8)


def _cover(
    lines: Array, half: float, rim: float, solid: NDArray[np.float32], around: NDArray[np.float32]
) -> None:
    """Raise how far pixels are covered by (n, 3, 2, 2) lines of two widths from their middle."""
    ends = lines.reshape(len(lines), -1, 2)
    low, high = ends.min(axis=1), ends.max(axis=1)
    corner = np.floor(low - rim - 1).astype(int)
    across, down = (np.ceil(high + rim + 1) - corner).max(axis=0).astype(int).tolist()
    (x, y), (step_x, step_y) = (
        np.moveaxis(part, 2, 0)[..., None, None].astype(np.float32)
        for part in (lines[:, :, 0] - corner[:, None], lines[:, :, 1] - lines[:, :, 0])
    )
    right = np.arange(across, dtype=np.float32) + 0.5 - x
    below = np.arange(down, dtype=np.float32)[:, None] + 0.5 - y
    squared = np.maximum(step_x**2 + step_y**2, 1e-12)
    at = np.clip(right * (step_x / squared) + below * (step_y / squared), 0, 1)
    distance = np.sqrt(((right - at * step_x) ** 2 + (below - at * step_y) ** 2).min(axis=1))
    height, width = solid.shape
    for (left, top), there in zip(corner.tolist(), distance, strict=True):
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + across, width), min(top + down, height)
        if x0 >= x1 or y0 >= y1:
            continue
        patch = there[y0 - top : y1 - top, x0 - left : x1 - left]
        for covered, reach in ((solid, half), (around, rim)):
            part = covered[y0:y1, x0:x1]
            np.maximum(part, np.clip(reach + 0.5 - patch, 0, 1), out=part)
