"""The language of the ``d`` of a path (SVG 2, chapter 9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.meshing.outlines.curves import Cubic, Curve, Line, arc_between
from wavelab.meshing.svg.numbers import NUMBER, UnreadableError, finite, skip

#: Numbers that each command takes.
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS = (3, 4)
#: Of one path: moves and ends of outlines count too, which make no curves.
_MOST_COMMANDS = 400_000


@dataclass
class Subpath:
    """Curves that follow each other; ``closed`` by a Z."""

    start: complex
    curves: list[Curve] = field(default_factory=list)
    closed: bool = False


class BrokenOffError(UnreadableError):
    """What follows ``before`` is no part of the language; a path is shown up to there (SVG 2,
    9.5.4)."""

    before: list[Subpath]


def subpaths(text: str) -> list[Subpath]:
    """What a path draws.

    Raises
    ------
    BrokenOffError : tells what is no part of the language, with what is drawn before.
    UnreadableError : numbers that are too large, or too many commands.
    """
    pen = _Pen()
    try:
        _draw(text, pen)
    except BrokenOffError as error:
        error.before = [path for path in pen.paths if path.curves]
        raise
    return [path for path in pen.paths if path.curves]


def _draw(text: str, pen: _Pen) -> None:
    drawn = 0
    at = skip(text, 0)
    while at < len(text):
        command = text[at]
        if command.upper() not in _ARGUMENTS:
            raise BrokenOffError(f"{text[at : at + 20]!r} is no command of a path")
        at = skip(text, at + 1)
        count = _ARGUMENTS[command.upper()]
        while True:
            values, at = _values(text, at, command, count)
            drawn += 1
            if drawn > _MOST_COMMANDS:
                raise UnreadableError(f"it has more than {_MOST_COMMANDS:,} commands")
            pen.draw(command, values)
            # More numbers repeat the command; after a move they draw lines.
            command = {"M": "L", "m": "l"}.get(command, command)
            if count == 0 or at >= len(text) or text[at].upper() in _ARGUMENTS:
                break


def _values(text: str, at: int, command: str, count: int) -> tuple[list[float], int]:
    values: list[float] = []
    for i in range(count):
        if command in "Aa" and i in _FLAGS:
            # A single figure; the next number may follow without a blank.
            if text[at : at + 1] not in ("0", "1"):
                raise BrokenOffError(f"{text[at : at + 20]!r} is no flag of an arc, 0 or 1")
            values.append(float(text[at]))
            at = skip(text, at + 1)
            continue
        match = NUMBER.match(text, at)
        if match is None:
            found = repr(text[at : at + 20]) if at < len(text) else "the end"
            raise BrokenOffError(f"{command} takes {count} numbers, but there is {found}")
        values.append(finite(match[0]))
        at = skip(text, match.end())
    return values, at


class _Pen:
    def __init__(self) -> None:
        self.paths: list[Subpath] = []
        self._at = 0j
        #: Last control point, for the smooth commands that mirror it.
        self._cubic: complex | None = None
        self._quadratic: complex | None = None

    def draw(self, command: str, values: list[float]) -> None:
        origin = self._at if command.islower() else 0j
        kind = command.upper()
        if not self.paths and kind != "M":
            raise BrokenOffError(f"the path begins with {command}, not with M")
        cubic, quadratic = self._cubic, self._quadratic
        self._cubic = self._quadratic = None
        at = self._at
        if kind == "A":
            rx, ry, tilt, large, positive, x, y = values
            end = origin + complex(x, y)
            if end != at:
                self._add(arc_between(at, end, rx, ry, tilt, bool(large), bool(positive)), end)
            return
        points = [origin + complex(x, y) for x, y in zip(values[::2], values[1::2], strict=False)]
        match kind:
            case "M":
                self.paths.append(Subpath(points[0]))
                self._at = points[0]
            case "Z":
                path = self.paths[-1]
                path.closed = True
                if at != path.start:
                    path.curves.append(Line(at, path.start))
                self._at = path.start
            case "L":
                self._add(Line(at, points[0]), points[0])
            case "H":
                end = complex(values[0] + origin.real, at.imag)
                self._add(Line(at, end), end)
            case "V":
                end = complex(at.real, values[0] + origin.imag)
                self._add(Line(at, end), end)
            case "C" | "S":
                first = points[0] if kind == "C" else (at if cubic is None else 2 * at - cubic)
                second, end = points[-2:]
                self._add(Cubic(at, first, second, end), end)
                self._cubic = second
            case "Q" | "T":
                mirrored = at if quadratic is None else 2 * at - quadratic
                control = points[0] if kind == "Q" else mirrored
                self._add(Cubic.quadratic(at, control, points[-1]), points[-1])
                self._quadratic = control

    def _add(self, curve: Curve, end: complex) -> None:
        if self.paths[-1].closed:
            # Without a move, the next outline begins where the last one did.
            self.paths.append(Subpath(self._at))
        if not (isinstance(curve, Line) and curve.start == curve.end):
            self.paths[-1].curves.append(curve)
        self._at = end
