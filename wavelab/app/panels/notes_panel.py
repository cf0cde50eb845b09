"""The lesson beside the scene: what to do and what to look at, to be read and to be written."""

from __future__ import annotations

from wavelab.app.base.layouts import column
from wavelab.app.base.qt import QEvent, QFont, QImage, QObject, Qt, QtCore, QtGui, QtWidgets, Signal
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr

EMPTY = (
    "No notes yet. “Write” opens a sheet for them: what to do, what to look at, questions to a "
    "class. They are saved with the scene and come up where somebody opens it."
)
HOW = (
    "Markdown: # heading, - point, 1. step, - [ ] box, **strong**, *slanted*, | table |. An empty "
    "line ends a paragraph."
)
_WIDTH, _LEAST_WIDTH = 36 * GRID, 27 * GRID
#: Steps by which the title is larger than the text, and headings of the first levels are.
_TITLE, _HEADINGS = 1, (1, 0)
#: What a text is taken for: no HTML, which could name pictures and pages to be loaded.
_MARKDOWN = QtGui.QTextDocument.MarkdownFeatures(
    QtGui.QTextDocument.MarkdownNoHTML | QtGui.QTextDocument.MarkdownDialectGitHub
)


class NotesPanel(QtWidgets.QWidget):
    """Shows title, description and notes of a scene; while its button is down they can be written.

    Emits ``wished(title, description, notes)`` when something else is written there and the focus
    goes elsewhere, every 0.7 s, or at :meth:`settle`.

    Attributes
    ----------
    write : the button.
    page : what is read.
    title, description, notes : where they are written.
    """

    wished = Signal(str, str, str)

    def __init__(self) -> None:
        super().__init__()
        self._told = ("", "", "")
        self.page = _Page()
        self.title = QtWidgets.QLineEdit()
        self.description, self.notes = _Sheet(), _Sheet()
        self.description.setFixedHeight(12 * GRID)
        self.notes.setToolTip(tr(HOW))
        self.write = QtWidgets.QPushButton(tr("Write"))
        self.write.setCheckable(True)
        self.write.setToolTip(tr("Change the title, the description and the notes of the scene"))
        self.write.toggled.connect(self._toggled)
        self._sheets = QtWidgets.QWidget()
        sheets = column(on=self._sheets, spacing=0.5)
        for label, field in (
            (tr("Title"), self.title),
            (tr("Description, a few sentences"), self.description),
            (tr("Notes, in Markdown"), self.notes),
        ):
            name = QtWidgets.QLabel(label)
            name.setObjectName("muted")
            name.setBuddy(field)
            field.setAccessibleName(label.partition(",")[0])
            field.installEventFilter(self)
            sheets.addWidget(name)
            sheets.addWidget(field, int(field is self.notes))
        column((self.page, 1), (self._sheets, 1), self.write, on=self, margins=(2, 1, 2, 1))
        # Not after a pause of the hand: who writes without one would lose it all in a crash.
        self._while_writing = QtCore.QTimer(
            self, singleShot=True, interval=700, timeout=self._take_over
        )
        self.title.textEdited.connect(self._writing)
        for sheet in (self.description, self.notes):
            sheet.textChanged.connect(self._writing)
        self._toggled(False)
        self.setMinimumWidth(_LEAST_WIDTH)

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(_WIDTH, super().sizeHint().height())

    def show_texts(self, title: str, description: str, notes: str) -> None:
        """Those of the scene; what is being written is not disturbed unless they are others.

        A scene from the shelf is read in the language of the window, and written in its own.
        """
        told = (title, description, notes)
        if told == self._told:
            return
        same_scene, self._told = title == self._told[0], told
        self.page.show_texts(tr(title), tr(description), notes, anew=not same_scene)
        if told == self._written() and self.title.text():
            return
        self.title.setText(title)
        for sheet, text in ((self.description, description), (self.notes, notes)):
            if sheet.toPlainText() != text:
                sheet.setPlainText(text)
        self._while_writing.stop()

    def settle(self) -> None:
        """What was written up to now is wished for."""
        self._while_writing.stop()
        if not self.title.text().strip():
            self.title.setText(self._told[0])
        self._take_over()

    def _writing(self, *_: object) -> None:
        if not self._while_writing.isActive():
            self._while_writing.start()

    def _take_over(self) -> None:
        if self.write.isChecked() and self._written() != self._told:
            self.wished.emit(*self._written())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.FocusOut:
            self.settle()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange):
            title, description, notes = self._told
            self.page.show_texts(tr(title), tr(description), notes, anew=False)
        super().changeEvent(event)

    def _written(self) -> tuple[str, str, str]:
        # A description is one paragraph, and an empty title says nothing.
        description = " ".join(self.description.toPlainText().split())
        title = self.title.text().strip() or self._told[0]
        return title, description, self.notes.toPlainText()

    def _toggled(self, writing: bool) -> None:
        if not writing:
            self._while_writing.stop()
            if self._written() != self._told and self.notes.isVisible():
                self.wished.emit(*self._written())
        self._sheets.setVisible(writing)
        self.page.setVisible(not writing)
        if writing:
            self.notes.setFocus()


