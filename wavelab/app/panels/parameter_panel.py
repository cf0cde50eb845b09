"""The parameters of the scene, each with its slider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wavelab.app.base.foreign_text import as_tip
from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QSize, Qt, QtGui, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme, icon
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import ElidedLabel
from wavelab.app.panels.fields.nudging import NudgedLine
from wavelab.app.panels.fields.section import Section, rule
from wavelab.app.panels.fields.value_slider import Notches, ValueSlider

#: Widths of a number and, at most, of a unit.
_NUMBER, _UNIT = 9 * GRID, 7 * GRID
_KEYS = "Up, Down: change it (Shift: finely)"


@dataclass(frozen=True)
class ShownParameter:
    """What a row shows.  ``notches`` None: it follows from others and has no slider; ``tip`` says
    what can be done with that."""

    name: str
    title: str
    text: str
    value: float
    unit: str
    tip: str
    notches: Notches | None


class ParameterRow(QtWidgets.QWidget):
    """Attributes
    ----------
    label, number, slider, play : what it is called, its value, and what moves it.

    Emits ``twice()`` at a double click on its name or its slider.
    """

    twice = Signal()

    def __init__(self, name: str, slides: bool) -> None:
        super().__init__()
        self.name = name
        self.label = ElidedLabel()
        self.unit = ElidedLabel()
        self.unit.setObjectName("muted")
        self.unit.setSizePolicy(QtWidgets.QSizePolicy.Fixed, QtWidgets.QSizePolicy.Preferred)
        self.slider, self.play = ValueSlider(), QtWidgets.QToolButton()
        self.number: QtWidgets.QLineEdit = NudgedLine() if slides else QtWidgets.QLineEdit()
        self.number.setFixedWidth(_NUMBER)
        self.number.setAlignment(Qt.AlignRight)
        self.number.setReadOnly(not slides)
        self.play.setCheckable(True)
        self.play.setIconSize(QSize(14, 14))
        self.play.setFixedSize(3 * GRID, 3 * GRID)
        self.slider.twice.connect(self.twice)
        head = row((self.label, 1), self.number, self.unit)
        column(head, *([row((self.slider, 1), self.play)] if slides else []), on=self, spacing=0.25)
        if not slides:
            self.number.setFrame(False)
            self.number.setObjectName("follows")
            self.number.setFocusPolicy(Qt.NoFocus)
            self.slider.setParent(self)
            self.play.setParent(self)
            self.slider.hide()
            self.play.hide()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.label.geometry().contains(event.pos()):
            self.twice.emit()

    def show_parameter(self, shown: ShownParameter, unit_width: int) -> None:
        self.label.setText(tr(shown.title))
        self.unit.setText(shown.unit)
        self.unit.setFixedWidth(unit_width)
        self.unit.setVisible(unit_width > 0)
        for part in (self.label, self.unit, self.slider):
            part.setToolTip(as_tip(said(shown.tip)))
        self.slider.setAccessibleName(tr(shown.title))
        self.number.setAccessibleName(tr("{title}, value", title=tr(shown.title)))
        if not (self.number.hasFocus() and self.number.isModified()):
            self.show_text(shown.text)
        if shown.notches is None:
            self.number.setToolTip(as_tip(said(shown.tip)))
            return
        self.number.setToolTip(f"{tr(_KEYS)}\n{as_tip(said(shown.tip))}")
        assert isinstance(self.number, NudgedLine)
        self.number.step = shown.notches.step
        self.slider.show_value(shown.notches, shown.value)

    def show_text(self, text: str) -> None:
        if text != self.number.text():
            at = self.number.cursorPosition()
            self.number.setText(text)
            self.number.setCursorPosition(at if self.number.hasFocus() else 0)

    def show_sweep(self, running: bool, seconds: float, theme: Theme) -> None:
        self.play.setChecked(running)
        self.play.setIcon(icon("ph.stop" if running else "ph.play", theme))
        what = (
            tr("Stop here (Esc: go back)")
            if running
            else tr(
                "Run to and fro, {seconds} s each way (right button: another time)",
                seconds=f"{seconds:g}",
            )
        )
        self.play.setToolTip(what)
        self.play.setAccessibleName(f"{tr('Stop') if running else tr('Sweep')} {self.label.text()}")


class ParameterPanel(QtWidgets.QWidget):
    """Not there while the scene has no parameters.

    Emits, each with the name of a parameter first, ``slid(name, value)`` while its slider is held,
    ``let_go(name)``, ``stepped(name, value)`` at a key or the wheel over it, ``nudged(name, text)``
    and ``typed(name, text)`` of its number, ``reset_wished(name)``, ``sweep_wished(name, whether)``
    and ``menu_wished(name, place on the screen)``; ``filled()`` when there are others.

    Attributes
    ----------
    section : with the heading.
    rows : by name.
    """

    slid = Signal(str, float)
    let_go = Signal(str)
    stepped = Signal(str, float)
    nudged = Signal(str, str)
    typed = Signal(str, str)
    reset_wished = Signal(str)
    sweep_wished = Signal(str, bool)
    menu_wished = Signal(str, object)
    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.section = Section("Parameters", foldable=True)
        self.rows: dict[str, ParameterRow] = {}
        self._shape: list[tuple[str, bool]] = []
        self._list = QtWidgets.QWidget()
        column(on=self._list, spacing=0.75)
        self.section.add_wide(self._list)
        column(self.section, rule(), on=self, spacing=0)
        self.hide()

    def show_parameters(self, parameters: Sequence[ShownParameter]) -> None:
        """What is being typed is not disturbed."""
        shape = [(p.name, p.notches is not None) for p in parameters]
        new = shape != self._shape
        if new:
            self._fill(shape)
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(p.unit) for p in parameters), default=0)
        unit_width = min(widest + 2, _UNIT) if widest else 0
        for p in parameters:
            self.rows[p.name].show_parameter(p, unit_width)
        self.setVisible(bool(parameters))
        if new:
            self.filled.emit()

    def settle(self, name: str) -> None:
        """What was typed there is in effect, or given up."""
        if name in self.rows:
            self.rows[name].number.setModified(False)

    def _fill(self, shape: list[tuple[str, bool]]) -> None:
        for old in self.rows.values():
            self._list.layout().removeWidget(old)
            old.hide()
            old.deleteLater()  # it may be the one whose event brought us here
        self._shape = shape
        self.rows = {name: self._row(name, slides) for name, slides in shape}
        for made in self.rows.values():
            self._list.layout().addWidget(made)

    def _row(self, name: str, slides: bool) -> ParameterRow:
        made = ParameterRow(name, slides)
        made.setContextMenuPolicy(Qt.CustomContextMenu)
        made.customContextMenuRequested.connect(
            lambda at: self.menu_wished.emit(name, made.mapToGlobal(at))
        )
        number, slider = made.number, made.slider
        slider.slid.connect(lambda value: self.slid.emit(name, value))
        slider.let_go.connect(lambda: self.let_go.emit(name))
        slider.stepped.connect(lambda value: self.stepped.emit(name, value))
        made.twice.connect(lambda: self.reset_wished.emit(name))
        made.play.clicked.connect(lambda on: self.sweep_wished.emit(name, on))
        if isinstance(number, NudgedLine):
            number.nudged.connect(lambda: self.nudged.emit(name, number.text()))
            number.editingFinished.connect(lambda: self._settled(name, number))
        return made

    def _settled(self, name: str, number: QtWidgets.QLineEdit) -> None:
        if number.isModified():
            number.setModified(False)
            self.typed.emit(name, number.text())
