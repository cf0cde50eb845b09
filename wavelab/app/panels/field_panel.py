"""What of the field is shown, in which colours, over which range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QtCore, QtWidgets, Signal
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.number_fields import PositiveField, rounded
from wavelab.app.panels.fields.section import Section
from wavelab.app.panels.levels import decibels
from wavelab.app.panels.plots.color_bar import ColorBar
from wavelab.app.session.view_state import ViewState
from wavelab.output.palette import PALETTES
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.view.quantities import ARROWS, ERROR_DECADES, offered

#: Powers of ten to choose from; a scene may have others.
OFFERED_DECADES = (1, 2, 3, 4, 6)
SCALE_TIP = (
    "How colours follow values (Ctrl+L): in proportion, or by powers of ten, which shows weak "
    "waves beside strong ones. A field with a sign keeps it"
)
FOLLOWS_TIP = (
    "What has full colour: what 98 % of the wave stays below, whatever a source or a focus does, "
    "or nearly the largest value. It is kept for the next scene and the next start"
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
        self.quantity.setToolTip(tr("What the colours show (1 to 9; Shift+G, Ctrl+G of the mesh)"))
        self.palette_box = QtWidgets.QComboBox()
        self.palette_box.setToolTip(tr("Colours; all are readable with colour-blind eyes"))
        self.automatic = QtWidgets.QCheckBox(tr("Automatic"))
        self.automatic.setToolTip(tr("The range follows the field: up at once, down slowly"))
        self.follows = QtWidgets.QComboBox()
        self.follows.setToolTip(tr(FOLLOWS_TIP))
        _offer(self.follows, {True: "most of it", False: "brightest spot"})
        # No wider than there is room beside the box.
        self.follows.setMinimumWidth(8 * GRID)
        self.limit = PositiveField(1.0)
        self.limit.setToolTip(tr("Value at full colour"))
        self.scale = QtWidgets.QComboBox()
        self.scale.setToolTip(tr(SCALE_TIP))
        self.bar = ColorBar()
        self.arrows = QtWidgets.QComboBox()
        self.arrows.setToolTip(tr(ARROWS_TIP))
        # The boxes are as wide as the panel, not as their longest labels.
        for box in (self.quantity, self.palette_box, self.follows, self.scale, self.arrows):
            box.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToMinimumContentsLengthWithIcon)
        range_row = QtWidgets.QWidget()
        row(self.automatic, (self.follows, 1), (self.limit, 1), on=range_row, spacing=None)
        self.add_row("Show", self.quantity)
        self.add_row("Palette", self.palette_box)
        self.add_row("Range", range_row)
        self.add_row("Scale", self.scale)
        self.add_wide(self.bar)
        self.add_row("Arrows", self.arrows)
        for box, changed in (
            (self.quantity, ViewState.with_quantity),
            (self.palette_box, ViewState.with_palette),
            (self.scale, lambda state, decades: replace(state, decades=decades)),
            (self.arrows, lambda state, arrows: replace(state, arrows=arrows)),
            (self.follows, lambda state, robust: replace(state, robust=robust)),
        ):
            box.activated.connect(
                lambda _, box=box, changed=changed: self.wished.emit(
                    changed(self._state, box.currentData())
                )
            )
        self.automatic.clicked.connect(self._automatic_clicked)
        self.limit.changed.connect(lambda value: self.wished.emit(self._state.with_limit(value)))
        self.show_names()

    def show_names(self, system: System = SYSTEMS["light"]) -> None:
        """What waves of a system have to show, in its words, which is the one in use."""
        _offer(self.quantity, {key: quantity.label for key, quantity in offered(system).items()})
        _offer(self.arrows, {key: arrows.label for key, arrows in ARROWS.items()})
        self.show_state(self._state)

    def show_state(self, state: ViewState) -> None:
        self._state = state
        self.quantity.setCurrentIndex(self.quantity.findData(state.quantity))
        offered = [info for info in PALETTES.values() if info.diverging == state.shown.signed]
        _offer(self.palette_box, {info.name: info.label for info in offered})
        self.arrows.setCurrentIndex(self.arrows.findData(state.arrows))
        self.palette_box.setCurrentIndex(self.palette_box.findData(state.palette))
        self.automatic.setChecked(state.limit is None)
        follows = state.shown.full_colour is None
        self.automatic.setEnabled(follows)
        self.limit.setEnabled(state.limit is not None and follows)
        self.follows.setCurrentIndex(self.follows.findData(state.robust))
        # A range that nothing can be chosen of shows its number.
        self.follows.setVisible(state.limit is None and follows)
        self.limit.setVisible(not (state.limit is None and follows))
        self._show_scale(state)
        if state.limit is not None:
            self.limit.set_value(state.limit)
        self.bar.show_palette(state.palette)
        self.bar.show_label(tr(state.shown.label))

    def _show_scale(self, state: ViewState) -> None:
        self.scale.setEnabled(not state.shown.linear)
        self.scale.setToolTip(tr(scale_tip(state)))
        of_error = state.quantity == "error"
        shown = round(ERROR_DECADES) if of_error else state.shown_decades
        known: list[int | None] = [None, *OFFERED_DECADES]
        if shown is not None and shown not in known:
            known = [None, *sorted((*OFFERED_DECADES, shown))]
        level = decibels(state)
        _offer(self.scale, {n: _scale_label(n, level) for n in known})
        self.scale.setCurrentIndex(known.index(shown))
        self.bar.show_scale(
            state.shown_decades,
            of_error=of_error,
            decibels=level,
            dimension=state.shown.dimension,
        )

    def show_limit(self, limit: float) -> None:
        """The value at full colour now, whether fixed or automatic."""
        self._limit = limit
        self.bar.show_limit(limit)

    def _automatic_clicked(self, automatic: bool) -> None:
        self.wished.emit(self._state.with_limit(None if automatic else rounded(self._limit, 2)))


def _offer(box: QtWidgets.QComboBox, labels: Mapping[Any, str]) -> None:
    """Have these texts to choose from, each with its key, if it is not so already."""
    entries = [(key, said(label)) for key, label in labels.items()]
    if entries != [(box.itemData(i), box.itemText(i)) for i in range(box.count())]:
        with QtCore.QSignalBlocker(box):
            box.clear()
            for key, label in entries:
                box.addItem(label, key)


def scale_tip(state: ViewState) -> str:
    """What the scale is for, or why a view has but one."""
    return state.shown.linear or SCALE_TIP


def _scale_label(decades: int | None, decibels: int) -> str:
    if decades is None:
        return tr("Linear")
    if decibels:
        return f"Logarithmic, {decades * decibels} dB"
    return f"Logarithmic, {decades} decade{'s' * (decades > 1)}"
