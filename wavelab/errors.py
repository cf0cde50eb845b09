"""Errors a user can act on.

Everything a user can get wrong raises a subclass of :class:`WavelabError`.  The command line
prints it on one or two lines and exits with status 2; the window shows it in the message bar.
Any other exception is a defect of the program.
"""

from __future__ import annotations

from functools import partial

#: Characters of a message, where to find it or its remedy.
_LONGEST = 2000
#: These are no "printable characters", but harmless, and some are meant.
_SPACES = "\n\u00a0\u202f"


class WavelabError(Exception):
    """Something the user can put right.

    Parameters
    ----------
    message : what is wrong, naming the item ("hole 2 crosses itself at (0.5, 0.5)").
    where : the file, line and key, or the device, or the shape that the message is about.
    remedy : what would be right, as one sentence; empty if the message already says it.
    """

    def __init__(self, message: str, *, where: str = "", remedy: str = "") -> None:
        self.message, self.where, self.remedy = map(_readable, (message, where, remedy))
        super().__init__(self.message)

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n  {self.remedy}" if self.remedy else head

    def __reduce__(self) -> tuple:
        # Exceptions with keyword-only arguments do not survive pickling by default, and meshing
        # errors come back from a child process.
        return (partial(type(self), where=self.where, remedy=self.remedy), (self.message,))


def _readable(text: str) -> str:
    """What a file says is quoted in messages, whatever it is: without characters that a terminal
    obeys, and in bounded length."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} \u2026 {text[-_LONGEST // 2 :]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _SPACES else repr(c)[1:-1] for c in text)


class SceneError(WavelabError):
    """A scene file, or a value in it, is not usable."""


class FormulaError(WavelabError):
    """A typed formula is not in the allowed language, or gives no finite number."""


class GeometryError(WavelabError):
    """A shape cannot be meshed."""


class MeshError(WavelabError):
    """A mesh, or a mesh file, is not usable."""


class DeviceError(WavelabError):
    """An OpenCL device is missing, refuses to work or computes nonsense."""


class UnstableError(WavelabError):
    """The field stopped being finite or grew without bound.

    ``element`` is the index of the worst element and ``time`` the last good time.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        remedy: str = "",
        element: int = -1,
        time: float = 0.0,
    ) -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.element = element
        self.time = time


class OutputError(WavelabError):
    """A picture, movie, trace or snapshot cannot be written."""
