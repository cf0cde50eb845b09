"""Presentations: the scene alone on the wall of a room, with letters for its last row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QPoint, Qt, QtGui, QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.settings import ENLARGEMENTS, Preferences
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.field_note import note_of
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import FactorField
from wavelab.app.window.window import Window

#: Steps of the slider for a factor of 1.
_STEPS = 10


class Presentation:
    """Begins and ends presentations in ``window``.

    Parameters
    ----------
    read, remember : the preferences, which say what a presentation looks like.
    """

    def __init__(
        self,
        window: Window,
        *,
        read: Callable[[], Preferences],
        remember: Callable[[Preferences], None],
    ) -> None:
        self._window = window
        self._read, self._remember = read, remember
        self._shown: PresentationDialog | None = None

    def toggle(self) -> None:
        self._present(not self._window.hiding.presenting)

    def leave(self) -> None:
        """Back to the window as it was before; nothing if there is no presentation."""
        self._present(False)

    def _present(self, presenting: bool) -> None:
        window = self._window
        window.hiding.present(presenting, fill_screen=self._read().fill_screen)
        window.actions_by_id["present"].setChecked(presenting)
        window.actions_by_id["fullscreen"].setChecked(window.isFullScreen())
        self._dress(self._read())
        window.dressed.emit()

    def open_settings(self) -> None:
        """A dialog beside the window, whose canvas is the preview."""
        if self._shown is None:
            self._shown = PresentationDialog(self._window, self._read(), preview=self._preview)
            self._shown.finished.connect(self._settled)
            self._shown.setAttribute(Qt.WA_DeleteOnClose)
        self._shown.show()
        self._shown.raise_()

    def _settled(self, result: int) -> None:
        assert self._shown is not None
        if result == QtWidgets.QDialog.Accepted:
            self._remember(self._shown.wished(self._read()))
        self._shown = None
        self._dress(self._read())

    def _preview(self) -> None:
        assert self._shown is not None
        self._dress(self._shown.wished(self._read()))

    def _dress(self, preferences: Preferences) -> None:
        """Of what is to be seen: in a presentation, and while its look is being chosen."""
        seen = self._window.hiding.presenting or self._shown is not None
        factor = preferences.enlargement if seen else 1.0
        self._window.canvas.set_enlargement(factor)
        self._window.legend.set_shown(seen and preferences.legend, factor)


class PresentationDialog(Dialog):
    """How large strokes and letters are, and what else there is; ``preview`` shows it at once."""

    def __init__(self, parent: Window, now: Preferences, *, preview: Callable[[], None]) -> None:
        super().__init__(parent)
        self._beside = parent.canvas
        self.setWindowTitle(tr("Presentation"))
        least, most = ENLARGEMENTS
        self.enlargement = FactorField(least, most, now.enlargement)
        self.enlargement.setToolTip(tr("How many times as large strokes, marks and letters are"))
        self.slider = QtWidgets.QSlider(Qt.Horizontal)
        self.slider.setRange(round(_STEPS * least), round(_STEPS * most))
        self.slider.setValue(round(_STEPS * now.enlargement))
        self.slider.setMinimumWidth(200)
        self.slider.setToolTip(tr("How many times as large strokes, marks and letters are"))
        self.slider.setAccessibleName(tr("Size of strokes and letters"))
        self.fill = QtWidgets.QCheckBox(tr("Fill the screen"))
        self.fill.setChecked(now.fill_screen)
        self.legend = QtWidgets.QCheckBox(tr("Show the colour scale and the clock"))
        self.legend.setChecked(now.legend)
        form = QtWidgets.QFormLayout()
        form.setSpacing(GRID)
        form.addRow(tr("Size of strokes and letters"), row((self.slider, 1), self.enlargement))
        form.addRow(self.fill)
        form.addRow(self.legend)
        told = muted_label(
            tr(
                "From {least} to {most} times as large as usual. The canvas shows it already. F5 "
                "begins and ends a presentation.",
                least=f"{least:g}",
                most=f"{most:g}",
            )
        )
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.Ok | QtWidgets.QDialogButtonBox.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column(form, told, buttons, on=self, margins=(2, 2, 2, 2), spacing=2)
        self.slider.valueChanged.connect(lambda value: self.enlargement.setValue(value / _STEPS))
        self.enlargement.valueChanged.connect(self._follow)
        for changed in (self.enlargement.valueChanged, self.legend.toggled):
            changed.connect(lambda _: preview())
        self._preview = preview

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        # The middle of the canvas, which is looked at, stays free.
        self.move(self._beside.mapToGlobal(QPoint(GRID, GRID)))
        self._preview()

    def accept(self) -> None:
        """Not with a number that was not the one typed."""
        note = note_of(self)
        if note is None or note.isHidden():
            super().accept()

    def wished(self, preferences: Preferences) -> Preferences:
        """``preferences`` with what is chosen here."""
        return replace(
            preferences,
            enlargement=self.enlargement.value(),
            fill_screen=self.fill.isChecked(),
            legend=self.legend.isChecked(),
        )

    def _follow(self, value: float) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(round(_STEPS * value))
        self.slider.blockSignals(False)
