"""What happens at the picked edge: the kind of wall and its number."""

from __future__ import annotations

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
from wavelab.app.panels.fields.positive_field import PositiveField
from wavelab.app.panels.fields.section import Section, muted_label
from wavelab.app.panels.fields.wheel import WheelWhenChosen
from wavelab.scene.model.scene import Wall

#: Kind -> what it is called and what it does.
KINDS = {
    "conductor": ("conductor", "Ez is 0: waves come back with the other sign"),
    "magnetic": ("magnetic wall", "The tangential H is 0: waves come back as they are"),
    "absorbing": ("absorbing", "Takes waves that come straight at it, others in part"),
    "open": ("open", "Waves leave: a layer along the edge takes them, whatever their angle"),
    "impedance": ("impedance", "Ez is the surface impedance times the tangential H"),
    "periodic": ("periodic", "What leaves here comes in at another edge of the same length"),
}
#: Kinds of source that come in through an absorbing edge -> label and tooltip.
WAVES_IN = {
    "wave through walls": (
        "Plane wave",
        "Send a plane wave in here, straight at the edge",
    ),
    "guided mode": ("Mode", "Send a guided mode in here, between the walls beside this edge"),
}
_LINE = QSize(4 * GRID, 2 * GRID)
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
    """Emits ``wished(Wall)`` for the picked edge, ``partner_wished()`` for a periodic pair, and
    ``wave_wished(kind of source)`` for what shall come in through an absorbing edge."""

    wished = Signal(object)
    partner_wished = Signal()
    wave_wished = Signal(str)

    def __init__(self) -> None:
        super().__init__("Wall")
        self._wall = Wall(())
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        self.kind = KindBox()
        self.kind.setIconSize(_LINE)
        for name, tip in KINDS.values():
            self.kind.addItem(name)
            self.kind.setItemData(self.kind.count() - 1, tip, Qt.ToolTipRole)
        self.kind.setToolTip("What happens at this edge (Enter, then the arrow keys)")
        self.impedance, self.thickness = PositiveField(1.0), PositiveField(0.1)
        self.impedance.setToolTip("Relative to vacuum; 1 takes what comes straight at it there")
        self.thickness.setToolTip("Of the layer that takes the waves, in length units")
        self.partner = QtWidgets.QPushButton("Choose the other edge")
        self.partner.setToolTip("Edges that fit are marked; click one (Tab and Enter)")
        self.waves = self._wave_buttons()
        self.numbers = QtWidgets.QStackedWidget()
        self.note = muted_label()
        for widget in (self.note, self.impedance, self.thickness, self.partner, self.waves):
            self.numbers.addWidget(widget)
        self.name = muted_label(PLAIN)
        self.add_wide(self.name)
        self.add_row("Kind", self.kind)
        self._label = self.add_row("Thickness", self.numbers)
        self.kind.activated.connect(self._kind_chosen)
        self.impedance.changed.connect(lambda value: self._wish("impedance", impedance=value))
        self.thickness.changed.connect(lambda value: self._wish("open", thickness=value))
        self.partner.clicked.connect(self.partner_wished)
        self.show_edge(None, Wall(()), 0.1)

    def show_edge(
        self, edge: str | None, wall: Wall, thickness: float, *, gluing: bool = False
    ) -> None:
        """The picked edge and its wall; ``thickness`` is that of a layer nobody gave one."""
        self._wall = wall
        self.kind.setEnabled(edge is not None)
        self.name.setText(PLAIN if edge is None else edge)
        kind = "periodic" if gluing else wall.kind
        self.kind.setCurrentIndex(list(KINDS).index(kind))
        if wall.impedance is not None:
            self.impedance.set_value(wall.impedance)
        self.thickness.set_value(wall.thickness or thickness)
        other = [name for name in wall.edges if name != edge]
        glued = wall.kind == "periodic" and not gluing
        self.partner.setText(f"Glued to {other[0]}" if glued and other else "Choose the other edge")
        pages = {
            "impedance": self.impedance,
            "open": self.thickness,
            "periodic": self.partner,
            "absorbing": self.waves,
        }
        labels = {
            "impedance": "Impedance",
            "open": "Thickness",
            "periodic": "Pair",
            "absorbing": "Send in",
        }
        self._label.setText(labels.get(kind, ""))
        self.numbers.setCurrentWidget(pages.get(kind, self.note))
        self.note.setText(KINDS[kind][1])
        for part in (self._label, self.numbers):
            part.setVisible(edge is not None)

    def _wave_buttons(self) -> QtWidgets.QWidget:
        box = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        for kind, (label, tip) in WAVES_IN.items():
            button = QtWidgets.QPushButton(label)
            button.setToolTip(tip)
            button.clicked.connect(lambda _, kind=kind: self.wave_wished.emit(kind))
            row.addWidget(button)
            self.buttons[kind] = button
        return box

    def show_legend(self, ink: Ink) -> None:
        """Each kind beside the line it is drawn with."""
        for number, kind in enumerate(KINDS):
            picture = QPixmap(_LINE)
            picture.fill(QColor(*ink.quiet))
            with painting(picture) as painter:
                painter.setRenderHint(QPainter.Antialiasing)
                painter.setPen(ink.wall_pen(kind))
                painter.drawLine(2, GRID, 4 * GRID - 2, GRID)
            self.kind.setItemIcon(number, QIcon(picture))

    def _kind_chosen(self, index: int) -> None:
        kind = list(KINDS)[index]
        if kind == "periodic":
            self.partner_wished.emit()
        elif kind != self._wall.kind:
            self._wish(kind, impedance=self.impedance.value if kind == "impedance" else None)

    def _wish(self, kind: str, **numbers: float | None) -> None:
        self.wished.emit(Wall((), kind, **numbers))
