"""The transparent widget over the field that shows the scene, the tool and the legend."""

from __future__ import annotations

from wavelab.app.canvas.ink import Ink
from wavelab.app.canvas.painting import paint_overlay, paint_scene
from wavelab.app.canvas.scale_bar import has_room, paint_scale_bar
from wavelab.app.canvas.scene_drawing import SceneDrawing
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import QEvent, QFont, QPainter, QPixmap, Qt, QtGui, QWidget
from wavelab.app.tools.tool import EMPTY, Overlay


class OverlayView(QWidget):
    """Lets every mouse event through; keeps the scene as a pixmap while only the tool moves."""

    def __init__(self, parent: QWidget, drawing: SceneDrawing) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WA_NoSystemBackground)
        self.drawing = drawing
        self.view = ViewTransform()
        self.ink = Ink.for_palette("berlin")
        self.mesh_visible = False
        self.message = ""
        self._overlay = EMPTY
        self._scene_picture: QPixmap | None = None

    @property
    def overlay(self) -> Overlay:
        return self._overlay

    def set_overlay(self, overlay: Overlay) -> None:
        if overlay != self._overlay:
            self._overlay = overlay
            self.update()

    def set_palette(self, name: str) -> None:
        self.ink = Ink.for_palette(name)
        self.refresh()

    def refresh(self) -> None:
        """Paint the scene anew: the view, the scene or the colours have changed."""
        self._scene_picture = None
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.FontChange:
            self.refresh()
        super().changeEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint(painter, with_tool=True)
        painter.end()

    def paint(self, painter: QPainter, *, with_tool: bool) -> None:
        """Everything over the field, on a painter in logical pixels of this widget."""
        ratio = self.devicePixelRatioF()
        if self._scene_picture is None or self._scene_picture.devicePixelRatioF() != ratio:
            self._scene_picture = self._paint_scene(ratio)
        painter.drawPixmap(0, 0, self._scene_picture)
        painter.setRenderHint(QPainter.Antialiasing)
        if with_tool:
            paint_overlay(painter, self._overlay, self.view, self.ink)
        if self.message:
            font = QFont()
            font.setPixelSize(15)
            painter.setFont(font)
            painter.setPen(self.ink.line)
            painter.drawText(
                self.rect().adjusted(24, 24, -24, -24),
                int(Qt.AlignCenter | Qt.TextWordWrap),
                self.message,
            )

    def _paint_scene(self, ratio: float) -> QPixmap:
        picture = QPixmap(max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.Antialiasing)
        paint_scene(painter, self.drawing, self.view, self.ink, self.mesh_visible)
        if self.drawing.bounds is not None and has_room(self.view):
            paint_scale_bar(painter, self.view, self.ink)
        painter.end()
        return picture
