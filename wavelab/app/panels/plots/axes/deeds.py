"""What menu and keys do with the curves of a plot: copy, keep, compare, logarithmic axes."""

from __future__ import annotations

from wavelab.app.base.qt import QApplication
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.charted import Charted
from wavelab.app.panels.plots.axes.figure import on_clipboard, table_text
from wavelab.app.panels.plots.axes.kept import Kept
from wavelab.output.figures.style import Style


class PlotDeeds:
    def __init__(self, plot: Charted) -> None:
        self._plot = plot

    def copy(self) -> None:
        """The table, for a spreadsheet."""
        QApplication.clipboard().setText(table_text(*self._plot.table()))

    def copy_picture(self) -> None:
        """What is on show, as pixels and as lines."""
        figure = self._plot.figure(Style(ground=self._plot.theme.name))
        mime = on_clipboard(figure, self._plot.grab().toImage())
        QApplication.clipboard().setMimeData(mime)

    def toggle_log(self, axis: Axis) -> None:
        """A logarithmic axis, or not."""
        if self._plot.curves and (axis.log or axis.can_be_log):
            self._plot.set_log(axis, not axis.log)

    def toggle_log_across(self) -> None:
        self.toggle_log(self._plot.across)

    def toggle_log_up(self) -> None:
        self.toggle_log(self._plot.up)

    def keep(self) -> None:
        """The curves of now, to be shown beside later ones."""
        self._plot.kept.keep(self._plot.curves, self._plot.across, self._plot.up)
        self._plot.show_kept()

    def name(self, kept: Kept, name: str) -> None:
        """One that was kept."""
        self._plot.kept.rename(kept, name)
        self._plot.show_kept()

    def forget(self, kept: Kept) -> None:
        self._plot.kept.forget(kept)
        self._plot.show_kept()

    def forget_all(self) -> None:
        self._plot.kept.forget_all()
        self._plot.show_kept()
