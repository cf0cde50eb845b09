"""The tools of the canvas.  A new tool is one file here and one entry in ``TOOLS``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.shape import ShapeTool
from wavelab.app.tools.measuring.probe import ProbeTool
from wavelab.app.tools.measuring.ruler import RulerTool
from wavelab.app.tools.pan import PanTool
from wavelab.app.tools.ping import PingTool
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.selecting.select import SelectTool
from wavelab.app.tools.source import SourceTool
from wavelab.app.tools.tool import (
    EMPTY,
    CircleMark,
    Gestures,
    LineMark,
    Overlay,
    PointerEvent,
    Tool,
)
from wavelab.app.tools.wall import WallTool


@dataclass(frozen=True)
class ToolInfo:
    """How a tool is offered.

    ``icon`` is a qtawesome name, ``shortcut`` one letter, ``factory`` the tool's class with what
    tells it from its siblings filled in; the callbacks are the caller's to give.
    """

    key: str
    label: str
    icon: str
    shortcut: str
    tooltip: str
    factory: Callable[..., Tool]


TOOLS: dict[str, ToolInfo] = {
    info.key: info
    for info in (
        ToolInfo(
            "ping",
            "Ping",
            "ph.broadcast",
            "P",
            "Ring the field: click for a ping, drag for a trail, Shift turns the sign",
            PingTool,
        ),
        ToolInfo(
            "select",
            "Select",
            "ph.cursor",
            "V",
            "See and change the properties of what you click",
            SelectTool,
        ),
        ToolInfo(
            "draw",
            "Draw polygon",
            "ph.polygon",
            "D",
            "Draw an obstacle or a new domain: click corners, or drag to draw by free hand",
            DrawTool,
        ),
        ToolInfo(
            "rectangle",
            "Draw rectangle",
            "ph.rectangle",
            "R",
            "Drag a rectangle; Shift makes a square, Alt starts from the centre",
            partial(ShapeTool, kind="rectangle"),
        ),
        ToolInfo(
            "ellipse",
            "Draw ellipse",
            "ph.circle",
            "E",
            "Drag an ellipse; Shift makes a circle, Alt starts from the centre",
            partial(ShapeTool, kind="ellipse"),
        ),
        ToolInfo(
            "source",
            "Source",
            "ph.waves",
            "S",
            "Place a source of waves; drag one to move it, click one to remove it",
            SourceTool,
        ),
        ToolInfo(
            "probe",
            "Probe",
            "ph.crosshair",
            "B",
            "Place a probe or a monitor; click a probe to remove it",
            ProbeTool,
        ),
        ToolInfo(
            "wall",
            "Wall",
            "ph.bounding-box",
            "W",
            "Choose what happens at an edge: click one, then its kind of wall",
            WallTool,
        ),
        ToolInfo(
            "ruler",
            "Ruler",
            "ph.ruler",
            "K",
            "Drag to measure a length in wavelengths and time, click for a stopwatch",
            RulerTool,
        ),
        ToolInfo(
            "hand",
            "Move view",
            "ph.hand",
            "M",
            "Drag to move the view (also: middle button, or Space and drag)",
            PanTool,
        ),
    )
}


def tool_gestures() -> dict[str, Gestures]:
    """What each tool understands, under its name and key; tools of one class come together."""
    found: dict[Gestures, list[str]] = {}
    for info in TOOLS.values():
        tool: Any = info.factory.func if isinstance(info.factory, partial) else info.factory
        found.setdefault(tool.gestures, []).append(f"{info.label} ({info.shortcut})")
    return {", ".join(names): gestures for gestures, names in found.items()}


__all__ = [
    "EMPTY",
    "TOOLS",
    "CircleMark",
    "DrawTool",
    "Gestures",
    "LineMark",
    "Overlay",
    "PanTool",
    "PingTool",
    "PointerEvent",
    "ProbeTool",
    "Purpose",
    "RulerTool",
    "SelectTool",
    "ShapeTool",
    "SourceTool",
    "Tool",
    "ToolInfo",
    "WallTool",
    "tool_gestures",
]
