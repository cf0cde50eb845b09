"""The probes: their plot, a legend, and what can be done with their series."""

from __future__ import annotations

import html

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.buttons import action_button
from wavelab.app.panels.fields.scrolled import scrolling
from wavelab.app.panels.plots.probe_plot import ProbePlot
from wavelab.app.panels.sound_bar import SoundBar
from wavelab.app.session.probe_series import ProbeSeries


class ProbePanel(QtWidgets.QWidget):
    """Legend and buttons at the left, the plot beside them.

    Parameters
    ----------
    listen : put beside the button for spectra.
    actions : put below the legend as buttons, in this order.

    Attributes
    ----------
    sound : how a probe is heard, while one is.
    """

    def __init__(
        self,
        probe_series: ProbeSeries,
        theme: Theme,
        listen: QtWidgets.QAction,
        actions: tuple[QtWidgets.QAction, ...],
    ) -> None:
        super().__init__()
        self.plot = ProbePlot(probe_series, theme)
        self._probe_series = probe_series
        self._names: tuple[str, ...] = ()
        self._legend = QtWidgets.QLabel()
        self._legend.setWordWrap(True)
        self._legend.setAlignment(Qt.AlignLeft | Qt.AlignTop)
        scroll = scrolling(self._legend)
        self.spectrum = QtWidgets.QPushButton()
        self.spectrum.setText(tr("Spectrum"))
        self.spectrum.setCheckable(True)
        self.spectrum.setToolTip(
            tr("Amplitude over frequency of what was recorded, by a Hann window")
        )
        self.spectrum.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Fixed)
        self.spectrum.toggled.connect(self.plot.show_spectra)
        self.sound = SoundBar(theme)
        self.sound.hide()
        views = row((self.spectrum, 1), (action_button(listen), 1), spacing=0.5)
        # In one row they leave more lines to the legend.
        buttons = row(*map(action_button, actions), spacing=0.5)
        side = QtWidgets.QWidget()
        column((scroll, 1), views, self.sound, buttons, on=side, margins=None)
        # As that of the monitors, unless the words on the buttons are longer.
        side.setFixedWidth(max(28 * GRID, side.minimumSizeHint().width()))
        row(side, (self.plot, 1), on=self, margins=(1, 0, 0, 0), spacing=0)
        self.refresh()

    def refresh(self) -> None:
        """New samples, or other probes."""
        if self._probe_series.names != self._names:
            self._names = self._probe_series.names
            self._write_legend()
        if self.isVisible():
            self.plot.refresh()

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)
        self.sound.set_theme(theme)
        self._write_legend()

    def _write_legend(self) -> None:
        # Beside each other, as far as there is room; a name stays in one line with its dot.
        names = []
        for i, name in enumerate(self._names):
            dot = f'<span style="color:{self.plot.color(i).name()}">\u25cf</span>'
            text = html.escape(name, quote=False).replace(" ", "&nbsp;")
            names.append(f"{dot}&nbsp;{text}")
        self._legend.setText("&nbsp;&nbsp; ".join(names))
