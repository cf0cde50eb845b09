"""Between the probe tool, its page and the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wavelab.app.base.refusal import Refusal
from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.edits import add_probe, remove_item
from wavelab.app.edits.item_edits import move
from wavelab.app.edits.monitor_edits import (
    MeasureSettings,
    add_monitor,
    change_monitor,
    driven_frequency,
    new_monitor,
)
from wavelab.app.edits.monitor_rules import misplacement, monitor_refusal
from wavelab.app.panels.tool_pages.probe_page import ProbePage
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.scene.model.measuring.requests import Place
from wavelab.scene.model.scene import Probe
from wavelab.scene.model.sending.placing import fitting_frequency
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.monitors import Monitor


class ProbeController:
    """Is what the probe tool asks (``wavelab.app.tools.measuring.measuring.Measuring``).

    Attributes
    ----------
    settings : what is placed next.
    """

    def __init__(
        self, editor: Editor, selection: Selection, edges: SceneEdges, page: ProbePage
    ) -> None:
        self._editor = editor
        self._selection = selection
        self._page = page
        self.vertices = edges.corners
        self._chosen: str | None = None
        self._typed = False
        self.settings = MeasureSettings()
        page.wished.connect(self._wished)
        page.failed.connect(editor.complain)
        self.show(self.settings)

    def show(self, settings: MeasureSettings) -> None:
        """What is placed from now on."""
        self.settings = settings
        self._page.show_settings(settings)

    def fit_to(self, edge: float, *, first: bool) -> None:
        """A frequency that a source of the scene has, or that elements with edges of this length
        carry; what was typed stays unless it is the ``first`` of another experiment."""
        if first:
            self._typed, self._chosen = False, None
        if not self._typed:
            found = driven_frequency(self._editor.scene) or fitting_frequency(edge)
            self.show(replace(self.settings, frequencies=(found,)))

    def take(self, name: str) -> None:
        """Show the handles of a monitor that was chosen elsewhere."""
        self._chosen = name

    def placing(self) -> str:
        return self.settings.placing

    def noun(self) -> str:
        return self.settings.measured.becomes

    def probes(self) -> Sequence[Probe]:
        return self._editor.scene.probes

    def monitors(self) -> Sequence[Monitor]:
        return self._editor.scene.monitors

    def chosen(self) -> Monitor | None:
        return next((m for m in self.monitors() if m.name == self._chosen), None)

    def refusal(self, place: tuple[Point, ...] | Shape) -> Refusal | None:
        return self.changed_refusal(self._new(place))

    def changed_refusal(self, monitor: Monitor) -> Refusal | None:
        return monitor_refusal(self._editor.scene, monitor)

    def place_probe(self, at: Point) -> None:
        self._editor.attempt(add_probe, at)

    def place(self, place: Place) -> None:
        monitor = self._new(place)
        if (error := misplacement(self._editor.scene, monitor)) is not None:
            self._editor.complain(error)
            return
        if self._editor.attempt(add_monitor, monitor):
            self._chosen = monitor.name

    def choose(self, name: str) -> None:
        names = [monitor.name for monitor in self.monitors()]
        self._selection.present(("monitors", names.index(name)))

    def change(self, monitor: Monitor, label: str) -> None:
        self._editor.attempt(change_monitor, monitor.name, monitor, label)

    def choose_probe(self, name: str) -> None:
        self._selection.present(("probes", self._number(name)))

    def move_probe(self, name: str, to: Point) -> None:
        number = self._number(name)
        x, y = self.probes()[number].position
        self._editor.attempt(move, [("probes", number)], (to[0] - x, to[1] - y))

    def remove_probe(self, name: str) -> None:
        self._editor.attempt(remove_item, "probes", name)

    def remove(self, name: str) -> None:
        self._editor.attempt(remove_item, "monitors", name)

    def _number(self, name: str) -> int:
        """Of a probe."""
        return [probe.name for probe in self.probes()].index(name)

    def _new(self, place: Place) -> Monitor:
        settings = self.settings
        return new_monitor(self._editor.scene, settings.kind, place, settings.frequencies)

    def _wished(self, settings: MeasureSettings) -> None:
        self._typed = self._typed or settings.frequencies != self.settings.frequencies
        self.show(settings)
