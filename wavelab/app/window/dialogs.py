"""Everything that asks the user something and waits for the answer, behind one small object.

Tests put another object with the same methods in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wavelab.app.base.layouts import column
from wavelab.app.base.qt import Qt, QtGui, QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.app.panels.dialogs.figure_dialog import FigureDialog
from wavelab.app.panels.dialogs.layers_dialog import LayersDialog
from wavelab.app.panels.dialogs.media_dialog import MediaDialog
from wavelab.app.panels.fields.field_note import note_of
from wavelab.app.panels.fields.labels import muted_label, plain_label
from wavelab.app.panels.fields.number_fields import WholeField
from wavelab.meshing.drawings.layers import Layer
from wavelab.meshing.drawings.roles import Role
from wavelab.meshing.outlines.outline import Document
from wavelab.output.figures.style import Style
from wavelab.scene.model.medium import Medium
from wavelab.scene.systems import SYSTEMS
from wavelab.simulation.past.memory import most_mib

Answer = Literal["save", "discard", "cancel"]


@dataclass(frozen=True)
class PictureWish:
    """Size in pixels of a picture of the field, and whether walls and materials are on it."""

    width: int
    height: int
    room: bool = True


class Dialogs:
    """In front of ``parent``.

    ``filters`` are Qt's, such as "Scene (*.toml)"; None is the answer of who changed their mind.
    """

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        self._parent = parent

    def open_file(self, title: str, directory: Path, filters: str) -> Path | None:
        name, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._parent, tr(title), str(directory), _offered(filters)
        )
        return Path(name) if name else None

    def save_file(self, title: str, suggestion: Path, filters: str) -> Path | None:
        name, chosen = QtWidgets.QFileDialog.getSaveFileName(
            self._parent, tr(title), str(suggestion), _offered(filters)
        )
        return with_suffix_of_filter(Path(name), chosen) if name else None

    def picture_size(self, suggestion: tuple[int, int]) -> PictureWish | None:
        dialog = PictureSizeDialog(self._parent, suggestion)
        if dialog.exec_() != QtWidgets.QDialog.Accepted:
            return None
        return dialog.wish()

    def figure(self, style: Style, parts: tuple[str, ...]) -> Style | None:
        """How a figure is to look, which may have these parts; the last time it was ``style``."""
        dialog = FigureDialog(self._parent, style, parts)
        return dialog.style_wished() if dialog.exec_() == QtWidgets.QDialog.Accepted else None

    def choose_waves(self, title: str, physics: str) -> str | None:
        """A key of ``SYSTEMS``; now it is ``physics``."""
        dialog = WavesDialog(self._parent, tr(title), physics)
        return dialog.physics if dialog.exec_() == QtWidgets.QDialog.Accepted else None

    def choose_medium(self, physics: str, micrometres: float) -> tuple[Medium, float] | None:
        """A medium of the library for waves of a system, and how many micrometres a unit of length
        is; ``micrometres`` the last time."""
        dialog = MediaDialog(self._parent, physics, micrometres)
        accepted = dialog.exec_() == QtWidgets.QDialog.Accepted
        return (dialog.medium, dialog.length.value) if accepted else None

    def choose_layers(
        self,
        title: str,
        document: Document,
        layers: Sequence[Layer],
        physics: str,
        micrometres: float | None,
    ) -> list[tuple[Layer, Role]] | None:
        """What the layers of a drawing become, the uppermost last."""
        dialog = LayersDialog(self._parent, title, document, layers, physics, micrometres)
        return dialog.roles if dialog.exec_() == QtWidgets.QDialog.Accepted else None

    def memory_of_past(self, mib: int) -> int | None:
        """How many MiB what is kept of the past may take, now ``mib``."""
        dialog = PastMemoryDialog(self._parent, mib)
        return dialog.mib.value() if dialog.exec_() == QtWidgets.QDialog.Accepted else None

    def ask_to_save(self, title: str) -> Answer:
        """Whether a scene of this title is to be saved before the window closes."""
        box = QtWidgets.QMessageBox(self._parent)
        box.setWindowTitle(tr("Close"))
        box.setIcon(QtWidgets.QMessageBox.Question)
        box.setTextFormat(Qt.PlainText)
        box.setText(tr("Save \u201c{title}\u201d before the window closes?", title=title))
        box.setInformativeText(tr("What was changed since it was last saved is lost otherwise."))
        box.setStandardButtons(
            QtWidgets.QMessageBox.Save
            | QtWidgets.QMessageBox.Discard
            | QtWidgets.QMessageBox.Cancel
        )
        box.setDefaultButton(QtWidgets.QMessageBox.Save)
        answers: dict[int, Answer] = {
            QtWidgets.QMessageBox.Save: "save", QtWidgets.QMessageBox.Discard: "discard",
        }  # fmt: skip
        return answers.get(box.exec_(), "cancel")

    def show_error(self, title: str, text: str, details: str) -> None:
        dialog = Dialog(self._parent)
        dialog.setWindowTitle(tr(title))
        label = plain_label(said(text))
        report = QtWidgets.QPlainTextEdit(details)
        report.setReadOnly(True)
        report.setFont(tabular_font(9))
        report.setMinimumSize(60 * GRID, 12 * GRID)
        dialog.resize(84 * GRID, 42 * GRID)
        buttons = QtWidgets.QDialogButtonBox()
        copy = buttons.addButton(tr("Copy report"), QtWidgets.QDialogButtonBox.ActionRole)
        copy.clicked.connect(lambda: QtGui.QGuiApplication.clipboard().setText(details))
        buttons.addButton(tr("Go on"), QtWidgets.QDialogButtonBox.AcceptRole).setDefault(True)
        buttons.accepted.connect(dialog.accept)
        column(label, (report, 1), buttons, on=dialog, margins=(2, 2, 2, 2), spacing=2)
        dialog.exec_()

    def show_about(self, text: str) -> None:
        QtWidgets.QMessageBox.about(self._parent, tr("About wavelab"), text)


class _Form(Dialog):
    """Fields with Ok and Cancel below them."""

    def __init__(self, parent: QtWidgets.QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.form = QtWidgets.QFormLayout(self)
        self.form.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self.form.setSpacing(GRID)

    def add_buttons(self) -> None:
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.Ok | QtWidgets.QDialogButtonBox.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.form.addRow(buttons)

    def accept(self) -> None:
        """Not with a number that was not the one typed."""
        note = note_of(self)
        if note is None or note.isHidden():
            super().accept()


class WavesDialog(_Form):
    """What waves are: a button for each system, with a line on what it is for."""

    def __init__(self, parent: QtWidgets.QWidget, title: str, physics: str) -> None:
        super().__init__(parent, title)
        self.buttons: dict[str, QtWidgets.QRadioButton] = {}
        for key, system in SYSTEMS.items():
            button = self.buttons[key] = QtWidgets.QRadioButton(tr(system.label))
            self.form.addRow(button, muted_label(tr(system.meaning)))
        self.buttons[physics].setChecked(True)
        self.buttons[physics].setFocus()
        self.add_buttons()

    @property
    def physics(self) -> str:
        """What is chosen."""
        return next(key for key, button in self.buttons.items() if button.isChecked())


class PastMemoryDialog(_Form):
    """How much memory what is kept of the past may take."""

    def __init__(self, parent: QtWidgets.QWidget, mib: int) -> None:
        super().__init__(parent, tr("Memory of the past"))
        self.mib = WholeField(0, most_mib())
        self.mib.setValue(mib)
        self.form.addRow(tr("At most, in MiB"), self.mib)
        self.form.addRow(
            muted_label(tr("More of it makes the way back shorter. With 0 nothing is kept."))
        )
        self.add_buttons()


class PictureSizeDialog(_Form):
    """Width and height of a picture of the field, and whether the walls are on it."""

    def __init__(self, parent: QtWidgets.QWidget, suggestion: tuple[int, int]) -> None:
        super().__init__(parent, tr("Picture of the field"))
        self._boxes, form = [], self.form
        for label, value in zip(("Width in pixels", "Height in pixels"), suggestion, strict=True):
            box = WholeField(16, 8192)
            box.setValue(value)
            self._boxes.append(box)
            form.addRow(tr(label), box)
        self.room = QtWidgets.QCheckBox(tr("With walls and materials"))
        self.room.setChecked(True)
        form.addRow(self.room)
        self.add_buttons()

    def wish(self) -> PictureWish:
        """What was asked for."""
        width, height = (box.value() for box in self._boxes)
        return PictureWish(width, height, self.room.isChecked())


def _offered(filters: str) -> str:
    """The filters in the language of the window; their patterns stay."""
    return ";;".join(
        f"{tr(name)} ({patterns}" for name, _, patterns in map(_parts, filters.split(";;"))
    )


def _parts(kind: str) -> tuple[str, str, str]:
    return kind.partition(" (")


def with_suffix_of_filter(path: Path, chosen: str) -> Path:
    """``path``, with the first suffix of the chosen filter if it was typed without any."""
    if path.suffix or "*." not in chosen:
        return path
    suffix = chosen.partition("*")[2].split(")")[0].split()[0]
    return path.with_name(path.name + suffix)
