"""Events of the pointer for tools, without a window."""

from __future__ import annotations

from wavelab.app.tools.tool import PointerEvent

#: One logical pixel in these tests, in scene units.
PIXEL = 0.002


def at(x: float, y: float, button: str = "", **modifiers: bool) -> PointerEvent:
    return PointerEvent(x, y, PIXEL, button, **modifiers)


def click(tool, x: float, y: float, **modifiers: bool) -> None:
    tool.move(at(x, y, **modifiers))
    tool.press(at(x, y, "left", **modifiers))
    tool.release(at(x, y, "left", **modifiers))


def drag(tool, start, end, **modifiers: bool) -> None:
    tool.press(at(*start, "left", **modifiers))
    tool.move(at(*end, "left", **modifiers))
    tool.release(at(*end, "left", **modifiers))


class Calls(list):
    """Records the arguments it is called with."""

    def __call__(self, *arguments) -> None:
        self.append(arguments)
