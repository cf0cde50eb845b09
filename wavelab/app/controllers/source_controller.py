"""Between the source tool, the page with its settings, and the scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wavelab.app.base import measures
from wavelab.app.controllers.editor import Editor
from wavelab.app.edits import wall_edits
from wavelab.app.edits.edits import Edit, add_source, change_source, remove_item
from wavelab.app.panels.tool_pages.source_page import SourcePage
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.tools.handles import Handle as ShapeHandle
from wavelab.app.tools.handles import dragged as shape_dragged
from wavelab.app.tools.handles import handles as shape_handles
from wavelab.app.tools.source import SourceTool
from wavelab.app.tools.source_access import Lines, Preview, SourceGrip
from wavelab.app.tools.tool import LineMark, PointerEvent, line_marks
from wavelab.errors import SceneError, WavelabError
from wavelab.scene.edges.edge_lines import entrance, lines_of
from wavelab.scene.edges.guide import check_straight, guide_end
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.model.scene import Scene, Source
from wavelab.scene.model.sending.placing import SourceSettings, fitting_frequency
from wavelab.scene.model.sending.source_marks import PLACE, Drag, SourceMark
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.sources import PLACINGS, placed_source, placings_for
from wavelab.scene.sources.guided_mode import check_mode, mode_words
from wavelab.scene.systems import system_of


class SourceController:
    """Keeps what the next source is like, and turns wishes into edits."""

    def __init__(
        self,
        editor: Editor,
        selection: Selection,
        edges: SceneEdges,
        presenter: Presenter,
        page: SourcePage,
    ) -> None:
        self._editor = editor
        self._selection = selection
        self.edges = edges
        self._presenter = presenter
        self._page = page
        self._chosen = False
        self._equations = ""
        self._ways: tuple[Scene, SourceSettings, bool] | None = None
        self.settings = SourceSettings()
        page.wished.connect(self.set_settings)

    def make_tool(self) -> SourceTool:
        """The tool, with a height that fits what is on show unless the user chose one."""
        if not self._chosen:
            self.show(replace(self.settings, height=float(f"{self._presenter.standing_out:.1e}")))
        return SourceTool(self)

    def set_settings(self, settings: SourceSettings) -> None:
        """The user wishes for another kind of source, for all that are placed from now on."""
        self._chosen = True
        self.settings = settings

    def show(self, settings: SourceSettings) -> None:
        self.settings = settings
        self._page.show_settings(settings)

    def show_scene(self, scene: Scene) -> None:
        """Offer what its waves have; a kind that they do not have gives way to the first."""
        equations = system_of(scene).equations
        if equations == self._equations:
            return
        self._equations = equations
        kinds = {label: placing.tip for label, placing in placings_for(equations).items()}
        self._page.offer(kinds)
        if self.settings.kind not in kinds:
            self.show(replace(self.settings, kind=next(iter(kinds))))

    def fit_to(self, edge: float, *, first: bool) -> None:
        """A frequency that suits elements with edges of this length.

        What the user chose for the present experiment stays unless it is the ``first`` of another.
        """
        if first or not self._chosen:
            self._chosen = False
            kept = replace(SourceSettings(), kind=self.settings.kind, wave=self.settings.wave)
            self.show(replace(kept, frequency=fitting_frequency(edge)))

    def placing(self) -> str:
        return PLACINGS[self.settings.kind][0].gesture

    def next_kind(self) -> str:
        return self.settings.kind

    def grips(self, pixel: float) -> Sequence[SourceGrip]:
        scene, edges = self._editor.scene, self.edges()
        found = []
        for source in scene.sources:
            found += [SourceGrip(source.name, handle) for handle in source.handles(scene, edges)]
            if (shape := getattr(source, "shape", None)) is not None:
                of_shape = shape_handles(shape, pixel, movable=False)
                found += [SourceGrip(source.name, handle) for handle in of_shape]
        return found

    def chosen_grips(self, pixel: float) -> Sequence[SourceGrip]:
        """Those of the chosen source beside its middle, if no other item is chosen."""
        key, sources = self._selection.alone, self._editor.scene.sources
        if key is None or key[0] != "sources":
            return ()
        source, edges = sources[int(key[1])], self.edges()
        found = source.handles(self._editor.scene, edges)
        return [SourceGrip(source.name, handle) for handle in found if handle.name != PLACE]

    def bodies(self) -> Mapping[SourceGrip, Lines]:
        scene, edges = self._editor.scene, self.edges()
        found: dict[SourceGrip, Lines] = {}
        for source in scene.sources:
            handle = next(iter(source.handles(scene, edges)), None)
            body = source.body(scene, edges)
            if body and handle is not None and handle.name == PLACE:
                found[SourceGrip(source.name, handle)] = body
        return found

    def obstacle(self, edge: str) -> str:
        try:
            check_straight(self._editor.scene, edge)
            if self.placing() == "edge":
                check_mode(self.settings, self._editor.scene, edge)
        except SceneError as error:
            return error.message
        return ""

    def any_way(self) -> bool:
        scene, settings, edges = self._editor.scene, self.settings, self.edges()
        if not edges:
            return True  # a mesh file that is still being read
        if self._ways is None or self._ways[0] is not scene or self._ways[1] != settings:
            self._ways = (scene, settings, any(not self.obstacle(edge) for edge in edges))
        return self._ways[2]

    def entering(self, edges: Sequence[str]) -> Preview:
        scene = self._editor.scene
        source = self._entering(edges)("source")
        wall = wall_at(edges[-1], scene)
        becomes = "" if wall.matched else f": {wall.label}, becomes absorbing"
        label = f"{', '.join(edges)}{becomes}"
        if self.placing() == "edge":
            label += mode_words(self.settings, scene, edges[0])
        mark = source.mark(scene, self.edges())
        # The tool marks the edges itself.
        return Preview(mark_strokes(mark and replace(mark, lines=())), label)

    def collecting(self) -> tuple[str, Sequence[str]]:
        waves = [s for s in self._editor.scene.sources if s.collects and s.entrances]
        return (waves[-1].name, waves[-1].entrances) if waves else ("", ())

    def changing(self, grip: SourceGrip, event: PointerEvent, edge: str | None) -> Preview:
        scene = self._editor.scene
        source = self._source(grip.source)
        if source is None:
            return Preview()
        if grip.places and source.entrances:
            if edge is None:
                return Preview(label="Release over an edge")
            try:
                edit = wall_edits.carry_to(scene, grip.source, edge, self.edges())
            except SceneError as error:
                return Preview(label=error.message)
            self._editor.try_out(edit.scene)
            return Preview(
                self._strokes(next(s for s in edit.scene.sources if s.name == grip.source)),
                edge,
            )
        changed, label = self._dragged(source, grip, event)
        strokes = self._strokes(changed)
        try:
            self._editor.try_out(change_source(scene, grip.source, changed).scene)
        except WavelabError as error:
            refused = tuple(replace(stroke, tone="refused") for stroke in strokes)
            return Preview(refused, error.message, f"{error.message}. {error.remedy}".strip())
        return Preview(strokes, label)

    def place(self, start: Point, end: Point) -> None:
        self._place(self.settings, start, end)

    def place_point(self, at: Point) -> None:
        """A point source, whatever kind is placed otherwise."""
        self._place(replace(self.settings, kind="point"), at, at)

    def send_in(self, edges: Sequence[str]) -> None:
        self._editor.attempt(self._checked_entering, edges)

    def send(self, kind: str, edge: str) -> None:
        """A wave of a kind of the settings through an edge, whose properties come up to be
        changed."""
        before = self.settings
        self.settings = replace(before, kind=kind)
        try:
            if self._editor.attempt(self._checked_entering, (edge,)):
                self._selection.present_newest("sources")
        finally:
            self.settings = before

    def toggle(self, edge: str) -> None:
        wave, _ = self.collecting()
        if wave:
            self._editor.attempt(wall_edits.toggle_edge, wave, edge)
        else:
            self.send_in((edge,))

    def choose(self, name: str) -> None:
        names = [source.name for source in self._editor.scene.sources]
        self._selection.present(("sources", names.index(name)))

    def remove(self, name: str) -> None:
        self._editor.attempt(remove_item, "sources", name)

    def change(self, grip: SourceGrip, event: PointerEvent, edge: str | None) -> None:
        source = self._source(grip.source)
        if source is None:
            return
        if not (grip.places and source.entrances):
            changed, _ = self._dragged(source, grip, event)
            self._editor.attempt(change_source, grip.source, changed)
        elif edge is not None:
            carry_to = wall_edits.carry_to
            self._editor.attempt(carry_to, grip.source, edge, self.edges())

    def give_up(self) -> None:
        self._editor.take_back()

    def _place(self, settings: SourceSettings, start: Point, end: Point) -> None:
        self._editor.attempt(
            add_source, lambda name: placed_source(name, settings, start=start, end=end)
        )

    def _source(self, name: str) -> Source | None:
        return next((s for s in self._editor.scene.sources if s.name == name), None)

    def _dragged(self, source: Source, grip: SourceGrip, event: PointerEvent) -> tuple[Source, str]:
        """What a drag makes of a source, and in a few words."""
        scene, handle = self._editor.scene, grip.handle
        if isinstance(handle, ShapeHandle):
            shape: Shape = getattr(source, "shape")  # noqa: B009
            now = shape_dragged(shape, handle, event, self.edges.corners())
            reshaped: dict[str, Any] = {"shape": now.shape}
            return replace(source, **reshaped), now.refusal or now.label
        drag = Drag(handle.name, event.point, event.shift)
        changed = source.dragged(drag, scene, self.edges())
        place = measures.place(*event.point, "{:.4g}".format)
        return changed, changed.reading(handle.name) or place

    def _checked_entering(self, scene: Scene, edges: Sequence[str]) -> Edit:
        if self.placing() == "edge":
            check_mode(self.settings, scene, edges[0])
        return wall_edits.send_in(scene, edges, self._entering(edges))

    def _entering(self, edges: Sequence[str]) -> Callable[[str], Source]:
        """Makes the next wave through some edges of its name."""
        settings = self.settings
        place = entrance(lines_of(edges[0], self.edges()))
        inward = 0.0 if place is None else place.direction
        try:
            end = guide_end(self._editor.scene, edges[0])
        except SceneError:
            end = None
        sides = "conductor" if end is None else end.sides
        where = {"edges": tuple(edges), "inward": inward, "sides": sides}
        return lambda name: placed_source(name, settings, **where)

    def _strokes(self, source: Source) -> tuple[LineMark, ...]:
        return mark_strokes(source.mark(self._editor.scene, self.edges()))


def mark_strokes(mark: SourceMark | None) -> tuple[LineMark, ...]:
    """A mark as a tool shows it before it is there."""
    if mark is None:
        return ()
    lines: list[Any] = [*mark.lines, *mark.waves]
    if mark.arrow is not None:
        (x0, y0), (x1, y1) = mark.arrow
        dx, dy = (x1 - x0) * 0.08, (y1 - y0) * 0.08
        left, right = (x1 - dx - dy / 2, y1 - dy + dx / 2), (x1 - dx + dy / 2, y1 - dy - dx / 2)
        lines += [[(x0, y0), (x1, y1)], [left, (x1, y1), right]]
    return tuple(line_marks(lines, "ghost"))
