"""Move the view: the canvas pans while this tool is chosen."""

from __future__ import annotations

from wavelab.app.tools.tool import EMPTY, Overlay, PointerEvent


class PanTool:
    """Dragging with the left button pans; the canvas does it, as it does for the middle button."""

    gestures = (("Drag", "Move the view"),)
    cursor = "hand"
    hint = "Drag to move the view, turn the wheel to zoom at the pointer"

    def press(self, event: PointerEvent) -> bool:
        return False

    def move(self, event: PointerEvent) -> bool:
        return False

    def release(self, event: PointerEvent) -> bool:
        return False

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        return False

    def wants_key(self, name: str) -> bool:
        return False

    def key(self, name: str) -> bool:
        return False

    def overlay(self) -> Overlay:
        return EMPTY
