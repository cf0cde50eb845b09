"""Between the tool that puts ready-made objects, its page and the scene."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.object_edits import put_object
from wavelab.app.panels.tool_pages.insert_page import InsertPage
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.tools.drawing.insert import InsertTool
from wavelab.app.tools.drawing.ready_made import ReadyMade, Room
from wavelab.scene.model.shapes import Shape


class InsertController:
    """Knows what is put next, and makes it an item of the scene.

    Parameters
    ----------
    frequency : by whose wavelength slits are measured.
    select : takes the select tool, whose handles change what was put.
    redraw : shows the tool anew.

    Attributes
    ----------
    tool : the one that puts objects; it remembers what is put next.
    """

    def __init__(
        self,
        editor: Editor,
        selection: Selection,
        edges: SceneEdges,
        page: InsertPage,
        *,
        frequency: Callable[[], float],
        select: Callable[[], None],
        redraw: Callable[[], None],
    ) -> None:
        self._editor = editor
        self._selection = selection
        self._page = page
        self._frequency = frequency
        self._select = select
        self._redraw = redraw
        self.tool = InsertTool(self._finish, room=self._room, snap_points=edges.corners)
        page.wished.connect(self.choose)
        page.show_chosen(self.tool.chosen)

    def take_tool(self) -> InsertTool:
        self.tool.let_go()
        return self.tool

    def choose(self, key: str) -> None:
        """What is put next."""
        self.tool.chosen = key
        self._page.show_chosen(key)
        self._redraw()

    def _room(self) -> Room | None:
        scene = self._editor.scene
        if scene.outline is None:
            return None
        lower, upper = scene.outline.bounds()
        return Room(lower, upper, 1 / self._frequency(), scene.solver.element_size)

    def _finish(self, what: ReadyMade, shape: Shape) -> None:
        if self._editor.attempt(put_object, what, shape):
            self._select()
            self._selection.present_newest(what.becomes)
