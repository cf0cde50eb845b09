"""What the right button offers on a plot."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.foreign_text import on_menu
from wavelab.app.base.qt import QtWidgets
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.charted import Charted
from wavelab.app.panels.plots.axes.deeds import PlotDeeds
from wavelab.app.panels.plots.axes.kept import Kept


class PlotMenu(QtWidgets.QMenu):
    """Made anew whenever it opens, as what was kept may have changed."""

    def __init__(self, plot: Charted, deeds: PlotDeeds, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self._plot, self._deeds = plot, deeds
        self.fill()
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """As the plot is now."""
        plot, deeds = self._plot, self._deeds
        self.clear()
        self.addAction(tr("Show all\tHome"), plot.show_all)
        for axis, text in (
            (plot.across, tr("Logarithmic x\tX")),
            (plot.up, tr("Logarithmic y\tY")),
        ):
            log = self.addAction(text, partial(deeds.toggle_log, axis))
            log.setCheckable(True)
            log.setChecked(axis.log)
            log.setEnabled(bool(plot.curves) and axis.can_be_log)
        self.addSeparator()
        self.addAction(tr("Keep curves\tK"), deeds.keep).setEnabled(bool(plot.curves))
        for kept in plot.kept.all:
            self._offer(kept)
        if len(plot.kept) > 1:
            self.addAction(tr("Forget all that was kept"), deeds.forget_all)
        self.addSeparator()
        self.addAction(tr("Copy numbers\tCtrl+C"), deeds.copy)
        self.addAction(tr("Copy picture\tCtrl+Shift+C"), deeds.copy_picture)
        self.addSeparator()
        self.addAction(tr("Save plot\u2026"), lambda: plot.save_wished.emit(plot))
        self.addAction(tr("Export figure\u2026"), lambda: plot.figure_wished.emit(plot))

    def _offer(self, kept: Kept) -> None:
        own = self.addMenu(on_menu(kept.name))
        own.addAction(tr("Name\u2026"), partial(self._ask_name, kept))
        own.addAction(tr("Forget"), partial(self._deeds.forget, kept))

    def _ask_name(self, kept: Kept) -> None:
        """Beside the program, which goes on meanwhile."""
        dialog = QtWidgets.QInputDialog(self.parentWidget())
        dialog.setWindowTitle(tr("Kept curve"))
        dialog.setLabelText(tr("Name"))
        dialog.setTextValue(kept.name)
        dialog.textValueSelected.connect(partial(self._deeds.name, kept))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
