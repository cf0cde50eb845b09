"""The tools with their settings, and what becomes of what they make."""

from __future__ import annotations

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.following import Following
from wavelab.app.controllers.insert_controller import InsertController
from wavelab.app.controllers.item_controller import ItemController
from wavelab.app.controllers.probe_controller import ProbeController
from wavelab.app.controllers.property_controller import PropertyController
from wavelab.app.controllers.ruler_controller import RulerController
from wavelab.app.controllers.shape_controller import ShapeController
from wavelab.app.controllers.source_controller import SourceController
from wavelab.app.controllers.wall_controller import WallController
from wavelab.app.edits.domain_edits import add_material, cut_hole, draw_domain, lies_inside
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.shape import EllipseTool, RectangleTool
from wavelab.app.tools.measuring.probe import ProbeTool
from wavelab.app.tools.pan import PanTool
from wavelab.app.tools.ping import PingTool
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.selecting.select import SelectTool
from wavelab.app.tools.source_hand import SourceHand
from wavelab.app.tools.tool import Tool
from wavelab.app.window.window import Window
from wavelab.scene.model.shapes import Shape
from wavelab.simulation.solver.commands import GivePing

#: Radius of the first ping in parts of the domain's size.
PING_SIZE = 0.02


class Toolbox:
    """Makes the tools and holds the chosen one.

    Attributes
    ----------
    following : the wave, while something is dragged that the mesh follows.
    """

    def __init__(
        self,
        session: Session,
        editor: Editor,
        selection: Selection,
        edges: SceneEdges,
        presenter: Presenter,
        properties: PropertyController,
        window: Window,
    ) -> None:
        self._session = session
        self._editor = editor
        self._selection = selection
        self._edges = edges
        self._window = window
        self._panel = panel = window.tool_panel
        self._ping = PingTool(
            lambda ping: session.solver.send(GivePing(ping)),
            height=lambda: presenter.standing_out,
            radius_changed=self.set_radius,
        )
        self._radius_chosen = False
        self.following = Following(editor)
        editor.stopping.connect(window.canvas.give_up)
        self._shapes = ShapeController(editor, selection, edges, self.following)
        self.items = ItemController(
            editor,
            selection,
            properties,
            window.canvas,
            self.following,
            seen=lambda: self.key == "select" or window.properties_open,
            show=lambda: self.choose("select"),
        )
        self.sources = SourceController(editor, selection, edges, presenter, panel.source)
        self.walls = WallController(editor, edges, panel.wall, send=self.sources.send)
        for wished in (panel.wall.all_wished, panel.wall.partner_wished):
            wished.connect(window.canvas.refresh_tool)  # other edges are marked now
        self.probes = ProbeController(editor, selection, edges, panel.probe)
        self.ruler = RulerController(session, edges, presenter, panel.ruler, window.canvas)
        self.insert = InsertController(
            editor,
            selection,
            edges,
            panel.insert,
            frequency=lambda: self.ruler.frequency,
            select=lambda: self.choose("select"),
            redraw=window.canvas.refresh_tool,
        )
        self.key = "ping"
        self.purpose = Purpose(
            inside=lambda shape: lies_inside(session.scene, shape), changed=self._show_purpose
        )
        panel.radius_wished.connect(self.set_radius)
        panel.negative_wished.connect(self._set_negative)
        panel.purpose_wished.connect(self.set_purpose)
        self._show_ping()
        self._show_purpose()

    def choose(self, key: str) -> None:
        """Take another tool; a wish for what is drawn lasts as long as shapes are dragged."""
        if key not in ("rectangle", "ellipse"):
            self.set_purpose("automatic")
        self.key = key
        self._window.show_tool(key, self._make(key))
        self.ruler.show()

    def draw_hole(self) -> None:
        self.choose("draw")
        self.set_purpose("hole")

    def set_purpose(self, wish: str) -> None:
        self.purpose.wish = wish
        self._show_purpose()
        self._window.canvas.refresh_tool()

    def set_radius(self, radius: float) -> None:
        """The user wishes for a radius; it stays until another experiment is opened."""
        self._radius_chosen = True
        self._ping.radius = radius
        self._show_ping()

    def fit_to(self, size: float, edge: float, order: int, *, first: bool) -> None:
        """Settings that suit a domain of this size with elements of this edge length and order.

        What the user chose for the present experiment stays unless it is the ``first`` of another.
        """
        if first or not self._radius_chosen:
            # What is narrower than the nodes are apart is lost to the jumps between elements.
            self.set_radius(float(f"{max(PING_SIZE * size, edge / order):.1e}"))
            self._radius_chosen = False
        if first:
            self.walls.tool.let_go()
        self.sources.fit_to(edge, first=first)
        self.probes.fit_to(edge, first=first)
        self.ruler.fit_to(edge, first=first)

    def negate(self) -> None:
        self._set_negative(not self._ping.negative)

    def _set_negative(self, negative: bool) -> None:
        self._ping.negative = negative
        self._show_ping()

    def _show_purpose(self) -> None:
        self._panel.show_purpose(self.purpose.wish)

    def _show_ping(self) -> None:
        self._panel.show_ping(self._ping.radius, self._ping.negative)

    def _make(self, key: str) -> Tool:
        match key:
            case "ping":
                return self._ping
            case "draw":
                return DrawTool(
                    self._finish,
                    purpose=self.purpose,
                    snap_points=self._edges.corners,
                    element_size=lambda: self._session.scene.solver.element_size,
                )
            case "rectangle" | "ellipse":
                tool = RectangleTool if key == "rectangle" else EllipseTool
                return tool(self._finish, purpose=self.purpose, snap_points=self._edges.corners)
            case "insert":
                return self.insert.take_tool()
            case "source":
                return self.sources.make_tool()
            case "select":
                return SelectTool(
                    self._selection.pick,
                    name_at=self._selection.name_at,
                    chosen=self._shapes.access,
                    items=self.items.access,
                    sources=SourceHand(self.sources, self.sources.chosen_grips),
                )
            case "wall":
                return self.walls.tool
            case "ruler":
                return self.ruler.take_tool()
            case "probe":
                return ProbeTool(self.probes)
            case _:
                return PanTool()

    def _finish(self, shape: Shape) -> None:
        match self.purpose.of(shape):
            case "material":
                if self._editor.attempt(add_material, shape):
                    self._selection.present_newest("materials")
            case "hole":
                if self._editor.attempt(cut_hole, shape):
                    self._selection.choose_newest("holes")
            case _:
                # A new domain is there to be rung; several obstacles are often drawn in a row.
                if self._editor.attempt(draw_domain, shape):
                    self.choose("ping")
