"""The transparent widget over the field that shows the scene and the tool."""

from __future__ import annotations

from wavelab.app.base.qt import (
    QEvent,
    QFont,
    QPainter,
    QPixmap,
    QRectF,
    Qt,
    QtGui,
    QWidget,
    painting,
)
from wavelab.app.canvas.overlay.arrow_painting import paint_arrows
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.overlay.painting import ElementLines
from wavelab.app.canvas.overlay.scene_look import SceneLook
from wavelab.app.canvas.overlay.tool_painting import paint_overlay
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.tools.tool import EMPTY, CircleMark, Overlay, Point
from wavelab.output.arrows import Arrows
from wavelab.output.scene_drawing import SceneDrawing
from wavelab.timeline import NO_TIMELINE


class OverlayView(QWidget):
    """Lets every mouse event through; keeps the scene as a pixmap while only the tool moves.

    Attributes
    ----------
    overlay : marks of the tool.
    marks : circles that stay whatever the tool shows.
    kept : marks that a tool has left, which stay whatever the tool shows.
    reading : a point, or a line, that a panel reads off.
    enlargement : how much larger than usual strokes, marks and letters are.
    """

    def __init__(self, parent: QWidget, drawing: SceneDrawing) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WA_NoSystemBackground)
        self.drawing = drawing
        self._elements: ElementLines | None = None
        self.view = ViewTransform()
        self.ink = Ink.for_palette("berlin")
        self.mesh_visible = self.bright = False
        self.marks_visible = self.shaded = True
        self.enlargement = 1.0
        self.message = ""
        self.timeline = NO_TIMELINE
        self.overlay = self.kept = EMPTY
        self.marks: tuple[CircleMark, ...] = ()
        self.reading: tuple[Point, ...] = ()
        self._arrows: tuple[Arrows, float] | None = None
        self._scene_picture: QPixmap | None = None
        self._names: list[QRectF] = []

    def set_arrows(self, arrows: Arrows | None, longest: float) -> None:
        """Arrows under the lines of the scene, and the size of the vector with the longest."""
        self._arrows = (arrows, longest) if arrows is not None else None
        self.update()

    def set_drawing(self, drawing: SceneDrawing) -> None:
        self.drawing, self._elements = drawing, None
        self.refresh()

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
        with self.timeline.span("paint lines"), painting(self) as painter:
            self.paint(painter, with_tool=True)

    def paint(self, painter: QPainter, *, with_tool: bool) -> None:
        """Everything over the field, on a painter in logical pixels of this widget."""
        view = self.view.enlarged(self.enlargement)
        ratio = self.devicePixelRatioF()
        painter.setRenderHint(QPainter.Antialiasing)
        if self._scene_picture is None or self._scene_picture.devicePixelRatioF() != ratio:
            self._scene_picture = self._paint_scene(ratio)
        painter.save()
        painter.scale(self.enlargement, self.enlargement)
        if self._arrows is not None:
            paint_arrows(painter, *self._arrows, view, self.ink)
        painter.restore()
        painter.drawPixmap(0, 0, self._scene_picture)
        painter.save()
        painter.scale(self.enlargement, self.enlargement)
        if self.marks and self.marks_visible:
            paint_overlay(painter, Overlay(rings=self.marks), view, self.ink)
        if self.reading and self.marks_visible:
            ends = (self.reading[0], self.reading[-1])
            rings = tuple(CircleMark(end, 4 * view.pixel) for end in dict.fromkeys(ends))
            line = self.reading if len(rings) > 1 else ()
            paint_overlay(painter, Overlay(line=line, rings=rings), view, self.ink)
        names = self._names
        if self.marks_visible:
            names = paint_overlay(painter, self.kept, view, self.ink, names)
        if with_tool:
            paint_overlay(painter, self.overlay, view, self.ink, names)
        painter.restore()
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

    @property
    def look(self) -> SceneLook:
        """How the scene is drawn now."""
        marks = self.marks_visible
        return SceneLook(
            self.drawing if marks else self.drawing.room,
            self.view.enlarged(self.enlargement), self.ink,
            self.mesh_visible, self.bright, self.shaded, measured=marks,
        )  # fmt: skip

    def _paint_scene(self, ratio: float) -> QPixmap:
        picture = QPixmap(max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.transparent)
        with painting(picture) as painter:
            if self.mesh_visible and self._elements is None:
                self._elements = ElementLines.of(self.drawing.elements)
            painter.scale(self.enlargement, self.enlargement)
            self._names = self.look.paint(painter, self._elements)
        return picture
