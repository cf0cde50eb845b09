"""Between the height view and the window: what it shows, and that tools work in the flat view."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.window.window import Window
from wavelab.output.relief import Camera

Angles = tuple[float, float]
#: Where one looks from first.
FIRST: Angles = (Camera().azimuth, Camera().elevation)
#: Said to a click, which no tool gets.
TEXT = "This is the height view: drag to turn it. Tools work in the flat view."


class ReliefController:
    """Parameters
    ----------
    turned : called with azimuth and elevation when the user looks from elsewhere.
    flatten : goes back to the flat view.
    """

    def __init__(
        self, window: Window, *, turned: Callable[[Angles], None], flatten: Callable[[], None]
    ) -> None:
        self._window, self._flatten = window, flatten
        self._flat = True
        window.relief.turned.connect(lambda camera: turned((camera.azimuth, camera.elevation)))
        window.relief.clicked.connect(self._clicked)

    def show(self, angles: Angles | None) -> None:
        """The height view from there, or the flat view."""
        relief = self._window.relief
        self._window.actions_by_id["relief"].setChecked(angles is not None)
        if angles is not None and (relief.camera.azimuth, relief.camera.elevation) != angles:
            relief.look(*angles)
        if self._flat == (angles is None):
            return
        self._flat = angles is None
        relief.setVisible(not self._flat)
        if self._flat:
            self._window.message.withdraw(TEXT)
        # No tool has the pointer any more, and no place is below it.
        self._window.canvas.left.emit()
        self._window.canvas.refresh_tool()

    def _clicked(self) -> None:
        self._window.message.inform(TEXT, buttons={"Flat view": self._flatten})
