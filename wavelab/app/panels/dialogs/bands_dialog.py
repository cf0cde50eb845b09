"""The band structure of the present scene: start, progress, a plot, and the mode that is chosen."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base import measures
from wavelab.app.base.images import image_of
from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QPixmap, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.picture_label import PictureLabel
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import WholeField
from wavelab.app.panels.plots.band_plot import BandPlot
from wavelab.simulation.studies.bands.band_search import MOST_BANDS
from wavelab.simulation.studies.bands.band_structure import BandStructure

INTRODUCTION = (
    "Takes your scene for one cell of a crystal, whose periodic walls glue opposite sides, and "
    "finds the frequencies of its Bloch waves along a path through the Brillouin zone. The wave in "
    "the window goes on."
)
EMPTY = "Click a band: its wave is shown here."
_SHAPE = (30 * GRID, 30 * GRID)
_MOST_STEPS = 99
_SIX = "{:.6g}".format
#: A head and a few gaps.
_TABLE = 16 * GRID


class BandsDialog(StudyDialog):
    """Emits ``started(path, points, bands)``, the path "" for the usual one; ``chosen(point,
    band)`` when a mode is to be shown, and ``driven(point, band)`` when a source is to make it
    ring."""

    started = Signal(str, int, int)
    chosen = Signal(int, int)
    driven = Signal(int, int)

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        self.path = QtWidgets.QLineEdit()
        self.path.setPlaceholderText(tr("usual path"))
        self.path.setToolTip(
            tr(
                "Points of the Brillouin zone, as G X M G, or in parts of the reciprocal vectors, "
                "as 0,0 0.5,0.25; empty: the usual path of the lattice"
            )
        )
        self.points, self.bands = WholeField(1, _MOST_STEPS), WholeField(1, MOST_BANDS)
        self.points.setValue(12)
        self.points.setToolTip(tr("Steps of each leg of the path"))
        self.bands.setValue(6)
        self.bands.setToolTip(tr("How many bands, the lowest first"))
        settings = (
            QtWidgets.QLabel(tr("Through")), self.path, QtWidgets.QLabel(tr("Steps")), self.points,
            QtWidgets.QLabel(tr("Bands")), self.bands,
        )  # fmt: skip
        super().__init__(parent, "Band structure", INTRODUCTION, settings, columns=4)
        self.setMinimumWidth(100 * GRID)
        self.table.setHorizontalHeaderLabels(
            [
                tr(name)
                for name in ("Gap above band", "lower end", "upper end", "in parts of its middle")
            ]
        )
        self.plot = BandPlot(theme)
        self.shape = PictureLabel(tr(EMPTY), _SHAPE)
        self.shape.setWordWrap(True)
        self.told = muted_label("")
        self.drive = QtWidgets.QPushButton(tr("Drive this mode"))
        self.drive.setToolTip(
            tr(
                "Give the walls the phases of its wavevector, and place a source of its frequency "
                "where it is strongest. It is real: the wave of the opposite wavevector rings "
                "along, and both together stand"
            )
        )
        both = row(self.plot, self.shape)
        both.setStretchFactor(self.plot, 2)
        both.setStretchFactor(self.shape, 1)
        self.column.addLayout(both, 1)
        below = row(self.told, self.drive)
        below.setStretchFactor(self.told, 1)
        self.column.addLayout(below)
        self.table.setMaximumHeight(_TABLE)
        self.column.addWidget(self.table)
        self.resize(108 * GRID, 84 * GRID)
        self._mode: tuple[int, int] | None = None
        self._found: BandStructure | None = None
        self.drive.setEnabled(False)
        self.start.clicked.connect(
            lambda: self.started.emit(
                self.path.text().strip(), self.points.value(), self.bands.value()
            )
        )
        self.plot.chosen.connect(self.choose)
        self.drive.clicked.connect(self._drive)

    @property
    def shape_size(self) -> tuple[int, int]:
        """Pixels for the picture of a mode."""
        ratio = self.devicePixelRatioF()
        return round(ratio * _SHAPE[0]), round(ratio * _SHAPE[1])

    def show_found(self, found: BandStructure) -> None:
        self._found = found
        self.plot.forget()
        self.plot.show_bands(found)
        rows = [
            [
                str(gap.below),
                *(measures.frequency(end, _SIX) for end in (gap.low, gap.high)),
                f"{100 * gap.width:.3g} %",
            ]
            for gap in found.gaps
        ]
        self.show_table(rows, found.table() + "\n")
        count, error = len(found.k), found.error
        if math.isnan(error):
            self.show_idle(f"{count} points.")
        else:
            self.show_idle(
                f"{count} points; frequencies are too high by {error:.1g} of themselves or less."
            )
        self.choose(0, min(1, found.frequencies.shape[1] - 1))

    def show_shape(self, rgb: NDArray[np.uint8]) -> None:
        """(height, width, 3) picture of the chosen mode."""
        self.shape.show_picture(QPixmap.fromImage(image_of(rgb)))

    def _drive(self) -> None:
        if self._mode is not None:
            self.driven.emit(*self._mode)

    def choose(self, point: int, band: int) -> None:
        """Show a mode; its numbers count from 0."""
        assert self._found is not None
        self._mode = point, band
        frequency = float(self._found.frequencies[point, band])
        self.told.setText(
            tr(
                "Band {band} at {place}: frequency {frequency}",
                band=band + 1,
                place=self._found.place(point),
                frequency=measures.frequency(frequency, _SIX),
            )
        )
        self.drive.setEnabled(frequency > 0)
        self.chosen.emit(point, band)
