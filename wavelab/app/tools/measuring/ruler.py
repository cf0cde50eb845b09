"""Measure on the picture: drag rulers and angles, click for the stopwatch, hover for what is
there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from wavelab.app.tools.measuring.measures import Protractor, Ruler
from wavelab.app.tools.measuring.stopwatch import Watch
from wavelab.app.tools.measuring.survey import Survey, spot_words
from wavelab.app.tools.snapping import VERTEX_PIXELS, Snapped, snap
from wavelab.app.tools.tool import (
    EMPTY,
    GRAB_PIXELS,
    Grip,
    Label,
    LineMark,
    Overlay,
    Point,
    PointerEvent,
    Tool,
)

#: A press that has gone no further than this, in logical pixels, is a click.
CLICK_PIXELS = 3.0
#: What a drag measures: the key of each, and its name.
MEASURED = {"length": "Length", "angle": "Angle to the normal"}


@dataclass
class _Press:
    """The left button is down.

    Attributes
    ----------
    time : of the picture then.
    held : the number of the measure that is dragged, and of its end, -1 for all of it.
    made : what comes of the drag, None before the pointer has moved.
    """

    at: PointerEvent
    time: float
    held: tuple[int, int] | None = None
    drags: bool = False
    made: Ruler | None = None


class RulerTool(Tool):
    """A drag measures a length, or an angle to the normal of the nearest edge; two clicks the time
    between them.  What was measured stays until it is deleted.

    Parameters
    ----------
    survey : what is measured in.
    changed : called when something is measured, changed or taken away.

    Attributes
    ----------
    measuring : of ``MEASURED``, what the next drag measures.
    snapping : whether ends go to corners, edges and the grid; Ctrl does it the other way.
    measures : all that stays.
    """

    label, icon, shortcut = "Ruler", "ph.ruler", "K"
    tooltip = "Measure lengths in wavelengths and time, angles to a normal, and speeds"
    gestures = (
        ("Drag", "A ruler: length, angle, wavelengths, time; or angles to a normal"),
        ("Click on a ruler", "Choose it; then drag it, or one of its ends"),
        ("Delete, Backspace", "Take the chosen one away, or the newest"),
        ("Click", "Start the stopwatch; at another place: stop it"),
        ("Shift", "Horizontal or vertical"),
        ("Ctrl", "No snapping, or snapping where that is switched off"),
        ("Esc", "Give up what is dragged or timed"),
    )

    def __init__(
        self, survey: Survey | None = None, *, changed: Callable[[], None] = lambda: None
    ) -> None:
        self.measuring = "length"
        self.snapping = True
        self.measures: list[Ruler] = []
        self._survey = survey or Survey()
        self._changed = changed
        self._chosen: int | None = None
        self._pointer: PointerEvent | None = None
        self._pixel = 1.0
        self._press: _Press | None = None
        self._watch: Watch | None = None

    def time_passed(self) -> bool:
        """Another picture is on show; whether that changes what the tool shows."""
        if self._watch is None or not self._watch.runs:
            return False
        if self._survey.now() < self._watch.begun:
            self._watch = None  # the run began anew
        return True

    def let_go(self) -> None:
        """Whatever was being dragged when another tool was taken."""
        self._press = None

    def forget(self) -> None:
        """Take away all that was measured."""
        self._press = self._watch = self._chosen = None
        self.measures.clear()
        self._changed()

    def kept(self, pixel: float) -> Overlay:
        """What stays while another tool is used, where a logical pixel is so long."""
        return self._drawn(self.measures, pixel)

    @property
    def hint(self) -> str:
        effect = "no snapping" if self.snapping else "snapping"
        if self._press is not None and self._press.drags:
            made = self._press.made
            if made is None:
                return "There is no edge in this scene, and so no normal to measure an angle to"
            return f"{made.words(self._survey)}; Shift: horizontal or vertical, Ctrl: {effect}"
        if self._watch is not None and self._watch.runs:
            return "Click where the wave is to stop the stopwatch; Esc gives up"
        if self._chosen is not None:
            return "Drag the ruler or one of its ends; Delete takes it away"
        what = "a ruler" if self.measuring == "length" else "from an edge along a ray"
        here = self._survey.spot(self._pointer.point) if self._pointer is not None else None
        if here is None:
            return f"Drag {what}; a click starts the stopwatch, the next one stops it"
        return f"Drag {what}, click for the stopwatch. {spot_words(here)}"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._point(event)
        # What counts is when the button went down, not when it was let go.
        self._press = _Press(event, self._survey.now(), self._held(event))

    def move(self, event: PointerEvent) -> None:
        self._point(event)
        if (press := self._press) is not None:
            away = math.dist(press.at.point, event.point)
            press.drags = press.drags or away > CLICK_PIXELS * event.pixel
            if press.drags:
                press.made = self._made(press, event)

    def release(self, event: PointerEvent) -> None:
        if self._press is None or event.button != "left":
            return
        self.move(event)
        press, self._press = self._press, None
        if event.lost:
            return
        if not press.drags:
            self._click(press)
        elif press.made is not None and not press.made.empty:
            if press.held is not None:
                self.measures[press.held[0]] = press.made
            else:
                self.measures.append(press.made)
                self._chosen = None
            self._changed()

    def leave(self) -> None:
        if self._press is None:
            self._pointer = None

    def wants_key(self, name: str) -> bool:
        if name in ("Delete", "Backspace"):
            return bool(self.measures) and self._press is None
        runs = self._watch is not None
        return name == "Escape" and (self._press is not None or runs or self._chosen is not None)

    def use_key(self, name: str) -> None:
        if name != "Escape":
            del self.measures[-1 if self._chosen is None else self._chosen]
            self._chosen = None
            self._changed()
        elif self._press is not None:
            self._press = None
        else:
            self._watch = self._chosen = None

    def overlay(self) -> Overlay:
        shown, press = list(self.measures), self._press
        if press is not None and press.made is not None:
            if press.held is not None:
                shown[press.held[0]] = press.made
            else:
                shown.append(press.made)
        if self._pointer is None and not shown and self._watch is None:
            return EMPTY
        drawn = self._drawn(shown, self._pixel)
        grips: tuple[Grip, ...] = ()
        if self._chosen is not None and press is None:
            grips = tuple(Grip(at, "corner") for at in self.measures[self._chosen].ends)
        ends, labels = list(drawn.vertices), list(drawn.labels)
        strokes, pending = list(drawn.strokes), self._timed(ends, labels)
        if (watch := self._watch) is not None and watch.end is not None:
            strokes.append(LineMark((watch.start, watch.end), "ghost"))
        snapped = self._snapped(self._pointer) if self._pointer is not None else Snapped((0, 0))
        return Overlay(
            pending=pending,
            vertices=tuple(ends),
            snap=snapped.point if snapped.to else None,
            strokes=tuple(strokes),
            grips=grips,
            labels=tuple(labels),
        )

    def _timed(self, ends: list[Point], labels: list[Label]) -> tuple[Point, ...]:
        """The stopwatch: its ends and its label; the line to the pointer while it runs."""
        watch = self._watch
        if watch is None:
            return ()
        ends.append(watch.start)
        if watch.end is not None:
            ends.append(watch.end)
            labels.append(Label(watch.told(watch.end, watch.ended), watch.end, below=True))
            return ()
        at = watch.start
        if self._pointer is not None:
            at = self._snapped(self._pointer, watch.start).point
        labels.append(Label(watch.told(at, self._survey.now()), at, below=True))
        return () if self._pointer is None else (watch.start, at)

    def _drawn(self, measures: list[Ruler], pixel: float) -> Overlay:
        strokes: list[LineMark] = []
        for measure in measures:
            strokes.append(LineMark(measure.ends, "ghost"))
            strokes += measure.marks(self._survey, pixel)
        return Overlay(
            vertices=tuple(end for measure in measures for end in measure.ends),
            strokes=tuple(strokes),
            labels=tuple(Label(m.label(self._survey), m.end) for m in measures),
        )

    def _point(self, event: PointerEvent) -> None:
        self._pointer, self._pixel = event, event.pixel

    def _held(self, event: PointerEvent) -> tuple[int, int] | None:
        """What a drag from there changes: an end of the chosen measure, or all of it."""
        if self._chosen is None:
            return None
        measure, reach = self.measures[self._chosen], GRAB_PIXELS * event.pixel
        away = [math.dist(end, event.point) for end in measure.ends]
        if min(away) <= reach:
            return self._chosen, away.index(min(away))
        return (self._chosen, -1) if measure.away(event.point) <= reach else None

    def _made(self, press: _Press, event: PointerEvent) -> Ruler | None:
        if press.held is None:
            start = self._begun(press.at)
            end = self._snapped(event, start).point
            if self.measuring == "angle":
                return Protractor.at(start, end, self._survey)
            return Ruler(start, end)
        number, end_number = press.held
        old = self.measures[number]
        if end_number < 0:
            (x0, y0), (x1, y1) = press.at.point, event.point
            return old.moved((x1 - x0, y1 - y0), self._survey)
        if end_number == 0 and isinstance(old, Protractor):
            return old.with_end(0, self._begun(event), self._survey)
        to = self._snapped(event, old.ends[1 - end_number]).point
        return old.with_end(end_number, to, self._survey)

    def _begun(self, event: PointerEvent) -> Point:
        """Where a measure begins: an angle on the edge, if that is near."""
        start = self._snapped(event).point
        if self.measuring != "angle" or self.snapping == event.ctrl:
            return start
        foot = self._survey.foot(start)
        near = foot is not None and foot.away <= VERTEX_PIXELS * event.pixel
        return foot.at if foot is not None and near else start

    def _snapped(self, event: PointerEvent, previous: Point | None = None) -> Snapped:
        """Shift at the beginning of a ruler means its other end."""
        free = event.ctrl if self.snapping else not event.ctrl
        if free and event.shift and previous is not None:
            level = abs(event.x - previous[0]) >= abs(event.y - previous[1])
            return Snapped((event.x, previous[1]) if level else (previous[0], event.y))
        event = replace(event, ctrl=free, shift=event.shift and previous is not None)
        return snap(event, self._survey.vertices(), previous)

    def _click(self, press: _Press) -> None:
        reach = GRAB_PIXELS * press.at.pixel
        watch = self._watch
        if watch is None or not watch.runs:
            near = [(m.away(press.at.point), i) for i, m in enumerate(self.measures)]
            away, number = min(near, default=(math.inf, 0))
            if away <= reach:
                self._chosen = number
            elif self._chosen is not None:
                self._chosen = None
            else:
                self._watch = Watch(self._snapped(press.at).point, press.time)
        else:
            end = self._snapped(press.at, watch.start).point
            self._watch = replace(watch, end=end, ended=press.time)
