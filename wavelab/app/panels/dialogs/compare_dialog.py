"""Two runs of the scene next to each other: what differs, pictures, a plot, and their cost."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base import measures
from wavelab.app.base.images import image_of
from wavelab.app.base.layouts import column, row
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QPixmap, Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import said, tr
from wavelab.app.panels.dialogs.difference_fields import DifferenceFields
from wavelab.app.panels.dialogs.picture_label import PictureLabel
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.plots.difference_plot import DifferencePlot
from wavelab.scene.model.units import TIME
from wavelab.simulation.side_by_side.in_step import Progress
from wavelab.simulation.side_by_side.pictures import Pictures
from wavelab.simulation.side_by_side.words import percent

INTRODUCTION = (
    "Runs your scene beside another one that differs in one thing, both from time 0 with the pings "
    "that are saved with it. The wave in the window goes on and costs time too: pause it to "
    "measure."
)
_PICTURE = (40 * GRID, 40 * GRID)


class CompareDialog(StudyDialog):
    """Emits ``started(changes, until)`` and ``paused(bool)``."""

    started = Signal(object, float)
    paused = Signal(bool)

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        self.fields = DifferenceFields()
        self.until = PositiveField(1.0, dimension=TIME)
        self.until.setToolTip(tr("Simulated time to which both run"))
        settings = (
            QtWidgets.QLabel(tr("Differs in")), self.fields,
            QtWidgets.QLabel(tr("until")), self.until,
        )  # fmt: skip
        super().__init__(parent, "Compare side by side", INTRODUCTION, settings, columns=3)
        self.start.setToolTip(tr("Run both from time 0"))
        self.names = [QtWidgets.QLabel() for _ in range(3)]
        self.pictures = [PictureLabel("", _PICTURE) for _ in range(3)]
        self.scales = [muted_label() for _ in range(3)]
        self.pictures[1].setText(tr("\u201cStart\u201d shows both runs here."))
        thirds = [
            (column(name, (picture, 1), scale), 1)
            for name, picture, scale in zip(self.names, self.pictures, self.scales, strict=True)
        ]
        self.pause = QtWidgets.QPushButton(tr("Pause"))
        self.pause.setCheckable(True)
        self.pause.setEnabled(False)
        self.pause.setToolTip(tr("Hold both runs where they are, or let them go on"))
        self.now = QtWidgets.QLabel()
        self.plot = DifferencePlot(theme)
        for label in (*self.names, *self.scales):
            label.setAlignment(Qt.AlignCenter)
        self.table.setHorizontalHeaderLabels(["", tr("As it is"), tr("The other")])
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeToContents)
        self.column.addLayout(row(*thirds), 3)
        self.column.addLayout(row(self.pause, self.now, None))
        self.column.addLayout(row((self.plot, 1), (self.table, 1)), 2)
        self.setMinimumWidth(100 * GRID)
        self.resize(124 * GRID, 100 * GRID)
        self.start.clicked.connect(self._start)
        self.pause.toggled.connect(self._pause)

    def show_running(self, name: str) -> None:
        """Both have begun anew; ``name`` is the other's."""
        self.pause.setChecked(False)
        self.pause.setEnabled(True)
        texts = (tr("As it is"), name, tr("Difference"))
        for label, text in zip(self.names, texts, strict=True):
            label.setText(text)
        self.table.setHorizontalHeaderLabels(["", *texts[:2]])

    def show_ended(self, text: str) -> None:
        """Nothing runs; ``text`` says what came of it."""
        self.pause.setChecked(False)
        self.pause.setEnabled(False)
        self.show_idle(text)

    def show_pictures(self, pictures: Pictures) -> None:
        """Of both and of their difference, with their scales below."""
        parts = (pictures.this, pictures.other, pictures.difference)
        limits = (pictures.limit, pictures.limit, pictures.difference_limit)
        for label, scale, rgb, limit in zip(self.pictures, self.scales, parts, limits, strict=True):
            label.show_picture(QPixmap.fromImage(image_of(rgb)))
            scale.setText(f"{tr('Ez')} \u00b1 {three_figures(limit)}")

    def show_numbers(self, progress: Progress, until: float, rows: Sequence[Sequence[str]]) -> None:
        """How far they are, how far apart, and what they have cost."""
        self.now.setText(
            tr(
                "t = {time}: difference {percent}",
                time=measures.time(progress.times[-1]),
                percent=percent(progress.differences[-1]),
            )
        )
        self.plot.show_differences(progress.times, progress.differences, until)
        head, *cells = rows
        numbers = "\n".join("\t".join(line) for line in (head, *cells)) + "\n"
        self.show_table([[said(cell) for cell in line] for line in cells], numbers)

    def _start(self) -> None:
        self.started.emit(self.fields.changes(), self.until.value)

    def _pause(self, held: bool) -> None:
        self.pause.setText(tr("Go on") if held else tr("Pause"))
        self.paused.emit(held)
