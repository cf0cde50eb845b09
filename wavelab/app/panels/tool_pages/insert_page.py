"""The page of ready-made objects: one button with a picture for each."""

from __future__ import annotations

import textwrap

from wavelab.app.base.qt import (
    QEvent,
    QIcon,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPointF,
    QPolygonF,
    QSize,
    Qt,
    QtWidgets,
    Signal,
    painting,
)
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.section import Section
from wavelab.app.tools.drawing.ready_made import READY_MADE, ReadyMade, Room
from wavelab.scene.model.shapes import smooth_rings

#: Letters beside each other below a picture, unless a word has more, and in a row of pictures.
_LETTERS, _ROW = 10, 30
_PICTURE = 4 * GRID
#: What is pictured: in a room of a unit of height, with slits that can be seen.
_ROOM = Room((-0.5, -0.5), (0.5, 0.5), 0.2, 0.1)


class InsertPage(Section):
    """Emits ``wished(str)`` with the key of the object that is to be put next."""

    wished = Signal(str)

    def __init__(self) -> None:
        super().__init__("Add object")
        self._drawn: object = None  #: colour and pixels that the pictures have
        grid, self.buttons = QtWidgets.QWidget(), dict[str, QtWidgets.QToolButton]()
        layout = QtWidgets.QGridLayout(grid)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        group, columns = QtWidgets.QButtonGroup(self), _columns()
        for number, (key, what) in enumerate(READY_MADE.items()):
            button = self.buttons[key] = QtWidgets.QToolButton()
            button.setText("\n".join(_lines(tr(what.label))))
            button.setToolTip(tr(what.tip))
            button.setAccessibleName(tr(what.label))
            button.setToolButtonStyle(Qt.ToolButtonTextUnderIcon)
            button.setIconSize(QSize(_PICTURE, _PICTURE))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.TabFocus)
            button.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Expanding)
            button.clicked.connect(lambda _, key=key: self.wished.emit(key))
            group.addButton(button)
            layout.addWidget(button, number // columns, number % columns)
        self.add_wide(grid)
        self.add_wide(
            muted_label(
                tr(
                    "Click in the picture to put it there, or drag from end to end of it. Then "
                    "drag its square handles: width, separation, focus, aperture, angle."
                )
            )
        )
        self._draw()

    def show_chosen(self, key: str) -> None:
        self.buttons[key].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.StyleChange):
            self._draw()

    def _draw(self) -> None:
        """Pictures in the colour of the text; only where that is another, since a window's style
        changes half a dozen times while it opens."""
        wanted = self.palette().text().color().rgba(), _pixel_ratio()
        if wanted == self._drawn:
            return
        self._drawn = wanted
        for key, button in self.buttons.items():
            button.setIcon(QIcon(_picture(READY_MADE[key], self)))


def _lines(label: str) -> list[str]:
    return textwrap.wrap(label, _LETTERS, break_long_words=False, break_on_hyphens=False)


def _columns() -> int:
    """Three beside each other, or two in a language of long words."""
    widths = [max(map(len, _lines(tr(what.label)))) for what in READY_MADE.values()]
    return 3 if sum(max(widths[column::3]) for column in range(3)) <= _ROW else 2


def _pixel_ratio() -> float:
    return float(QtWidgets.QApplication.instance().devicePixelRatio())


def _picture(what: ReadyMade, on: QtWidgets.QWidget) -> QPixmap:
    """Its outline, filled if light cannot pass."""
    ratio = _pixel_ratio()
    picture = QPixmap(QSize(_PICTURE, _PICTURE) * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.transparent)
    rings = [ring for ring, _ in smooth_rings(what.put((0.0, 0.0), _ROOM))]
    xs, ys = zip(*(point for ring in rings for point in ring.tolist()), strict=True)
    size = 1.1 * max(max(xs) - min(xs), max(ys) - min(ys))
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    scale, half = _PICTURE / size, _PICTURE / 2
    path = QPainterPath()
    for ring in rings:
        spots = [
            QPointF(half + (x - middle[0]) * scale, half - (y - middle[1]) * scale)
            for x, y in ring.tolist()
        ]
        path.addPolygon(QPolygonF(spots))
        path.closeSubpath()
    colour = on.palette().text().color()
    with painting(picture) as painter:
        painter.setRenderHint(QPainter.Antialiasing)
        if what.becomes == "holes":
            painter.fillPath(path, colour)
        else:
            painter.strokePath(path, QPen(colour, 1.4))
    return picture
