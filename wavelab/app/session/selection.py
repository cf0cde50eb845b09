"""Which items of the scene are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base.qt import QObject, Signal
from wavelab.app.edits import item_edits
from wavelab.app.session.item_at import item_at
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.session import Session
from wavelab.scene.editing import properties
from wavelab.scene.editing.properties import Key

BACKGROUND: Key = ("background",)


class Selection(QObject):
    """Keeps what is chosen, by name where there are several: numbers change when others come and
    go.

    Emits ``changed()`` when something is chosen, and ``presented(Key)`` when its properties are
    asked for, too.
    """

    changed = Signal()
    presented = Signal(object)

    def __init__(self, session: Session, edges: SceneEdges) -> None:
        super().__init__()
        self._session = session
        self._edges = edges
        self._item = BACKGROUND
        self._others: tuple[tuple[str, str], ...] = ()  #: kind and name

    def choose(self, item: Key) -> None:
        """Choose one item, and no others."""
        self.choose_all([item])

    def choose_all(self, items: Sequence[Key]) -> None:
        """Choose several; the properties of the last are shown, those of the background if there
        is none.  All of several must have names."""
        *others, self._item = items or [BACKGROUND]
        named = zip(others, item_edits.entries(self._session.scene, others), strict=True)
        self._others = tuple((str(key[0]), entry.name) for key, entry in named)
        self.changed.emit()

    def present(self, item: Key) -> None:
        """Choose an item and bring up its properties."""
        self.choose(item)
        self.presented.emit(item)

    def choose_newest(self, kind: str) -> None:
        """The last of a kind of items, which has just been made."""
        self.choose((kind, len(getattr(self._session.scene, kind)) - 1))

    def present_newest(self, kind: str) -> None:
        """As :meth:`choose_newest`, and bring up its properties."""
        self.choose_newest(kind)
        self.presented.emit(self._item)

    def pick(self, x: float, y: float, reach: float) -> None:
        """What a click at a place means, with its properties."""
        self.present(self.item_at(x, y, reach))

    @property
    def item(self) -> Key:
        """The one whose properties are shown; where it is no longer there the last of the others,
        or the background."""
        return self.chosen[-1]

    def forget_lost(self) -> None:
        """What is gone is not chosen any more, even if it comes back."""
        self._item = self.item

    @property
    def alone(self) -> Key | None:
        """The chosen item, if it is the only one."""
        return self.item if len(self.chosen) == 1 else None

    @property
    def chosen(self) -> tuple[Key, ...]:
        """All that are chosen and still there, the one whose properties are shown last."""
        scene = self._session.scene
        numbers = {
            kind: {entry.name: i for i, entry in enumerate(getattr(scene, kind))}
            for kind in {kind for kind, _ in self._others}
        }
        others: list[Key] = [
            (kind, numbers[kind][name]) for kind, name in self._others if name in numbers[kind]
        ]
        # An undo may take it away between two looks at the scene.
        name, *number = shown = self._item
        entries = getattr(scene, str(name))
        if entries is None if not number else int(number[0]) >= len(entries):
            shown = BACKGROUND
        if others and shown == BACKGROUND:
            *others, shown = others
        return (*(key for key in others if key != shown), shown)

    def item_at(self, x: float, y: float, reach: float) -> Key:
        """The item that a click at a place means."""
        return item_at(self._session.scene, x, y, reach, self._edges())

    def name_at(self, x: float, y: float, reach: float) -> str:
        """What is at a place."""
        key = self.item_at(x, y, reach)
        return next((i.label for i in properties.items(self._session.scene) if i.key == key), "")
