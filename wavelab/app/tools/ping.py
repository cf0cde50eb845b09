"""Ring the field: a click adds a ping to Ez, a drag paints a trail, holding repeats the ping."""

from __future__ import annotations

import math
from collections.abc import Callable

from wavelab.app.tools.tool import CircleMark, Overlay, Point, PointerEvent, Tool
from wavelab.scene.model.sending.pings import Ping

#: Factor by which [ and ] change the radius.
RADIUS_STEP = 1.25
#: Distance of the pings of a trail in radii: exp(-d^2 / 2 r^2) summed this densely is flat.
TRAIL_SPACING = 0.5
#: The screen hides no radius: it stays between these many pixels while it is changed by key.
SMALLEST_PIXELS, LARGEST_PIXELS = 2.0, 2000.0
#: Pings one movement of the pointer may add; a jump across a large scene does not stall the run.
LONGEST_STROKE = 200


class PingTool(Tool):
    """Click adds a ping, drag paints a trail, holding the button repeats the ping; Shift turns
    the sign, [ and ] change the radius.

    Parameters
    ----------
    ping : called with every ping; their time is when they are given.
    radius : standard deviation of the ping, scene units.
    height : returns the peak of |Ez| of a single ping, asked when the button goes down.
    negative : whether a ping lowers Ez without Shift.
    radius_changed : called with the new radius after [ or ].
    """

    label, icon, shortcut = "Ping", "ph.broadcast", "P"
    tooltip = "Ring the field: click for a ping, drag for a trail, Shift turns the sign"
    gestures = (
        ("Click", "A ping; hold the button to repeat it"),
        ("Drag", "A trail of pings"),
        ("Shift", "The other sign"),
        ("[  ]", "Smaller, larger"),
    )
    cursor = "none"
    hint = (
        "Click to ring the field, hold to go on, drag for a trail; Shift: the other sign, "
        "[ and ]: the radius"
    )

    def __init__(
        self,
        ping: Callable[[Ping], None],
        *,
        radius: float = 0.05,
        height: Callable[[], float] = lambda: 1.0,
        negative: bool = False,
        radius_changed: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._ping = ping
        self._radius_changed = radius_changed
        self.radius = radius
        self.negative = negative
        self._height = height
        self._amplitude = 1.0
        self._pointer: PointerEvent | None = None
        self._last: Point | None = None

    def press(self, event: PointerEvent) -> None:
        self._pointer = event
        if event.button != "left":
            return
        # One height for the whole stroke: pings that follow the range they drive would run away.
        self._amplitude = self._height()
        self._last = event.point
        self._ping_at(event.point, self._signed(event))

    def move(self, event: PointerEvent) -> None:
        self._pointer = event
        if self._last is None:
            return
        spacing = TRAIL_SPACING * self.radius
        distance = math.dist(self._last, event.point)
        # Whole steps only: the trail does not depend on how often the system reports the mouse.
        for _ in range(min(int(distance / spacing), LONGEST_STROKE)):
            fraction = spacing / math.dist(self._last, event.point)
            self._last = (
                self._last[0] + fraction * (event.x - self._last[0]),
                self._last[1] + fraction * (event.y - self._last[1]),
            )
            # Overlapping pings add up; each is weakened so that the trail is as high as a click.
            weight = TRAIL_SPACING / math.sqrt(2 * math.pi)
            self._ping_at(self._last, weight * self._signed(event))

    def release(self, event: PointerEvent) -> None:
        self._pointer = event
        self._last = None

    def hold(self) -> bool:
        if self._last is None or self._pointer is None:
            return False
        self._ping_at(self._last, self._signed(self._pointer))
        return True

    def leave(self) -> None:
        self._pointer = None

    def wants_key(self, name: str) -> bool:
        return name in ("[", "]")

    def use_key(self, name: str) -> None:
        radius = self.radius * (RADIUS_STEP if name == "]" else 1 / RADIUS_STEP)
        if self._pointer is not None:
            pixel = self._pointer.pixel
            radius = min(max(radius, SMALLEST_PIXELS * pixel), LARGEST_PIXELS * pixel)
        self.radius = radius
        self._radius_changed(radius)

    def overlay(self) -> Overlay:
        if self._pointer is None:
            return Overlay()
        tone = "positive" if self._signed(self._pointer) > 0 else "negative"
        return Overlay(rings=(CircleMark(self._pointer.point, self.radius, tone),))

    def _signed(self, event: PointerEvent) -> float:
        return -self._amplitude if event.shift != self.negative else self._amplitude

    def _ping_at(self, at: Point, amplitude: float) -> None:
        self._ping(Ping(0.0, at, self.radius, amplitude))
