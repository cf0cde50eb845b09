"""A scene that the probe tool works on, without a window."""

from __future__ import annotations

from dataclasses import replace

from tests.sample_scenes import boxed
from wavelab.app.edits.edits import add_probe, remove_item
from wavelab.app.edits.monitor_edits import (
    MeasureSettings,
    add_monitor,
    change_monitor,
    new_monitor,
)
from wavelab.app.edits.monitor_rules import misplacement, monitor_refusal
from wavelab.app.tools.measuring.probe import ProbeTool
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Probe
from wavelab.scene.toml.toml_io import parse_scene

SCENE = parse_scene(
    boxed(
        "Measured",
        """\
[[holes]]
name = "disk"
shape = "ellipse"
center = [0.5, 0.5]
radii = [0.1, 0.1]
[[materials]]
name = "glass"
shape = "rectangle"
lower = [0.7, 0.1]
upper = [0.8, 0.3]
epsilon = 2.25
[[materials]]
name = "lossy"
shape = "rectangle"
lower = [0.1, 0.1]
upper = [0.3, 0.3]
sigma = 1
[[walls]]
edges = ["domain.left"]
kind = "open"
thickness = 0.05
[solver]
element_size = 0.1
""",
    )
)


class MeasuringBench:
    """Does what the tool wishes, and remembers what it did."""

    def __init__(self, kind: str = "point", shape: str = "rectangle") -> None:
        self.scene, self.name = SCENE, None
        self.settings = MeasureSettings(kind, shape, (2.0,))
        self.complaints: list[WavelabError] = []
        self.labels: list[str] = []
        self.tool = ProbeTool(self)

    def placing(self):
        return self.settings.placing

    def noun(self):
        return self.settings.measured.becomes

    def probes(self):
        return self.scene.probes

    def monitors(self):
        return self.scene.monitors

    def chosen(self):
        return next((m for m in self.scene.monitors if m.name == self.name), None)

    def vertices(self):
        return ()

    def refusal(self, place):
        return self.changed_refusal(self._new(place))

    def changed_refusal(self, monitor):
        return monitor_refusal(self.scene, monitor)

    def place_probe(self, at):
        self._apply(add_probe(self.scene, at))

    def place(self, place):
        monitor = self._new(place)
        if (error := misplacement(self.scene, monitor)) is not None:
            self.complaints.append(error)
            return
        self._apply(add_monitor(self.scene, monitor))
        self.name = monitor.name

    def choose(self, name):
        self.name = name

    def change(self, monitor, label):
        self._apply(change_monitor(self.scene, monitor.name, monitor, label))

    def choose_probe(self, name):
        self.name = name

    def move_probe(self, name, to):
        moved = (Probe(p.name, to) if p.name == name else p for p in self.scene.probes)
        self.scene = replace(self.scene, probes=tuple(moved))

    def remove_probe(self, name):
        self._apply(remove_item(self.scene, "probes", name))

    def remove(self, name):
        self._apply(remove_item(self.scene, "monitors", name))

    def _new(self, place):
        return new_monitor(self.scene, self.settings.kind, place, self.settings.frequencies)

    def _apply(self, edit):
        self.labels.append(edit.label)
        self.scene = edit.scene
