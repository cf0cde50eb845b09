"""Measure on the picture: drag a ruler, click for the stopwatch, hover for what is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wavelab.app.base.numbers import MINUS, three_figures
from wavelab.app.tools.snapping import Snapped, snap
from wavelab.app.tools.tool import EMPTY, Label, LineMark, Overlay, Point, PointerEvent, Tool
from wavelab.physics.optical_path import OpticalPath, Spot

#: A press that has gone no further than this, in logical pixels, is a click.
CLICK_PIXELS = 3.0
#: Half the length of the marks at whole wavelengths, and how near they may be, in logical pixels.
MARK_PIXELS, CROWDED_PIXELS = 4.0, 6.0


@dataclass(frozen=True)
class Survey:
    """What the tool asks about the experiment.

    Attributes
    ----------
    vertices : those of the scene, which attract ends.
    now : the simulated time of the picture on show.
    frequency : at which wavelengths are counted.
    spot : what is at a place; None outside of the domain.
    path : what a line goes through; None if it leaves the domain.
    """

    vertices: Callable[[], Sequence[Point]] = tuple
    now: Callable[[], float] = lambda: 0.0
    frequency: Callable[[], float] = lambda: 1.0
    spot: Callable[[Point], Spot | None] = lambda _: None
    path: Callable[[Point, Point], OpticalPath | None] = lambda *_: None


@dataclass(frozen=True)
class Watch:
    """A simulated time taken from one place to another; ``end`` is None while it runs."""

    start: Point
    begun: float
    end: Point | None = None
    ended: float = 0.0


@dataclass
class _Press:
    """The left button is down.  ``time`` is that of the picture then; ``drags`` once it moved."""

    at: PointerEvent
    time: float
    drags: bool = False


class RulerTool(Tool):
    """A drag measures a length, two clicks the time between them.

    What was measured stays until the next, or Esc.

    Parameters
    ----------
    survey : what is measured in.
    """

    label, icon, shortcut = "Ruler", "ph.ruler", "K"
    tooltip = "Drag to measure a length in wavelengths and time, click for a stopwatch"
    gestures = (
        ("Drag", "A ruler: length, angle, wavelengths, time"),
        ("Click", "Start the stopwatch; at another place: stop it"),
        ("Shift", "Horizontal or vertical"),
        ("Ctrl", "No snapping"),
        ("Esc", "Take what was measured away"),
    )

    def __init__(self, survey: Survey | None = None) -> None:
        self._survey = survey or Survey()
        self._pointer: PointerEvent | None = None
        self._pixel = 1.0
        self._press: _Press | None = None
        self._ruler: tuple[Point, Point] | None = None
        self._watch: Watch | None = None

    def time_passed(self) -> bool:
        """Another picture is on show; whether that changes what the tool shows."""
        if self._watch is None or self._watch.end is not None:
            return False
        if self._survey.now() < self._watch.begun:
            self._watch = None  # the run began anew
        return True

    def let_go(self) -> None:
        """Whatever was being dragged when another tool was taken."""
        self._press = None

    def forget(self) -> None:
        """Take away what was measured."""
        self._press = self._ruler = self._watch = None

    @property
    def hint(self) -> str:
        if self._press is not None and self._press.drags and self._ruler is not None:
            return f"{self._words(*self._ruler)}; Shift: horizontal or vertical, Ctrl: no snapping"
        if self._watch is not None and self._watch.end is None:
            return "Click where the wave is to stop the stopwatch; Esc gives up"
        here = self._survey.spot(self._pointer.point) if self._pointer is not None else None
        if here is None:
            return "Drag a ruler; a click starts the stopwatch, the next one stops it"
        return f"Drag a ruler, click for the stopwatch. {spot_words(here)}"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._point(event)
        # What counts is when the button went down, not when it was let go.
        self._press = _Press(event, self._survey.now())

    def move(self, event: PointerEvent) -> None:
        self._point(event)
        if (press := self._press) is not None:
            away = math.dist(press.at.point, event.point)
            press.drags = press.drags or away > CLICK_PIXELS * event.pixel
            if press.drags:
                start = self._snapped(press.at).point
                self._ruler = (start, self._snapped(event, start).point)

    def release(self, event: PointerEvent) -> None:
        if self._press is None or event.button != "left":
            return
        self.move(event)
        press, self._press = self._press, None
        if not press.drags:
            self._click(press)
        elif self._ruler is not None and self._ruler[0] == self._ruler[1]:
            self._ruler = None

    def leave(self) -> None:
        if self._press is None:
            self._pointer = None

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and (self._ruler, self._watch) != (None, None)

    def use_key(self, name: str) -> None:
        self.forget()

    def overlay(self) -> Overlay:
        if self._pointer is None and (self._ruler, self._watch) == (None, None):
            return EMPTY
        strokes: list[LineMark] = []
        ends: list[Point] = []
        labels: list[Label] = []
        pending: tuple[Point, ...] = ()
        snapped = self._snapped(self._pointer) if self._pointer is not None else Snapped((0, 0))
        if self._ruler is not None:
            strokes += self._marks(*self._ruler)
            ends += self._ruler
            labels.append(Label(self._label(*self._ruler), self._ruler[1]))
        if (watch := self._watch) is not None:
            ends.append(watch.start)
            if watch.end is not None:
                strokes.append(LineMark((watch.start, watch.end), "ghost"))
                ends.append(watch.end)
                told = _timed(watch, watch.end, watch.ended)
                labels.append(Label(told, watch.end, below=True))
            else:
                at = watch.start
                if self._pointer is not None:
                    at = self._snapped(self._pointer, watch.start).point
                    pending = (watch.start, at)
                labels.append(Label(_timed(watch, at, self._survey.now()), at, below=True))
        return Overlay(
            line=self._ruler or (),
            pending=pending,
            vertices=tuple(ends),
            snap=snapped.point if snapped.to else None,
            strokes=tuple(strokes),
            labels=tuple(labels),
        )

    def _point(self, event: PointerEvent) -> None:
        self._pointer, self._pixel = event, event.pixel

    def _snapped(self, event: PointerEvent, previous: Point | None = None) -> Snapped:
        """Shift at the beginning of a ruler means its other end."""
        if previous is None:
            event = replace(event, shift=False)
        return snap(event, self._survey.vertices(), previous)

    def _click(self, press: _Press) -> None:
        watch = self._watch
        if watch is None or watch.end is not None:
            self._watch = Watch(self._snapped(press.at).point, press.time)
        else:
            end = self._snapped(press.at, watch.start).point
            self._watch = replace(watch, end=end, ended=press.time)

    def _label(self, start: Point, end: Point) -> str:
        """What stands beside a ruler."""
        label = f"{three_figures(math.dist(start, end))}, {_angle(start, end)}"
        path = self._survey.path(start, end) if start != end else None
        if path is None:
            return label
        return f"{label}, {three_figures(path.wavelengths)} \u03bb, t {three_figures(path.time)}"

    def _words(self, start: Point, end: Point) -> str:
        """The same in words."""
        told = f"{three_figures(math.dist(start, end))} long at {_angle(start, end)}"
        path = self._survey.path(start, end) if start != end else None
        if path is None:
            return f"{told}; wavelengths are counted inside the domain"
        frequency = three_figures(self._survey.frequency())
        return (
            f"{told}: {three_figures(path.wavelengths)} wavelengths of frequency {frequency}, "
            f"light takes {three_figures(path.time)}"
        )

    def _marks(self, start: Point, end: Point) -> list[LineMark]:
        """Small lines across a ruler after each whole wavelength, where there is room for them."""
        length = math.dist(start, end)
        path = self._survey.path(start, end) if length > 0 else None
        if path is None or length < CROWDED_PIXELS * self._pixel * path.wavelengths:
            return []
        dx, dy = end[0] - start[0], end[1] - start[1]
        size = MARK_PIXELS * self._pixel / length
        marks = []
        for part in path.marks.tolist():
            x, y = start[0] + part * dx, start[1] + part * dy
            ends = ((x - size * dy, y + size * dx), (x + size * dy, y - size * dx))
            marks.append(LineMark(ends, "ghost"))
        return marks


def spot_words(spot: Spot) -> str:
    """What is under the pointer, in a line."""
    return (
        f"Element {spot.element}, edge {three_figures(spot.size)}, order {spot.order}; "
        f"n {three_figures(spot.index)}, wavelength {three_figures(spot.wavelength)}: "
        f"{three_figures(spot.points_per_wavelength)} points in it"
    )


def _angle(start: Point, end: Point) -> str:
    turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    # No -0, which would be written.
    return f"{round(turn, 1) + 0.0:.1f}\u00b0".replace("-", MINUS)


def _timed(watch: Watch, end: Point, time: float) -> str:
    """A stopwatch that shows ``time`` when it is taken to ``end``."""
    elapsed, away = time - watch.begun, math.dist(watch.start, end)
    told = f"t {elapsed:.4f}" if elapsed < 1e4 else f"t {three_figures(elapsed)}"
    if away == 0 or elapsed <= 0:
        return told
    return f"{told}, {three_figures(away)}: speed {three_figures(away / elapsed)}"
