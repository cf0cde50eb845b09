"""Everything in the window that is a length, a time or a frequency, in the units of the scene."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.measures import measure_in
from wavelab.app.panels.fields.unit_mark import UnitMark
from wavelab.app.panels.messages.resolution_text import resolution_of
from wavelab.app.panels.plots.color_bar import ColorBar
from wavelab.app.session.session import Session
from wavelab.app.shell.app_state import AppState
from wavelab.app.window.window import Window


class ShownUnits:
    """Writes anew what is on show, also while the wave is paused and no frame brings new numbers.

    Parameters
    ----------
    others : show what they own again.
    """

    def __init__(
        self, session: Session, window: Window, others: tuple[Callable[[], None], ...]
    ) -> None:
        self._session, self._window, self._others = session, window, others

    def close(self) -> None:
        """The next window has another scene."""
        measure_in(None)

    def show(self, state: AppState) -> None:
        """The units have become others."""
        measure_in(state.scale)
        window, running = self._window, self._session.running
        window.status.show_loaded(state.loaded)
        window.transport.speed.show_units()
        window.time_bar.show_units()
        for mark in window.findChildren(UnitMark):
            mark.show_units()
        for bar in window.findChildren(ColorBar):
            bar.update()
        window.canvas.refresh_lines()
        window.canvas.refresh_tool()
        window.probe_panel.plot.refresh()
        window.monitor_panel.show_units()
        if running is not None:
            window.mesh_panel.show_resolution(resolution_of(running.problem))
        for show in self._others:
            show()
