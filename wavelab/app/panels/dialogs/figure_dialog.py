"""How a figure for a paper is to look."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.base.qt import QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import WholeField
from wavelab.errors import OutputError
from wavelab.output.figures.style import (
    GROUNDS,
    PARTS,
    RESOLUTIONS,
    UNITS,
    Style,
    size_in_points,
)

#: What of a figure of a field a plot has too.
OF_PLOTS = ("title",)
_GROUNDS = {"light": "Light", "dark": "Dark"}
_SIZE_TIP = "Width and height, such as 8.5x6cm; a width alone, 8.5cm, lets the height follow"


class FigureDialog(Dialog):
    """Size, resolution, ground and parts of a figure.

    Parameters
    ----------
    style : what is offered.
    parts : those of ``PARTS`` that there can be.
    """

    def __init__(self, parent: QtWidgets.QWidget, style: Style, parts: tuple[str, ...]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export figure"))
        self._style = style
        form = QtWidgets.QFormLayout(self)
        form.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        form.setSpacing(GRID)
        self.figure_size = QtWidgets.QLineEdit(_size_text(style))
        self.figure_size.setToolTip(tr(_SIZE_TIP))
        self.trouble = muted_label()
        self.trouble.hide()
        self.dpi = WholeField(*RESOLUTIONS)
        self.dpi.setValue(style.dpi)
        self.ground = QtWidgets.QComboBox()
        for ground in GROUNDS:
            self.ground.addItem(tr(_GROUNDS[ground]), ground)
        self.ground.setCurrentIndex(GROUNDS.index(style.ground))
        self.parts: dict[str, QtWidgets.QCheckBox] = {}
        form.addRow(tr("Size"), self.figure_size)
        form.addRow(self.trouble)
        form.addRow(tr("Pixels per inch"), self.dpi)
        form.addRow(tr("Ground"), self.ground)
        for part in parts:
            label = tr(PARTS[part])
            box = self.parts[part] = QtWidgets.QCheckBox(label[:1].upper() + label[1:])
            box.setChecked(part in style.parts)
            form.addRow(box)
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.Ok | QtWidgets.QDialogButtonBox.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)

    def style_wished(self) -> Style:
        """What was asked for; parts that were not offered stay.

        Raises
        ------
        OutputError : there is no such size.
        """
        width, height = size_in_points(self.figure_size.text())
        kept = [part for part in self._style.parts if part not in self.parts]
        chosen = [part for part, box in self.parts.items() if box.isChecked()]
        return replace(
            self._style, width=width, height=height, dpi=self.dpi.value(),
            ground=self.ground.currentData(), parts=(*kept, *chosen),
        )  # fmt: skip

    def accept(self) -> None:
        """Not with a size that is none, which is told."""
        try:
            self.style_wished()
        except OutputError as error:
            self.trouble.setText(said(str(error)))
            self.trouble.show()
            self.figure_size.setFocus()
            self.figure_size.selectAll()
            return
        super().accept()


def _size_text(style: Style) -> str:
    sides = [side / UNITS["cm"] for side in (style.width, style.height) if side is not None]
    return "x".join(f"{side:.4g}" for side in sides) + "cm"
