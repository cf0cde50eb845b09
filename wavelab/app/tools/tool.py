"""What the canvas and a tool say to each other.  No Qt: tools are tested without a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from numpy.typing import NDArray

from wavelab.app.base.refusal import Refusal
from wavelab.scene.model.shapes import Shape, smooth_rings

Point = tuple[float, float]
#: (what the hand does, what comes of it), in the order of the list of keys.
Gestures = tuple[tuple[str, str], ...]

#: A press this near something, in logical pixels, means it.
GRAB_PIXELS = 10.0
#: Seconds of wall time between two calls of ``Tool.hold``.
HOLD_INTERVAL = 0.25


@dataclass(frozen=True)
class PointerEvent:
    """The pointer, in scene coordinates.

    ``pixel`` is the length of one logical pixel in scene units, so that a tool can say "within
    8 pixels".  ``button`` is "left", "right" or "" (no button: hovering).  ``double`` marks the
    press that completes a double click, ``lost`` the release of a button that nobody let go: the
    window went away under it, or another tool was taken.  What was half done is given up then.
    """

    x: float
    y: float
    pixel: float = 1.0
    button: str = ""
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    double: bool = False
    lost: bool = False

    @property
    def point(self) -> Point:
        return self.x, self.y


@dataclass(frozen=True)
class CircleMark:
    """A circle of ``radius`` scene units.  ``tone`` is "positive", "negative" or "plain"."""

    center: Point
    radius: float
    tone: str = "plain"


@dataclass(frozen=True)
class LineMark:
    """A line over one of the scene, or the box round a single point.

    ``tone`` is "hover", "picked", "fitting", "chosen" or "faint"; "ghost" for what is not there
    yet, "refused" for what cannot be there.
    """

    points: tuple[Point, ...]
    tone: str = "hover"


def line_marks(lines: Iterable[Sequence[Sequence[float]] | NDArray], tone: str) -> list[LineMark]:
    """Lines of two columns as marks."""
    return [LineMark(tuple((float(x), float(y)) for x, y in line), tone) for line in lines]


def shape_marks(shape: Shape, tone: str) -> tuple[LineMark, ...]:
    """The outline of each part of a shape as a mark."""
    rings = ([*ring.tolist(), ring[0].tolist()] for ring, _ in smooth_rings(shape))
    return tuple(line_marks(rings, tone))


@dataclass(frozen=True)
class Grip:
    """A handle.  ``kind`` is "corner", "bow", "radius" or "move"; ``hot``: under the pointer."""

    at: Point
    kind: str
    hot: bool = False


@dataclass(frozen=True)
class Label:
    """A few words beside a point, or below those that are."""

    text: str
    at: Point
    below: bool = False


@dataclass(frozen=True)
class Overlay:
    """What a tool wants drawn over the field, in scene coordinates.

    Attributes
    ----------
    line : the outline in progress; ``closed`` joins its last point to the first and fills it.
    vertices : points marked with small squares.
    pending : the segment from the last vertex to the pointer, not yet part of the outline.
    invalid : the outline is drawn in the warning colour, with a cross at ``trouble``.
    snap : the point the pointer snapped to; ``snap_closes`` when it would close the outline.
    strokes : lines that mark what is there, such as the edge under the pointer.
    rings : circles, such as the ping radius under the pointer.
    grips : handles that can be dragged.
    label : text beside ``label_at``.
    labels : more of them.
    """

    line: tuple[Point, ...] = ()
    closed: bool = False
    vertices: tuple[Point, ...] = ()
    pending: tuple[Point, ...] = ()
    invalid: bool = False
    trouble: Point | None = None
    snap: Point | None = None
    snap_closes: bool = False
    strokes: tuple[LineMark, ...] = ()
    rings: tuple[CircleMark, ...] = ()
    grips: tuple[Grip, ...] = ()
    label: str = ""
    label_at: Point | None = None
    labels: tuple[Label, ...] = ()

    def told(self, label: str, at: Point, refusal: Refusal | None = None) -> Overlay:
        """With a label, or in the warning colour with the reason why this cannot be."""
        if refusal is None:
            return replace(self, label=label, label_at=at)
        return replace(self, invalid=True, trouble=refusal.where, label=refusal.text, label_at=at)


EMPTY = Overlay()


class Tool:
    """One way of using the pointer, and how it is offered.

    Keys are "Enter", "Backspace", "Delete", "Escape", "Tab", "Left", "Right", "Up", "Down", with
    Shift "Shift+Left" and so on, or the character typed.

    Attributes
    ----------
    label, tooltip : its name, and what it is for.
    icon : a qtawesome name.
    shortcut : one letter.
    gestures : all it understands, for the list of keys.
    cursor : "cross", "hand" or "none" (the overlay shows where the pointer is).
    """

    label: str
    icon: str
    shortcut: str
    tooltip: str
    gestures: Gestures
    cursor = "cross"

    @property
    def hint(self) -> str:
        """One line for the status bar, for the tool's present state."""
        raise NotImplementedError

    def press(self, event: PointerEvent) -> None:
        """A button went down on the canvas."""

    def move(self, event: PointerEvent) -> None:
        """The pointer is elsewhere, or a key that changes what it does was pressed or let go."""

    def release(self, event: PointerEvent) -> None:
        """A button whose press the tool was told of went up."""

    def hold(self) -> bool:
        """The left button is held, and the pointer has rested for ``HOLD_INTERVAL`` seconds.

        Returns whether anything changed that has to be redrawn.
        """
        return False

    def leave(self) -> None:
        """The pointer left the canvas."""

    def wants_key(self, name: str) -> bool:
        """Whether :meth:`key` would use this key now (it then wins over menu shortcuts)."""
        return False

    def key(self, name: str) -> bool:
        """Use a key if it is wanted; whether it was."""
        wanted = self.wants_key(name)
        if wanted:
            self.use_key(name)
        return wanted

    def use_key(self, name: str) -> None:
        """Do what a key means that is wanted."""

    def overlay(self) -> Overlay:
        return EMPTY
