"""A medium of the library, chosen by name."""

from __future__ import annotations

from wavelab.app.base.qt import QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.scene.media.library import entries, light_medium, named_entry, relative_medium
from wavelab.scene.model.medium import Medium

_WIDTH = 44


class MediaDialog(Dialog):
    """Offers the media that waves of a system have.

    Parameters
    ----------
    micrometres : a unit of length, as it was told the last time.
    """

    def __init__(self, parent: QtWidgets.QWidget, physics: str, micrometres: float) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Medium from the library"))
        self._physics = physics
        self.names, self.reference = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for name in entries(physics):
            self.names.addItem(tr(name), name)
            self.reference.addItem(tr(name), name)
        self.length = PositiveField(micrometres)
        self.length.setToolTip(tr("How many micrometres a unit of length of the scene is"))
        self.reference.setToolTip(tr("The medium whose density and speed are 1 in this scene"))
        self.about = muted_label()
        self.about.setMinimumWidth(_WIDTH * GRID)
        form = QtWidgets.QFormLayout(self)
        form.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        form.setSpacing(GRID)
        form.addRow(tr("Medium"), self.names)
        optical = physics in ("light", "te")
        if optical:
            form.addRow(tr("Unit of length, in \u00b5m"), self.length)
        else:
            form.addRow(tr("Relative to"), self.reference)
        form.addRow(self.about)
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.Ok | QtWidgets.QDialogButtonBox.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)
        self.names.currentIndexChanged.connect(self._show_about)
        self._show_about()

    @property
    def medium(self) -> Medium:
        """What is chosen, as it is in the scene."""
        entry = named_entry(self._physics, self.names.currentData())
        if self._physics in ("light", "te"):
            return light_medium(self._physics, entry, self.length.value)
        reference = named_entry(self._physics, self.reference.currentData())
        return relative_medium(self._physics, entry, reference)

    def _show_about(self) -> None:
        entry = named_entry(self._physics, self.names.currentData())
        lines = [entry.source]
        if entry.range is not None:
            low, high = entry.range
            lines.append(
                tr("For wavelengths from {low} to {high} \u00b5m", low=f"{low:g}", high=f"{high:g}")
            )
        self.about.setText("\n".join(lines))
        self.length.setEnabled(entry.needs_length)
