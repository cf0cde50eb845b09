"""Sources for the tool that places them, without a scene."""

from __future__ import annotations

import numpy as np

from tests.app.tool_events import Calls
from wavelab.app.tools.source_access import Preview, SourceGrip
from wavelab.scene.model.sending.source_marks import Handle


class FakeSources:
    """One point source, and what the tool asked for."""

    def __init__(self, placing: str = "click") -> None:
        self.kind = placing
        self.calls = Calls()

    def placing(self):
        return self.kind

    def next_kind(self):
        return f"by {self.kind}"

    def grips(self, pixel):
        return [
            SourceGrip("lamp", Handle("place", (0.5, 0.5), "lamp")),
            SourceGrip("lamp", Handle("end", (0.9, 0.9), "the end of lamp")),
        ]

    def bodies(self):
        return {self.grips(0)[0]: (np.array([(0.5, 0.5), (0.7, 0.7)]),)}

    def edges(self):
        corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
        names = ("bottom", "right", "top", "left")
        return {name: (corners[i : i + 2],) for i, name in enumerate(names)}

    def obstacle(self, edge):
        return "no guide" if edge == "top" else ""

    def entering(self, edges):
        return Preview((), "+".join(edges))

    def any_way(self):
        return True

    def collecting(self):
        return "beam", ("bottom",)

    def changing(self, grip, event, edge):
        return Preview((), f"{grip.handle.name} {edge}")

    def __getattr__(self, name):
        return lambda *arguments: self.calls.append((name, *arguments))

    def give_up(self):
        """Nothing was tried out."""
