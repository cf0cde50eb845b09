"""A scene, small: a wave of it that was recorded, or its outline."""

from __future__ import annotations

from pathlib import Path

from wavelab.app.base.images import image_of, pixels_of
from wavelab.app.base.qt import (
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPoint,
    QPointF,
    QPolygonF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QtWidgets,
    painting,
)
from wavelab.app.base.theme import Theme, icon
from wavelab.app.session.view_state import ViewState
from wavelab.output.palette import swapped
from wavelab.paths import PREVIEWS, SCENES
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape

_MARGIN = 3.0
_CORNER = 3.0
_MESH_FILE = "ph.triangle"


def preview(path: Path, scene: Scene, size: QSize, theme: Theme) -> QPixmap | None:
    """What came with a shipped scene (``scripts/previews.py``), in the palette of the theme; None
    if nothing did."""
    if path.parent != SCENES:
        return None
    image = QImage(str(PREVIEWS / f"{path.stem}.png"))
    if image.isNull():
        return None
    drawn, wanted = (ViewState.of_scene(scene.view, name).palette for name in ("dark", theme.name))
    shot = QPixmap.fromImage(image if drawn == wanted else _recoloured(image, drawn, wanted))
    picture = _blank(size)
    with painting(picture) as painter:
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        room = QPainterPath()
        room.addRoundedRect(QRectF(QPointF(0, 0), QSizeF(size)), _CORNER, _CORNER)
        painter.setClipPath(room)
        painter.drawPixmap(QRect(QPoint(0, 0), size), shot)
    return picture


def _recoloured(image: QImage, old: str, new: str) -> QImage:
    return image_of(swapped(pixels_of(image), old, new))


def thumbnail(scene: Scene, size: QSize, theme: Theme) -> QPixmap:
    """Domain, holes, materials and sources of a scene; a sign if a mesh file gives the domain,
    which would take too long to read for every entry of a list."""
    picture = _blank(size)
    if scene.outline is None:
        with painting(picture) as painter:
            icon(_MESH_FILE, theme).paint(painter, QRect(QPoint(0, 0), size))
        return picture
    (x0, y0), (x1, y1) = scene.outline.bounds()
    extent = max(
        (x1 - x0) / (size.width() - 2 * _MARGIN), (y1 - y0) / (size.height() - 2 * _MARGIN)
    )
    scale = 1.0 / extent if extent > 0 else 1.0

    def place(x: float, y: float) -> QPointF:
        return QPointF(
            size.width() / 2 + (x - (x0 + x1) / 2) * scale,
            size.height() / 2 - (y - (y0 + y1) / 2) * scale,
        )

    def path(shapes: list[Shape]) -> QPainterPath:
        joined = QPainterPath()
        joined.setFillRule(Qt.OddEvenFill)
        for shape in shapes:
            for ring, _ in shape.rings(2.0 / scale):
                joined.addPolygon(QPolygonF([place(x, y) for x, y in ring.tolist()]))
                joined.closeSubpath()
        return joined

    with painting(picture) as painter:
        painter.setRenderHint(QPainter.Antialiasing)
        domain = path([scene.outline, *(hole.shape for hole in scene.holes)])
        painter.setPen(QPen(QColor(theme.muted), 1.25))
        painter.fillPath(domain, QColor(theme.border))
        materials = [region.shape for region in scene.materials if region.shape is not None]
        if materials:
            painter.setClipPath(domain)
            painter.fillPath(path(materials), QColor(theme.disabled))
            painter.setClipping(False)
        painter.drawPath(domain)
        painter.setPen(Qt.NoPen)
        painter.setBrush(QColor(theme.accent))
        for source in scene.sources:
            if (at := source.anchor()) is not None:
                painter.drawEllipse(place(*at), 2.0, 2.0)
    return picture


def _blank(size: QSize) -> QPixmap:
    """Transparent, sharp on this screen."""
    ratio = QtWidgets.QApplication.instance().devicePixelRatio()
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.transparent)
    return picture
