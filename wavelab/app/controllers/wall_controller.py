"""Between the wall tool, its panel and the scene."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.controllers.editor import Editor
from wavelab.app.edits import wall_edits
from wavelab.app.edits.wall_edits import alike
from wavelab.app.panels.tool_pages.wall_panel import WallPanel
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.tools.wall import WallTool
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.model.scene import Wall
from wavelab.scene.systems import system_of
from wavelab.scene.walls.wall_edges import partners


class WallController:
    """Keeps what is picked, turns wishes into edits and shows what came of them.

    Parameters
    ----------
    send : sends a wave of a kind of source through an edge.
    """

    def __init__(
        self,
        editor: Editor,
        edges: SceneEdges,
        panel: WallPanel,
        *,
        send: Callable[[str, str], None],
    ) -> None:
        self._editor = editor
        self._edges = edges
        self._panel = panel
        self._send = send
        self.tool = WallTool(
            lambda _: self.show(),
            glue=lambda one, other: editor.attempt(wall_edits.glue, one, other),
            open_panel=panel.kind.setFocus,
            edges=self._edges,
            describe=lambda edge: wall_at(edge, editor.scene).in_words(edge),
            partners=self._partners,
        )
        panel.wished.connect(self._wished)
        panel.partner_wished.connect(self._partner_wished)
        panel.wave_wished.connect(self._wave_wished)
        panel.all_wished.connect(self.tool.pick_all)

    def show(self) -> None:
        """The picked edge in the panel."""
        edges, scene = self.tool.all_picked, self._editor.scene
        walls = [wall_at(edge, scene) for edge in edges] or [system_of(scene).unnamed(())]
        wall = walls[-1] if all(alike(wall, walls[-1]) for wall in walls) else None
        values = {} if wall is None else wall.values(scene)
        self._panel.show_edges(edges, wall, values, gluing=self.tool.gluing)

    def scene_changed(self) -> None:
        self.tool.forget_lost()
        self.show()

    def _wished(self, wall: Wall) -> None:
        if edges := self.tool.all_picked:
            self.tool.gluing = False
            self._editor.attempt(wall_edits.set_walls, edges, wall)
            self.show()

    def _partner_wished(self) -> None:
        self.tool.look_for_partner()
        self.show()

    def _wave_wished(self, kind: str) -> None:
        if self.tool.picked is not None:
            self._send(kind, self.tool.picked)

    def _partners(self, edge: str) -> dict[str, str]:
        if self._editor.scene.outline is not None:
            return partners(self._editor.scene, edge)
        counts = {name: sum(map(len, lines)) for name, lines in self._edges().items()}
        return {
            name: ""
            if count == counts.get(edge)
            else f"{name} has another number of faces than {edge}"
            for name, count in counts.items()
            if name != edge
        }
