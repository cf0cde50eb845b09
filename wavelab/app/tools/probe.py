"""Place probes: a click records Ez there, a click on a probe takes it away."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.tools.tool import Overlay, PointerEvent
from wavelab.scene.scene import Probe

#: A click this near a probe, in logical pixels, means that probe.
GRAB_PIXELS = 10.0


class ProbeTool:
    """Click places a probe, or removes the one under the pointer.

    Parameters
    ----------
    place : called with (x, y) of a new probe.
    remove : called with the name of the probe to take away.
    probes : returns the scene's probes now.
    """

    cursor = "cross"

    def __init__(
        self,
        place: Callable[[float, float], None],
        *,
        remove: Callable[[str], None] | None = None,
        probes: Callable[[], Sequence[Probe]] = tuple,
    ) -> None:
        self._place = place
        self._remove = remove
        self._probes = probes
        self._under: Probe | None = None

    @property
    def hint(self) -> str:
        if self._under is not None:
            return f"Click to remove {self._under.name}"
        return "Click to place a probe that records Ez there; click a probe to remove it"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._under = self._nearest(event)
        if self._under is None:
            self._place(event.x, event.y)
        elif self._remove is not None:
            self._remove(self._under.name)
            self._under = None
        return True

    def move(self, event: PointerEvent) -> bool:
        before, self._under = self._under, self._nearest(event)
        return before != self._under

    def release(self, event: PointerEvent) -> bool:
        return False

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        changed, self._under = self._under is not None, None
        return changed

    def wants_key(self, name: str) -> bool:
        return False

    def key(self, name: str) -> bool:
        return False

    def overlay(self) -> Overlay:
        if self._under is None:
            return Overlay()
        return Overlay(
            snap=self._under.position,
            label=f"remove {self._under.name}",
            label_at=self._under.position,
        )

    def _nearest(self, event: PointerEvent) -> Probe | None:
        if self._remove is None:
            return None
        near = [
            (distance, probe)
            for probe in self._probes()
            if (distance := math.dist(probe.position, event.point)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near, key=lambda pair: pair[0])[1] if near else None
