"""The layers of a drawing, and what each is to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import Qt, QtGui, QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID, THEMES
from wavelab.app.language.language import said, tr
from wavelab.app.panels.dialogs.layer_preview import LayerPreview, Shown
from wavelab.app.panels.fields.labels import muted_label, plain_label
from wavelab.errors import SceneError
from wavelab.meshing.drawings.layers import Layer
from wavelab.meshing.drawings.roles import (
    DOMAIN,
    MATERIAL,
    NOTHING,
    OBSTACLE,
    ROLES,
    Role,
    plain_walls,
    role_of,
    usual_number,
)  # fmt: skip
from wavelab.meshing.outlines.outline import Document
from wavelab.scene.media.library import entries
from wavelab.scene.systems import SYSTEMS

_NAMES = {DOMAIN: "domain", OBSTACLE: "obstacle", MATERIAL: "material", NOTHING: "nothing"}
_OF_MATERIAL = (
    "Numbers of the medium, with commas: epsilon=12, sigma=0.1; or one of the library: medium=Gold"
)
_COLUMNS = ("Layer", "Shapes", "Area", "Becomes", "Of")


@dataclass
class _Row:
    """What a layer ``becomes``, and the text of its medium or wall; the boxes are those in the
    table now."""

    layer: Layer
    color: QtGui.QColor
    becomes: str
    of: str
    role: QtWidgets.QComboBox
    detail: QtWidgets.QComboBox

    def remember(self) -> None:
        self.becomes, self.of = self.role.currentData(), self.detail.currentText()


class LayersDialog(Dialog):
    """Asks what layers become; ``roles`` is the answer, from the lowest to the uppermost.

    Parameters
    ----------
    title : name of the drawing.
    physics : key of ``SYSTEMS``, for what media and walls there are.
    micrometres : a unit of length of the scene, None where it is not known.
    """

    def __init__(
        self,
        parent: QtWidgets.QWidget,
        title: str,
        document: Document,
        layers: Sequence[Layer],
        physics: str,
        micrometres: float | None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Layers of {name}", name=title))
        self._document, self._physics, self._micrometres = document, physics, micrometres
        self.roles: list[tuple[Layer, Role]] = []
        self.table = QtWidgets.QTableWidget(0, len(_COLUMNS))
        self.table.setHorizontalHeaderLabels([tr(name) for name in _COLUMNS])
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectRows)
        self.table.setSelectionMode(QtWidgets.QAbstractItemView.SingleSelection)
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.NoEditTriggers)
        self.table.setMinimumWidth(66 * GRID)
        self.preview = LayerPreview()
        self.note = plain_label("", name="muted")
        self.note.setWordWrap(True)
        self.up = QtWidgets.QPushButton(tr("Raise"))
        self.down = QtWidgets.QPushButton(tr("Lower"))
        self.buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.Ok | QtWidgets.QDialogButtonBox.Cancel
        )
        self._rows = self._made(layers, usual_roles(document, layers))
        hint = muted_label(tr("Where materials overlap, that of the lower row holds."))
        left = column((self.table, 1), hint, row(self.up, self.down, None), self.note)
        both = row((left, 1), (self.preview, 1))
        column((both, 1), self.buttons, on=self, margins=(2, 2, 2, 2), spacing=2)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.table.itemSelectionChanged.connect(self._show)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out(0)
        self.resize(128 * GRID, 60 * GRID)

    def accept(self) -> None:
        """Not as long as something is said of a layer that cannot be."""
        try:
            self.roles = self._said()
        except SceneError as error:
            self.note.setText(said(str(error)))
            return
        super().accept()

    def role(self, name: str) -> QtWidgets.QComboBox:
        """Where it is chosen what a layer becomes."""
        return next(each.role for each in self._rows if each.layer.name == name)

    def detail(self, name: str) -> QtWidgets.QComboBox:
        """Where the medium or the wall of a layer is chosen or typed."""
        return next(each.detail for each in self._rows if each.layer.name == name)

    def _made(self, layers: Sequence[Layer], usual: Sequence[str]) -> list[_Row]:
        series = THEMES["dark"].probe_series
        rows = []
        for number, (layer, becomes) in enumerate(zip(layers, usual, strict=True)):
            color = QtGui.QColor(layer.colour if layer.colour.startswith("#") else "")
            if not color.isValid() or layer.colour == "#000000":
                color = QtGui.QColor(series[(number + 1) % len(series)])
            boxes = QtWidgets.QComboBox(), QtWidgets.QComboBox()
            rows.append(_Row(layer, color, becomes, "", *boxes))
        return rows

    def _make_boxes(self, made: _Row) -> None:
        """New ones: the table deletes those that it had."""
        made.role, made.detail = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for key in ROLES:
            made.role.addItem(tr(_NAMES[key]), key)
        made.role.setCurrentIndex(ROLES.index(made.becomes))
        self._offer(made)
        if made.of:
            made.detail.setCurrentText(made.of)
        made.role.activated.connect(lambda _, made=made: self._role_changed(made))

    def _role_changed(self, made: _Row) -> None:
        self._offer(made)
        self._show()

    def _offer(self, made: _Row) -> None:
        """What there is to choose from for what a layer becomes."""
        becomes, detail = made.role.currentData(), made.detail
        detail.clear()
        detail.setEditable(becomes == MATERIAL)
        detail.setEnabled(becomes != NOTHING)
        if becomes == MATERIAL:
            usual = usual_number(self._physics)
            detail.addItems([usual, *(f"medium={name}" for name in entries(self._physics))])
            detail.setToolTip(tr(_OF_MATERIAL))
        elif becomes != NOTHING:
            for kind in plain_walls(self._physics, becomes):
                detail.addItem(tr(SYSTEMS[self._physics].walls[kind].label), kind)
            detail.setToolTip(tr("Its walls"))

    def _said(self) -> list[tuple[Layer, Role]]:
        """
        Raises
        ------
        SceneError : names the layer.
        """
        found = []
        for each in self._rows:
            becomes = each.role.currentData()
            text = becomes
            if becomes == MATERIAL:
                text = f"{becomes},{each.detail.currentText()}"
            elif becomes != NOTHING and each.detail.currentIndex() > 0:
                text = f"{becomes},wall={each.detail.currentData()}"
            try:
                found.append((each.layer, role_of(text, self._physics, self._micrometres)))
            except SceneError as error:
                name = each.layer.name
                raise SceneError(error.message, where=name, remedy=error.remedy) from None
        if all(role.becomes == NOTHING for _, role in found):
            raise SceneError("no layer becomes anything", remedy="Give one of them a role.")
        return found

    def _move(self, by: int) -> None:
        at = self.table.currentRow()
        if 0 <= at < len(self._rows) and 0 <= at + by < len(self._rows):
            for each in self._rows:
                each.remember()
            self._rows[at], self._rows[at + by] = self._rows[at + by], self._rows[at]
            self._lay_out(at + by)

    def _lay_out(self, chosen: int) -> None:
        """Fill the table in the order of the rows."""
        self.table.setRowCount(0)
        self.table.setRowCount(len(self._rows))
        for each in self._rows:
            self._make_boxes(each)
        unit = self._document.unit_name.replace("u", "\u00b5")
        squares = f" {unit}\u00b2" if unit else ""
        for number, each in enumerate(self._rows):
            swatch = QtGui.QPixmap(2 * GRID, 2 * GRID)
            swatch.fill(each.color)
            icon = QtGui.QIcon(swatch)
            icon.addPixmap(swatch, QtGui.QIcon.Selected)  # or it would take on the colour of that
            name = QtWidgets.QTableWidgetItem(icon, each.layer.name or tr("(none)"))
            count = QtWidgets.QTableWidgetItem(f"{len(each.layer.areas):,}")
            area = each.layer.area * self._document.unit**2
            size = QtWidgets.QTableWidgetItem(f"{area:.3g}{squares}")
            for item in (count, size):
                item.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
            for place, item in enumerate((name, count, size)):
                self.table.setItem(number, place, item)
            self.table.setCellWidget(number, 3, each.role)
            self.table.setCellWidget(number, 4, each.detail)
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setCurrentCell(chosen, 0)
        self._show()

    def _show(self) -> None:
        at = self.table.currentRow()
        self.up.setEnabled(at > 0)
        self.down.setEnabled(0 <= at < len(self._rows) - 1)
        self.preview.show_layers(
            [
                Shown(each.layer.areas, each.role.currentData(), each.color, number == at)
                for number, each in enumerate(self._rows)
            ]
        )


def usual_roles(document: Document, layers: Sequence[Layer]) -> list[str]:
    """What layers become, unless it is said otherwise: of a layout materials; of other drawings the
    first whose shape lies around all others the domain, and the others obstacles."""
    if document.is_layout:
        return [MATERIAL] * len(layers)
    everything = shapely.box(*shapely.total_bounds([a for layer in layers for a in layer.areas]))
    around = next(
        (
            i
            for i, layer in enumerate(layers)
            if len(layer.areas) == 1
            and shapely.box(*layer.areas[0].bounds).area >= 0.999 * everything.area
        ),
        -1,
    )
    return [DOMAIN if i == around else OBSTACLE for i in range(len(layers))]
