"""The tools with their settings, and what becomes of what they make."""

from __future__ import annotations

import math
from collections.abc import Callable

from wavelab.app.domain_edits import cut_hole, draw_domain, lies_inside
from wavelab.app.edits import Edit
from wavelab.app.panels.tool_panel import ToolPanel
from wavelab.app.probe_desk import ProbeDesk
from wavelab.app.region_edits import add_material
from wavelab.app.ruler_desk import RulerDesk
from wavelab.app.scene_edges import SceneEdges
from wavelab.app.session import Session
from wavelab.app.shape_desk import ShapeDesk
from wavelab.app.source_desk import SourceDesk
from wavelab.app.tools import TOOLS, Purpose, Tool
from wavelab.app.tools.gathering import ItemAccess
from wavelab.app.tools.handles import corners
from wavelab.app.tools.ping import PingTool
from wavelab.app.wall_desk import WallDesk
from wavelab.errors import WavelabError
from wavelab.scene.properties import Key
from wavelab.scene.shapes import Point, Shape

#: Radius of the first ping in parts of the domain's size.
PING_SIZE = 0.02


def ping_height(quantity: str, limit: float) -> float:
    """Peak of Ez of a pulse that reaches full colour where ``limit`` of ``quantity`` has it.

    Never less than 1, so that a ping into a field that has died away starts it anew.
    """
    if quantity == "energy":  # that of Ez alone in vacuum is Ez^2 / 2
        return max(1.0, math.sqrt(2 * limit))
    return max(1.0, limit) if quantity in ("ez", "hx", "hy", "h") else 1.0


class Toolbox:
    """Makes the tools and holds the chosen one.

    Parameters
    ----------
    session : what edits and pings go to.
    panel : shows the settings.
    apply : puts an edit into effect and says what it had to leave out.
    chosen : called with the key of the tool and the tool whenever another takes over.
    ping_height : returns how high a ping has to be to stand out now.
    now : returns the simulated time.
    complain : tells the user about an edit that cannot be.
    select, name_at : show the properties, and return the name, of what is at (x, y) within a reach.
    show_item : shows the properties of an item.
    choose_item : makes it the one whose properties and handles are shown, where any are.
    chosen_item : returns the chosen item, None where there are several.
    items : what the select tool does with whole items.
    """

    def __init__(
        self,
        session: Session,
        panel: ToolPanel,
        *,
        apply: Callable[[Edit], None],
        chosen: Callable[[str, Tool], None],
        ping_height: Callable[[], float],
        now: Callable[[], float],
        complain: Callable[[WavelabError], None],
        select: Callable[[float, float, float], None],
        name_at: Callable[[float, float, float], str],
        show_item: Callable[[Key], None],
        choose_item: Callable[[Key], None],
        chosen_item: Callable[[], Key | None],
        items: ItemAccess,
    ) -> None:
        self._session = session
        self._panel = panel
        self._apply = apply
        self._chosen = chosen
        self._ping = PingTool(
            session.solver.ping, height=ping_height, radius_changed=self.set_radius
        )
        self._radius_chosen = False
        self._select, self._name_at, self._show_item = select, name_at, show_item
        self._choose_item, self._items = choose_item, items
        self._shapes = ShapeDesk(session, item=chosen_item, apply=apply, vertices=self._snap_points)
        edges = SceneEdges(session)
        self.sources = SourceDesk(
            session,
            panel.source,
            apply=apply,
            complain=complain,
            edges=edges,
            now=now,
            height=ping_height,
            vertices=self._snap_points,
        )
        self.walls = WallDesk(
            session, panel.wall, apply=apply, complain=complain, edges=edges, send=self._send
        )
        self.probes = ProbeDesk(
            session,
            panel.probe,
            apply=apply,
            complain=complain,
            show_item=show_item,
            vertices=self._snap_points,
        )
        self.ruler = RulerDesk(session, panel.ruler, now=now, vertices=self._snap_points)
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
        self._panel.show_tool(key)
        self._chosen(key, self._make(key))

    def draw_hole(self) -> None:
        self.choose("draw")
        self.set_purpose("hole")

    def set_purpose(self, wish: str) -> None:
        self.purpose.wish = wish
        self._show_purpose()

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
                return TOOLS[key].factory(
                    self._finish,
                    purpose=self.purpose,
                    snap_points=self._snap_points,
                    element_size=lambda: self._session.scene.solver.element_size,
                )
            case "rectangle" | "ellipse":
                return TOOLS[key].factory(
                    self._finish, purpose=self.purpose, snap_points=self._snap_points
                )
            case "source":
                return self.sources.make_tool()
            case "select":
                return TOOLS[key].factory(
                    self._select,
                    name_at=self._name_at,
                    chosen=self._shapes.access,
                    items=self._items,
                )
            case "wall":
                return self.walls.tool
            case "ruler":
                return self.ruler.take_tool()
            case "probe":
                return self.probes.make_tool()
            case _:
                return TOOLS[key].factory()

    def _send(self, kind: str, edge: str) -> None:
        """A wave through an edge, whose properties come up to be changed."""
        if self.sources.send(kind, edge):
            self._show_item(("sources", len(self._session.scene.sources) - 1))

    def _finish(self, shape: Shape) -> None:
        if self.purpose.of(shape) == "material":
            self._apply(add_material(self._session.scene, shape))
            self._show_item(("materials", len(self._session.scene.materials) - 1))
            return
        if self.purpose.of(shape) == "hole":
            self._apply(cut_hole(self._session.scene, shape))
            self._choose_item(("holes", len(self._session.scene.holes) - 1))
            return
        self._apply(draw_domain(self._session.scene, shape))
        # A new domain is there to be rung; several obstacles are often drawn in a row.
        self.choose("ping")

    def _snap_points(self) -> list[Point]:
        scene = self._session.scene
        shapes = [hole.shape for hole in scene.holes]
        if scene.outline is not None:
            shapes.append(scene.outline)
        return [corner for shape in shapes for corner in corners(shape)]
