"""The settings of the chosen tool."""

from __future__ import annotations

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.fields.section import Section
from wavelab.app.panels.tool_pages.insert_page import InsertPage
from wavelab.app.panels.tool_pages.probe_page import ProbePage
from wavelab.app.panels.tool_pages.ruler_page import RulerPage
from wavelab.app.panels.tool_pages.source_page import SourcePage
from wavelab.app.panels.tool_pages.wall_panel import WallPanel
from wavelab.scene.model.units import LENGTH

#: What the drawing tools can make; key -> label and tooltip.
PURPOSES = {
    "automatic": (
        "automatic",
        "An obstacle where it lies within the present domain, a new domain where it reaches out",
    ),
    "domain": ("new domain", "What is drawn takes the place of the domain"),
    "hole": ("obstacle (hole)", "What is drawn is cut out of the domain; its rim is a wall"),
    "material": ("material", "In what is drawn waves are slower; its properties can be changed"),
}


class ToolPanel(QtWidgets.QWidget):
    """One page for each kind of tool, as high as it needs to be.

    Emits ``radius_wished(float)``, ``negative_wished(bool)`` and ``purpose_wished(str)``.
    """

    radius_wished = Signal(float)
    negative_wished = Signal(bool)
    purpose_wished = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[str, QtWidgets.QWidget] = {}
        self._column = column(on=self, spacing=None)
        self._add_page(("ping",), self._ping_page())
        self._add_page(("draw", "rectangle", "ellipse"), self._draw_page())
        self.insert = InsertPage()
        self._add_page(("insert",), self.insert)
        self.source = SourcePage()
        self._add_page(("source",), self.source)
        self.probe = ProbePage()
        self._add_page(("probe",), self.probe)
        self._add_page(
            ("select",),
            _text_page(
                "Select",
                "Click an item to change its properties in a form (Y), drag it to move it, and its "
                "handles to change its shape: square ones move corners, round ones bow edges into "
                "arcs.",
            ),
        )
        self.ruler = RulerPage()
        self._add_page(("ruler",), self.ruler)
        self.wall = WallPanel()
        self._add_page(("wall",), self.wall)
        self._add_page(("pan",), _text_page("Move view", "The wheel zooms at the pointer."))
        self.show_tool("ping")

    def show_tool(self, key: str) -> None:
        for page in self._pages.values():
            page.setVisible(page is self._pages[key])

    def show_ping(self, radius: float, negative: bool) -> None:
        self.radius.set_value(radius)
        (self.minus if negative else self.plus).setChecked(True)

    def show_purpose(self, purpose: str) -> None:
        self.purposes[purpose].setChecked(True)

    def _ping_page(self) -> QtWidgets.QWidget:
        page = Section("Ping")
        self.radius = PositiveField(0.05, dimension=LENGTH)
        self.radius.setToolTip(tr("Standard deviation of the ping, in length units ([ and ])"))
        self.plus, self.minus = QtWidgets.QRadioButton("+"), QtWidgets.QRadioButton("\u2212")
        self.plus.setToolTip(tr("Raises the field (X changes the sign)"))
        self.minus.setToolTip(tr("Lowers the field (X changes the sign)"))
        page.add_row("Radius", self.radius)
        page.add_row("Sign", _beside(self.plus, self.minus))
        self.radius.changed.connect(self.radius_wished)
        self.minus.clicked.connect(lambda: self.negative_wished.emit(True))
        self.plus.clicked.connect(lambda: self.negative_wished.emit(False))
        return page

    def _draw_page(self) -> QtWidgets.QWidget:
        page = Section("Draw")
        self.purposes: dict[str, QtWidgets.QRadioButton] = {}
        for key, (label, tip) in PURPOSES.items():
            button = self.purposes[key] = QtWidgets.QRadioButton(tr(label))
            button.setToolTip(tr(tip))
            page.add_row("" if len(self.purposes) > 1 else "Becomes", button)
            button.clicked.connect(lambda _, key=key: self.purpose_wished.emit(key))
        return page

    def _add_page(self, keys: tuple[str, ...], page: QtWidgets.QWidget) -> None:
        self._column.addWidget(page)
        self._pages.update(dict.fromkeys(keys, page))


def _beside(*widgets: QtWidgets.QWidget) -> QtWidgets.QWidget:
    box = QtWidgets.QWidget()
    row(*widgets, None, on=box, spacing=None)
    return box


def _text_page(heading: str, text: str) -> QtWidgets.QWidget:
    page = Section(heading)
    page.add_wide(muted_label(tr(text)))
    return page
