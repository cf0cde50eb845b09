"""The items of the scene, and a form with the properties of the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QPoint, Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import muted_label, plain_label
from wavelab.app.panels.fields.nudging import NudgedLine
from wavelab.app.panels.fields.unit_mark import UnitMark
from wavelab.app.panels.fields.wheel import WheelWhenChosen
from wavelab.app.panels.meanings import meaning
from wavelab.scene.editing.properties import Item, Key, Property

#: In place of a value that is not the same in all of several items.
MIXED = "mixed"
#: Said of what has numbers.
_KEYS = "Up, Down: change the number at the cursor (Shift: finely)"


class _Choice(WheelWhenChosen, QtWidgets.QComboBox):
    """Some texts to choose from."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__()
        for choice in choices:
            self.addItem(tr(choice.replace("_", " ")) if choice else "", choice)
        self.setFocusPolicy(Qt.StrongFocus)


class PropertyPanel(QtWidgets.QWidget):
    """Emits ``chosen(key of an item)``, ``wished(key of a property, text)``, ``removed()``, at each
    step of a number that goes up or down ``nudged(key of a property, text)``, and while something
    is being typed ``typed(key of a property)``.  ``menu_asked(menu, key of a property, place in its
    text)`` comes before the menu of a field with numbers pops up, for what else there is to offer.

    Attributes
    ----------
    controls : where each property is changed.
    marks : what lengths, times and frequencies are in units of the scene, in their controls.
    notes : what is wrong with what was typed, below its control, where something is; that of no
        property is above all.
    """

    chosen = Signal(object)
    wished = Signal(object, str)
    removed = Signal()
    nudged = Signal(object, str)
    typed = Signal(object)
    menu_asked = Signal(object, object, int)

    def __init__(self) -> None:
        super().__init__()
        self._keys: list[Key] = []
        self._now: Key = ("background",)
        self._properties: tuple[Property, ...] = ()
        self._menu: QtWidgets.QMenu | None = None
        self.controls: dict[Key, QtWidgets.QLineEdit | QtWidgets.QComboBox] = {}
        self.notes: dict[Key, QtWidgets.QLabel] = {}
        self.marks: dict[Key, UnitMark] = {}
        self.items = _Choice(())
        self.items.setToolTip(tr("The item whose properties are shown"))
        self.items.setAccessibleName(tr("Item"))
        self.kind = muted_label()
        self.remove = QtWidgets.QPushButton(tr("Remove"))
        self.remove.setToolTip(tr("Take what is chosen out of the scene (Del)"))
        self.scroll = QtWidgets.QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        head = row((self.items, 1), self.remove, spacing=None)
        column(head, self.kind, (self.scroll, 1), on=self, margins=(2, 1, 2, 1))
        self.items.activated.connect(lambda index: self.chosen.emit(self._keys[index]))
        self.remove.clicked.connect(self.removed)
        self._fill(())

    def show_items(self, items: Sequence[Item], now: Key) -> None:
        """All items of the scene, and which of them is chosen."""
        keys = [item.key for item in items]
        shown = [said(item.label) for item in items]
        labels = [label[:1].upper() + label[1:] for label in shown]
        if keys != self._keys or labels != [
            self.items.itemText(i) for i in range(self.items.count())
        ]:
            self._keys = keys
            self.items.clear()
            self.items.addItems(labels)
        self.items.setCurrentIndex(keys.index(now))
        self._now = now
        self.remove.setEnabled(items[keys.index(now)].removable)

    def show_properties(self, kind: str, properties: Sequence[Property], several: int = 0) -> None:
        """The form; what is being typed is not disturbed, nor what has a note, unless the property
        itself has become another.  ``several`` items are chosen."""
        told = [tr("Kind: {kind}", kind=tr(kind.replace("_", " ")))] if kind else []
        told += (
            [tr("{several} items, which are changed together", several=several)] if several else []
        )
        self.kind.setText("; ".join(told))
        self.kind.setVisible(bool(told))
        shape = [(p.key, p.choices) for p in properties]
        if shape != [(p.key, p.choices) for p in self._properties]:
            self._fill(properties)
        before = {p.key: p.text for p in self._properties}
        self._properties = tuple(properties)
        for p in properties:
            control = self.controls[p.key]
            if p.key in self.marks:
                self.marks[p.key].show_value(p.value)
            if p.key in self.notes:
                if p.text == before[p.key]:
                    continue
                self.forget_note(p.key)
            if isinstance(control, QtWidgets.QComboBox):
                control.setCurrentIndex(-1 if p.mixed else control.findData(p.text))
            elif not (control.hasFocus() and control.isModified()) and control.text() != p.text:
                control.setText(p.text)
                control.setCursorPosition(0)
            if not isinstance(control, QtWidgets.QComboBox):
                control.setPlaceholderText(tr(MIXED) if p.mixed else "")

    def forget_typing(self) -> None:
        """What is being typed and was not yet settled, and what is wrong with what was."""
        self.forget_notes()
        for control in self.controls.values():
            if isinstance(control, QtWidgets.QLineEdit):
                control.setModified(False)

    def give_up(self, field: QtWidgets.QWidget) -> None:
        """What was typed into one of the controls is forgotten: it shows again what is."""
        for p in self._properties:
            if self.controls[p.key] is field:
                self.forget_note(p.key)
                field.setText(p.text)

    def settle(self, key: Key) -> None:
        """What was typed there is in effect."""
        control = self.controls.get(key)
        if isinstance(control, QtWidgets.QLineEdit):
            control.setModified(False)

    def show_note(self, key: Key, text: str) -> None:
        """Say below a property what is wrong with what was typed there, or above all, for ()."""
        if key not in self.notes:
            note = plain_label(name="recording")
            row = self._form.getWidgetPosition(self.controls[key])[0] + 1 if key else 0
            self._form.insertRow(row, note)
            note.show()
            self.notes[key] = note
        self.notes[key].setText(said(text))

    def forget_note(self, key: Key) -> None:
        if (note := self.notes.pop(key, None)) is not None:
            self._form.removeRow(note)

    def forget_notes(self) -> None:
        for key in tuple(self.notes):
            self.forget_note(key)

    def _fill(self, properties: Sequence[Property]) -> None:
        self.forget_notes()
        focused = next((key for key, control in self.controls.items() if control.hasFocus()), None)
        # Not at once: it may be a control of this form whose event brought us here.
        if (old := self.scroll.takeWidget()) is not None:
            old.hide()
            old.deleteLater()
        form = QtWidgets.QWidget()
        self._form = QtWidgets.QFormLayout(form)
        self._form.setContentsMargins(0, 0, GRID, 0)
        self._form.setSpacing(GRID)
        self._form.setFieldGrowthPolicy(QtWidgets.QFormLayout.AllNonFixedFieldsGrow)
        self.controls, self.marks = {}, {}
        for p in properties:
            self.controls[p.key] = self._control(p)
            self._form.addRow(said(p.label), self.controls[p.key])
            told = said(p.meaning or meaning(self._now, p.key))
            keys = f"\n{tr(_KEYS)}" if p.numbers and not p.choices else ""
            self.controls[p.key].setToolTip(told + keys)
            self._form.labelForField(self.controls[p.key]).setToolTip(told)
        self.scroll.setWidget(form)
        if focused in self.controls:
            self.controls[focused].setFocus()

    def _control(self, p: Property) -> QtWidgets.QLineEdit | QtWidgets.QComboBox:
        if p.choices:
            choice = _Choice(p.choices)
            choice.setAccessibleName(said(p.label))
            choice.setPlaceholderText(tr(MIXED))
            choice.activated.connect(lambda i: self.wished.emit(p.key, choice.itemData(i)))
            return choice
        line = NudgedLine(whole=p.numbers == "whole") if p.numbers else QtWidgets.QLineEdit()
        line.setAccessibleName(said(p.label))
        line.setMinimumWidth(8 * GRID)
        line.textEdited.connect(lambda _: self.typed.emit(p.key))
        if isinstance(line, NudgedLine):
            line.nudged.connect(lambda: self.nudged.emit(p.key, line.text()))
            line.setContextMenuPolicy(Qt.CustomContextMenu)
            line.customContextMenuRequested.connect(lambda at: self._pop_up(p.key, line, at))
        if p.dimension:
            self.marks[p.key] = UnitMark(line, p.dimension)
        line.editingFinished.connect(lambda: self._settled(p.key, line))
        return line

    def _pop_up(self, key: Key, line: QtWidgets.QLineEdit, at: QPoint) -> None:
        """That of any line, with more above."""
        menu = line.createStandardContextMenu()
        if not line.isModified():
            # By the Menu key it is the cursor that is meant, which a click of the left button set.
            self.menu_asked.emit(menu, key, line.cursorPositionAt(at))
        menu.setAttribute(Qt.WA_DeleteOnClose)
        menu.popup(line.mapToGlobal(at))
        self._menu = menu  # Python would take it away at once

    def _settled(self, key: Key, line: QtWidgets.QLineEdit) -> None:
        # Once more where it was wrong: another property may have changed since.
        if line.isModified() or key in self.notes:
            line.setModified(False)
            self.wished.emit(key, line.text())
