"""Zooming, panning and resizing: what the pointer does to the view transform."""

from __future__ import annotations

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
        self._fitted = True

    def resize(self, width: float, height: float) -> None:
        """A new size in logical pixels; sizes without area are ignored."""
        if width < 2 or height < 2:
            return
        if self._fitted:
            self.view = ViewTransform.fitted(self._bounds, width, height)
        else:
            self.view = self.view.resized(width, height)

    def zoom(self, factor: float, at: tuple[float, float] | None = None) -> None:
        self.view = self.view.zoomed(factor, at)
        self._fitted = False

    def look_at(self, point: tuple[float, float]) -> None:
        """Put a place in the scene into the middle."""
        x, y = self.view.to_pixels(point).tolist()
        self.view = self.view.panned(self.view.width / 2 - x, self.view.height / 2 - y)
        self._fitted = False

    def wheel(self, eighths: float, at: tuple[float, float]) -> None:
        """A turn of the wheel by ``eighths`` of a degree at a pixel; away from you zooms in."""
        self.zoom(ZOOM_PER_NOTCH ** (eighths / 120), at)

    def start_pan(self, at: tuple[float, float]) -> None:
        self._last = at

    def pan_to(self, at: tuple[float, float]) -> None:
        if self._last is not None:
            self.view = self.view.panned(at[0] - self._last[0], at[1] - self._last[1])
            self._last = at
            self._fitted = False

    def end_pan(self) -> None:
        self._last = None
