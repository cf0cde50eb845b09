"""What the source tool and the scene say to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from wavelab.app.tools.handles import Handle as ShapeHandle
from wavelab.app.tools.tool import LineMark, Point, PointerEvent
from wavelab.arrays import Array
from wavelab.scene.model.sending.source_marks import PLACE, EdgeLines, Handle

#: Handles of shapes, in words.
_OF_SHAPE = {"corner": "a corner", "bow": "the bow of an edge", "radius": "a radius"}

Lines = tuple[Array, ...]


@dataclass(frozen=True)
class SourceGrip:
    """A handle of a source of this name, or of its shape."""

    source: str
    handle: Handle | ShapeHandle

    @property
    def places(self) -> bool:
        """Whether it moves all of the source."""
        return isinstance(self.handle, Handle) and self.handle.name == PLACE

    @property
    def words(self) -> str:
        """What it is."""
        if isinstance(self.handle, Handle):
            return self.handle.words
        return f"{_OF_SHAPE[self.handle.kind]} of {self.source}"

    @property
    def kind(self) -> str:
        """How it is drawn."""
        if isinstance(self.handle, ShapeHandle):
            return self.handle.kind
        return "move" if self.places else "corner"


@dataclass(frozen=True)
class Preview:
    """How something would look, and a few words on it; why it cannot be so, if it cannot."""

    strokes: tuple[LineMark, ...] = ()
    label: str = ""
    refusal: str = ""


class Sources(Protocol):
    """What the tool asks about the scene, and what it wishes for."""

    def placing(self) -> str:
        """How the next source is placed: "click", "line", "box", "edge" or "edges"."""

    def next_kind(self) -> str:
        """What the next source is, in a word or two."""

    def grips(self, pixel: float) -> Sequence[SourceGrip]:
        """The handles that there is room for where a logical pixel is so long."""

    def bodies(self) -> Mapping[SourceGrip, Lines]:
        """The lines by which a whole source can be taken, by the handle that moves it."""

    def edges(self) -> EdgeLines:
        """The lines of all edges by name."""

    def obstacle(self, edge: str) -> str:
        """Why the next wave cannot come in through an edge; "" if it can."""

    def any_way(self) -> bool:
        """Whether the next wave can come in through some edge."""

    def entering(self, edges: Sequence[str]) -> Preview:
        """The next wave, coming in through these edges."""

    def collecting(self) -> tuple[str, Sequence[str]]:
        """The last plane wave that comes through edges, "" if there is none, and its edges."""

    def changing(self, grip: SourceGrip, event: PointerEvent, edge: str | None) -> Preview:
        """A source with one of its handles at the pointer, where there may be an edge."""

    def place(self, start: Point, end: Point) -> None:
        """A new source between two points; twice the same for one that is clicked."""

    def send_in(self, edges: Sequence[str]) -> None:
        """A new wave through some edges."""

    def toggle(self, edge: str) -> None:
        """The last plane wave that comes through edges does so here too, or no longer."""

    def choose(self, name: str) -> None:
        """Show the properties of a source."""

    def remove(self, name: str) -> None: ...

    def change(self, grip: SourceGrip, event: PointerEvent, edge: str | None) -> None:
        """A handle was dragged there."""

    def give_up(self) -> None:
        """What is dragged is as it was."""
