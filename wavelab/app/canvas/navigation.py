"""Zooming, panning and resizing: what the pointer does to the view transform."""

from __future__ import annotations

import math

from wavelab.app.canvas.view_transform import ViewTransform

Bounds = tuple[float, float, float, float]

#: Magnification for one notch (120 eighths of a degree) of a mouse wheel.
ZOOM_PER_NOTCH = 1.2


class Navigation:
    """Owns the view; refits it while nobody has moved it, leaves it alone afterwards."""

    def __init__(self) -> None:
        self.view = ViewTransform()
        self._bounds: Bounds = (0.0, 0.0, 1.0, 1.0)
        self._fitted = True
        self._part: tuple[tuple[float, float], ...] = ()  #: shown until somebody moves the view
        self._last: tuple[float, float] | None = None

    @property
    def panning(self) -> bool:
        return self._last is not None

    def set_bounds(self, bounds: Bounds) -> None:
        """The scene's bounding box.  A fitted view stays fitted; so does one that no longer
        shows any of the scene."""
        self._bounds = bounds
        x0, y0, x1, y1 = self.view.visible()
        lost = bounds[0] > x1 or bounds[2] < x0 or bounds[1] > y1 or bounds[3] < y0
        if self._fitted or lost:
            self.fit()

    def fit(self) -> None:
        self.view = ViewTransform.fitted(self._bounds, self.view.width, self.view.height)
        self._fitted, self._part = True, ()

    @property
    def part(self) -> tuple[tuple[float, float], ...]:
        """Two corners of what is in view; none while that is the whole scene, fitted."""
        if self._fitted:
            return ()
        if self._part:
            return self._part
        x0, y0, x1, y1 = self.view.visible()
        # To a thousandth of what is seen: the numbers go into a file that is read.
        digits = 3 - math.floor(math.log10(max(x1 - x0, y1 - y0)))
        return (round(x0, digits), round(y0, digits)), (round(x1, digits), round(y1, digits))

    def show_part(self, part: tuple[tuple[float, float], ...]) -> None:
        """All between two corners, in the middle."""
        self.view = self.view.around(*part)
        self._fitted, self._part = False, part

    def resize(self, width: float, height: float) -> None:
        """A new size in logical pixels; sizes without area are ignored."""
        if width < 2 or height < 2:
            return
        if self._fitted:
            self.view = ViewTransform.fitted(self._bounds, width, height)
        else:
            self.view = self.view.resized(width, height)
            if self._part:
                self.view = self.view.around(*self._part)

    def zoom(self, factor: float, at: tuple[float, float] | None = None) -> None:
        self.view = self.view.zoomed(factor, at)
        self._moved()

    def look_at(self, point: tuple[float, float]) -> None:
        """Put a place in the scene into the middle."""
        x, y = self.view.to_pixels(point).tolist()
        self.view = self.view.panned(self.view.width / 2 - x, self.view.height / 2 - y)
        self._moved()

    def wheel(self, eighths: float, at: tuple[float, float]) -> None:
        """A turn of the wheel by ``eighths`` of a degree at a pixel; away from you zooms in."""
        self.zoom(ZOOM_PER_NOTCH ** (eighths / 120), at)

    def start_pan(self, at: tuple[float, float]) -> None:
        self._last = at

    def pan_to(self, at: tuple[float, float]) -> None:
        if self._last is not None:
            self.view = self.view.panned(at[0] - self._last[0], at[1] - self._last[1])
            self._last = at
            self._moved()

    def end_pan(self) -> None:
        self._last = None

    def _moved(self) -> None:
        """By hand: it does not follow the size of the canvas any more."""
        self._fitted, self._part = False, ()
