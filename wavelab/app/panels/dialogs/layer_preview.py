"""A drawing as its layers will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from wavelab.app.base.qt import QPointF, Qt, QtGui, QtWidgets, painting
from wavelab.app.base.theme import GRID
from wavelab.meshing.drawings.roles import DOMAIN, MATERIAL, NOTHING, OBSTACLE

_SIDE = 48 * GRID
#: Part of the side that stays free on each side.
_MARGIN = 0.04
#: Opacity of what is filled, by what it becomes.
_OPACITY = {DOMAIN: 0.08, OBSTACLE: 0.9, MATERIAL: 0.55, NOTHING: 0.0}
#: A chord may be off by this part of a pixel.
_FINE = 0.2


@dataclass(frozen=True)
class Shown:
    """Areas of a layer, y downwards; ``color`` of its materials, and whether it is chosen."""

    areas: Sequence[shapely.Geometry]
    becomes: str
    color: QtGui.QColor
    chosen: bool = False


class LayerPreview(QtWidgets.QWidget):
    """Fills what becomes something, and draws the rim of all."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(_SIDE, _SIDE)
        self._shown: Sequence[Shown] = ()
        self._paths: dict[int, QtGui.QPainterPath] = {}

    def show_layers(self, shown: Sequence[Shown]) -> None:
        """In this order, the later above the earlier."""
        self._shown = shown
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QtGui.QPainter) -> None:
        painter.setRenderHint(QtGui.QPainter.Antialiasing)
        painter.fillRect(self.rect(), self.palette().base())
        if not self._shown:
            return
        x0, y0, x1, y1 = shapely.total_bounds([a for each in self._shown for a in each.areas])
        room = 1 - 2 * _MARGIN
        scale = room * min(self.width() / (x1 - x0), self.height() / (y1 - y0))
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(scale, scale)
        painter.translate(-(x0 + x1) / 2, -(y0 + y1) / 2)
        ink = self.palette().text().color()
        for each in self._shown:
            fill = QtGui.QColor(ink if each.becomes in (OBSTACLE, DOMAIN) else each.color)
            fill.setAlphaF(_OPACITY[each.becomes])
            line = QtGui.QColor(each.color if each.becomes == MATERIAL else ink)
            line.setAlphaF(0.35 if each.becomes == NOTHING and not each.chosen else 1.0)
            pen = QtGui.QPen(line, 3 if each.chosen else 1)
            pen.setCosmetic(True)
            if each.becomes == NOTHING:
                pen.setStyle(Qt.DotLine)
            painter.setPen(pen)
            painter.setBrush(fill)
            for area in each.areas:
                painter.drawPath(self._path(area, _FINE / scale))

    def _path(self, area: shapely.Geometry, fine: float) -> QtGui.QPainterPath:
        key = id(area)
        if key not in self._paths:
            path = QtGui.QPainterPath()
            path.setFillRule(Qt.OddEvenFill)
            for part in shapely.get_parts(shapely.simplify(area, fine)).tolist():
                for ring in (part.exterior, *part.interiors):
                    path.addPolygon(QtGui.QPolygonF([QPointF(x, y) for x, y in ring.coords]))
            self._paths[key] = path
        return self._paths[key]
