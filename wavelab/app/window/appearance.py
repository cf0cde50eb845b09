"""What the window looks like: theme, language, full screen, bare wave, mesh lines."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.qt import QApplication
from wavelab.app.base.theme import THEMES, apply_theme
from wavelab.app.window.window import Window


class Appearance:
    """Switches between looks.

    Parameters
    ----------
    changed : called with the name of the theme after it changed.
    spoken : called with the code of the language that is wished for, "" for the system's.
    """

    def __init__(
        self,
        application: QApplication,
        window: Window,
        *,
        changed: Callable[[str], None],
        spoken: Callable[[str], None],
    ) -> None:
        self._application = application
        self._window = window
        self._changed = changed
        self._spoken = spoken
        self._mesh_visible = False

    def set_theme(self, name: str) -> None:
        theme = THEMES[name]
        apply_theme(self._application, theme)
        self._window.set_theme(theme)
        self._window.actions_by_id["theme"].setChecked(name == "light")
        self._changed(name)

    def toggle_theme(self) -> None:
        self.set_theme("dark" if self._window.theme.name == "light" else "light")

    def choose_language(self, code: str) -> None:
        """The window speaks it from its next start on: sentences on show stay what they are."""
        self._spoken(code)
        self.show_language(code)
        self._window.message.inform("The window speaks that language when it is opened next.")

    def show_language(self, code: str) -> None:
        """Which one is wished for."""
        self._window.actions_by_id[f"language.{code}"].setChecked(True)

    def toggle_full_screen(self) -> None:
        window = self._window
        full = not window.isFullScreen()
        (window.showFullScreen if full else window.showNormal)()
        window.actions_by_id["fullscreen"].setChecked(full)

    def toggle_bare(self) -> None:
        self._window.set_bare(not self._window.bare)

    def toggle_mesh(self) -> None:
        self._mesh_visible = not self._mesh_visible
        self._window.actions_by_id["mesh"].setChecked(self._mesh_visible)
        self._window.canvas.set_mesh_visible(self._mesh_visible)
