"""Between the form with the properties of an item and the scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wavelab.app.controllers.editor import Editor
from wavelab.app.edits import item_edits, medium_edits
from wavelab.app.edits.edits import Edit
from wavelab.app.panels.property_panel import PropertyPanel
from wavelab.app.session.selection import BACKGROUND, Selection
from wavelab.app.window.dialogs import Dialogs
from wavelab.errors import WavelabError
from wavelab.scene.editing import properties
from wavelab.scene.editing.properties import Key, Property
from wavelab.scene.media.library import entries
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.scale import scale_of


class PropertyController:
    """Turns what is typed into edits, and says what is wrong with it beside it."""

    def __init__(self, editor: Editor, selection: Selection, panel: PropertyPanel) -> None:
        self._editor = editor
        self._selection = selection
        self._panel = panel
        self._shown: tuple[object, ...] | None = None
        self._micrometres = 1.0  #: a unit of length, as it was told last
        self._waiting: tuple[Key, str] | None = None  #: a step of a number, until there is time
        panel.chosen.connect(selection.choose)
        panel.wished.connect(self._wished)
        panel.nudged.connect(self._nudged)
        panel.typed.connect(self._typed)
        panel.removed.connect(self._removed)
        selection.changed.connect(self._chosen)

    def _chosen(self) -> None:
        self._panel.forget_notes()
        self.show()

    def show(self) -> None:
        """The scene as it is now."""
        scene = self._editor.scene
        self._selection.forget_lost()
        item = self._selection.item
        self._panel.show_items(properties.items(scene), item)
        chosen, found = self._selection.chosen, self._found()
        kinds = {properties.kind_of(scene, key) for key in chosen}
        kind, several = kinds.pop() if len(kinds) == 1 else "", len(chosen)
        if self._shown != (now := self._identity()):
            self._panel.forget_typing()  # it was meant for another item
            self._shown, self._waiting = now, None
        self._panel.show_properties(kind, found, several=several if several > 1 else 0)
        if self._waiting is not None and not self._editor.busy:
            self._nudged(*self._waiting)

    def _found(self) -> list[Property]:
        """The properties of the item, or those that all of several share."""
        chosen, scene = self._selection.chosen, self._editor.scene
        if len(chosen) > 1:
            found = properties.common(scene, chosen)
        else:
            found = properties.properties(scene, self._selection.item)
        return [p for p in found if not p.unused]

    def _identity(self) -> tuple[object, ...]:
        """Of the items that the form is about: others may get their numbers."""
        scene, chosen = self._editor.scene, self._selection.chosen
        labels = {i.key: i.label for i in properties.items(scene)}
        return tuple((key, labels[key], properties.kind_of(scene, key)) for key in chosen)

    def remove(self) -> None:
        """Take what is chosen out of the scene.

        Raises
        ------
        WavelabError : every scene has one.
        """
        items = properties.items(self._editor.scene)
        item = next(i for i in items if i.key == self._selection.item)
        if not item.removable:
            raise WavelabError(
                f"the {item.label} cannot be removed",
                remedy="Click what is to be removed with the select tool (V) first.",
            )
        self._removed()

    def choose_medium(self, dialogs: Dialogs) -> None:
        """Fill what is chosen with a medium of the library, or the background."""
        scene = self._editor.scene
        if not entries(scene.physics):
            self._editor.complain(
                WavelabError(
                    "the library has no media for these waves",
                    remedy="Their numbers are typed in the form of properties.",
                )
            )
            return
        scale = scale_of(scene)
        usual = self._micrometres if scale is None else float(f"{1e6 * scale.metres:.12g}")
        found = dialogs.choose_medium(scene.physics, usual)
        if found is not None:
            medium, self._micrometres = found
            self._editor.attempt(medium_edits.set_medium, self._selection.chosen, medium)

    def _nudged(self, key: Key, text: str) -> None:
        """Steps that come while the one before is still being prepared are taken together, or none
        would ever be seen while a key is held."""
        if self._editor.busy:
            self._waiting = (key, text)
            return
        self._waiting = None
        self._panel.settle(key)
        self._wished(key, text, merge=True)

    def _typed(self, key: Key) -> None:
        """What is typed over a step that has still to be taken is meant, and not the step."""
        if self._waiting is not None and self._waiting[0] == key:
            self._waiting = None

    def _wished(self, key: Key, text: str, *, merge: bool = False) -> None:
        # The scene may have changed since the form was filled, by an undo or a file that was
        # dropped, and what was typed is for no other item.
        here = {p.key for p in self._found()}
        if self._shown != self._identity() or key not in here:
            self.show()
            return
        self._waiting = None
        self._put(key, lambda scene: replace(self._changed(scene, key, text), merge=merge))

    def _changed(self, scene: Scene, key: Key, text: str) -> Edit:
        chosen = self._selection.chosen
        label = item_edits.words(scene, chosen)
        new = properties.changed_in_all(scene, chosen, key, text)
        own = [item for item in chosen if item[0] in ("holes", "monitors")]
        item_edits.check_moved(scene, new, own)
        return Edit(f"Change {label}", new)

    def _removed(self) -> None:
        chosen = self._selection.chosen
        if self._put((), lambda scene: item_edits.remove(scene, chosen)):
            # Not what has the number now: a second press would take that away too.
            self._selection.choose(BACKGROUND)

    def _put(self, key: Key, make: Callable[[Scene], Edit]) -> bool:
        """Whether the edit could be made; what is wrong stands beside the property, or above all,
        for ()."""
        try:
            edit = make(self._editor.scene)
        except WavelabError as error:
            self._panel.show_note(key, f"{error.message}. {error.remedy}".strip())
            return False
        for repaired in {(), key}:
            self._panel.forget_note(repaired)
        self._editor.apply(edit)
        self.show()
        return True
