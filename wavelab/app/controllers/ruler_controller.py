"""Between the ruler, its page and the experiment."""

from __future__ import annotations

from wavelab.app.canvas.canvas import Canvas
from wavelab.app.panels.tool_pages.ruler_page import RulerPage
from wavelab.app.session.preparation import Prepared
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.session import Session
from wavelab.app.tools.measuring.ruler import RulerTool
from wavelab.app.tools.measuring.survey import Survey
from wavelab.app.tools.tool import EMPTY
from wavelab.errors import WavelabError
from wavelab.physics.optical_path import OpticalPath, Spot, Surveyor
from wavelab.remembered import Remembered
from wavelab.scene.edges.edge_lines import EdgeLines
from wavelab.scene.edges.normals import Foot, Normals
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.placing import fitting_frequency
from wavelab.scene.model.shapes import Point

#: What is known of a surveyor at one frequency and time.
Paths = dict[tuple[Point, Point], OpticalPath | None]
#: Known at once; more come of a drag.
MOST_PATHS = 200


class RulerController:
    """Keeps the frequency at which wavelengths are counted, and answers what the tool asks.

    Attributes
    ----------
    tool : the one ruler, which keeps what was measured while others are used.
    """

    def __init__(
        self,
        session: Session,
        edges: SceneEdges,
        presenter: Presenter,
        page: RulerPage,
        canvas: Canvas,
    ) -> None:
        self._canvas = canvas
        self._edges = edges
        self._session = session
        self._presenter = presenter
        self._page = page
        self._typed = False
        self._frequency = 1.0
        self._normals: tuple[Scene, EdgeLines, Normals] | None = None
        # As long as what they are of: the running one may be large, and the next one too.
        self._surveyors: Remembered[Prepared, Surveyor] = Remembered(1)
        self._paths: Remembered[Surveyor, Paths] = Remembered(1)
        self.tool = RulerTool(
            Survey(
                vertices=edges.corners,
                now=lambda: presenter.now,
                frequency=lambda: self._frequency,
                spot=self._spot,
                path=self._along,
                foot=self._foot,
            ),
            changed=self.show,
        )
        page.wished.connect(self._wished)
        page.measuring_wished.connect(self._measure)
        page.snapping_wished.connect(self._snap)
        page.clear_wished.connect(self._clear)
        canvas.moved.connect(self.show)

    def show(self) -> None:
        """What was measured, while another tool is at hand."""
        self._page.show_count(len(self.tool.measures))
        others = self._canvas.tool is not self.tool
        self._canvas.set_kept(self.tool.kept(self._canvas.view.pixel) if others else EMPTY)

    def _measure(self, what: str) -> None:
        self.tool.measuring = what
        self._canvas.refresh_tool()

    def _snap(self, snapping: bool) -> None:
        self.tool.snapping = snapping
        self._canvas.refresh_tool()

    def _clear(self) -> None:
        self.tool.forget()
        self._canvas.refresh_tool()

    @property
    def frequency(self) -> float:
        """At which wavelengths are counted."""
        return self._frequency

    def take_tool(self) -> RulerTool:
        self.tool.let_go()
        return self.tool

    def fit_to(self, edge: float, *, first: bool) -> None:
        """The lowest frequency of the sources, or one that elements with edges of this length
        carry; what was typed stays unless it is the ``first`` of another experiment."""
        if first:
            self._typed = False
            self.tool.forget()
        if not self._typed:
            sources = self._session.scene.sources
            waves = [wave for source in sources if (wave := source.in_time) is not None]
            known = [f for wave in waves if (f := wave.lowest_frequency) is not None]
            self._show(min(known, default=fitting_frequency(edge)))
        self.show()

    def _wished(self, frequency: float) -> None:
        self._typed = True
        self._show(frequency)
        self.show()

    def _show(self, frequency: float) -> None:
        self._frequency = frequency
        self._page.frequency.set_value(frequency)

    def _looked_up(self) -> Surveyor | None:
        running = self._session.running
        if running is None:
            return None
        return self._surveyors.get(
            running, None, lambda: Surveyor(running.problem, running.reader.locator)
        )

    def _time(self) -> float:
        """At which media are looked at: all the same unless they change."""
        running = self._session.running
        changes = running is not None and running.problem.operator.media.changes
        return self._presenter.now if changes else 0.0

    def _spot(self, point: Point) -> Spot | None:
        surveyor = self._looked_up()
        if surveyor is None:
            return None
        try:
            return surveyor.spot(*point, self._frequency, self._time())
        except WavelabError:
            return None  # a formula without a value there

    def _along(self, start: Point, end: Point) -> OpticalPath | None:
        surveyor = self._looked_up()
        if surveyor is None:
            return None
        # The label, the marks and the hint ask the same, of all that stays at every move.
        known = self._paths.get(surveyor, (self._frequency, self._time()), Paths)
        if len(known) > MOST_PATHS:
            known.clear()
        if (start, end) not in known:
            try:
                known[start, end] = surveyor.path(start, end, self._frequency, self._time())
            except WavelabError:
                known[start, end] = None
        return known[start, end]

    def _foot(self, point: Point) -> Foot | None:
        scene, edges = self._session.scene, self._edges()
        if self._normals is None or self._normals[0] is not scene or self._normals[1] is not edges:
            self._normals = (scene, edges, Normals.of(scene, edges))
        return self._normals[2].foot(*point)
