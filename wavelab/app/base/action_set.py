"""What a table of actions is made of, and the QActions made of one.

The window is given a table; what its actions do is of no concern here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from wavelab.app.base.foreign_text import on_menu
from wavelab.app.base.qt import QKeySequence, QtWidgets
from wavelab.app.base.theme import Theme, icon
from wavelab.app.language.language import current, said, tr

T = TypeVar("T")

#: Menu -> actions in order; None is a separator, and the window fills "recent", "docks" and
#: "language".
Menus = Mapping[str, tuple[str | None, ...]]


@dataclass(frozen=True)
class ActionInfo(Generic[T]):
    """One entry of a table: ``handler`` is called with whoever can do it.

    ``shortcuts`` are Qt key sequences, the first is the one shown; ``checkable`` actions show a
    state; actions of the same ``group`` exclude each other.
    """

    id: str
    text: str
    shortcuts: tuple[str, ...]
    icon: str
    tip: str
    handler: Callable[[T], object]
    checkable: bool = False
    group: str = ""

    @property
    def tooltip(self) -> str:
        """The tip, which names the key."""
        tip = said(self.tip)
        return f"{tip} ({self.key})" if self.shortcuts else tip

    @property
    def key(self) -> str:
        """The first shortcut as written on this system's keyboards; "" if there is none."""
        return native_key(QKeySequence(self.shortcuts[0])) if self.shortcuts else ""


def native_key(sequence: QKeySequence) -> str:
    """A shortcut as written on this system's keyboards."""
    return sequence.toString(QKeySequence.NativeText)


def make_actions(
    infos: Iterable[ActionInfo[T]], parent: QtWidgets.QWidget
) -> dict[str, QtWidgets.QAction]:
    """One QAction for each entry, by its id."""
    actions: dict[str, QtWidgets.QAction] = {}
    groups: dict[str, QtWidgets.QActionGroup] = {}
    for info in infos:
        action = QtWidgets.QAction(tr(info.text), parent)
        action.setObjectName(info.id)
        action.setShortcuts([QKeySequence(key) for key in info.shortcuts])
        action.setToolTip(info.tooltip)
        action.setStatusTip("")
        action.setCheckable(info.checkable)
        if info.group:
            group = groups.setdefault(info.group, QtWidgets.QActionGroup(parent))
            group.addAction(action)
        actions[info.id] = action
    return actions


def connect_actions(
    infos: Iterable[ActionInfo[T]], actions: Mapping[str, QtWidgets.QAction], doer: T
) -> None:
    """Let ``doer`` do what the actions of a table say."""
    for info in infos:
        actions[info.id].triggered.connect(
            lambda _checked=False, handler=info.handler: handler(doer)
        )


class Faces:
    """What the actions look like: icons in the colours of the theme, and the words of those that
    say what they would do now.

    Parameters
    ----------
    infos : the table that they were made of.
    """

    def __init__(
        self,
        actions: Mapping[str, QtWidgets.QAction],
        infos: Collection[ActionInfo[T]],
        theme: Theme,
    ) -> None:
        self._actions = actions
        self._icons = {info.id: info.icon for info in infos}
        self._named = {info.id: info for info in infos if info.id.startswith("show.")}
        self._tips = {info.id: info.tooltip for info in infos}
        self._playing = self._recording = False
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for id_, name in self._icons.items():
            if name:
                self._actions[id_].setIcon(icon(name, theme, danger=id_ == "record"))
        self.show_playing(self._playing)
        self.show_recording(self._recording)

    def show_names(self) -> None:
        """Quantities in the words of the system in use."""
        for id_, info in self._named.items():
            self._actions[id_].setText(tr(info.text))
            self._tips[id_] = info.tooltip
            self._actions[id_].setToolTip(info.tooltip)

    def show_history(self, undo: str, redo: str) -> None:
        for id_, word, label in (("undo", "&Undo", undo), ("redo", "&Redo", redo)):
            action = self._actions[id_]
            action.setEnabled(bool(label))
            # Names in it keep their capitals.
            shown = on_menu(said(label))
            action.setText(f"{tr(word)} {_lowered(shown)}".strip())

    def show_offered(self, id_: str, offered: bool, why_not: str) -> None:
        """Whether an action can be taken now; its tip says why where it cannot."""
        action = self._actions[id_]
        action.setEnabled(offered)
        action.setToolTip(self._tips[id_] if offered else said(why_not))

    def show_playing(self, playing: bool) -> None:
        self._playing = playing
        action = self._actions["play"]
        action.setText(tr("&Pause") if playing else tr("&Play"))
        action.setIcon(icon("ph.pause" if playing else "ph.play", self._theme))

    def show_backwards(self, backwards: bool) -> None:
        self._actions["play_back"].setChecked(backwards)

    def show_recording(self, recording: bool) -> None:
        action = self._actions["record"]
        action.setChecked(recording)  # a click has changed it without asking
        self._recording = recording
        action.setText(tr("Finish &recording") if recording else tr("&Record movie\u2026"))
        action.setIcon(icon("ph.stop" if recording else "ph.record", self._theme, danger=True))


def _lowered(text: str) -> str:
    """Within a sentence; in German it may begin with a noun."""
    return text if current() == "de" else text[:1].lower() + text[1:]
