"""Where the scene lies on the screen: a map between scene coordinates and logical pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array

#: Zoom stops here, in multiples of the scale at which the fitted scene fills the view.
LARGEST_ZOOM = 1e3
SMALLEST_ZOOM = 0.05

#: Pixels around the domain when all of it is shown.
MARGIN = 32.0


@dataclass(frozen=True)
class ViewTransform:
    """Uniform scaling and shift; x to the right, scene y up, pixel y down, aspect always 1:1.

    Attributes
    ----------
    width, height : size of the view in logical pixels, at least 1.
    center : scene coordinates of the middle of the view.
    scale : logical pixels per scene unit.
    fitted_scale : the scale that :meth:`fitted` chose; zooming is limited relative to it.
    """

    width: float = 1.0
    height: float = 1.0
    center: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    fitted_scale: float = 1.0

    @classmethod
    def fitted(
        cls,
        bounds: tuple[float, float, float, float],
        width: float,
        height: float,
    ) -> ViewTransform:
        """The view that shows ``bounds`` = (x0, y0, x1, y1) with ``MARGIN`` pixels around.

        The margin gives way in views too small for it.
        """
        width, height = max(width, 1.0), max(height, 1.0)
        x0, y0, x1, y1 = bounds
        margin = min(MARGIN, 0.1 * width, 0.1 * height)
        extent_x, extent_y = x1 - x0, y1 - y0
        largest = max(extent_x, extent_y)
        if not (math.isfinite(largest) and largest > 0):
            extent_x = extent_y = largest = 1.0
        scale = min(
            (width - 2 * margin) / max(extent_x, 1e-9 * largest),
            (height - 2 * margin) / max(extent_y, 1e-9 * largest),
        )
        return cls(width, height, ((x0 + x1) / 2, (y0 + y1) / 2), scale, scale)

    def around(self, lower: tuple[float, float], upper: tuple[float, float]) -> ViewTransform:
        """The largest that shows all between two corners, in the middle."""
        scale = min(self.width / (upper[0] - lower[0]), self.height / (upper[1] - lower[1]))
        center = ((lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2)
        return replace(self, scale=scale, center=center)

    @property
    def pixel(self) -> float:
        """Scene units per logical pixel."""
        return 1.0 / self.scale

    def to_pixels(self, points: ArrayLike) -> Array:
        """(..., 2) scene coordinates -> (..., 2) logical pixels from the upper left corner."""
        offset = np.asarray(points, dtype=np.float64) - self.center
        return offset * (self.scale, -self.scale) + (self.width / 2, self.height / 2)

    def to_scene(self, pixels: ArrayLike) -> Array:
        """Inverse of :meth:`to_pixels`."""
        offset = np.asarray(pixels, dtype=np.float64) - (self.width / 2, self.height / 2)
        return offset / (self.scale, -self.scale) + self.center

    def visible(self) -> tuple[float, float, float, float]:
        """The part of the scene in view, (x0, y0, x1, y1)."""
        half_x, half_y = 0.5 * self.width / self.scale, 0.5 * self.height / self.scale
        x, y = self.center
        return x - half_x, y - half_y, x + half_x, y + half_y

    def clip_transform(
        self, origin: tuple[float, float], unit: float
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """(factor, shift) such that OpenGL's clip coordinates are factor * p + shift.

        p = (scene point - origin) / unit are coordinates of order one, exact enough in single
        precision wherever and however large the scene is.
        """
        factor_x = 2 * self.scale * unit / self.width
        factor_y = 2 * self.scale * unit / self.height
        shift_x = 2 * self.scale * (origin[0] - self.center[0]) / self.width
        shift_y = 2 * self.scale * (origin[1] - self.center[1]) / self.height
        return (factor_x, factor_y), (shift_x, shift_y)

    def zoomed(self, factor: float, at: tuple[float, float] | None = None) -> ViewTransform:
        """Magnified by ``factor``; the scene point under the pixel ``at`` (default: the middle)
        stays there."""
        if not (math.isfinite(factor) and factor > 0):
            return self
        scale = min(
            max(self.scale * factor, SMALLEST_ZOOM * self.fitted_scale),
            LARGEST_ZOOM * self.fitted_scale,
        )
        if at is None:
            return replace(self, scale=scale)
        x, y = self.to_scene(at)
        offset_x, offset_y = at[0] - self.width / 2, at[1] - self.height / 2
        return replace(self, scale=scale, center=(x - offset_x / scale, y + offset_y / scale))

    def panned(self, dx: float, dy: float) -> ViewTransform:
        """Everything moved by (dx, dy) logical pixels."""
        x, y = self.center
        return replace(self, center=(x - dx / self.scale, y + dy / self.scale))

    def enlarged(self, factor: float) -> ViewTransform:
        """The same view in pixels that are ``factor`` times as large, for a painter scaled by it:
        places stay, and all that is measured in pixels grows."""
        return replace(
            self,
            width=self.width / factor,
            height=self.height / factor,
            scale=self.scale / factor,
            fitted_scale=self.fitted_scale / factor,
        )

    def resized(self, width: float, height: float) -> ViewTransform:
        """Another view size, with the same scene point in the middle.

        The scale stays, so that nothing jumps when a panel opens; a view without area leaves
        everything as it is, so that a minimised window comes back unchanged.
        """
        if width < 2 or height < 2:
            return self
        return replace(self, width=width, height=height)
