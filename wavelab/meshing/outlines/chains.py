"""Open lines of a drawing that make up outlines end to end, as programs that draw plans write them.

Ends are joined where just two of them meet; what is a matter of choice is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import shapely

from wavelab.errors import GeometryError
from wavelab.meshing.outlines.curves import Curve, Line
from wavelab.meshing.outlines.outline import GAP, Outline
from wavelab.numerics.mesh.polygon import signed_area

#: Gap that a hand has left, in parts of the size of the shorter line, and of the mean width of what
#: is closed so: two lines beside each other are no outline.
_WIDE_GAP, _OF_WIDTH = 0.03, 0.5


def without_lines(drawn: Sequence[Outline]) -> tuple[tuple[Outline, ...], tuple[str, ...]]:
    """Closed outlines, those that open lines make up among them, and what became of the others.

    Raises
    ------
    GeometryError : there is nothing but open lines.
    """
    lines = [outline for outline in drawn if not outline.closed]
    if not lines:
        return tuple(drawn), ()
    made, rest = _chained(lines, GAP)
    mended, left = _chained(rest, _WIDE_GAP)
    outlines = (*(outline for outline in drawn if outline.closed), *made, *mended)
    if not outlines:
        first = left[0]
        here, there = (f"({z.real:g}, {z.imag:g})"
                       for z in (first.curves[0].start, first.curves[-1].end))  # fmt: skip
        raise GeometryError(
            f"{first.label} is open: it runs from {here} to {there}",
            where=first.where,
            remedy="Close it, or take it out; a line has no inside.",
        )
    notes = []
    if made:
        notes.append(
            f"made {_outlines(made)} of {len(lines) - len(rest)} lines that meet end to end"
        )
    if mended:
        notes.append(
            f"closed {_outlines(mended)} of {len(rest) - len(left)} open lines, whose ends lie "
            f"apart by less than {100 * _WIDE_GAP:g} % of their size"
        )
    if left:
        some = "an open line, which encloses"
        if len(left) > 1:
            some = f"{len(left)} open lines, which enclose"
        notes.append(f"left out {some} nothing")
    return outlines, tuple(notes)


def _outlines(some: Sequence[Outline]) -> str:
    return f"{len(some)} outlines" if len(some) > 1 else "an outline"


def _chained(lines: Sequence[Outline], gap: float) -> tuple[list[Outline], list[Outline]]:
    """Outlines that open lines make up, with the label and place of the first; and those lines that
    make up none."""
    partner = _partners(lines, gap) if lines else []
    closed: list[Outline] = []
    left: list[Outline] = []
    waiting = dict.fromkeys(range(len(lines)))
    while waiting:
        first = next(iter(waiting))
        chain, at = [2 * first], 2 * first
        while (following := partner[at ^ 1]) not in (-1, chain[0]):
            at = following
            chain.append(at)
        curves, widest = _bridged([_from(lines[begin // 2], begin % 2) for begin in chain])
        if following == chain[0] and widest <= _OF_WIDTH * _width(curves):
            closed.append(replace(lines[first], curves=tuple(curves), closed=True))
            members = [begin // 2 for begin in chain]
        else:
            left.append(lines[first])
            members = [first]
        for member in members:
            del waiting[member]
    return closed, left


def _partners(lines: Sequence[Outline], gap: float) -> list[int]:
    """For each end, 2 i where line i begins and 2 i + 1 where it ends, the only other end that it
    meets; -1 if there is none or more."""
    ends = [z for line in lines for z in (line.curves[0].start, line.curves[-1].end)]
    sizes = np.repeat([_extent(line.curves) for line in lines], 2)
    points = shapely.points([(z.real, z.imag) for z in ends])
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=gap * sizes)
    distances = shapely.distance(points[one], points[other])
    near = (one != other) & (distances <= gap * np.minimum(sizes[one], sizes[other]))
    one, other = one[near], other[near]
    counts = np.bincount(one, minlength=len(ends))
    partner = np.full(len(ends), -1)
    alone = (counts[one] == 1) & (counts[other] == 1)
    partner[one[alone]] = other[alone]
    return partner.tolist()


def _extent(curves: Sequence[Curve]) -> float:
    """How far a line gets from where it begins."""
    return max(abs(curve.at(t) - curves[0].start) for curve in curves for t in (0.5, 1.0))


def _bridged(parts: Sequence[Sequence[Curve]]) -> tuple[list[Curve], float]:
    """The curves of all parts, with lines over gaps that are more than rounding; and the widest."""
    curves: list[Curve] = []
    widest = 0.0
    for part, after in pairwise([*parts, parts[0]]):
        curves += part
        gap = abs(part[-1].end - after[0].start)
        widest = max(widest, gap)
        if gap > GAP * min(_extent(part), _extent(after)):
            curves.append(Line(part[-1].end, after[0].start))
    return curves, widest


def _width(curves: Sequence[Curve]) -> float:
    """Of what curves enclose, twice its area over its perimeter: that of a long strip."""
    points = [curve.at(t) for curve in curves for t in (0, 0.25, 0.5, 0.75)]
    area = abs(signed_area(np.array([(z.real, z.imag) for z in points])))
    return 2 * area / sum(abs(b - a) for a, b in pairwise([*points, points[0]]))


def _from(line: Outline, end: int) -> Sequence[Curve]:
    """The curves of a line from its beginning (0) or its end (1) on."""
    return [curve.reversed() for curve in reversed(line.curves)] if end else line.curves
