"""Numbers, lengths and transforms as SVG writes them."""

from __future__ import annotations

import math
import re

from wavelab.meshing.outlines.curves import Affine

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SEPARATOR = re.compile(r"\s*,?\s*")
_LENGTH = re.compile(rf"({NUMBER.pattern})\s*([a-zA-Z]*|%)")
_BLANK = re.compile(r"[\s,]*")
_TRANSFORM = re.compile(r"([a-zA-Z]+)\s*\(([^()]*)\)")

#: Of any number in a drawing.
LARGEST = 1e15
#: Of a CSS pixel, which is the unit of what has none.
PIXELS = {
    "": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54,
    "pt": 4 / 3, "pc": 16.0,
}  # fmt: skip


class UnreadableError(ValueError):
    """A text that is not what SVG has there; the message tells which."""


def numbers(text: str) -> list[float]:
    """Numbers with blanks, a comma or nothing between them.

    Raises
    ------
    UnreadableError : something else is among them.
    """
    found, at = [], skip(text, 0)
    while at < len(text):
        match = NUMBER.match(text, at)
        if match is None:
            raise UnreadableError(f"{text[at : at + 20]!r} is no number")
        found.append(finite(match[0]))
        at = skip(text, match.end())
    return found


def skip(text: str, at: int, what: re.Pattern[str] = _SEPARATOR) -> int:
    """Where ``what`` ends: blanks, and a comma among them."""
    found = what.match(text, at)
    return found.end() if found else at


def finite(text: str) -> float:
    """One number.

    Raises
    ------
    UnreadableError : it is too large.
    """
    value = float(text)
    if not abs(value) <= LARGEST:
        raise UnreadableError(f"{text[:20]} is too large")
    return value


def length(text: str, whole: float) -> float:
    """A length in pixels; ``whole`` is what 100% are.

    Raises
    ------
    UnreadableError : it is none, or depends on a font.
    """
    match = _LENGTH.fullmatch(text.strip())
    unit = match[2].lower() if match else None
    if match is None or not (unit == "%" or unit in PIXELS):
        raise UnreadableError(f"{text[:20]!r} is no length in px, mm, cm, in, pt or %")
    value = finite(match[1])
    return value * whole / 100 if unit == "%" else value * PIXELS[unit or ""]


def transform(text: str) -> Affine:
    """A list of transforms, the last applied first.

    Raises
    ------
    UnreadableError : names what is no transform.
    """
    result, at = Affine(), 0
    while (at := skip(text, at, _BLANK)) < len(text):
        match = _TRANSFORM.match(text, at)
        if match is None:
            raise UnreadableError(f"{text[at : at + 20].strip()!r} is no transform")
        result = result @ _transform(match[1], numbers(match[2]))
        at = match.end()
    return result


def _transform(name: str, values: list[float]) -> Affine:
    match name, values:
        case "matrix", [a, b, c, d, e, f]:
            return Affine.matrix(a, b, c, d, e, f)
        case "translate", [x]:
            return Affine(c=x)
        case "translate", [x, y]:
            return Affine(c=complex(x, y))
        case "scale", [s]:
            return Affine(a=s)
        case "scale", [sx, sy]:
            return Affine((sx + sy) / 2, (sx - sy) / 2)
        case "rotate", [angle]:
            return Affine.matrix(*_rotation(angle), 0, 0)
        case "rotate", [angle, x, y]:
            there = Affine(c=complex(x, y))
            back = Affine(c=-complex(x, y))
            return there @ Affine.matrix(*_rotation(angle), 0, 0) @ back
        case "skewX", [angle]:
            return Affine.matrix(1, 0, math.tan(math.radians(angle)), 1, 0, 0)
        case "skewY", [angle]:
            return Affine.matrix(1, math.tan(math.radians(angle)), 0, 1, 0, 0)
    raise UnreadableError(f"{name[:20]} with {len(values)} numbers is no transform")


def _rotation(angle: float) -> tuple[float, float, float, float]:
    # Quarter turns exactly, so that rectangles stay rectangles.
    quarters, rest = divmod(angle, 90)
    turn = math.radians(angle)
    cosine, sine = math.cos(turn), math.sin(turn)
    if rest == 0:
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(quarters) % 4]
    return cosine, sine, -sine, cosine
