"""The field painted by the processor, for screens where OpenGL is missing or is the processor's
own imitation of it, which costs four times as much."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.canvas.field_layer import checked_values
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import QColor, QImage, QPainter, QRectF, QtGui, QTimer, QWidget, painting
from wavelab.numerics.discretization import Discretization
from wavelab.numerics.sampling import Extent, PixelSampler
from wavelab.output.palette import Rgb, colorize
from wavelab.timeline import NO_TIMELINE

#: The picture is sampled at no more than this many pixels and magnified, to keep 20 a second.
MOST_PIXELS = 240_000
#: A view that has moved is sampled anew after this long; until then the old picture moves.
REST_MS = 150
#: How often the window asks whether the new sampler is ready.
POLL_MS = 30


class SamplerJob(threading.Thread):
    """Makes the sampler of one view, a few tenths of a second, while the window goes on."""

    def __init__(self, discretization: Discretization, view: ViewTransform) -> None:
        super().__init__(name="pixel sampler", daemon=True)
        self.discretization = discretization
        self.view = view
        self.sampler: PixelSampler | None = None

    def run(self) -> None:
        view = self.view
        coarse = min(1.0, math.sqrt(MOST_PIXELS / (view.width * view.height)))
        width, height = max(round(coarse * view.width), 1), max(round(coarse * view.height), 1)
        self.sampler = PixelSampler(self.discretization, view.visible(), width, height)


class RasterField(QWidget):
    """Samples the polynomials at the pixels of a coarser picture; the same colours as OpenGL's."""

    def __init__(self, parent: QWidget, *, drawn: Callable[[], None]) -> None:
        super().__init__(parent)
        self.native = self
        self.outside: Rgb = (0, 0, 0)
        self.limit = 1.0
        self.decades: int | None = None
        self.view = ViewTransform()
        self.timeline = NO_TIMELINE
        self._drawn = drawn
        self._palette = "berlin"
        self._discretization: Discretization | None = None
        self._values: NDArray[np.float32] | None = None
        self._sampler: PixelSampler | None = None
        self._sampled: ViewTransform | None = None
        self._picture: QImage | None = None
        self._extent: Extent = (0.0, 0.0, 1.0, 1.0)
        self._job: SamplerJob | None = None
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._collect)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._resample)

    @property
    def sharp(self) -> bool:
        """Whether the picture has been sampled for the view it is shown in."""
        return self._sampler is not None and self._sampled == self.view

    def set_discretization(self, discretization: Discretization | None) -> None:
        self._discretization = discretization
        self._values = None
        if discretization is None:
            self._picture = None
        else:
            self._values = np.zeros(discretization.shape, np.float32).reshape(-1)
        self._sampler = self._sampled = None
        # Not at once: the canvas is about to say where to look.
        QTimer.singleShot(0, self._resample)
        self.update()

    def set_values(self, values: NDArray[np.floating]) -> None:
        self._values = checked_values(values, 0 if self._values is None else len(self._values))
        self.update()

    def set_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def grab(self) -> QImage:
        if self._discretization is not None and not self.sharp:
            job = self._job
            if job is None or (job.discretization, job.view) != (self._discretization, self.view):
                job = SamplerJob(self._discretization, self.view)
                job.start()
            job.join()
            self._sampler, self._sampled = job.sampler, job.view
        return super().grab().toImage()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        with self.timeline.span("paint field"):
            self._paint()
        self._drawn()

    def _paint(self) -> None:
        if self._discretization is not None:
            if not (self.sharp or self._job or self._rest.isActive()):
                self._rest.start()
            if self._sampler is not None:
                self._sample(self._sampler, self._discretization)
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(*self.outside))
            # Until the sampler of a new mesh is ready the last picture stays: nothing flickers.
            if self._picture is not None:
                x0, y0, x1, y1 = self._extent
                (left, top), (right, bottom) = self.view.to_pixels([(x0, y1), (x1, y0)]).tolist()
                painter.setRenderHint(QPainter.SmoothPixmapTransform)
                painter.drawImage(QRectF(left, top, right - left, bottom - top), self._picture)

    def _sample(self, sampler: PixelSampler, discretization: Discretization) -> None:
        assert self._values is not None
        values = sampler.sample(self._values.reshape(discretization.shape))
        rgb = colorize(values, self._palette, self.limit, self.outside, self.decades)
        height, width = rgb.shape[:2]
        # Four bytes a pixel, which is what Qt can magnify without converting, and a copy, as an
        # image made from an array does not keep the array.
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
        self._picture = image.convertToFormat(QImage.Format_RGB32)
        self._extent = sampler.extent

    def _resample(self) -> None:
        if self._job is None and self._discretization is not None:
            self._job = SamplerJob(self._discretization, self.view)
            self._job.start()
            self._poll.start()

    def _collect(self) -> None:
        job = self._job
        if job is None or job.is_alive():
            return
        self._poll.stop()
        self._job = None
        if job.discretization is self._discretization:
            self._sampler, self._sampled = job.sampler, job.view
        else:
            self._resample()
        self.update()
