"""Numbers of the form that become parameters, and numbers again."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.foreign_text import on_menu
from wavelab.app.base.qt import QtWidgets
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.parameters.parameter_controller import ParameterController
from wavelab.app.edits.edits import Edit
from wavelab.app.language.language import said
from wavelab.app.panels.fields.nudging import NumberAt, number_at
from wavelab.app.session.selection import Selection
from wavelab.app.window.window import Window
from wavelab.scene.editing import properties
from wavelab.scene.editing.parameter_edits import as_plain, with_slider
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import part_at
from wavelab.scene.rules.parameter_rules import names_used


class ParameterMaker:
    """Offers it in the menus of the form's fields."""

    def __init__(
        self,
        parameters: ParameterController,
        editor: Editor,
        selection: Selection,
        window: Window,
    ) -> None:
        self._parameters = parameters
        self._editor = editor
        self._selection = selection
        window.property_panel.menu_asked.connect(self.offer)

    def offer(self, menu: QtWidgets.QMenu, key: Key, cursor: int) -> None:
        """What can be done with a property, above the rest of the menu.

        Parameters
        ----------
        cursor : the place in its text that is meant.
        """
        scene, chosen = self._editor.scene, self._selection.chosen
        found = properties.common(scene, chosen) if len(chosen) > 1 else None
        found = found or properties.properties(scene, chosen[-1])
        p = next((p for p in found if p.key == key), None)
        if p is None or p.choices or p.mixed or not p.numbers:
            return
        entries = []
        number = number_at(p.text, cursor)
        if number is not None and chosen[-1][0] != "parameters":
            alone = (number.start, number.end) == (0, len(p.text))
            shown = p.text[number.start : number.end]
            words = "Make it a slider" if alone else f"Make {shown} a slider"
            entries.append((words, partial(self._make, key, p.text, number)))
        if names_used((part_at(scene, (*chosen[-1], *key)),)):
            entries.append(("Make it a plain number", partial(self._undo, key)))
        first = menu.actions()[0] if menu.actions() else None
        for words, act in entries:
            action = QtWidgets.QAction(on_menu(said(words)), menu)
            action.triggered.connect(act)
            menu.insertAction(first, action)
        if entries:
            menu.insertSeparator(first)

    def _make(self, key: Key, text: str, number: NumberAt) -> None:
        chosen = self._selection.chosen

        def made(scene: Scene) -> Edit:
            new, name = with_slider(scene, chosen, key, text, (number.start, number.end))
            note = f"its slider {name} is at the top of the inspector (I)"
            return Edit("Make a slider", new, (note,))

        self._parameters.stop()
        if self._editor.attempt(made):
            self._parameters.bring_up()

    def _undo(self, key: Key) -> None:
        chosen = self._selection.chosen

        def made(scene: Scene) -> Edit:
            new, gone = as_plain(scene, chosen, key)
            names = ", ".join(gone)
            notes = (f"left out {names}, which nothing uses any more",) if gone else ()
            return Edit("Make a plain number", new, notes)

        self._parameters.stop()
        self._editor.attempt(made)
