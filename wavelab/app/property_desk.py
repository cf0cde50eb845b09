"""Between the form with the properties of an item and the scene."""

from __future__ import annotations

from collections.abc import Callable

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
    """Keeps which item is chosen, turns what is typed into edits, and says what is wrong with it
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
        self.item: Key = ("background",)
        panel.chosen.connect(self.choose)
        panel.wished.connect(self._wished)
        panel.removed.connect(self._removed)

    def choose(self, item: Key) -> None:
        """Show the properties of another item."""
        self.item = item
        self._panel.show_error(None)
        self.show()

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
        if all(item.key != self.item for item in items):
            self.item = ("background",)
        self._panel.show_items(items, self.item)
        self._panel.show_properties(
            properties.kind_of(scene, self.item), properties.properties(scene, self.item)
        )

    def remove(self) -> None:
        """Take the chosen item out of the scene.

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
        self._put(key, lambda scene: properties.changed(scene, self.item, key, text))

    def _removed(self) -> None:
        self._put(None, lambda scene: properties.without(scene, self.item))

    def _put(self, key: Key | None, change: Callable[[Scene], Scene]) -> None:
        scene = self._session.scene
        label = next(i.label for i in properties.items(scene) if i.key == self.item)
        try:
            edit = Edit(f"{'Change' if key else 'Remove'} {label}", change(scene))
        except WavelabError as error:
            self._panel.show_error(
                key or next(iter(self._panel.controls)), f"{error.message}. {error.remedy}".strip()
            )
            return
        self._panel.show_error(None)
        self._apply(edit)
        self.show()
