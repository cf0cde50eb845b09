"""The outlines that single elements of SVG draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from wavelab.meshing.outlines.curves import Line, arc_between, ellipse
from wavelab.meshing.svg.numbers import UnreadableError, length, numbers
from wavelab.meshing.svg.path_data import Subpath, subpaths
from wavelab.meshing.svg.viewport import Viewport

Attributes = dict[str, str]


def _path(attributes: Attributes, _: Viewport) -> list[Subpath]:
    return subpaths(attributes.get("d", ""))


def _rect(attributes: Attributes, view: Viewport) -> list[Subpath]:
    x, y, width, height = _lengths(attributes, view, "x y width height")
    if not (width > 0 and height > 0):
        return []
    round_x, round_y = (attributes.get(name, "auto") for name in ("rx", "ry"))
    rx = length(round_x, view.size[0]) if round_x != "auto" else None
    ry = length(round_y, view.size[1]) if round_y != "auto" else None
    # One of them stands for both.
    rx, ry = (ry or 0.0) if rx is None else rx, (rx or 0.0) if ry is None else ry
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    corner, across, up = complex(x, y), complex(width), complex(0, height)
    corners = [corner, corner + across, corner + across + up, corner + up]
    if not (rx > 0 and ry > 0):
        return [_ring(corners)]
    result = Subpath(corners[0], closed=True)
    steps = [complex(rx), complex(0, ry), complex(-rx), complex(0, -ry)]
    for i in range(4):
        start, end = corners[i] + steps[i], corners[(i + 1) % 4] - steps[i]
        after = corners[(i + 1) % 4] + steps[(i + 1) % 4]
        if start != end:
            result.curves.append(Line(start, end))
        result.curves.append(arc_between(end, after, rx, ry, 0, False, True))
    result.start = corners[0] + steps[0]
    return [result]


def _circle(attributes: Attributes, view: Viewport) -> list[Subpath]:
    x, y, radius = _lengths(attributes, view, "cx cy r")
    return _round(complex(x, y), radius, radius)


def _ellipse(attributes: Attributes, view: Viewport) -> list[Subpath]:
    x, y = _lengths(attributes, view, "cx cy")
    given = [n for n in ("rx", "ry") if attributes.get(n, "auto") != "auto"]
    radii = [*_lengths(attributes, view, " ".join(given)), 0.0]
    return _round(complex(x, y), radii[0], radii[1] if len(given) == 2 else radii[0])


def _round(center: complex, rx: float, ry: float) -> list[Subpath]:
    if not (rx > 0 and ry > 0):
        return []
    rim = ellipse(center, rx, ry)
    return [Subpath(rim.start, [rim], closed=True)]


def _polygon(attributes: Attributes, _: Viewport) -> list[Subpath]:
    points = _points(attributes)
    return [_ring(points)] if points else []


def _polyline(attributes: Attributes, _: Viewport) -> list[Subpath]:
    points = _points(attributes)
    lines = [Line(a, b) for a, b in pairwise(points) if a != b]
    return [Subpath(points[0], [*lines])] if lines else []


def _line(attributes: Attributes, view: Viewport) -> list[Subpath]:
    x1, y1, x2, y2 = _lengths(attributes, view, "x1 y1 x2 y2")
    start, end = complex(x1, y1), complex(x2, y2)
    return [Subpath(start, [Line(start, end)])] if start != end else []


def _ring(points: Sequence[complex]) -> Subpath:
    ends = [*points[1:], points[0]]
    lines = [Line(a, b) for a, b in zip(points, ends, strict=True) if a != b]
    return Subpath(points[0], [*lines], closed=True)


def _points(attributes: Attributes) -> list[complex]:
    values = numbers(attributes.get("points", ""))
    if len(values) % 2:
        raise UnreadableError(f"there are {len(values)} coordinates, an odd number")
    return [complex(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]


def _lengths(attributes: Attributes, view: Viewport, names: str) -> list[float]:
    wholes = {"x": view.size[0], "y": view.size[1], "w": view.size[0], "h": view.size[1]}

    def whole(name: str) -> float:
        if name == "r":
            return view.diagonal
        return wholes[name[-1] if name[-1] in "xy" else name[0]]

    return [length(attributes.get(name, "0"), whole(name)) for name in names.split()]


#: Their lengths may be parts of the viewport.
RELATIVE = frozenset({"rect", "circle", "ellipse", "line"})
#: By the name of the element; each may raise :class:`UnreadableError`.
DRAWN: dict[str, Callable[[Attributes, Viewport], list[Subpath]]] = {
    "path": _path,
    "rect": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "polygon": _polygon,
    "polyline": _polyline,
    "line": _line,
}
