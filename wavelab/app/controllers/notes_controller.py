"""Between the lesson beside the scene and the scene."""

from __future__ import annotations

from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.edits import set_texts
from wavelab.app.window.window import Window
from wavelab.scene.model.scene import Scene


class NotesController:
    """Shows the texts of the scene, and makes edits of what is written there."""

    def __init__(self, editor: Editor, window: Window) -> None:
        self._editor = editor
        self._window = window
        self._brought = False  #: whether a scene brought the panel up, and not the user
        window.notes_panel.wished.connect(self._wished)
        window.notes_dock.toggleViewAction().triggered.connect(self._toggled)
        editor.settling.connect(window.notes_panel.settle)

    def show_scene(self) -> None:
        scene = self._editor.scene
        self._window.notes_panel.show_texts(scene.title, scene.description, scene.notes)

    def opened(self, scene: Scene) -> None:
        """Another experiment runs: a lesson comes up by itself, and goes with the next scene."""
        if scene.notes and not self._window.notes_open:
            self._window.notes_dock.setVisible(not self._window.hiding.panels_hidden)
            self._brought = True
        elif not scene.notes and self._brought:
            self._window.notes_dock.hide()
            self._brought = False

    def _toggled(self) -> None:
        self._brought = False

    def _wished(self, title: str, description: str, notes: str) -> None:
        self._editor.attempt(set_texts, title, description, notes)
