"""How wrong the present setting is: start, progress, plot, numbers."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import said, tr
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.labels import plain_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.plots.convergence_plot import ConvergencePlot
from wavelab.scene.model.units import TIME
from wavelab.simulation.studies.convergence import Study

INTRODUCTION = (
    "Runs your scene again, from its initial fields with its sources, on smaller elements and at "
    "higher orders, and compares the fields at the end. Pings made by hand are not repeated."
)


class ConvergenceDialog(StudyDialog):
    """Emits ``started(until)``."""

    started = Signal(float)

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        self.until = PositiveField(1.0, dimension=TIME)
        self.until.setToolTip(tr("Simulated time at which the fields are compared"))
        settings = (QtWidgets.QLabel(tr("Compare at time")), self.until)
        super().__init__(parent, "Check convergence", INTRODUCTION, settings, columns=6)
        self.setMinimumWidth(84 * GRID)
        self.start.setToolTip(tr("Run the scene on all settings; the wave in the window goes on"))
        self.plot = ConvergencePlot(theme)
        self.sentence = plain_label(selectable=True)
        self.column.addWidget(self.sentence)
        self.column.addWidget(self.plot, 1)
        self.table.horizontalHeader().hide()  # the columns have no names until there are results
        self.column.addWidget(self.table)
        self.resize(84 * GRID, 78 * GRID)
        self.start.clicked.connect(lambda: self.started.emit(self.until.value))

    def show_study(self, study: Study) -> None:
        self.plot.show_study(study)
        table, sentence = study.table(measures.scale()), study.sentence(measures.scale())
        self.sentence.setText(said(sentence))
        header, *rows = (line.split("\t") for line in table.splitlines())
        self.table.horizontalHeader().show()
        self.table.setHorizontalHeaderLabels([said(name).capitalize() for name in header])
        self.show_table(rows, f"{sentence}\n{table}\n")
        exact = study.reference == "exact"
        against = "the exact solution" if exact else f"a run of {study.reference}"
        self.show_idle(
            tr(
                "Measured against {against}; the error falls with the power {rate} of the "
                "element size.",
                against=against,
                rate=f"{study.rate:.1f}",
            )
        )