class _Sheet(QtWidgets.QPlainTextEdit):
    """Tab leads on to the next field, and does not stand in the text."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFrameShape(QtWidgets.QFrame.NoFrame)


class _Page(QtWidgets.QTextBrowser):
    """Text that somebody else may have written: it loads nothing and follows no link.

    It is laid out when it is seen, and not after each word that is written behind it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QtWidgets.QFrame.NoFrame)
        self.document().setDocumentMargin(0)
        self._texts = ("", "", "")
        self._stale = self._anew = False
        # Its ground is that of the panel.
        self.viewport().setAutoFillBackground(False)
        self.setTextInteractionFlags(Qt.TextSelectableByMouse | Qt.TextSelectableByKeyboard)

    def loadResource(self, kind: int, name: QtCore.QUrl) -> object:
        """An empty picture, or nothing that means anything: where there is none at all Qt opens the
        file itself."""
        if kind != QtGui.QTextDocument.ImageResource:
            return QtCore.QByteArray(b" ")
        empty = QImage(1, 1, QImage.Format_ARGB32)
        empty.fill(Qt.transparent)
        return empty

    def show_texts(self, title: str, description: str, notes: str, *, anew: bool) -> None:
        """Parameters
        ----------
        anew : whether to begin at the top, and not to stay where one reads.
        """
        self._texts, self._stale, self._anew = (title, description, notes), True, self._anew or anew
        if self.isVisible():
            self._lay_out()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._lay_out()

    def _lay_out(self) -> None:
        (title, description, notes), bar = self._texts, self.verticalScrollBar()
        before = 0 if self._anew else bar.value()
        self._stale = self._anew = False
        self.clear()
        cursor = self.textCursor()
        plain, muted = QtGui.QTextCharFormat(), QtGui.QTextCharFormat()
        muted.setForeground(self.palette().placeholderText())
        gap = QtGui.QTextBlockFormat()
        gap.setBottomMargin(GRID)
        cursor.setBlockFormat(gap)
        cursor.insertText(title, _heading(_TITLE))
        for text, ink in (
            (description, plain if notes else muted),
            (tr(EMPTY) if not notes else "", muted),
        ):
            if text:
                cursor.insertBlock(gap, ink)
                cursor.insertText(text, ink)
        if notes:
            cursor.insertBlock(QtGui.QTextBlockFormat(), plain)
            cursor.insertFragment(QtGui.QTextDocumentFragment(self._read(notes)))
        # Qt scrolls to where the cursor is, and that was pushed to the end.
        self.moveCursor(QtGui.QTextCursor.Start)
        bar.setValue(before)

    def _read(self, notes: str) -> QtGui.QTextDocument:
        """Markdown in the sizes and lines of the window."""
        read = QtGui.QTextDocument()
        read.setDefaultFont(self.font())
        read.setMarkdown(notes, _MARKDOWN)
        block = read.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level:
                cursor = QtGui.QTextCursor(block)
                cursor.select(QtGui.QTextCursor.BlockUnderCursor)
                larger = _HEADINGS[min(level, len(_HEADINGS)) - 1]
                cursor.mergeCharFormat(_heading(larger))
                form = block.blockFormat()
                form.setTopMargin(GRID)
                form.setBottomMargin(GRID // 2)
                # Not of the selection, which begins at the end of the block before.
                QtGui.QTextCursor(block).setBlockFormat(form)
            block = block.next()
        for frame in read.rootFrame().childFrames():
            if isinstance(frame, QtGui.QTextTable):
                lines = frame.format()
                lines.setBorderCollapse(True)
                lines.setBorder(1)
                lines.setBorderStyle(QtGui.QTextFrameFormat.BorderStyle_Solid)
                lines.setBorderBrush(self.palette().mid())
                lines.setCellPadding(GRID // 2)
                lines.setTopMargin(GRID)
                lines.setBottomMargin(GRID)
                frame.setFormat(lines)
        return read


def _heading(larger: int) -> QtGui.QTextCharFormat:
    form = QtGui.QTextCharFormat()
    form.setFontWeight(QFont.DemiBold)
    form.setProperty(QtGui.QTextFormat.FontSizeAdjustment, larger)
    return form
