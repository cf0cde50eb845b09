"""The field as a lit relief, seen from the side: what is high hides what is low behind it.

The picture is computed for all columns of its pixels at once: along the ground below a column, from
near to far, each point rises to a row of the picture, and a pixel shows the first point that rises
to it.  So nothing is sorted, and it is the same without a graphics card.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import PixelSampler
from wavelab.output.palette import Rgb, palette_info, palette_table, scaled

Floats = NDArray[np.float32]

#: Full colour is this high, in parts of the diagonal of the domain; what is stronger rises further,
#: by up to this factor.
HEIGHT, BEYOND = 0.055, 1.5
#: Points of the ground at which the field is sampled, and most of them for a large picture.
_GROUND, _MOST_GROUND = 150_000, 2_000_000
#: Pixels of which a picture with smooth edges is made at most.
_MOST_PIXELS = 1 << 23
#: Where light comes from, to the right, away and up for the viewer; its share, that of the light
#: from everywhere, and of what walls at the rim of the domain get.
LIGHT, DIFFUSE, AMBIENT, WALL = (-0.55, -0.25, 0.8), 0.62, 0.38, 0.45
#: White that is mixed into all colours, so that black ground has a shape, too.
SHEEN = 0.10
#: The brightest there is, and brightnesses that are told apart.
BRIGHTEST, _LEVELS = 1.25, 96


@dataclass(frozen=True)
class Camera:
    """Where one looks from: ``azimuth`` is turned counterclockwise from the south, ``elevation`` is
    above the ground, both in degrees; at ``zoom`` 1 the domain fits in at every azimuth."""

    azimuth: float = -30.0
    elevation: float = 40.0
    zoom: float = 1.0

    @property
    def turn(self) -> float:
        """The azimuth in radians."""
        return math.radians(self.azimuth)

    @property
    def tilt(self) -> float:
        """The elevation in radians."""
        return math.radians(self.elevation)

    def scale(self, reach: float, size: tuple[int, int]) -> float:
        """Pixels per unit of length of a picture of ``size`` = (width, height), for a domain whose
        corners are ``reach`` from its middle."""
        tall = 2 * reach * math.sin(self.tilt) + 2 * highest(reach) * math.cos(self.tilt)
        return self.zoom * min(size[0] / (2 * reach), size[1] / tall)

    def light(self) -> tuple[float, float, float]:
        """Where light comes from, in the directions x, y and up of the scene."""
        right, away, up = LIGHT
        x = right * math.cos(self.turn) - away * math.sin(self.turn)
        y = right * math.sin(self.turn) + away * math.cos(self.turn)
        return x, y, up


def highest(reach: float) -> float:
    """How far anything rises in a domain whose corners are ``reach`` from its middle; walls at its
    rim go as far down."""
    return 2 * BEYOND * HEIGHT * reach


class Relief:
    """Pictures of nodal fields on one mesh; to make it finds the element of every point.

    Parameters
    ----------
    pixels : of the largest picture, which says how finely the field is sampled.
    """

    def __init__(self, discretization: Discretization, pixels: int = _GROUND) -> None:
        points = min(max(pixels, _GROUND), _MOST_GROUND)
        low, high = discretization.bounds()
        across, up = (high - low).tolist()
        self._cell = math.sqrt(across * up / points)
        width, height = (max(2, round(size / self._cell)) for size in (across, up))
        self._corner = (float(low[0]), float(high[1]))
        self._middle = (low + high) / 2
        self._reach = math.hypot(across, up) / 2
        extent = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        self._sampler = PixelSampler(discretization, extent, width, height)
        self._cells = across / width, up / height
        inside = np.isfinite(self._sampler.sample(np.zeros(discretization.shape, np.float32)))
        self._shares = _shares(inside, 0), _shares(inside, 1)
        self._view: _View | None = None

    def sample(self, values: NDArray[np.floating]) -> Floats:
        """(rows, columns) of (n_elements, nodes_per_element) values, NaN outside of the domain."""
        return self._sampler.sample(values)

    def picture(
        self,
        sampled: Floats,
        camera: Camera,
        size: tuple[int, int],
        palette: str,
        limit: float,
        outside: Rgb,
        decades: int | None = None,
    ) -> NDArray[np.uint8]:
        """(height, width, 3) uint8.

        Parameters
        ----------
        sampled : of :meth:`sample`.
        size : (width, height) in pixels.
        palette, limit, outside, decades : as of ``wavelab.output.palette.colorize``; heights follow
            the same scale.
        """
        diverging = palette_info(palette).diverging
        part = scaled(sampled, limit, decades)
        part = np.clip(part, -BEYOND if diverging else 0, BEYOND).astype(np.float32)
        light = self._brightness(2 * HEIGHT * self._reach * part, camera)
        if self._view is None or self._view.of != (camera, size):
            self._view = _View(self, camera, size)
        return self._view.picture(part, light, _Colours(palette, outside))

    def _brightness(self, height: Floats, camera: Camera) -> Floats:
        """Of each point, 1 on level ground."""
        x, y, up = camera.light()
        height = np.nan_to_num(height)
        down, across = (_slope(height, self._shares[axis], axis) for axis in (0, 1))
        across /= self._cells[0]
        down /= -self._cells[1]
        facing = (up - x * across - y * down) / np.sqrt(1 + across**2 + down**2)
        return np.asarray(AMBIENT + DIFFUSE / up * np.maximum(facing, 0), np.float32)


def _shares(inside: Mask, axis: int) -> tuple[Floats, Floats]:
    """Of the steps to the next and from the last point, in the slope at each; steps out of the
    domain count nothing."""
    both = np.moveaxis(inside, axis, 0)
    step, none = both[1:] & both[:-1], np.zeros_like(both[:1])
    onward, back = np.concatenate([step, none]), np.concatenate([none, step])
    number = np.maximum(onward.astype(np.float32) + back, 1)
    return np.moveaxis(onward / number, 0, axis), np.moveaxis(back / number, 0, axis)


def _slope(height: Floats, shares: tuple[Floats, Floats], axis: int) -> Floats:
    """Per point, along an axis."""
    onward, back = (np.moveaxis(share, axis, 0) for share in shares)
    step = np.diff(np.moveaxis(height, axis, 0), axis=0)
    slope = np.zeros_like(onward)
    slope[:-1] = onward[:-1] * step
    slope[1:] += back[1:] * step
    return np.moveaxis(slope, 0, axis)


def still(
    discretization: Discretization,
    values: NDArray[np.floating],
    camera: Camera,
    size: tuple[int, int],
    palette: str,
    limit: Callable[[Floats], float],
    outside: Rgb,
    decades: int | None = None,
) -> NDArray[np.uint8]:
    """One :meth:`Relief.picture` with smooth edges: from four times the pixels where that is not
    too many.

    Parameters
    ----------
    values : (n_elements, nodes_per_element).
    limit : from what is sampled of them to the value at full colour.
    """
    width, height = size
    finer = 2 if 4 * width * height <= _MOST_PIXELS else 1
    relief = Relief(discretization, 2 * width * height)
    sampled = relief.sample(values)
    large = relief.picture(
        sampled, camera, (finer * width, finer * height), palette, limit(sampled), outside, decades
    )
    parts = large.reshape(height, finer, width, finer, 3).astype(np.uint16)
    return (parts.sum(axis=(1, 3)) // finer**2).astype(np.uint8)


class _View:
    """What a camera and a size fix, and fields do not change: where each point of the ground is."""

    def __init__(self, relief: Relief, camera: Camera, size: tuple[int, int]) -> None:
        self.of = (camera, size)
        width, height = size
        turn, tilt = camera.turn, camera.tilt
        reach = relief._reach
        self._scale = camera.scale(reach, size)
        n = max(2, math.ceil(2 * reach * self._scale * max(math.sin(tilt), 0.5)))
        n = min(n, 2 * math.ceil(2 * reach / min(relief._cells)))
        right = (np.arange(width) + 0.5 - width / 2) / self._scale
        away = np.linspace(-reach, reach, n)[:, None]
        x = relief._middle[0] + right * math.cos(turn) - away * math.sin(turn)
        y = relief._middle[1] + right * math.sin(turn) + away * math.cos(turn)
        column = (x - relief._corner[0]) / relief._cells[0] - 0.5
        row = (relief._corner[1] - y) / relief._cells[1] - 0.5
        rows, columns = relief._sampler.height, relief._sampler.width
        there = (column > -0.5) & (column < columns - 0.5) & (row > -0.5) & (row < rows - 0.5)
        column, row = np.clip(column, 0, columns - 1.001), np.clip(row, 0, rows - 1.001)
        self._nearest = (np.rint(row) * columns + np.rint(column)).astype(np.int32)
        self._outside = ~there
        first = np.floor(row).astype(np.int32) * columns + np.floor(column).astype(np.int32)
        across, down = (column % 1).astype(np.float32), (row % 1).astype(np.float32)
        self._corners: tuple[NDArray[np.int32], ...] = tuple(
            first + offset for offset in (0, 1, columns, columns + 1)
        )
        self._weights: tuple[Floats, ...] = (
            (1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down,
        )  # fmt: skip
        level = height / 2 + self._scale * away * math.sin(tilt)
        self._level = level.astype(np.float32)
        rise = self._scale * math.cos(tilt)
        self._rise = np.float32(2 * HEIGHT * reach * rise)
        self._floor = (level - highest(reach) * rise).astype(np.float32)[:, 0]

    def picture(self, part: Floats, light: Floats, colours: _Colours) -> NDArray[np.uint8]:
        """Of parts of full colour over the ground, and how bright it is there."""
        width, rows = self.of[1]
        parts, lights = self._between(part.reshape(-1)), self._between(light.reshape(-1))
        gone = np.isnan(parts) | self._outside
        top = self._rise * parts
        top += self._level
        top[gone] = -np.inf
        np.maximum.accumulate(top, axis=0, out=top)
        # A row of pixels is covered by the first point that rises to its middle.
        covered = np.clip(np.ceil(top - 0.5), 0, rows).astype(np.int32)
        covered *= width
        covered += np.arange(width, dtype=np.int32)
        ends = np.bincount(covered.reshape(-1), minlength=(rows + 1) * width)
        first = np.cumsum(ends.reshape(rows + 1, width)[:rows], axis=0, dtype=np.int32)
        seen = first < len(top)
        first[~seen] = 0
        point = (first * width + np.arange(width)).astype(np.intp)
        before = np.maximum(point - width, 0).astype(np.intp)
        # What has nothing before it is the wall of the rim, down to the floor.
        wall = (first == 0) | gone.reshape(-1).take(before)
        before = np.where(wall, point, before)
        middle = np.arange(rows, dtype=np.float32)[:, None] + np.float32(0.5)
        low, high = top.reshape(-1).take(before), top.reshape(-1).take(point)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.clip(np.nan_to_num((middle - low) / (high - low)), 0, 1)

        def at_pixels(values: Floats) -> Floats:
            start, end = values.reshape(-1).take(before), values.reshape(-1).take(point)
            return np.nan_to_num(start + share * (end - start))

        bright = at_pixels(lights)
        bright[wall] *= WALL
        outside = ~seen | (wall & (middle < self._floor.take(first)))
        picture = colours.of(at_pixels(parts), bright, outside)[::-1].copy()
        return np.ascontiguousarray(picture.view(np.uint8).reshape(rows, width, 4)[..., :3])

    def _between(self, ground: Floats) -> Floats:
        """Values at the points that are seen, from those of the ground."""
        values = self._weights[0] * ground.take(self._corners[0])
        for weight, corner in zip(self._weights[1:], self._corners[1:], strict=True):
            values += weight * ground.take(corner)
        # Next to the rim the mean of four points may miss one: there the nearest counts.
        gaps = np.isnan(values)
        values[gaps] = ground.take(self._nearest[gaps])
        return np.asarray(values, np.float32)


class _Colours:
    """A palette in all brightnesses, four bytes a colour, so that a pixel is one look-up."""

    def __init__(self, palette: str, outside: Rgb) -> None:
        self._diverging = palette_info(palette).diverging
        bright = np.linspace(0, BRIGHTEST, _LEVELS)[:, None]
        plain = 255 * SHEEN + (1 - SHEEN) * palette_table(palette).astype(np.float64)
        table = np.zeros((256 * _LEVELS + 1, 4), np.uint8)
        table[:-1, :3] = np.minimum(plain[:, None] * bright, 255).reshape(-1, 3)
        table[-1, :3] = outside
        self._table = table.view(np.uint32).reshape(-1)

    def of(self, parts: Floats, bright: Floats, outside: Mask) -> NDArray[np.uint32]:
        scale, offset = (127.5, 128.0) if self._diverging else (255.0, 0.5)
        entry = np.clip(parts * np.float32(scale) + np.float32(offset), 0, 255).astype(np.int32)
        level = bright * np.float32((_LEVELS - 1) / BRIGHTEST) + np.float32(0.5)
        entry *= _LEVELS
        entry += np.clip(level, 0, _LEVELS - 1).astype(np.int32)
        entry[outside] = 256 * _LEVELS
        return self._table.take(entry)
