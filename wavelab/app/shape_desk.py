"""Between the handles of the select tool and the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.edits import Edit
from wavelab.app.item_edits import move
from wavelab.app.session import Session
from wavelab.app.shape_edits import Refusal, owner_of, refusal, reshape, shape_of
from wavelab.app.tools.handles import EDITS
from wavelab.app.tools.select import ShapeAccess
from wavelab.scene.properties import Key
from wavelab.scene.shapes import Point, Shape


class ShapeDesk:
    """Finds the shape of the chosen item and turns what was dragged into edits.

    Parameters
    ----------
    item : returns the chosen item; None where there are several.
    apply : puts an edit into effect.
    vertices : returns the vertices of the scene.
    """

    def __init__(
        self,
        session: Session,
        *,
        item: Callable[[], Key | None],
        apply: Callable[[Edit], None],
        vertices: Callable[[], Sequence[Point]],
    ) -> None:
        self._session = session
        self._item = item
        self._apply = apply
        self.access = ShapeAccess(
            self._shape, self._movable, vertices, self._refusal, self._reshape
        )

    def _owner(self) -> Key | None:
        item = self._item()
        return None if item is None else owner_of(self._session.scene, item)

    def _shape(self) -> Shape | None:
        owner = self._owner()
        return shape_of(self._session.scene, owner) if owner is not None else None

    def _movable(self) -> bool:
        """The domain stays: everything else lies in it."""
        return self._owner() != ("outline",)

    def _refusal(self, shape: Shape) -> Refusal | None:
        owner = self._owner()
        return refusal(self._session.scene, owner, shape) if owner is not None else None

    def _reshape(self, shape: Shape, label: str) -> None:
        scene, owner = self._session.scene, self._owner()
        if owner is None or (old := shape_of(scene, owner)) is None:
            return
        if label != EDITS["move"]:
            self._apply(reshape(scene, owner, shape, label))
            return
        # All of the item: the formulas of a medium go along.
        (x0, y0), (x1, y1) = old.bounds()[0], shape.bounds()[0]
        self._apply(replace(move(scene, [owner], (x1 - x0, y1 - y0)), label=label, merge=False))
