"""Between the handles of the select tool and the scene."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.following import Following
from wavelab.app.edits.edits import Edit
from wavelab.app.edits.item_edits import move
from wavelab.app.edits.shape_edits import Refusal, owner_of, refusal, reshape, shape_of
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.tools.handles import EDITS
from wavelab.app.tools.selecting.select import ShapeAccess
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.shapes import Shape


class ShapeController:
    """Finds the shape of the chosen item and turns what was dragged into edits."""

    def __init__(
        self, editor: Editor, selection: Selection, edges: SceneEdges, following: Following
    ) -> None:
        self._editor = editor
        self._selection = selection
        self._following = following
        self.access = ShapeAccess(
            shape=self._shape,
            movable=self._movable,
            vertices=edges.corners,
            refusal=self._refusal,
            follow=self._follow,
            give_up=following.give_up,
            reshape=self._reshape,
        )

    def _owner(self) -> Key | None:
        item = self._selection.alone
        return None if item is None else owner_of(self._editor.scene, item)

    def _shape(self) -> Shape | None:
        owner = self._owner()
        return shape_of(self._editor.scene, owner) if owner is not None else None

    def _movable(self) -> bool:
        """The domain stays: everything else lies in it."""
        return self._owner() != ("outline",)

    def _refusal(self, shape: Shape) -> Refusal | None:
        owner = self._owner()
        return refusal(self._editor.scene, owner, shape) if owner is not None else None

    def _follow(self, shape: Shape, label: str) -> None:
        """Only what the mesh follows: sources and monitors would begin anew at every place."""
        owner = self._owner()
        if owner is not None and owner[0] in ("outline", "holes", "materials"):
            self._following.to(lambda: self._edit(owner, shape, label).scene)

    def _reshape(self, shape: Shape, label: str) -> None:
        self._following.forget()
        if (owner := self._owner()) is not None:
            self._editor.apply(self._edit(owner, shape, label))

    def _edit(self, owner: Key, shape: Shape, label: str) -> Edit:
        """
        Raises
        ------
        WavelabError : the shape cannot be in its place.
        """
        scene = self._editor.scene
        old = shape_of(scene, owner)
        if old is None or label != EDITS["move"]:
            return reshape(scene, owner, shape, label)
        # All of the item: the formulas of a medium go along.
        (x0, y0), (x1, y1) = old.bounds()[0], shape.bounds()[0]
        edit = move(scene, [owner], (x1 - x0, y1 - y0))
        return replace(edit, label=label, merge=False)
