"""The band structure of the present scene, found beside the running wave."""

from __future__ import annotations

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits.bloch_edits import drive_bloch_mode
from wavelab.app.panels.dialogs.bands_dialog import BandsDialog
from wavelab.app.session.session import Session
from wavelab.app.studies.driving import driving
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.window import Window
from wavelab.scene.sources import placed_source
from wavelab.simulation.studies.bands.band_files import mode_picture
from wavelab.simulation.studies.bands.band_search import find_bands
from wavelab.simulation.studies.bands.band_structure import BandStructure


class BandStudy:
    """Owns the dialog and its thread."""

    def __init__(
        self, session: Session, editor: Editor, views: ViewController, window: Window
    ) -> None:
        self._session, self._editor, self._views, self._window = session, editor, views, window
        self._shown: tuple[int, int, str] | None = None  # point, band and palette
        self._bands: BandStructure | None = None
        self.dialog = BandsDialog(window, window.theme)
        self._search = BackgroundTask[BandStructure].shown_in(self.dialog, "bands", self._found)
        self.tasks = (self._search,)
        self.dialog.started.connect(self._start)
        self.dialog.chosen.connect(self._show)
        self.dialog.driven.connect(self._drive)
        window.take_plot(self.dialog.plot)

    def open(self) -> None:
        """Open the dialog."""
        self.dialog.show()
        self.dialog.raise_()

    def follow(self) -> None:
        """Theme and palette may be others."""
        self.dialog.plot.set_theme(self._window.theme)
        if self._bands is None or self._shown is None:
            return
        if self._shown[2] != self._palette(self._bands):
            self._show(*self._shown[:2])

    def _palette(self, found: BandStructure) -> str:
        return self._views.state.palette_for(signed=found.signed)

    def _start(self, path: str, points: int, bands: int) -> None:
        scene = self._session.scene
        self._search.start(
            lambda task: find_bands(
                scene, path or None, points, bands, tell=task.tell, cancelled=task.cancelled
            )
        )

    def _found(self, found: BandStructure) -> None:
        self._bands = found
        self.dialog.show_found(found)

    def _show(self, point: int, band: int) -> None:
        if self._bands is None:
            return
        palette = self._palette(self._bands)
        self._shown = point, band, palette
        self.dialog.show_shape(
            mode_picture(self._bands, point, band, self.dialog.shape_size, palette)
        )

    def _drive(self, point: int, band: int) -> None:
        """Phases of its wavevector, and a source of its frequency where it is strongest."""
        found = self._bands
        if found is None:
            return
        at = found.loudest(point, band)
        settings = driving(found.frequencies[point, band], found.direction(point, band))
        self._editor.attempt(
            drive_bloch_mode,
            found.phases(point),
            lambda name: placed_source(name, settings, start=at, end=at),
        )
