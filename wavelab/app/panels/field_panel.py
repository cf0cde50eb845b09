"""What of the field is shown, in which colours, over which range."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QtCore, QtWidgets, Signal
from wavelab.app.panels.fields.positive_field import PositiveField, rounded
from wavelab.app.panels.fields.section import Section
from wavelab.app.panels.plots.color_bar import ColorBar
from wavelab.app.session.view_state import ViewState
from wavelab.output.palette import PALETTES
from wavelab.scene.view.quantities import ARROWS, ERROR_DECADES, QUANTITIES

#: Powers of ten to choose from; a scene may have others.
OFFERED_DECADES = (1, 2, 3, 4, 6)
SCALE_TIP = (
    "How colours follow values (Ctrl+L): in proportion, or by powers of ten, which shows weak "
    "waves beside strong ones. A field with a sign keeps it"
)
ARROWS_TIP = (
    "Poynting vectors: which way energy flows, and how much (F). The length grows with the square "
    "root, as the strength of the field does. The mean over a period is that at the frequency of a "
    "monitor of fields"
)


class FieldPanel(Section):
    """Shows a :class:`ViewState`; emits ``wished(ViewState)`` when the user wants another."""

    wished = Signal(object)

    def __init__(self) -> None:
        super().__init__("Field", foldable=True)
        self._state = ViewState()
        self._limit = 1.0
        self.quantity = QtWidgets.QComboBox()
        self.quantity.setToolTip("What the colours show (1 to 9; Shift+G, Ctrl+G of the mesh)")
        for key, quantity in QUANTITIES.items():
            self.quantity.addItem(quantity.label, key)
        self.palette_box = QtWidgets.QComboBox()
        self.palette_box.setToolTip("Colours; all are readable with colour-blind eyes")
        # The box is as wide as the panel, not as its longest label.
        self.palette_box.setSizeAdjustPolicy(
            QtWidgets.QComboBox.AdjustToMinimumContentsLengthWithIcon
        )
        self.automatic = QtWidgets.QCheckBox("Automatic")
        self.automatic.setToolTip("The range follows the field: up at once, down slowly")
        self.limit = PositiveField(1.0)
        self.limit.setToolTip("Value at full colour")
        self.scale = QtWidgets.QComboBox()
        self.scale.setToolTip(SCALE_TIP)
        self.bar = ColorBar()
        self.arrows = QtWidgets.QComboBox()
        self.arrows.setToolTip(ARROWS_TIP)
        for key, arrows in ARROWS.items():
            self.arrows.addItem(arrows.label, key)
        range_row = QtWidgets.QWidget()
        row(self.automatic, (self.limit, 1), on=range_row, spacing=None)
        self.add_row("Show", self.quantity)
        self.add_row("Palette", self.palette_box)
        self.add_row("Range", range_row)
        self.add_row("Scale", self.scale)
        self.add_wide(self.bar)
        self.add_row("Arrows", self.arrows)
        self.quantity.activated.connect(
            lambda _: self._wish(self._state.with_quantity(self.quantity.currentData()))
        )
        self.palette_box.activated.connect(
            lambda _: self._wish(self._state.with_palette(self.palette_box.currentData()))
        )
        self.scale.activated.connect(
            lambda _: self._wish(replace(self._state, decades=self.scale.currentData()))
        )
        self.arrows.activated.connect(
            lambda _: self._wish(replace(self._state, arrows=self.arrows.currentData()))
        )
        self.automatic.clicked.connect(self._automatic_clicked)
        self.limit.changed.connect(lambda value: self._wish(self._state.with_limit(value)))
        self.show_state(self._state)

    def show_state(self, state: ViewState) -> None:
        self._state = state
        self.quantity.setCurrentIndex(self.quantity.findData(state.quantity))
        offered = [info for info in PALETTES.values() if info.diverging == state.shown.signed]
        if [info.name for info in offered] != self._offered_palettes():
            with QtCore.QSignalBlocker(self.palette_box):
                self.palette_box.clear()
                for info in offered:
                    self.palette_box.addItem(info.label, info.name)
        self.arrows.setCurrentIndex(self.arrows.findData(state.arrows))
        self.palette_box.setCurrentIndex(self.palette_box.findData(state.palette))
        self.automatic.setChecked(state.limit is None)
        follows = state.shown.full_colour is None
        self.automatic.setEnabled(follows)
        self.limit.setEnabled(state.limit is not None and follows)
        self._show_scale(state)
        if state.limit is not None:
            self.limit.set_value(state.limit)
        self.bar.show_palette(state.palette)

    def _show_scale(self, state: ViewState) -> None:
        self.scale.setEnabled(not state.shown.linear)
        self.scale.setToolTip(scale_tip(state))
        of_error = state.quantity == "error"
        shown = round(ERROR_DECADES) if of_error else state.shown_decades
        known: list[int | None] = [None, *OFFERED_DECADES]
        if shown is not None and shown not in known:
            known = [None, *sorted((*OFFERED_DECADES, shown))]
        if known != [self.scale.itemData(i) for i in range(self.scale.count())]:
            with QtCore.QSignalBlocker(self.scale):
                self.scale.clear()
                for n in known:
                    self.scale.addItem(_scale_label(n), n)
        self.scale.setCurrentIndex(known.index(shown))
        self.bar.show_scale(state.shown_decades, of_error=of_error)

    def show_limit(self, limit: float) -> None:
        """The value at full colour now, whether fixed or automatic."""
        self._limit = limit
        self.bar.show_limit(limit)

    def _offered_palettes(self) -> list[str]:
        return [self.palette_box.itemData(i) for i in range(self.palette_box.count())]

    def _automatic_clicked(self, automatic: bool) -> None:
        self._wish(self._state.with_limit(None if automatic else rounded(self._limit, 2)))

    def _wish(self, state: ViewState) -> None:
        self.wished.emit(state)


def scale_tip(state: ViewState) -> str:
    """What the scale is for, or why a view has but one."""
    return state.shown.linear or SCALE_TIP


def _scale_label(decades: int | None) -> str:
    if decades is None:
        return "Linear"
    return f"Logarithmic, {decades} decade{'s' * (decades > 1)}"
