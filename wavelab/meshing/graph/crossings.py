"""Where arcs meet other lines: vertices of the polygons that stand for them.

A ring is meshed with the chords of its arcs, and the faces on them are bent afterwards, between
vertices that lie on the arc.  So where an arc crosses another line there must be a vertex on both,
and not where the chord crosses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import shapely

from wavelab.arrays import Array
from wavelab.meshing.graph.drawing import Ring
from wavelab.numerics.mesh.curves import EllipseCurve

#: A vertex of the chords slides to a crossing that is closer than this part of a chord.
_SLIDES = 0.4
#: Where along an arc crossings are looked for first.
_STARTS = (0.1, 0.9)
_NEWTON_STEPS = 20


@dataclass(frozen=True)
class _Piece:
    """Segment ``number`` of ring ``ring``, and its curve if it is a chord."""

    ring: int
    number: int
    start: Array
    end: Array
    curve: EllipseCurve | None

    def at(self, u: float) -> tuple[Array, Array]:
        """Point at u in [0, 1] and its derivative by u."""
        if self.curve is None:
            along = self.end - self.start
            return self.start + u * along, along
        first, last = self.curve.parameters(np.stack([self.start, self.end])).tolist()
        span = (last - first + np.pi) % (2 * np.pi) - np.pi
        there = np.array([first + u * span])
        return self.curve.points(there)[0], span * self.curve.tangents(there)[0]

    def beside(self, point: Array) -> float:
        """How far along the chord the point is."""
        along = self.end - self.start
        return float((point - self.start) @ along / (along @ along))


def with_crossings(rings: Sequence[Ring]) -> list[Ring]:
    """The same rings with vertices where their arcs cross the lines of other rings."""
    pieces = [
        _Piece(r, i, ring.points[i], ring.points[(i + 1) % len(ring.points)], _curve(ring, i))
        for r, ring in enumerate(rings)
        for i in range(len(ring.points))
    ]
    if all(piece.curve is None for piece in pieces):
        return list(rings)
    found: list[list[tuple[float, Array]]] = [[] for _ in rings]
    for one, other in _close_pairs(pieces):
        for u, v, point in _meetings(one, other):
            for piece, place in ((one, u), (other, v)):
                if piece.curve is not None:
                    found[piece.ring].append((piece.number + place, point))
    return [_with_vertices(ring, places) for ring, places in zip(rings, found, strict=True)]


def _curve(ring: Ring, segment: int) -> EllipseCurve | None:
    return ring.curves.get(ring.edges[segment])


def _close_pairs(pieces: list[_Piece]) -> list[tuple[_Piece, _Piece]]:
    """Pairs of different rings, one of them an arc, closer than arcs are away from their chords."""
    lines = shapely.linestrings(np.array([(p.start, p.end) for p in pieces]))
    bent = np.flatnonzero([p.curve is not None for p in pieces])
    away = np.zeros(len(pieces))
    for i in bent:
        middle = pieces[i].at(0.5)[0]
        away[i] = 1.2 * np.linalg.norm(middle - (pieces[i].start + pieces[i].end) / 2)
    one, other = shapely.STRtree(lines).query(
        lines[bent], predicate="dwithin", distance=away[bent] + away.max()
    )
    pairs = {(min(i, j), max(i, j)) for i, j in zip(bent[one].tolist(), other.tolist())}  # noqa: B905
    return [
        (pieces[i], pieces[j])
        for i, j in sorted(pairs)
        if pieces[i].ring != pieces[j].ring and pieces[i].curve != pieces[j].curve
    ]


def _meetings(one: _Piece, other: _Piece) -> list[tuple[float, float, Array]]:
    """Where two pieces meet: u and v along them, and the point."""
    meetings: list[tuple[float, float, Array]] = []
    size = max(np.linalg.norm(one.end - one.start), np.linalg.norm(other.end - other.start))
    # From near both ends of each arc, since it may come over a line and go back.
    starts = [(u, other.beside(one.at(u)[0])) for u in _STARTS if one.curve is not None]
    starts += [(one.beside(other.at(v)[0]), v) for v in _STARTS if other.curve is not None]
    for u, v in starts:
        for _ in range(_NEWTON_STEPS):
            (p, dp), (q, dq) = one.at(u), other.at(v)
            gap = q - p
            determinant = dp[1] * dq[0] - dp[0] * dq[1]
            if determinant == 0:
                break
            u += (dq[0] * gap[1] - dq[1] * gap[0]) / determinant
            v += (dp[0] * gap[1] - dp[1] * gap[0]) / determinant
            if not (abs(u) < 10 and abs(v) < 10):
                break
        (p, _), (q, _) = one.at(u), other.at(v)
        on_both = -1e-9 <= u <= 1 + 1e-9 and -1e-9 <= v <= 1 + 1e-9
        if on_both and np.linalg.norm(p - q) < 1e-12 * size:
            new = all(np.linalg.norm(p - point) > 1e-9 * size for _, _, point in meetings)
            if new:
                meetings.append((min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0), p))
    return meetings


def _with_vertices(ring: Ring, places: list[tuple[float, Array]]) -> Ring:
    """The ring with more vertices.

    Parameters
    ----------
    places : number of the segment plus the part of it, and the point there.
    """
    if not places:
        return ring
    n = len(ring.points)
    points = ring.points.copy()
    taken: set[int] = set()
    inserted: dict[int, list[tuple[float, Array]]] = {}
    for place, point in sorted(places, key=lambda entry: entry[0]):
        segment, part = int(place) % n, place - int(place)
        nearest = (segment + round(part)) % n
        slides = _curve(ring, nearest) is not None and (
            _curve(ring, nearest) == _curve(ring, nearest - 1)
        )
        if min(part, 1 - part) < _SLIDES and slides and nearest not in taken:
            points[nearest] = point
            taken.add(nearest)
        elif min(part, 1 - part) > 1e-9:
            inserted.setdefault(segment, []).append((part, point))
    result: list[Array] = []
    edges: list[str] = []
    for i in range(n):
        chain = [(points[i], i in taken)]
        between = sorted(inserted.get(i, []), key=lambda entry: entry[0])
        chain += [(point, True) for _, point in between]
        following = (points[(i + 1) % n], (i + 1) % n in taken)
        curve = _curve(ring, i)
        for (point, crosses), (end, also) in pairwise([*chain, following]):
            result.append(point)
            if curve is not None and crosses and also:
                # Or the chord from crossing to crossing may lie on the line that it crosses.
                result.append(curve.arcs(point[None], end[None], np.array([0.5]))[0, 0])
        edges += [ring.edges[i]] * (len(result) - len(edges))
    return replace(ring, points=np.array(result), edges=tuple(edges))
