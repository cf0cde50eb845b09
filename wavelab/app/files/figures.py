"""Figures for papers, and copies of what is on show."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wavelab.app.base.images import image_of
from wavelab.app.base.qt import QApplication
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.files.outbox import Outbox
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.figure_dialog import OF_PLOTS
from wavelab.app.session.field_picture import Shown, field_figure, field_table
from wavelab.app.session.presenter import Presenter
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.output.figures.figure import write_figure
from wavelab.output.figures.style import PARTS, Style
from wavelab.output.scene_drawing import SceneDrawing

if TYPE_CHECKING:
    from wavelab.app.panels.plots.axes.plot import Plot
    from wavelab.app.panels.plots.polar_plot import PolarPlot

FIGURE_FILTER = (
    "PDF figure (*.pdf);;SVG figure (*.svg);;PNG picture (*.png);;Comma-separated values (*.csv)"
)
#: Values along the longer side of the table of a field.
VALUES = 200
FLAT = "Figure of the flat view"


class Figures:
    """Exports and copies; remembers how the last figure was to look."""

    def __init__(
        self,
        editor: Editor,
        views: ViewController,
        presenter: Presenter,
        outbox: Outbox,
        dialogs: Dialogs,
        window: Window,
    ) -> None:
        self._editor, self._views, self._presenter = editor, views, presenter
        self._outbox, self._dialogs, self._window = outbox, dialogs, window
        self._style = Style()
        window.export_plot_wished.connect(self.export_plot)

    def export_field(self) -> None:
        """What the canvas shows, with axes."""
        taken = self._shown()
        if taken is None:
            return
        shown, drawing = taken
        style = self._dialogs.figure(self._style, tuple(PARTS))
        if style is None:
            return
        self._style = style
        frame = self._presenter.frame
        time = frame.time if frame is not None else 0.0
        figure = field_figure(shown, drawing, style, tr(self._editor.scene.title), time)
        path = self._outbox.choose("Export figure", self._outbox.suggestion(".pdf"), FIGURE_FILTER)
        if path is not None:
            what = "Figure" if shown.view.relief is None else FLAT
            self._outbox.write_beside(path, partial(write_figure, path, figure), what)

    def export_plot(self, plot: Plot | PolarPlot) -> None:
        """Its curves, with axes."""
        style = self._dialogs.figure(self._style, OF_PLOTS)
        if style is None:
            return
        self._style = style
        figure = plot.figure(style, tr(self._editor.scene.title))
        name = self._outbox.suggestion("_plot.pdf")
        path = self._outbox.choose("Export figure", name, FIGURE_FILTER)
        if path is not None:
            self._outbox.write_beside(path, partial(write_figure, path, figure), "Figure")

    def copy_canvas(self) -> None:
        """As it is seen."""
        QApplication.clipboard().setImage(image_of(self._window.canvas.grab_rgb()))
        self._window.message.inform("The picture is on the clipboard")

    def copy_values(self) -> None:
        """Of what is in view, as a table."""
        taken = self._shown()
        if taken is None:
            return
        rows = field_table(*taken, VALUES)
        QApplication.clipboard().setText("\n".join(map("\t".join, rows)) + "\n")
        self._window.message.inform("The values are on the clipboard")

    def _shown(self) -> tuple[Shown, SceneDrawing] | None:
        shown = self._views.shown()
        if shown is None:
            error = WavelabError("there is no field yet", remedy="Wait for the wave.")
            self._editor.complain(error)
            return None
        return shown, self._window.canvas.look.drawing
