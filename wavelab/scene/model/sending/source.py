"""What every kind of source says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.sending.emissions import Emission
from wavelab.scene.model.sending.placing import Placed, Placing, SourceSettings
from wavelab.scene.model.sending.source_marks import PLACE, Drag, EdgeLines, Handle, SourceMark
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, Shape

#: A :class:`wavelab.scene.model.scene.Scene`: it is made of sources, so they cannot import it here.
Scene = Any


@dataclass(frozen=True)
class Source(ABC):
    """What makes waves, and all that is to be known of it without a mesh.

    The kinds are in :mod:`wavelab.scene.sources`, each a file.  Most have a ``radius``, an
    ``amplitude`` and a ``waveform``, and some a ``shape``.

    Attributes
    ----------
    placings : how it is placed by hand; none of one that is only written in scene files.
    partial : whether it is of use although a part of it has no place.
    collects : whether it can come in through several edges.
    repeatable : whether its shape can be copies of one.
    equations : of what waves it is, see :attr:`wavelab.scene.systems.System.equations`.
    """

    name: str

    placings: ClassVar[tuple[Placing, ...]] = ()
    partial: ClassVar[bool] = False
    collects: ClassVar[bool] = False
    repeatable: ClassVar[bool] = False
    equations: ClassVar[str] = "maxwell"

    @abstractmethod
    def check(self, scene: Scene, item: ItemPath) -> None:
        """Check what can be judged without a mesh.

        Raises
        ------
        ItemError : names the source and what would be right.
        """

    @abstractmethod
    def emissions(self) -> tuple[Emission, ...]:
        """What it sends."""

    def places(self, size: float, count: int = 2) -> Array:
        """(n, 2) where it sends, see :meth:`Emission.places`."""
        return np.concatenate([emission.places(size, count) for emission in self.emissions()])

    @classmethod
    def placed(cls, name: str, settings: SourceSettings, placed: Placed) -> Self:
        """One that was placed by hand."""
        raise NotImplementedError(f"{cls.__name__} is not placed by hand")

    @property
    def what(self) -> str:
        """What messages call it."""
        return f'source "{self.name}"'

    @property
    def in_time(self) -> Waveform | None:
        """Its waveform, if it has one."""
        return getattr(self, "waveform", None)

    @property
    def entrances(self) -> tuple[str, ...]:
        """The edges that it comes in through."""
        return ()

    def through(self, edges: tuple[str, ...], turn: float | None = None) -> Self:
        """The same through other edges; it goes on by ``turn`` degrees from its direction."""
        return self

    def points(self) -> tuple[Point, ...]:
        """Points whose bounding box is that of the source; none if it has no place of its own."""
        shape: Shape | None = getattr(self, "shape", None)
        return () if shape is None else tuple(shape.bounds())

    def spots(self) -> tuple[Point, ...]:
        """Points that must be in the domain, and not in an obstacle."""
        return () if getattr(self, "shape", None) is not None else self.points()

    def way(self, until: float) -> Array | None:
        """(n, 2) where it is in the course of a run, if it moves.

        Raises
        ------
        FormulaError : it is nowhere at some time.
        """
        return None

    def whereabouts(self) -> tuple[Any, ...]:
        """Equal for sources that are at the same place."""
        return (*self.points(), getattr(self, "shape", None))

    def anchor(self) -> Point | None:
        """The point by which it is taken; None if it has no place of its own."""
        if not (points := self.points()):
            return None
        xs, ys = zip(*points, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def moved(self, to: Point) -> Self:
        """The same with its anchor elsewhere; one that has no place of its own as it is."""
        here = self.anchor()
        return self if here is None else self.shifted((to[0] - here[0], to[1] - here[1]))

    def shifted(self, by: Point) -> Self:
        """The same elsewhere."""
        shape: Shape | None = getattr(self, "shape", None)
        changed: dict[str, Any] = {} if shape is None else {"shape": shape.shifted(by)}
        return replace(self, **changed)

    # How it looks, and is taken by hand.  ``edges`` are the lines of the scene's edges; None takes
    # those that are drawn, of which a mesh file has none.

    @property
    def glyph(self) -> Point | None:
        """Where its cross is, of one that is no more than a point."""
        return None

    def mark(self, scene: Scene, edges: EdgeLines | None = None) -> SourceMark | None:
        """How it is drawn; None for one that is everywhere, or a point."""
        return None

    def arrow(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Point, Point] | None:
        """From where to where its arrow goes."""
        return None

    def body(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Array, ...]:
        """The lines by which all of it is taken; none of what belongs to walls."""
        mark = None if self.entrances else self.mark(scene, edges)
        return () if mark is None else tuple(mark.lines)

    def handles(self, scene: Scene, edges: EdgeLines | None = None) -> tuple[Handle, ...]:
        """Its handles but for those of its shape, the one that moves all of it first."""
        found = {PLACE: self.anchor(), **self._handles(scene, edges)}
        return tuple(
            Handle(name, at, f"the {name} of {self.name}" if name != PLACE else self.name)
            for name, at in found.items()
            if at is not None
        )

    def _handles(self, scene: Scene, edges: EdgeLines | None) -> dict[str, Point | None]:
        return {}

    def dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None = None) -> Self:
        """The same with one of its handles elsewhere; what comes through an edge stays there."""
        return self.moved(drag.to) if drag.handle == PLACE else self._dragged(drag, scene, edges)

    def _dragged(self, drag: Drag, scene: Scene, edges: EdgeLines | None) -> Self:
        return self

    def reading(self, handle: str) -> str:
        """What a handle says of it, in numbers; "" where that is only where the handle is."""
        return ""
