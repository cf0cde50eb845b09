"""The field painted by the processor, for screens without OpenGL."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.canvas.field_layer import checked_values
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import QColor, QImage, QPainter, QRectF, QtGui, QTimer, QWidget
from wavelab.numerics.discretization import Discretization
from wavelab.numerics.sampling import PixelSampler
from wavelab.output.palette import Rgb, colorize

#: The picture is sampled at no more than this many pixels and magnified, to keep 20 a second.
MOST_PIXELS = 160_000
#: The sampler is made anew when the view has rested this long; until then the old picture moves.
REST_MS = 150


class RasterField(QWidget):
    """Samples the polynomials at the pixels of a coarser picture; the same colours as OpenGL's."""

    def __init__(self, parent: QWidget, *, drawn: Callable[[], None]) -> None:
        super().__init__(parent)
        self.native = self
        self.outside: Rgb = (0, 0, 0)
        self.limit = 1.0
        self.view = ViewTransform()
        self._drawn = drawn
        self._palette = "berlin"
        self._discretization: Discretization | None = None
        self._values: NDArray[np.float32] | None = None
        self._sampler: PixelSampler | None = None
        self._sampled: ViewTransform | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._resample)

    def set_discretization(self, discretization: Discretization | None) -> None:
        self._discretization = discretization
        self._values = None
        if discretization is not None:
            self._values = np.zeros(discretization.shape, np.float32).reshape(-1)
        self._resample()

    def set_values(self, values: NDArray[np.floating]) -> None:
        self._values = checked_values(values, 0 if self._values is None else len(self._values))
        self.update()

    def set_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def grab(self) -> QImage:
        return super().grab().toImage()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(*self.outside))
        if self._discretization is not None and self._values is not None:
            if self.view != self._sampled:
                self._rest.start()
            if self._sampler is not None:
                self._paint_field(painter)
        painter.end()
        self._drawn()

    def _paint_field(self, painter: QPainter) -> None:
        assert self._sampler is not None
        assert self._discretization is not None
        assert self._values is not None
        values = self._sampler.sample(self._values.reshape(self._discretization.shape))
        rgb = colorize(values, self._palette, self.limit, self.outside)
        height, width = rgb.shape[:2]
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
        x0, y0, x1, y1 = self._sampler.extent
        (left, top), (right, bottom) = self.view.to_pixels([(x0, y1), (x1, y0)]).tolist()
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        painter.drawImage(QRectF(left, top, right - left, bottom - top), image)

    def _resample(self) -> None:
        self._sampler, self._sampled = None, self.view
        if self._discretization is not None:
            coarse = min(1.0, math.sqrt(MOST_PIXELS / (self.view.width * self.view.height)))
            self._sampler = PixelSampler(
                self._discretization,
                self.view.visible(),
                max(round(coarse * self.view.width), 1),
                max(round(coarse * self.view.height), 1),
            )
        self.update()
