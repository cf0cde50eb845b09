"""Between the form with the properties of an item and the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wavelab.app import item_edits
from wavelab.app.edits import Edit
from wavelab.app.item_at import item_at
from wavelab.app.panels.property_panel import PropertyPanel
from wavelab.app.scene_edges import SceneEdges
from wavelab.app.session import Session
from wavelab.errors import WavelabError
from wavelab.scene import properties
from wavelab.scene.properties import Key
from wavelab.scene.scene import Scene


class PropertyDesk:
    """Keeps which items are chosen, turns what is typed into edits, and says what is wrong with it
    beside it.

    Parameters
    ----------
    apply : puts an edit into effect.
    """

    def __init__(
        self, session: Session, panel: PropertyPanel, *, apply: Callable[[Edit], None]
    ) -> None:
        self._session = session
        self._panel = panel
        self._apply = apply
        self._edges = SceneEdges(session)
        self._item: Key = ("background",)
        # By kind and name: numbers change when others come and go.
        self._others: tuple[tuple[str, str], ...] = ()
        self._shown: tuple[Key, str, str] | None = None
        panel.chosen.connect(self.choose)
        panel.wished.connect(self._wished)
        panel.removed.connect(self._removed)

    def choose(self, item: Key) -> None:
        """Show the properties of another item, and let no others be chosen."""
        self.choose_all([item])

    def choose_all(self, items: Sequence[Key]) -> None:
        """Choose several; the properties of the last are shown, those of the background if there
        is none.  All of several must have names."""
        *others, self._item = items or [("background",)]
        scene = self._session.scene
        named = zip(others, item_edits.entries(scene, others), strict=True)
        self._others = tuple((str(key[0]), entry.name) for key, entry in named)
        self._panel.forget_notes()
        self.show()

    @property
    def item(self) -> Key:
        """The one whose properties are shown; the background where it is no longer there."""
        # An undo may take it away between two looks at the scene.
        name, *number = self._item
        entries = getattr(self._session.scene, str(name))
        gone = entries is None if not number else int(number[0]) >= len(entries)
        return ("background",) if gone else self._item

    def alone(self) -> Key | None:
        """The chosen item, if it is the only one."""
        return self.item if len(self.chosen) == 1 else None

    @property
    def chosen(self) -> tuple[Key, ...]:
        """All that are chosen and still there, the one that is shown last."""
        scene = self._session.scene
        numbers = {
            kind: {entry.name: i for i, entry in enumerate(getattr(scene, kind))}
            for kind in {kind for kind, _ in self._others}
        }
        others: list[Key] = [
            (kind, numbers[kind][name]) for kind, name in self._others if name in numbers[kind]
        ]
        shown = self.item
        if others and shown == ("background",):
            *others, shown = others
        return (*(key for key in others if key != shown), shown)

    def item_at(self, x: float, y: float, reach: float) -> Key:
        """The item that a click at a place means."""
        return item_at(self._session.scene, x, y, reach, self._edges())

    def name_at(self, x: float, y: float, reach: float) -> str:
        """What is at a place."""
        key = self.item_at(x, y, reach)
        return next((i.label for i in properties.items(self._session.scene) if i.key == key), "")

    def show(self) -> None:
        """The scene as it is now."""
        scene = self._session.scene
        items = properties.items(scene)
        self._item = self.item
        self._panel.show_items(items, self.item)
        kind, several = properties.kind_of(scene, self.item), len(self.chosen)
        found = properties.properties(scene, self.item)
        if self._shown != (now := self._identity()):
            self._panel.forget_typing()  # it was meant for another item
            self._shown = now
        self._panel.show_properties(kind, found, several=several if several > 1 else 0)

    def _identity(self) -> tuple[Key, str, str]:
        """Of the item that the form is about: another one may get its number."""
        scene, item = self._session.scene, self.item
        labels = {i.key: i.label for i in properties.items(scene)}
        return item, labels[item], properties.kind_of(scene, item)

    def remove(self) -> None:
        """Take what is chosen out of the scene.

        Raises
        ------
        WavelabError : every scene has one.
        """
        item = next(i for i in properties.items(self._session.scene) if i.key == self.item)
        if not item.removable:
            raise WavelabError(
                f"the {item.label} cannot be removed",
                remedy="Click what is to be removed with the select tool (V) first.",
            )
        self._removed()

    def _wished(self, key: Key, text: str) -> None:
        # The scene may have changed since the form was filled, by an undo or a file that was
        # dropped, and what was typed is for no other item.
        here = {p.key for p in properties.properties(self._session.scene, self.item)}
        if self._shown != self._identity() or key not in here:
            self.show()
            return
        self._put(key, lambda scene: self._changed(scene, key, text))

    def _changed(self, scene: Scene, key: Key, text: str) -> Edit:
        label = item_edits.words(scene, [self.item])
        new = properties.changed(scene, self.item, key, text)
        own = [self.item] if self.item[0] in ("holes", "monitors") else []
        item_edits.check_moved(scene, new, own)
        return Edit(f"Change {label}", new)

    def _removed(self) -> None:
        chosen = self.chosen
        if self._put((), lambda scene: item_edits.remove(scene, chosen)):
            # Not what has the number now: a second press would take that away too.
            self.choose(("background",))

    def _put(self, key: Key, make: Callable[[Scene], Edit]) -> bool:
        """Whether the edit could be made; what is wrong stands beside the property, or above all,
        for ()."""
        try:
            edit = make(self._session.scene)
        except WavelabError as error:
            self._panel.show_note(key, f"{error.message}. {error.remedy}".strip())
            return False
        for mended in {(), key}:
            self._panel.forget_note(mended)
        self._apply(edit)
        self.show()
        return True
