"""The scenes on the shelf and those opened lately, each with a small picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from wavelab.app.base.foreign_text import as_tip, short_names
from wavelab.app.base.qt import QIcon, QRect, QSize, Qt, QtCore, QtGui, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.gallery.thumbnail import preview, thumbnail
from wavelab.errors import WavelabError
from wavelab.paths import SCENES
from wavelab.scene.finding import Catalogue
from wavelab.scene.model.scene import Scene
from wavelab.scene.shelf import words
from wavelab.scene.toml.toml_io import load_scene

_PATH, _DESCRIPTION, _PLACE, _NOTE = (Qt.UserRole + i for i in range(4))
_THUMBNAIL = QSize(7 * GRID, 5 * GRID)
#: Files that are remembered: more than are shown, or all would be read anew whenever all are shown.
_MOST_READ = 256


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
            written = path.stat()
            found.append(_read(path, written.st_mtime_ns, written.st_size))
        except (WavelabError, OSError):
            continue
    return found


@lru_cache(maxsize=_MOST_READ)
def _read(path: Path, modified: int, size: int) -> Entry:
    """Read anew only when it was written anew: the gallery is filled at every change of the theme,
    and a scene with many pings takes its time."""
    return Entry(path, load_scene(path))


class Gallery(QtWidgets.QListWidget):
    """Emits ``chosen(Path)`` on a click or Enter.

    Attributes
    ----------
    wanted : words of which every scene on show has all, or others that mean the same, in its title,
        description, keywords, group or file; if none has, those on show have the nearest.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_EntryDelegate(self))
        self.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setResizeMode(QtWidgets.QListView.Adjust)
        self.setAccessibleName(tr("Scenes"))
        self._top = 0
        self._second_click = False
        self.wanted = ""
        self._catalogue = Catalogue(())
        self.itemClicked.connect(self._choose)

    def show_entries(self, groups: dict[str, list[Entry]], theme: Theme) -> None:
        """``groups`` maps a heading to its scenes; empty groups are left out."""
        self.clear()
        note = QtWidgets.QListWidgetItem()
        note.setFlags(Qt.NoItemFlags)
        note.setData(_NOTE, True)
        self.addItem(note)
        known, texts = words(), list[str]()
        for heading, members in groups.items():
            if not members:
                continue
            title = QtWidgets.QListWidgetItem(tr(heading))
            title.setFlags(Qt.NoItemFlags)
            self.addItem(title)
            places = _places(members)
            for entry in members:
                item = QtWidgets.QListWidgetItem(tr(entry.scene.title))
                item.setData(_PATH, entry.path)
                item.setData(_DESCRIPTION, tr(entry.scene.description))
                item.setData(_PLACE, places.get(entry.path, ""))
                item.setToolTip(as_tip(tr(entry.scene.description) or str(entry.path)))
                shown = preview(entry.path, entry.scene, _THUMBNAIL, theme)
                item.setIcon(QIcon(shown or thumbnail(entry.scene, _THUMBNAIL, theme)))
                self.addItem(item)
                keywords = known.keywords.get(entry.path.stem, "")
                keywords = keywords if entry.path.parent == SCENES else ""
                place = item.data(_PLACE)
                english = (entry.scene.title, entry.scene.description, heading)
                told = (*english, *map(tr, english), place, entry.path.stem, keywords)
                texts.append(" ".join(told))
        self._catalogue = Catalogue(tuple(texts), known.synonyms)
        self.show_wanted(self.wanted)

    def show_wanted(self, text: str) -> None:
        """Only the scenes that have these words, or the nearest to them; all if there are none."""
        self.wanted = text
        finding = self._catalogue.find(text)
        found, number = set(finding.numbers), 0
        heading, members = None, 0
        for row in range(1, self.count()):
            item = self.item(row)
            if item.data(_PATH) is None:
                heading, members = item, 0
            else:
                item.setHidden(number not in found)
                number += 1
                members += not item.isHidden()
            if heading is not None:
                heading.setHidden(not members)
        if (note := self.item(0)) is not None:
            note.setText(_not_found(text, finding.instead))
            note.setHidden(bool(found) and not finding.instead)
        if self.currentItem() is not None:
            self.executeDelayedItemsLayout()
            self.scrollToItem(self.currentItem())
        self.viewport().update()

    def choose_first(self) -> None:
        """The first scene on show, as if it had been clicked."""
        rows = (self.item(row) for row in range(self.count()))
        first = next((i for i in rows if not i.isHidden() and i.data(_PATH) is not None), None)
        if first is not None:
            self._choose(first)

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
        """Entries stay where they are when what is above takes more room or less, but for the one
        that is open, which stays in sight."""
        now = self.currentItem()
        seen = now is not None and self.visualItemRect(now).bottom() < event.oldSize().height()
        super().resizeEvent(event)
        down, self._top = self.y() - self._top, self.y()
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + down)
        if seen:
            self.scrollToItem(now)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Its second click is not one more: the first may have brought another scene there."""
        self._second_click = True

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        second, self._second_click = self._second_click, False
        if not second:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key_Return, Qt.Key_Enter) and self.currentItem() is not None:
            self._choose(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _choose(self, item: QtWidgets.QListWidgetItem) -> None:
        path = item.data(_PATH)
        if path is not None:
            self.setCurrentItem(item)
            self.chosen.emit(path)


class _EntryDelegate(QtWidgets.QStyledItemDelegate):
    """Thumbnail, title, and two lines of the description, or where it is and one line."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex) -> QSize:
        line = option.fontMetrics.height()
        if index.data(_NOTE):
            return QSize(0, 2 * line + 2 * GRID)
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
        if index.data(_NOTE):
            painter.setPen(muted)
            inside = box.adjusted(GRID, GRID, -GRID, 0)
            painter.drawText(inside, int(Qt.AlignTop | Qt.TextWordWrap), index.data())
            return
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
        below = two_lines(index.data(_DESCRIPTION), metrics, text.width())
        if place := index.data(_PLACE):
            place = metrics.elidedText(place, Qt.ElideLeft, text.width())
            rest = metrics.elidedText(index.data(_DESCRIPTION), Qt.ElideRight, text.width())
            below = [place, rest]
        painter.setPen(muted)
        painter.drawText(
            QRect(text.left(), text.top() + line, text.width(), 2 * line),
            int(Qt.AlignLeft | Qt.AlignTop),
            "\n".join(below),
        )


def _not_found(text: str, instead: str) -> str:
    """What stands above the scenes for ``instead``, or in place of all."""
    if not instead:
        return tr("No scene speaks of \u201c{text}\u201d.", text=text)
    return tr(
        "No scene speaks of \u201c{text}\u201d, but some of \u201c{instead}\u201d:",
        text=text,
        instead=instead,
    )


def _places(members: Sequence[Entry]) -> dict[Path, str]:
    """Where those are that have their title in common with another: it tells them apart."""
    titles = [entry.scene.title for entry in members]
    alike = [entry.path for entry in members if titles.count(entry.scene.title) > 1]
    return short_names(alike)


def two_lines(text: str, metrics: QtGui.QFontMetrics, width: int) -> list[str]:
    """``text`` broken at a space into at most two lines of ``width`` pixels, the second elided."""
    words, first = text.split(), ""
    while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
        first = f"{first} {words.pop(0)}".strip()
    rest = metrics.elidedText(" ".join(words), Qt.ElideRight, width)
    return [line for line in (first, rest) if line]
