"""What the probe tool asks about a scene, and what it wishes for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from wavelab.app.base.refusal import Refusal
from wavelab.app.tools.tool import Point
from wavelab.scene.model.scene import Probe
from wavelab.scene.model.shapes import Shape
from wavelab.scene.monitors import Monitor


class Measuring(Protocol):
    """What the tool asks about the scene, and what it wishes for."""

    def placing(self) -> str:
        """How the next is placed: "click", "line", "rectangle", "ellipse", "polygon" or
        "everywhere"."""

    def noun(self) -> str:
        """What the next is, in words: "a far field"."""

    def probes(self) -> Sequence[Probe]: ...

    def monitors(self) -> Sequence[Monitor]: ...

    def chosen(self) -> Monitor | None:
        """The monitor whose handles are shown."""

    def vertices(self) -> Sequence[Point]:
        """Those of the scene, which attract corners."""

    def refusal(self, place: tuple[Point, ...] | Shape) -> Refusal | None:
        """Why the next monitor cannot be there."""

    def changed_refusal(self, monitor: Monitor) -> Refusal | None:
        """Why a monitor cannot become this."""

    def place_probe(self, at: Point) -> None: ...

    def place(self, place: tuple[Point, ...] | Shape | None) -> None:
        """The next monitor, on a line, in a shape, or everywhere."""

    def choose(self, name: str) -> None:
        """Show the properties and the handles of a monitor."""

    def change(self, monitor: Monitor, label: str) -> None:
        """It takes the place of the one of its name; ``label`` is that of the edit."""

    def choose_probe(self, name: str) -> None:
        """Show its properties."""

    def move_probe(self, name: str, to: Point) -> None: ...

    def remove_probe(self, name: str) -> None: ...

    def remove(self, name: str) -> None:
        """Of a monitor."""
