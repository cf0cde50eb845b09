"""Arcs in lines of many short edges, as layouts of chips have them in place of arcs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wavelab.scene.model.shapes.arcs import SMALLEST_BULGE, circle_of

#: Edges that make an arc, and degrees of it that one takes: a full circle has 56 of them or more,
#: and is off them by 1.6e-3 of its radius at most.
_FEWEST, _TURN = 4, 6.5
#: By which the longest edge of an arc may be longer than most are.
_ALIKE = 2.5
#: Degrees that an arc turns by at most.
_MOST = 100.0
#: Of the chord of an arc, how far its points may be off; they are rounded besides.
_OFF = 5e-5


def arcs_in(points: Sequence[complex], rounding: float) -> list[tuple[complex, float]]:
    """Where each edge begins, and its bulge, of a line from the first point to the last.

    Runs of edges whose corners lie on one circle become arcs, those on a line become one edge, and
    all others stay as they are.

    Parameters
    ----------
    rounding : by which points may be off whatever they lie on.
    """
    line = np.array(points)
    steps = np.diff(line)
    if not (np.abs(np.angle(steps[1:] / steps[:-1])) < math.radians(2 * _TURN)).any():
        return [(point, 0.0) for point in points[:-1]]  # corners alone
    edges: list[tuple[complex, float]] = []
    at, last = 0, len(line) - 1
    while at < last:
        before = edges[-1] if edges else (0j, 0.0)
        if before[1] and (onward := _onward(line, at, before, rounding)):
            far, bulge = onward
        else:
            far, bulge = _longest(line, at, rounding)
        edges.append((complex(line[at]), bulge))
        at = far
    return edges


def _longest(line: np.ndarray, at: int, rounding: float) -> tuple[int, float]:
    """The last point and the bulge of the longest run that begins at a point."""
    last = len(line) - 1
    for first in (_FEWEST, 2):
        # Doubled as long as it fits, then halved between.
        fits, fails, step, bulge = at, last + 1, first, 0.0
        while at + step < fails:
            if (found := _fit(line, at, at + step, rounding, first)) is None:
                fails = at + step
                break
            fits, bulge, step = at + step, found, 2 * step
        if fits == at:
            continue
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if (found := _fit(line, at, middle, rounding, first)) is None:
                fails = middle
            else:
                fits, bulge = middle, found
        return fits, bulge
    return at + 1, 0.0


def _onward(
    line: np.ndarray, at: int, before: tuple[complex, float], rounding: float
) -> tuple[int, float] | None:
    """As :func:`_longest`, on the circle of the arc that ends at a point, of however few edges."""
    (start, bulge), stop = before, complex(line[at])
    center, radius = circle_of((start.real, start.imag), (stop.real, stop.imag), bulge)
    spokes = line[at : at + math.ceil(_MOST / 0.1)] - complex(*center)
    turns = np.degrees(np.angle(spokes[1:] / spokes[:-1])) * np.sign(bulge)
    off = np.abs(np.abs(spokes[1:]) - radius) > rounding + _OFF * radius
    usual = np.median(np.abs(np.diff(line[max(at - _FEWEST, 0) : at + 1])))
    long = np.abs(np.diff(line[at : at + len(spokes)])) > _ALIKE * usual
    ends = off | long | (turns <= 0) | (turns > _TURN) | (np.cumsum(turns) > _MOST)
    count = int(np.argmax(ends)) if ends.any() else len(ends)
    if not count:
        return None
    turn = math.radians(float(turns[:count].sum()))
    new = math.copysign(math.tan(turn / 4), bulge)
    return (at + count, new) if abs(new) >= SMALLEST_BULGE else None


def _fit(line: np.ndarray, begin: int, end: int, rounding: float, fewest: int) -> float | None:
    """The bulge of the arc from point to point, 0 of a line; None if those between are on
    neither."""
    start, stop = complex(line[begin]), complex(line[end])
    between = line[begin + 1 : end]
    chord = stop - start
    if not chord:
        return None
    off = np.abs(((between - start) * chord.conjugate()).imag) / abs(chord)
    forward = ((between - start) * chord.conjugate()).real
    if off.max(initial=0.0) <= rounding and (np.diff(forward) > 0).all() and (forward > 0).all():
        return 0.0
    if fewest < _FEWEST or not off.any():
        return None
    # With the chord from -1 to 1, circles through its ends are |z|^2 - 1 = 2 c Im z: c by least
    # squares, as points are rounded.
    z = (2 * between - start - stop) / chord
    c = float((z.imag * (np.abs(z) ** 2 - 1)).sum() / (2 * (z.imag**2).sum()))
    bulge = -c - math.copysign(math.hypot(c, 1), z.imag.sum())
    ends = (start.real, start.imag), (stop.real, stop.imag)
    if not SMALLEST_BULGE <= abs(bulge) <= math.tan(math.radians(_MOST) / 4):
        return None
    center, radius = circle_of(*ends, bulge)
    spokes = line[begin : end + 1] - complex(*center)
    turns = np.degrees(np.angle(spokes[1:] / spokes[:-1])) * np.sign(bulge)
    away = np.abs(np.abs(spokes) - radius)
    fits = away.max() <= rounding + _OFF * abs(chord)
    # Edges of an arc are alike; a long one beside them is the line that it ends in.
    most = min(_TURN, _ALIKE * float(np.median(turns)))
    return bulge if fits and turns.min() > 0 and turns.max() <= most else None
