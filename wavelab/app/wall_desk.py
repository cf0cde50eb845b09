"""Between the wall tool, its panel and the scene."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app import wall_edits
from wavelab.app.edits import Edit
from wavelab.app.panels.wall_panel import KINDS, WallPanel
from wavelab.app.session import Session
from wavelab.app.tools.wall import WallTool
from wavelab.errors import WavelabError
from wavelab.scene.edge_lines import EdgeLines
from wavelab.scene.open_walls import default_thickness
from wavelab.scene.scene import Scene, Wall
from wavelab.scene.wall_edges import partners, wall_at


class WallDesk:
    """Keeps what is picked, turns wishes into edits and shows what came of them.

    Parameters
    ----------
    apply : puts an edit into effect.
    complain : tells the user about an edit that cannot be.
    edges : returns the lines of the scene's edges.
    send : sends a wave of a kind of source through an edge.
    """

    def __init__(
        self,
        session: Session,
        panel: WallPanel,
        *,
        apply: Callable[[Edit], None],
        complain: Callable[[WavelabError], None],
        edges: Callable[[], EdgeLines],
        send: Callable[[str, str], None],
    ) -> None:
        self._session = session
        self._panel = panel
        self._apply = apply
        self._complain = complain
        self._edges = edges
        self._send = send
        self.tool = WallTool(
            self.show,
            glue=lambda one, other: self._put(lambda s: wall_edits.glue(s, one, other)),
            open_panel=panel.kind.setFocus,
            edges=self._edges,
            describe=self._describe,
            partners=self._partners,
        )
        panel.wished.connect(self._wished)
        panel.partner_wished.connect(self._partner_wished)
        panel.wave_wished.connect(self._wave_wished)

    def show(self, edge: str | None = None) -> None:
        """The picked edge in the panel."""
        edge = self.tool.picked
        scene = self._session.scene
        wall = Wall(()) if edge is None else wall_at(edge, scene.walls)
        size = scene.solver.element_size
        thickness = 8 * size if scene.outline is None else default_thickness(scene.outline, size)
        self._panel.show_edge(edge, wall, float(f"{thickness:.3g}"), gluing=self.tool.gluing)

    def scene_changed(self) -> None:
        self.tool.forget_lost()
        self.show()

    def _wished(self, wall: Wall) -> None:
        edge = self.tool.picked
        if edge is not None:
            self.tool.gluing = False
            self._put(lambda scene: wall_edits.set_wall(scene, edge, wall))
            self.show()

    def _partner_wished(self) -> None:
        self.tool.look_for_partner()
        self.show()

    def _wave_wished(self, kind: str) -> None:
        if self.tool.picked is not None:
            self._send(kind, self.tool.picked)

    def _put(self, edit: Callable[[Scene], Edit]) -> None:
        try:
            self._apply(edit(self._session.scene))
        except WavelabError as error:
            self._complain(error)

    def _describe(self, edge: str) -> str:
        wall = wall_at(edge, self._session.scene.walls)
        if wall.kind == "periodic":
            (other,) = (name for name in wall.edges if name != edge)
            return f"glued to {other}"
        number = f" {wall.impedance:g}" if wall.impedance is not None else ""
        return KINDS[wall.kind][0] + number

    def _partners(self, edge: str) -> dict[str, str]:
        if self._session.scene.outline is not None:
            return partners(self._session.scene, edge)
        counts = {name: sum(map(len, lines)) for name, lines in self._edges().items()}
        return {
            name: ""
            if count == counts.get(edge)
            else f"{name} has another number of faces than {edge}"
            for name, count in counts.items()
            if name != edge
        }
