"""Move the view: the canvas pans while this tool is chosen."""

from __future__ import annotations

from wavelab.app.tools.tool import Tool


class PanTool(Tool):
    """Dragging with the left button pans; the canvas does it, as it does for the middle button."""

    label, icon, shortcut = "Move view", "ph.hand", "M"
    tooltip = "Drag to move the view (also: middle button, or Space and drag)"
    gestures = (("Drag", "Move the view"),)
    cursor = "hand"
    hint = "Drag to move the view, turn the wheel to zoom at the pointer"
