"""What happens at the picked edge: the kind of wall and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, replace
from typing import Any

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import (
    QColor,
    QIcon,
    QPainter,
    QPixmap,
    QSize,
    Qt,
    QtGui,
    QtWidgets,
    Signal,
    painting,
)
from wavelab.app.base.theme import GRID
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import DegreesField, PositiveField
from wavelab.app.panels.fields.section import Section
from wavelab.app.panels.fields.wheel import WheelWhenChosen
from wavelab.scene.editing.dimensions import dimension_of
from wavelab.scene.model.scene import Wall
from wavelab.scene.systems import SYSTEMS, System

#: Kinds of source that come in through a wall that is matched -> label and tooltip.
WAVES_IN = {
    "wave through walls": (
        "Plane wave",
        "Send a plane wave in here, straight at the edge",
    ),
    "guided mode": ("Mode", "Send a guided mode in here, between the walls beside this edge"),
}
_LINE = QSize(4 * GRID, 2 * GRID)
MIXED = "These edges have different walls. The kind that is chosen here becomes that of all."
PLAIN = "Click an edge of the domain or of an obstacle, then choose what happens there."


class KindBox(WheelWhenChosen, QtWidgets.QComboBox):
    """Emits ``finished()`` when Return or Escape says that the choice is made."""

    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.StrongFocus)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key_Return, Qt.Key_Enter, Qt.Key_Escape):
            self.finished.emit()
            return
        super().keyPressEvent(event)


class WallPanel(Section):
    """Emits ``wished(Wall)`` for the picked edges, ``all_wished()`` where all of their outline are
    to be picked, ``partner_wished()`` for a pair to be glued, and ``wave_wished(kind of source)``
    for what shall come in through a wall that is matched.

    Attributes
    ----------
    numbers : the field of each number of each kind of wall, by kind and name.
    """

    wished = Signal(object)
    partner_wished = Signal()
    wave_wished = Signal(str)
    all_wished = Signal()

    def __init__(self) -> None:
        super().__init__("Wall")
        self._system = SYSTEMS["light"]
        self._ink: Ink | None = None
        self._wall: Wall | None = self._system.unnamed(())
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        self.kind = KindBox()
        self.kind.setIconSize(_LINE)
        self.kind.setToolTip(tr("What happens at this edge (Enter, then the arrow keys)"))
        self.partner = QtWidgets.QPushButton(tr("Choose the other edge"))
        self.partner.setToolTip(tr("Edges that fit are marked; click one (Tab and Enter)"))
        self.note = muted_label()
        self.name = muted_label(tr(PLAIN))
        self.every = QtWidgets.QPushButton()
        self.every.setToolTip(tr("Pick all edges of this outline (double click on one)"))
        self.add_wide(self.name)
        self.add_wide(self.every)
        self.add_row("Kind", self.kind)
        self.numbers: dict[tuple[type[Wall], str], PositiveField] = {}
        self.angles: dict[tuple[type[Wall], str], DegreesField] = {}
        pair = (self.add_row("Pair", self.partner), self.partner)
        waves = self._wave_buttons()
        send_in = (self.add_row("Send in", waves), waves)
        self._of_one = (*pair, *send_in)
        note = (self.add_row("", self.note), self.note)
        self._rows_of: dict[type[Wall], tuple[QtWidgets.QWidget, ...]] = {}
        self._number_parts: dict[type[Wall], tuple[QtWidgets.QWidget, ...]] = {}
        kinds = dict.fromkeys(kind for each in SYSTEMS.values() for kind in each.walls.values())
        for kind in kinds:
            self._number_parts[kind] = self._number_rows(kind)
            rows = self._number_parts[kind] + pair * kind.glues + send_in * kind.matched
            self._rows_of[kind] = rows or note
        self.kind.activated.connect(self._kind_chosen)
        self.partner.clicked.connect(self.partner_wished)
        self.every.clicked.connect(self.all_wished)
        self.offer(self._system)

    def offer(self, system: System) -> None:
        """The kinds of walls that a system has; nothing is picked."""
        self._system = system
        self.kind.clear()
        for kind in system.walls.values():
            self.kind.addItem(tr(kind.label))
            self.kind.setItemData(self.kind.count() - 1, tr(kind.effect), Qt.ToolTipRole)
        if self._ink is not None:
            self.show_legend(self._ink)
        self.show_edges((), system.unnamed(()), {})

    def show_edges(
        self,
        edges: Sequence[str],
        wall: Wall | None,
        values: Mapping[str, float],
        *,
        gluing: bool = False,
    ) -> None:
        """The picked edges, their wall, None where they differ, the ``values`` of its numbers."""
        self._wall = wall
        several, edge = len(edges) > 1, edges[-1] if edges else None
        self.kind.setEnabled(bool(edges))
        self.name.setText(
            ", ".join(edges) if len(edges) < 4 else tr("{edges} edges", edges=len(edges))
        )
        if not edges:
            self.name.setText(tr(PLAIN))
        owner, dot, _ = (edge or "").partition(".")
        self.every.setText(tr("All edges of {owner}", owner=owner))
        self.every.setVisible(bool(dot) and not several)
        self.kind.setCurrentIndex(-1)
        if wall is None:
            self.note.setText(tr(MIXED))
            for rows in self._rows_of.values():
                for part in rows:
                    part.setVisible(part is self.note)
            return
        kinds = list(self._system.walls.values())
        if type(wall) not in kinds:
            return  # of a scene that is coming, or gone
        kind = next(kind for kind in kinds if kind.glues) if gluing else type(wall)
        self.kind.setCurrentIndex(kinds.index(kind))
        for name, value in values.items():
            own = type(wall), name
            (self.angles.get(own) or self.numbers[own]).set_value(value)
        other = [name for name in wall.edges if name != edge]
        glued = wall.glues and not gluing and other
        self.partner.setText(
            tr("Glued to {other}", other=other[0]) if glued else tr("Choose the other edge")
        )
        self.note.setText(tr(kind.effect))
        shown = self._rows_of[kind] if edge is not None else ()
        if gluing:  # a pair has numbers when it is one
            shown = tuple(part for part in shown if part not in self._number_parts[kind])
        if several:  # a pair has two edges, and a wave is sent in through one
            shown = tuple(part for part in shown if part not in self._of_one)
        for rows in self._rows_of.values():
            for part in rows:
                part.setVisible(part in shown)

    def _number_rows(self, kind: type[Wall]) -> tuple[QtWidgets.QWidget, ...]:
        """A label and a field for each number of a kind of wall."""
        rows: list[QtWidgets.QWidget] = []
        for f in kind.numbers():
            field: PositiveField | DegreesField
            if f.metadata.get("degrees", False):
                field = self.angles[kind, f.name] = DegreesField(180.0, whole_turn=True)
                changed = field.valueChanged
            else:
                start, zero = f.metadata.get("start", 1.0), f.metadata.get("zero", False)
                dimension = dimension_of(kind, f.name)
                field = PositiveField(start, zero=zero, dimension=dimension)
                self.numbers[kind, f.name] = field
                changed = field.changed
            field.setToolTip(tr(f.metadata["meaning"]))
            changed.connect(lambda value, name=f.name: self._number_changed(kind, name, value))
            rows += (self.add_row(f.name.replace("_", " ").capitalize(), field), field)
        return tuple(rows)

    def _wave_buttons(self) -> QtWidgets.QWidget:
        for kind, (label, tip) in WAVES_IN.items():
            button = QtWidgets.QPushButton(tr(label))
            button.setToolTip(tr(tip))
            button.clicked.connect(lambda _, kind=kind: self.wave_wished.emit(kind))
            self.buttons[kind] = button
        box = QtWidgets.QWidget()
        row(*self.buttons.values(), on=box)
        return box

    def show_legend(self, ink: Ink) -> None:
        """Each kind beside the line it is drawn with."""
        self._ink = ink
        for number, kind in enumerate(self._system.walls.values()):
            picture = QPixmap(_LINE)
            picture.fill(QColor(*ink.quiet))
            with painting(picture) as painter:
                painter.setRenderHint(QPainter.Antialiasing)
                painter.setPen(ink.pen(kind.pen))
                painter.drawLine(2, GRID, 4 * GRID - 2, GRID)
            self.kind.setItemIcon(number, QIcon(picture))

    def _number_changed(self, kind: type[Wall], name: str, value: float) -> None:
        if type(self._wall) is kind:
            changes: dict[str, Any] = {name: value}
            self.wished.emit(replace(self._wall, **changes))

    def _kind_chosen(self, index: int) -> None:
        kind = list(self._system.walls.values())[index]
        if kind.glues:
            self.partner_wished.emit()
        elif kind is not type(self._wall):
            needed = [f.name for f in kind.numbers() if f.default is MISSING]
            self.wished.emit(kind((), **{name: self.numbers[kind, name].value for name in needed}))
