"""The column of settings beside the canvas, with the gallery below it."""

from __future__ import annotations

from wavelab.app.base.layouts import column
from wavelab.app.base.qt import QSize, QtGui, QTimer, QtWidgets
from wavelab.app.base.theme import GRID
from wavelab.app.panels.field_panel import FieldPanel
from wavelab.app.panels.fields.scrolled import Scrolled
from wavelab.app.panels.fields.section import rule
from wavelab.app.panels.gallery.gallery import Gallery
from wavelab.app.panels.gallery.search import Search
from wavelab.app.panels.mesh_panel import MeshPanel
from wavelab.app.panels.parameter_panel import ParameterPanel
from wavelab.app.panels.tool_pages.tool_panel import ToolPanel

#: Heights of settings and gallery: where there is hardly any room, for a scene and a bit; and what
#: each gets before the other has more, three scenes and a half, for there are more.
LEAST_SETTINGS, LEAST_GALLERY = 18 * GRID, 12 * GRID
USUAL_SETTINGS, USUAL_GALLERY = 24 * GRID, 28 * GRID


class Inspector(QtWidgets.QWidget):
    """Attributes
    ----------
    parameter_panel, tool_panel, field_panel, mesh_panel, search, gallery : from top to bottom.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parameter_panel = ParameterPanel()
        self.tool_panel, self.field_panel = ToolPanel(), FieldPanel()
        self.mesh_panel, self.gallery = MeshPanel(), Gallery()
        self.search = Search(self.gallery)
        upper = QtWidgets.QWidget()
        # First what somebody has laid out to be turned, then what is at hand.
        panels = (self.tool_panel, self.field_panel, self.mesh_panel)
        parts = (part for panel in panels for part in (panel, rule()))
        column(self.parameter_panel, *parts, None, on=upper, spacing=0)
        self._scrolled = Scrolled(upper, lowest=LEAST_SETTINGS)
        column(self._scrolled, self.search, (self.gallery, 1), on=self, spacing=0)
        self.parameter_panel.filled.connect(self._share)
        # By then the page has its place.
        self._placed = QTimer(self, singleShot=True, interval=0, timeout=self._scroll_to_tool)

    def minimumSizeHint(self) -> QSize:
        """Not with what the parts get where there is more room."""
        least = LEAST_SETTINGS + self.search.sizeHint().height() + LEAST_GALLERY
        return QSize(super().minimumSizeHint().width(), least)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Sliders are looked at for longer than the gallery."""
        sliders = self.parameter_panel.sizeHint().height() * (not self.parameter_panel.isHidden())
        room = self.height() - self.search.sizeHint().height() - USUAL_SETTINGS - sliders
        self.gallery.setMinimumHeight(min(max(room, LEAST_GALLERY), USUAL_GALLERY))

    @property
    def folded(self) -> tuple[str, ...]:
        """Headings of the sections of which only the heading is there."""
        return tuple(s.title for s in (self.field_panel, self.mesh_panel) if s.folded)

    def fold(self, headings: tuple[str, ...]) -> None:
        """Fold these sections, and unfold the others."""
        for section in (self.field_panel, self.mesh_panel):
            section.set_folded(section.title in headings)

    def show_tool_settings(self) -> None:
        """Scroll to the tool's page where there is no room for all."""
        self._placed.start()

    def show_parameters(self) -> None:
        """Scroll to the sliders, unfolded."""
        self.parameter_panel.section.set_folded(False)
        self._scrolled.verticalScrollBar().setValue(0)

    def _scroll_to_tool(self) -> None:
        self._scrolled.ensureWidgetVisible(self.tool_panel, 0, 0)
