"""Between the probe tool, its page and the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.edits import Edit, add_probe, remove_probe
from wavelab.app.measure_settings import MeasureSettings
from wavelab.app.monitor_edits import (
    Place,
    add_monitor,
    change_monitor,
    driven_frequency,
    new_monitor,
    remove_monitor,
)
from wavelab.app.monitor_rules import misplacement, monitor_refusal
from wavelab.app.panels.probe_page import ProbePage
from wavelab.app.refusal import Refusal
from wavelab.app.session import Session
from wavelab.app.source_settings import fitting_frequency
from wavelab.app.tools.probe import ProbeTool
from wavelab.errors import WavelabError
from wavelab.scene.monitors import Monitor
from wavelab.scene.properties import Key
from wavelab.scene.scene import Probe
from wavelab.scene.shapes import Point, Shape


class ProbeDesk:
    """Is what the probe tool asks (``wavelab.app.tools.measuring.Measuring``).

    Parameters
    ----------
    apply : puts an edit into effect.
    complain : tells the user about a monitor that cannot be.
    show_item : shows the properties of an item.
    vertices : returns the vertices of the scene.

    Attributes
    ----------
    settings : what is placed next.
    """

    def __init__(
        self,
        session: Session,
        page: ProbePage,
        *,
        apply: Callable[[Edit], None],
        complain: Callable[[WavelabError], None],
        show_item: Callable[[Key], None],
        vertices: Callable[[], Sequence[Point]],
    ) -> None:
        self._session = session
        self._page = page
        self._apply = apply
        self._complain = complain
        self._show_item = show_item
        self.vertices = vertices
        self._chosen: str | None = None
        self._typed = False
        self.settings = MeasureSettings()
        page.wished.connect(self._wished)
        page.failed.connect(complain)
        self.show(self.settings)

    def make_tool(self) -> ProbeTool:
        return ProbeTool(self)

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
            found = driven_frequency(self._session.scene) or fitting_frequency(edge)
            self.show(replace(self.settings, frequencies=(found,)))

    def take(self, name: str) -> None:
        """Show the handles of a monitor that was chosen elsewhere."""
        self._chosen = name

    # What the tool asks

    def placing(self) -> str:
        return self.settings.placing

    def noun(self) -> str:
        return self.settings.measured.becomes

    def probes(self) -> Sequence[Probe]:
        return self._session.scene.probes

    def monitors(self) -> Sequence[Monitor]:
        return self._session.scene.monitors

    def chosen(self) -> Monitor | None:
        return next((m for m in self.monitors() if m.name == self._chosen), None)

    def refusal(self, place: tuple[Point, ...] | Shape) -> Refusal | None:
        return self.changed_refusal(self._new(place))

    def changed_refusal(self, monitor: Monitor) -> Refusal | None:
        return monitor_refusal(self._session.scene, monitor)

    def place_probe(self, at: Point) -> None:
        self._apply(add_probe(self._session.scene, at))

    def place(self, place: Place) -> None:
        monitor = self._new(place)
        if (error := misplacement(self._session.scene, monitor)) is not None:
            self._complain(error)
            return
        self._apply(add_monitor(self._session.scene, monitor))
        self._chosen = monitor.name

    def choose(self, name: str) -> None:
        self._chosen = name
        names = [monitor.name for monitor in self.monitors()]
        self._show_item(("monitors", names.index(name)))

    def change(self, monitor: Monitor, label: str) -> None:
        self._apply(change_monitor(self._session.scene, monitor.name, monitor, label))

    def remove_probe(self, name: str) -> None:
        self._apply(remove_probe(self._session.scene, name))

    def remove(self, name: str) -> None:
        self._apply(remove_monitor(self._session.scene, name))

    def _new(self, place: Place) -> Monitor:
        settings = self.settings
        return new_monitor(self._session.scene, settings.kind, place, settings.frequencies)

    def _wished(self, settings: MeasureSettings) -> None:
        self._typed = self._typed or settings.frequencies != self.settings.frequencies
        self.show(settings)
