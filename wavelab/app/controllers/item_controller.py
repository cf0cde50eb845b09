"""Cut, copy, paste, duplicate, move and remove: what is done with chosen items of any kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from wavelab.app.base.qt import QApplication
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.following import Following
from wavelab.app.controllers.property_controller import PropertyController
from wavelab.app.edits import item_edits
from wavelab.app.edits.edits import Edit, add_label
from wavelab.app.edits.item_edits import entries
from wavelab.app.edits.paste_placement import GAP, Box, shifts_beside, shifts_near
from wavelab.app.edits.shape_edits import shape_of
from wavelab.app.session.selection import BACKGROUND, Selection
from wavelab.app.tools.selecting.multi_selection import ItemAccess
from wavelab.app.tools.snapping import grid_spacing, to_grid
from wavelab.errors import WavelabError
from wavelab.scene.editing.item_places import COPIED, box, points
from wavelab.scene.editing.properties import Key
from wavelab.scene.editing.repeats import is_repeated
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.toml.toml_reader import Items

#: Places that are tried for a copy of one item; fewer for many items, so that nobody waits.
_TRIES = 60
#: Degrees that the outline of a chosen item may turn by at a corner.
_TURN = 6.0


class ItemController:
    """Acts on the items that are chosen.

    Parameters
    ----------
    seen : whether anything shows what is chosen now.
    show : takes the tool that shows what is chosen.
    """

    def __init__(
        self,
        editor: Editor,
        selection: Selection,
        properties: PropertyController,
        canvas: Canvas,
        following: Following,
        *,
        seen: Callable[[], bool],
        show: Callable[[], None],
    ) -> None:
        self._editor = editor
        self._selection = selection
        self._properties = properties
        self._canvas = canvas
        self._following = following
        self._seen = seen
        self._show = show
        self._drawn: tuple[Scene | None, list[Key], bool, list[tuple[Point, ...]]]
        self._drawn = (None, [], False, [])
        self.access = ItemAccess(
            toggle=self._toggle,
            gather=self._gather,
            drop=lambda: selection.choose(BACKGROUND),
            several=lambda: len(selection.chosen) > 1,
            outlines=self._outlines,
            step=lambda: grid_spacing(canvas.view.pixel),
            movable=lambda: bool(box(entries(editor.scene, self._items()))),
            holds=self._holds,
            refusal=self._refusal,
            follow=self._follow,
            let_stay=following.give_up,
            move=self._move,
        )

    def copy(self) -> None:
        with self._editor.telling():
            QApplication.clipboard().setText(self._text("copied"))

    def cut(self) -> None:
        with self._editor.telling():
            text = self._text("cut")
            edit = item_edits.remove(self._editor.scene, self._selection.chosen, "Cut")
            QApplication.clipboard().setText(text)
            self._editor.apply(edit)
            self._selection.choose(BACKGROUND)

    def paste(self, at: Point | None = None) -> None:
        """Where the pointer is, or at a place."""
        with self._editor.telling():
            self._paste(at or self._canvas.pointed_at or self._canvas.view.center)

    def duplicate(self) -> None:
        with self._editor.telling():
            self._duplicate()

    def break_up(self) -> None:
        """An item for each copy of what is chosen."""
        with self._editor.telling():
            self._check_seen("broken into single items")
            self._put(*item_edits.break_up(self._editor.scene, self._selection.chosen))

    def remove(self) -> None:
        """What is chosen, if anybody sees it."""
        with self._editor.telling():
            self._check_seen("removed")
            self._properties.remove()

    def write_label(self, at: Point) -> bool:
        """A label at a place of the grid, whose properties come up; whether there is one now."""
        self._show()
        step = grid_spacing(self._canvas.view.pixel)
        place = (to_grid(at[0], step), to_grid(at[1], step))
        written = self._editor.attempt(add_label, place)
        if written:
            self._selection.present_newest("labels")
        return written

    def select_all(self) -> None:
        scene = self._editor.scene
        self._show()
        self._selection.choose_all(
            [(name, i) for name in COPIED for i in range(len(getattr(scene, name)))]
        )
        self._canvas.refresh_tool()

    def _check_seen(self, done: str) -> None:
        if not self._seen():
            raise WavelabError(
                f"choose first what is to be {done}",
                remedy="Click it with the select tool (V), or drag a box round several.",
            )

    def _items(self) -> list[Key]:
        return [key for key in self._selection.chosen if key[0] in COPIED]

    def _text(self, done: str) -> str:
        self._check_seen(done)
        return item_edits.copied(self._editor.scene, self._selection.chosen)

    def _paste(self, at: Point) -> None:
        items = item_edits.read(QApplication.clipboard().text(), self._editor.scene.physics)
        step = grid_spacing(self._canvas.view.pixel)
        if (span := item_edits.extent(items)) is None:
            self._put(*item_edits.paste(self._editor.scene, items))
            return
        (x0, y0), (x1, y1) = span
        by = (to_grid(at[0] - (x0 + x1) / 2, step), to_grid(at[1] - (y0 + y1) / 2, step))
        shifts = shifts_near(by, span, self._bounds(span), step)
        shift, (edit, keys) = self._first(items, shifts, "Paste")
        if shift != by:
            edit = replace(edit, notes=(*edit.notes, "put where there is room"))
        self._put(edit, keys)

    def _duplicate(self) -> None:
        scene = self._editor.scene
        items = item_edits.read(self._text("duplicated"))
        step = grid_spacing(self._canvas.view.pixel)
        if (span := item_edits.extent(items)) is None:
            self._put(*item_edits.paste(scene, items, verb="Duplicate"))
            return
        # Beside it, where nothing is lost; or else over it.
        for shift in shifts_beside(span, self._bounds(span), step):
            with suppress(WavelabError):
                edit, keys = item_edits.paste(scene, items, shift, "Duplicate")
                if not item_edits.loses(scene, edit.scene):
                    self._put(edit, keys)
                    return
        over = (GAP * step, -GAP * step)
        shifts = shifts_near(over, span, self._bounds(span), step)
        self._put(*self._first(items, shifts, "Duplicate")[1])

    def _bounds(self, span: Box) -> Box:
        """Round the domain; round the items where only a mesh knows."""
        outline = self._editor.scene.outline
        return span if outline is None else outline.bounds()

    def _first(
        self, items: Items, shifts: Iterable[Point], verb: str
    ) -> tuple[Point, tuple[Edit, tuple[Key, ...]]]:
        """The first shift by which items can be pasted, and the edit.

        Raises
        ------
        WavelabError : none can be; why the first cannot.
        """
        count = sum(len(getattr(items, name)) for name in COPIED)
        refused: WavelabError | None = None
        for shift in islice(shifts, max(4, _TRIES // count)):
            try:
                return shift, item_edits.paste(self._editor.scene, items, shift, verb)
            except WavelabError as error:
                refused = refused or error
        assert refused is not None
        raise refused

    def _put(self, edit: Edit, keys: Sequence[Key]) -> None:
        self._editor.apply(edit)
        self._show()
        self._selection.choose_all(keys)
        self._canvas.refresh_tool()

    def _toggle(self, x: float, y: float, reach: float) -> None:
        key = self._selection.item_at(x, y, reach)
        if key[0] in COPIED:
            chosen = self._items()
            others = [other for other in chosen if other != key]
            self._selection.choose_all(others if key in chosen else [*others, key])

    def _gather(self, a: Point, b: Point, more: bool) -> None:
        (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(a, b, strict=True))
        scene = self._editor.scene
        found = list(self._items()) if more else []
        for name in COPIED:
            for i, item in enumerate(getattr(scene, name)):
                place = points(item)
                inside = all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in place)
                if place and inside and (name, i) not in found:
                    found.append((name, i))
        self._selection.choose_all(found)

    def _holds(self, x: float, y: float, reach: float) -> bool:
        key = self._selection.item_at(x, y, reach)
        return key in self._items() and bool(box(entries(self._editor.scene, [key])))

    def _refusal(self, by: Point) -> str:
        if by == (0.0, 0.0):
            return ""
        try:
            item_edits.move(self._editor.scene, self._items(), by)
        except WavelabError as error:
            return error.message
        return ""

    def _follow(self, by: Point) -> None:
        """Only with what makes the wave another: probes and monitors begin anew in the end."""
        keys = self._items()
        if any(kind in ("holes", "materials", "sources") for kind, *_ in keys):
            self._following.to(lambda: item_edits.move(self._editor.scene, keys, by).scene)

    def _move(self, by: Point, run: bool) -> None:
        self._following.forget()
        if by != (0.0, 0.0):
            with self._editor.telling():
                edit = item_edits.move(self._editor.scene, self._items(), by)
                self._editor.apply(replace(edit, merge=run))
        self._following.give_up()  # where nothing came of it

    def _outlines(self, everything: bool) -> list[tuple[Point, ...]]:
        """Asked at every move of the mouse, and there may be hundreds."""
        scene, keys = self._editor.scene, self._items()
        # The handles of a single one show which it is, but not its copies.
        with_shapes = everything or len(keys) > 1
        known, *asked, found = self._drawn
        if known is not scene or asked != [keys, with_shapes]:
            found = [line for key in keys for line in _outlines(scene, key, with_shapes) if line]
            self._drawn = (scene, keys, with_shapes, found)
        return found


def _outlines(scene: Scene, key: Key, with_shapes: bool) -> list[tuple[Point, ...]]:
    """Lines that mark an item; none where nothing does."""
    shape = shape_of(scene, key)
    if shape is None:
        return [points(*entries(scene, [key]))]
    if not (with_shapes or is_repeated(scene, key)):
        return []
    rings = (ring for ring, _ in shape.rings(math.inf, _TURN))
    return [tuple((float(x), float(y)) for x, y in (*ring, ring[0])) for ring in rings]
