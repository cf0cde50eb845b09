"""The menu of the right button on a slider."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.foreign_text import on_menu
from wavelab.app.base.qt import QPoint, Qt, QtWidgets
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.parameters.parameter_controller import ParameterController
from wavelab.app.controllers.parameters.sweeping import OFFERED
from wavelab.app.language.language import said, tr
from wavelab.app.session.selection import Selection
from wavelab.app.window.window import Window
from wavelab.scene.editing.typed_values import shown_number


class ParameterMenu:
    """Pops up on the rows of the panel."""

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
        self._window = window
        parameters.panel.menu_wished.connect(self._pop_up)

    def made_for(self, name: str) -> QtWidgets.QMenu:
        """What can be done with a parameter."""
        menu = QtWidgets.QMenu(self._window)
        p = next((p for p in self._editor.tried.parameters if p.name == name), None)
        if p is None:
            return menu
        if p.settable:
            saved = self._parameters.rows.saved(name)
            back = said("Reset" if saved is None else f"Reset to {shown_number(saved)}")
            reset = menu.addAction(back, lambda: self._parameters.reset(name))
            reset.setEnabled(saved is not None and saved != float(p.value))
            running = self._parameters.sweeping.name == name
            sweep = tr("Stop the sweep") if running else tr("Sweep to and fro")
            menu.addAction(sweep, lambda: self._parameters.sweep(name, not running))
            times = menu.addMenu(tr("Time of a sweep"))
            for seconds in OFFERED:
                entry = times.addAction(
                    f"{seconds:g} s", partial(self._parameters.set_seconds, seconds)
                )
                entry.setCheckable(True)
                entry.setChecked(seconds == self._parameters.sweeping.seconds)
            menu.addSeparator()
        menu.addAction(
            on_menu(tr("Properties of parameter {name}\u2026", name=name)),
            lambda: self._present(name),
        )
        menu.addAction(
            on_menu(tr("Delete parameter {name}", name=name)), lambda: self._parameters.delete(name)
        )
        return menu

    def _present(self, name: str) -> None:
        number = [p.name for p in self._editor.scene.parameters].index(name)
        self._selection.present(("parameters", number))

    def _pop_up(self, name: str, at: QPoint) -> None:
        menu = self.made_for(name)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        menu.popup(at)
