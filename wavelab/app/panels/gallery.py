"""The scenes on the shelf and those opened lately, each with its outline as a thumbnail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wavelab.app.panels.thumbnail import thumbnail
from wavelab.app.qt import QIcon, QRect, QSize, Qt, QtCore, QtGui, QtWidgets, Signal
from wavelab.app.theme import GRID, Theme
from wavelab.errors import WavelabError
from wavelab.scene.scene import Scene
from wavelab.scene.toml_io import load_scene

_PATH, _DESCRIPTION = Qt.UserRole, Qt.UserRole + 1
_THUMBNAIL = QSize(7 * GRID, 5 * GRID)


@dataclass(frozen=True)
class Entry:
    """One scene of the gallery."""

    path: Path
    scene: Scene


def entries(paths: Iterable[Path]) -> list[Entry]:
    """The readable scenes among ``paths``; what cannot be read is not offered."""
    found = []
    for path in paths:
        try:
            found.append(Entry(path, load_scene(path)))
        except (WavelabError, OSError):
            continue
    return found


class Gallery(QtWidgets.QListWidget):
    """Emits ``chosen(Path)`` on a click or Enter."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_EntryDelegate(self))
        self.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setResizeMode(QtWidgets.QListView.Adjust)
        self.setAccessibleName("Scenes")
        self._top = 0
        self.itemClicked.connect(self._choose)

    def show_entries(self, groups: dict[str, list[Entry]], theme: Theme) -> None:
        """``groups`` maps a heading to its scenes; empty groups are left out."""
        self.clear()
        for heading, members in groups.items():
            if not members:
                continue
            title = QtWidgets.QListWidgetItem(heading)
            title.setFlags(Qt.NoItemFlags)
            self.addItem(title)
            for entry in members:
                item = QtWidgets.QListWidgetItem(entry.scene.title)
                item.setData(_PATH, entry.path)
                item.setData(_DESCRIPTION, entry.scene.description)
                item.setToolTip(entry.scene.description or str(entry.path))
                item.setIcon(QIcon(thumbnail(entry.scene, _THUMBNAIL, theme)))
                self.addItem(item)

    def mark(self, path: Path | None) -> None:
        """Select the entry of the scene that is open."""
        for row in range(self.count()):
            if path is not None and self.item(row).data(_PATH) == path:
                self.setCurrentRow(row)
                return
        self.setCurrentRow(-1)
        self.clearSelection()

    def item_for(self, path: Path) -> QtWidgets.QListWidgetItem | None:
        found = (self.item(row) for row in range(self.count()))
        return next((item for item in found if item.data(_PATH) == path), None)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Entries stay where they are when what is above takes more room or less."""
        super().resizeEvent(event)
        down, self._top = self.y() - self._top, self.y()
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + down)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key_Return, Qt.Key_Enter) and self.currentItem() is not None:
            self._choose(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _choose(self, item: QtWidgets.QListWidgetItem) -> None:
        path = item.data(_PATH)
        if path is not None:
            self.chosen.emit(path)


class _EntryDelegate(QtWidgets.QStyledItemDelegate):
    """Thumbnail, title, and two lines of the description."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex) -> QSize:
        line = option.fontMetrics.height()
        if index.data(_PATH) is None:
            return QSize(0, line + 2 * GRID)
        return QSize(0, 3 * line + 2 * GRID)

    def paint(
        self,
        painter: QtGui.QPainter,
        option: QtWidgets.QStyleOptionViewItem,
        index: QtCore.QModelIndex,
    ) -> None:
        palette, metrics, box = option.palette, option.fontMetrics, option.rect
        muted = palette.placeholderText().color()
        if index.data(_PATH) is None:
            painter.setPen(muted)
            inside = box.adjusted(GRID, 0, 0, -GRID // 2)
            painter.drawText(inside, int(Qt.AlignLeft | Qt.AlignBottom), index.data())
            return
        blank = QtWidgets.QStyleOptionViewItem(option)
        self.initStyleOption(blank, index)
        blank.text, blank.icon = "", QIcon()
        style = option.widget.style()
        style.drawControl(QtWidgets.QStyle.CE_ItemViewItem, blank, painter, option.widget)
        left = box.left() + GRID
        middle = box.top() + (box.height() - _THUMBNAIL.height()) // 2
        index.data(Qt.DecorationRole).paint(painter, QRect(left, middle, 7 * GRID, 5 * GRID))
        text = box.adjusted(9 * GRID, GRID, -GRID, -GRID)
        line = metrics.height()
        painter.setPen(palette.text().color())
        title = metrics.elidedText(index.data(), Qt.ElideRight, text.width())
        painter.drawText(QRect(text.left(), text.top(), text.width(), line), 0, title)
        painter.setPen(muted)
        painter.drawText(
            QRect(text.left(), text.top() + line, text.width(), 2 * line),
            int(Qt.AlignLeft | Qt.AlignTop),
            "\n".join(two_lines(index.data(_DESCRIPTION), metrics, text.width())),
        )


def two_lines(text: str, metrics: QtGui.QFontMetrics, width: int) -> list[str]:
    """``text`` broken at a space into at most two lines of ``width`` pixels, the second elided."""
    words, first = text.split(), ""
    while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
        first = f"{first} {words.pop(0)}".strip()
    rest = metrics.elidedText(" ".join(words), Qt.ElideRight, width)
    return [line for line in (first, rest) if line]
