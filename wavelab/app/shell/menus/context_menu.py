"""The menu of the right button: what can be done with what is under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from wavelab.app.base.foreign_text import on_menu
from wavelab.app.base.qt import QApplication, QPoint, Qt, QtWidgets
from wavelab.app.controllers.sound_controller import SoundController
from wavelab.app.controllers.toolbox import Toolbox
from wavelab.app.language.language import said, tr
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.tools.tool import GRAB_PIXELS
from wavelab.app.window.window import Window
from wavelab.scene.editing.item_places import COPIED
from wavelab.scene.editing.properties import Key, items
from wavelab.scene.editing.repeats import is_repeated
from wavelab.scene.model.shapes import Point

#: Actions of the window at the end: those that have to do with the picture.
_PICTURE = (
    "fit", "mesh", "relief", "picture", "copy_picture", "copy_values", "figure", "bare", "present",
)  # fmt: skip
#: Those in the height view, where no place can be pointed at.
_HEIGHT = (
    "relief", "fit", "zoom_in", "zoom_out", "logarithmic", "picture", "copy_picture", "bare",
    "present",
)  # fmt: skip


class ContextMenu:
    """Pops up on the canvas and on the height view."""

    def __init__(
        self,
        window: Window,
        session: Session,
        selection: Selection,
        toolbox: Toolbox,
        sound: SoundController,
    ) -> None:
        self._window = window
        self._session = session
        self._selection = selection
        self._toolbox = toolbox
        self._sound = sound
        self._controller = toolbox.items
        for view, made_at in ((window.canvas, self.made_at), (window.relief, self.of_heights)):
            view.setContextMenuPolicy(Qt.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._pop_up, view, made_at))

    def made_at(self, pixel: QPoint) -> QtWidgets.QMenu:
        """The menu for a place on the canvas."""
        view = self._window.canvas.view
        x, y = view.to_scene((pixel.x(), pixel.y())).tolist()
        menu = QtWidgets.QMenu(self._window)
        self._offer_item(menu, self._selection.item_at(x, y, GRAB_PIXELS * view.pixel))
        self._offer_place(menu, (x, y))
        menu.addSeparator()
        menu.addActions([self._window.actions_by_id[id_] for id_ in _PICTURE])
        return menu

    def of_heights(self, pixel: QPoint) -> QtWidgets.QMenu:
        """The menu of the height view, the same everywhere."""
        menu = QtWidgets.QMenu(self._window)
        menu.addActions([self._window.actions_by_id[id_] for id_ in _HEIGHT])
        return menu

    def _offer_item(self, menu: QtWidgets.QMenu, key: Key) -> None:
        item = next((i for i in items(self._session.scene) if i.key == key), None)
        if item is None:
            return

        def add(text: str, act: Callable[[], None]) -> None:
            menu.addAction(on_menu(said(text)), lambda: self._with(key, act))

        add(f"Properties of {item.label}\u2026", lambda: self._selection.present(key))
        if key[0] == "probes":
            name = self._session.scene.probes[int(key[1])].name
            menu.addAction(tr("Listen"), lambda: self._sound.listen_to(name))
        if key[0] in COPIED:
            add("Cut", self._controller.cut)
            add("Copy", self._controller.copy)
            add("Duplicate", self._controller.duplicate)
            if is_repeated(self._session.scene, key):
                add("Break into single items", self._controller.break_up)
        if item.removable:
            add("Remove", self._controller.remove)

    def _offer_place(self, menu: QtWidgets.QMenu, at: Point) -> None:
        menu.addSeparator()
        if QApplication.clipboard().text():
            menu.addAction(tr("Paste here"), lambda: self._controller.paste(at))
        menu.addAction(tr("Write a label here"), lambda: self._write_label(at))
        if self._has_field(at):
            menu.addAction(tr("Place a source here"), lambda: self._toolbox.sources.place_point(at))
            menu.addAction(tr("Place a probe here"), lambda: self._toolbox.probes.place_probe(at))

    def _write_label(self, at: Point) -> None:
        """With its text ready to be typed over."""
        if self._controller.write_label(at):
            line = self._window.property_panel.controls[("text",)]
            line.setFocus()
            line.selectAll()

    def _pop_up(
        self, view: QtWidgets.QWidget, made_at: Callable[[QPoint], QtWidgets.QMenu], pixel: QPoint
    ) -> None:
        menu = made_at(pixel)
        menu.setAttribute(Qt.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        menu.popup(view.mapToGlobal(pixel))

    def _with(self, key: Key, act: Callable[[], None]) -> None:
        """Do something with an item, and with all others that are chosen along with it, while its
        handles are shown."""
        self._toolbox.choose("select")
        if key not in self._selection.chosen:
            self._selection.choose(key)
        act()

    def _has_field(self, at: Point) -> bool:
        running = self._session.running
        return running is not None and running.reader.locator.locate(np.array([at]))[0][0] >= 0
