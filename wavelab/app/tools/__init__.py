"""The tools of the canvas.  A new tool is one file here and one entry in ``TOOLS``."""

from __future__ import annotations

from wavelab.app.language.language import tr
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.insert import InsertTool
from wavelab.app.tools.drawing.shape import EllipseTool, RectangleTool
from wavelab.app.tools.measuring.probe import ProbeTool
from wavelab.app.tools.measuring.ruler import RulerTool
from wavelab.app.tools.pan import PanTool
from wavelab.app.tools.ping import PingTool
from wavelab.app.tools.selecting.select import SelectTool
from wavelab.app.tools.source import SourceTool
from wavelab.app.tools.tool import Gestures, Tool
from wavelab.app.tools.wall import WallTool

#: In the order in which they are offered.
TOOLS: dict[str, type[Tool]] = {
    "ping": PingTool,
    "select": SelectTool,
    "draw": DrawTool,
    "rectangle": RectangleTool,
    "ellipse": EllipseTool,
    "insert": InsertTool,
    "source": SourceTool,
    "probe": ProbeTool,
    "wall": WallTool,
    "ruler": RulerTool,
    "pan": PanTool,
}


def tool_gestures() -> dict[str, Gestures]:
    """What each tool understands, under its name and key; tools alike in this come together."""
    found: dict[Gestures, list[str]] = {}
    for tool in TOOLS.values():
        found.setdefault(tool.gestures, []).append(f"{tr(tool.label)} ({tool.shortcut})")
    return {", ".join(names): gestures for gestures, names in found.items()}
