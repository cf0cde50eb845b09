"""The mouse of the height view, in which the canvas shows the field as a lit relief."""

from __future__ import annotations

import math
from dataclasses import replace

from wavelab.app.base.qt import QEvent, QObject, Qt, QtGui, QWidget, Signal
from wavelab.app.canvas.canvas import Canvas
from wavelab.output.relief import Camera
from wavelab.scene.view.view_rules import ELEVATIONS

HINT = (
    "Drag to turn and tilt, wheel to zoom, double click to look as at first; J: the flat view, "
    "where the tools work"
)
#: Degrees that a drag over a pixel turns.
TURN = 0.4
#: A press that moves no further than this is a click.
STILL = 4
SMALLEST_ZOOM, LARGEST_ZOOM = 0.5, 8.0


class ReliefView(QWidget):
    """Transparent over the canvas, which shows the height view while this is shown, and takes its
    mouse.

    Signals
    -------
    turned(Camera) : the user looks from elsewhere.
    clicked() : a click, which no tool gets.
    """

    turned = Signal(object)
    clicked = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.camera = Camera()
        self._first = Camera()
        self._canvas = canvas
        self._grip: tuple[float, float, Camera, bool] | None = None
        self.setAttribute(Qt.WA_NoSystemBackground)
        self.setCursor(Qt.OpenHandCursor)
        self.setMouseTracking(True)
        canvas.installEventFilter(self)
        self.hide()

    def look(self, azimuth: float, elevation: float) -> None:
        """From there, as the scene wishes."""
        self.camera = replace(self.camera, azimuth=azimuth, elevation=elevation)
        self._first = replace(self.camera, zoom=1.0)
        self._see()

    def zoom(self, factor: float) -> None:
        zoom = min(max(self.camera.zoom * factor, SMALLEST_ZOOM), LARGEST_ZOOM)
        self.camera = replace(self.camera, zoom=zoom)
        self._see()

    def fit(self) -> None:
        """Show the whole domain."""
        self.zoom(1.0 / self.camera.zoom)

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Resize:
            self.setGeometry(self._canvas.rect())
        return super().eventFilter(watched, event)

    def setVisible(self, visible: bool) -> None:
        """Show the height view, or the flat one again."""
        self.setGeometry(self._canvas.rect())
        super().setVisible(visible)
        self._see()

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
        self._see()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        grip, self._grip = self._grip, None
        self.setCursor(Qt.OpenHandCursor)
        if grip is not None and not grip[3] and event.button() == Qt.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.camera = self._first
        self.turned.emit(self.camera)
        self._see()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y())

    def _see(self) -> None:
        self._canvas.set_camera(None if self.isHidden() else self.camera)
