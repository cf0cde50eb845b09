"""The height view: the field as a lit relief that the mouse turns, over the flat canvas.

The processor paints it, see :mod:`wavelab.output.relief`, so it is the same on every screen and in
pictures and movies.
"""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.app.canvas.ink import Ink
from wavelab.app.qt import (
    QEvent,
    QImage,
    QObject,
    QPainter,
    QRectF,
    Qt,
    QtGui,
    QTimer,
    QWidget,
    Signal,
    painting,
)
from wavelab.numerics.discretization import Discretization
from wavelab.output.palette import DEFAULT_DIVERGING, surroundings
from wavelab.output.relief import Camera, Relief
from wavelab.scene.validate import ELEVATIONS

HINT = (
    "Height view: drag to turn and tilt it, wheel to zoom, double click to look as at first; "
    "J goes back to the flat view, where the tools work"
)
#: The picture has no more pixels than this and is magnified, to keep 20 a second.
MOST_PIXELS = 130_000
#: Degrees that a drag over a pixel turns.
TURN = 0.4
#: A press that moves no further than this is a click.
STILL = 4
SMALLEST_ZOOM, LARGEST_ZOOM = 0.5, 8.0
#: How often the window asks whether the relief of a new mesh is ready.
POLL_MS = 30


class _Job(threading.Thread):
    """Makes the relief of a mesh, a few tenths of a second, while the window goes on."""

    def __init__(self, discretization: Discretization) -> None:
        super().__init__(name="relief", daemon=True)
        self.discretization = discretization
        self.relief: Relief | None = None

    def run(self) -> None:
        self.relief = Relief(self.discretization)


class ReliefView(QWidget):
    """Covers the canvas while it is shown, and takes its mouse.

    Signals
    -------
    turned(Camera) : the user looks from elsewhere.
    clicked() : a click, which no tool gets.
    """

    turned = Signal(object)
    clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.camera = Camera()
        self._first = Camera()
        self._palette, self._limit = DEFAULT_DIVERGING, 1.0
        self._decades: int | None = None
        self._discretization: Discretization | None = None
        self._values: NDArray[np.floating] | None = None
        self._relief: Relief | None = None
        self._raised: Discretization | None = None  # the mesh of the relief
        self._kept: NDArray[np.floating] | None = None  # its values, once there is another mesh
        self._job: _Job | None = None
        self._grip: tuple[float, float, Camera, bool] | None = None
        self._poll = QTimer(self, interval=POLL_MS, timeout=self._collect)
        self.setAttribute(Qt.WA_OpaquePaintEvent)
        self.setCursor(Qt.OpenHandCursor)
        self.setMouseTracking(True)
        parent.installEventFilter(self)
        self.hide()

    # What is shown

    def set_discretization(self, discretization: Discretization | None) -> None:
        """Another mesh; the picture of the old one stays until its relief is ready, if it is looked
        at."""
        if self.ready:
            self._kept = self._values
        if self.isHidden() and discretization is not self._raised:
            self._drop()
        self._discretization, self._values = discretization, None
        self._prepare()

    def set_values(self, values: NDArray[np.floating]) -> None:
        """(n_elements, nodes_per_element)."""
        self._values = values
        self.update()

    def set_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def set_limit(self, limit: float) -> None:
        self._limit = float(limit) if math.isfinite(limit) and limit > 0 else 0.0
        self.update()

    def set_decades(self, decades: int | None) -> None:
        self._decades = decades
        self.update()

    def look(self, azimuth: float, elevation: float) -> None:
        """From there, as the scene wishes."""
        self.camera = replace(self.camera, azimuth=azimuth, elevation=elevation)
        self._first = replace(self.camera, zoom=1.0)
        self.update()

    def zoom(self, factor: float) -> None:
        zoom = min(max(self.camera.zoom * factor, SMALLEST_ZOOM), LARGEST_ZOOM)
        self.camera = replace(self.camera, zoom=zoom)
        self.update()

    def fit(self) -> None:
        """Show the whole domain."""
        self.zoom(1.0 / self.camera.zoom)

    @property
    def ready(self) -> bool:
        """Whether the relief of the present mesh can be painted."""
        return self._relief is not None and self._raised is self._discretization

    def grab_rgb(self) -> NDArray[np.uint8]:
        """(height, width, 3) picture in device pixels."""
        ratio = self.devicePixelRatioF()
        return self._picture(round(self.width() * ratio), round(self.height() * ratio))

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Resize:
            self.setGeometry(self.parentWidget().rect())
        return super().eventFilter(watched, event)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        self.setGeometry(self.parentWidget().rect())
        self._prepare()
        super().showEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        coarse = min(1.0, math.sqrt(MOST_PIXELS / max(self.width() * self.height(), 1)))
        rgb = self._picture(round(coarse * self.width()), round(coarse * self.height()))
        height, width = rgb.shape[:2]
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
        with painting(self) as painter:
            painter.setRenderHint(QPainter.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), image.convertToFormat(QImage.Format_RGB32))
            if self._relief is None:
                painter.setPen(Ink.for_palette(self._palette).line)
                painter.drawText(self.rect(), int(Qt.AlignCenter), "Raising the relief\u2026")

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() in (Qt.LeftButton, Qt.MiddleButton):
            at = event.localPos()
            self._grip = (at.x(), at.y(), self.camera, False)
            self.setCursor(Qt.ClosedHandCursor)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._grip is None:
            return
        x, y, begun, _ = self._grip
        right, down = event.localPos().x() - x, event.localPos().y() - y
        if not self._grip[3] and math.hypot(right, down) <= STILL:
            return
        self._grip = (x, y, begun, True)
        azimuth = (begun.azimuth - TURN * right + 180) % 360 - 180
        elevation = min(max(begun.elevation + TURN * down, ELEVATIONS[0]), ELEVATIONS[1])
        # Tenths of a degree are seen by nobody, and written in a few digits.
        self.camera = replace(begun, azimuth=round(azimuth, 1), elevation=round(elevation, 1))
        self.turned.emit(self.camera)
        self.update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        grip, self._grip = self._grip, None
        self.setCursor(Qt.OpenHandCursor)
        if grip is not None and not grip[3] and event.button() == Qt.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.camera = self._first
        self.turned.emit(self.camera)
        self.update()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y())

    # The relief

    def _prepare(self) -> None:
        """Begin to make the relief of the present mesh, if it is looked at and not there yet."""
        if self._discretization is None:
            self._drop()
        elif not self.isHidden() and not self.ready and self._job is None:
            self._job = _Job(self._discretization)
            self._job.start()
            self._poll.start()
        self.update()

    def _collect(self) -> None:
        job = self._job
        if job is None or job.is_alive():
            return
        self._poll.stop()
        self._job = None
        if job.discretization is self._discretization:
            self._relief, self._raised, self._kept = job.relief, job.discretization, None
            self.update()
        else:
            self._prepare()

    def _drop(self) -> None:
        self._relief = self._raised = self._kept = None

    def _picture(self, width: int, height: int) -> NDArray[np.uint8]:
        outside = surroundings(self._palette)
        size = max(width, 1), max(height, 1)
        relief, raised = self._relief, self._raised
        if relief is None or raised is None:
            return np.full((size[1], size[0], 3), outside, np.uint8)
        values = self._values if self.ready else self._kept
        if values is None:
            values = np.zeros(raised.shape, np.float32)
        return relief.picture(
            relief.sample(values), self.camera, size, self._palette, self._limit, outside,
            self._decades,
        )  # fmt: skip
