"""Where things are seen that lie near glued edges: ways between places go on through those.

What lies beyond a glued edge is what lies before its partner, moved and turned.  So from elements
before the partner a point is seen at another place, an image of it, and from others at more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.numerics.mesh.polygon import clipped
from wavelab.remembered import Remembered

#: Motions that differ by less than this, in parts of the size of the mesh, are one.
_SAME = 1e-5
#: Distances that differ by less, in the same parts, are equal.
_TIE = 1e-9
#: Edges that a point from far outside comes in through, at most.
_MOST_EDGES = 64
_glues: Remembered[Discretization, Glue] = Remembered(1)


@dataclass(frozen=True)
class Motion:
    """z -> turn z + shift of points z = x + iy; ``turn`` has the absolute value 1."""

    turn: complex = 1.0
    shift: complex = 0.0

    def __call__(self, points: Array) -> Array:
        """(..., 2) where points (..., 2) are moved to."""
        if self == _STILL:
            return points
        z = self.turn * (points[..., 0] + 1j * points[..., 1]) + self.shift
        return np.stack([z.real, z.imag], axis=-1)

    def after(self, first: Motion) -> Motion:
        """The other motion, and then this one."""
        return Motion(self.turn * first.turn, self.turn * first.shift + self.shift)


_STILL = Motion()


@dataclass(frozen=True, eq=False)
class GluedEdge:
    """An edge as it is seen from the domain before it.

    Attributes
    ----------
    motion : takes what lies beyond it to where that comes in.
    elements : (n,) with a face on it.
    starts, ends : (n, 2) of these faces, which have the domain on their left.
    """

    motion: Motion
    elements: Indices
    starts: Array
    ends: Array

    @cached_property
    def line(self) -> tuple[Array, Array]:
        """(2,) twice: a point of the edge, and its mean unit normal, into the domain."""
        along = (self.ends - self.starts).sum(axis=0)
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        return (self.starts + self.ends).mean(axis=0) / 2, normal

    def depths(self, points: Array) -> Array:
        """(n,) how far beyond the edge, as a straight line, points (n, 2) lie; negative before."""
        place, normal = self.line
        return np.asarray((place - points) @ normal)


class Glue:
    """The glued edges of a discretization; see :func:`glue_of`.

    Attributes
    ----------
    size : of the mesh, the longer side of the box around it.
    edges : each from both sides; none where fields are complex.
    """

    def __init__(self, d: Discretization) -> None:
        self._locator = locator_of(d)
        lower, upper = d.bounds()
        self.size, self._middle = float((upper - lower).max()), (lower + upper) / 2
        # With a phase what lies beyond is another field, and not one that is moved here.
        self.edges = _glued_edges(d) if d.copies == 1 else []

    @property
    def most_images(self) -> int:
        """How many of a small thing may be seen, itself included: through each edge, and through
        two of them near their ends."""
        return 1 + 2 * len(self.edges)

    def images(self, points: Array, reach: float) -> list[Motion]:
        """How a point, or a line of points, is moved where elements see it through glued edges.

        Left out is what nobody sees: what is further away than ``reach``, or further than another
        image wherever one looks from.

        Parameters
        ----------
        points : (n, 2), one after the other.

        Returns
        -------
        the first one brings it inside if it is beyond a glued edge, and else leaves it as it is.
        """
        if not self.edges:
            return [_STILL]
        found = [self.way_in(points)]
        nearest = [np.full((2, len(edge.starts)), np.inf) for edge in self.edges]
        tie = _TIE * self.size
        for motion in found:  # which grows
            here = motion(points)
            for edge, before in zip(self.edges, nearest, strict=True):
                # A line may pass between the ends of a face.
                close = reach + np.linalg.norm(edge.ends - edge.starts, axis=1)
                corners = np.stack([edge.starts, edge.ends])
                away = distance_from_line(corners, here)
                seen = (away <= np.minimum(close, before + tie)).any()
                if seen and edge.depths(here).min() <= tie:
                    self.add(found, edge.motion.after(motion))
                np.minimum(before, away, out=before)
        return found

    def way_in(self, points: Array) -> Motion:
        """What brings points (n, 2) inside, or the middle of them, if none of them is and they lie
        beyond a glued edge."""
        if not self.edges or (self._locator.locate(points)[0] >= 0).any():
            return _STILL
        motion, middle = _STILL, points.mean(axis=0, keepdims=True)
        for _ in range(_MOST_EDGES):
            here = motion(middle)
            if self._locator.locate(here)[0][0] >= 0:
                return motion
            depths = [float(edge.depths(here)[0]) for edge in self.edges]
            deepest = int(np.argmax(depths))
            if not depths[deepest] > 0:
                break
            motion = self._through(self.edges[deepest], depths[deepest]).after(motion)
        return _STILL

    def inside(self, points: Array) -> Array:
        """(n, 2) where points (n, 2) are that may have left through glued edges."""
        if not self.edges:
            return points
        inside, left = points.copy(), np.flatnonzero(self._locator.locate(points)[0] < 0)
        while len(left):
            # What brings the first one inside mostly does so with others.
            moved = self.way_in(points[left[:1]])(points[left])
            found = self._locator.locate(moved)[0] >= 0
            inside[left[found]] = moved[found]
            found[0] = True
            left = left[~found]
        return inside

    def outlines(self, ring: Array) -> list[Array]:
        """A closed ring (n, 2), and what of it lies beyond glued edges, where that comes in."""
        if not self.edges:
            return [ring]
        motions = [self.way_in(ring)]
        rings = [motions[0](ring)]
        for motion, outline in zip(motions, rings, strict=False):  # which grow
            for edge in self.edges:
                place, normal = edge.line
                along = np.array([normal[1], -normal[0]])
                beyond = clipped(outline, place, place - along)
                depth = edge.depths(beyond).max() if len(beyond) else 0.0
                count = len(motions)
                if depth > _TIE * self.size:
                    self.add(motions, edge.motion.after(motion))
                if len(motions) > count:
                    rings.append(edge.motion(beyond))
        return rings

    def add(self, found: list[Motion], motion: Motion) -> None:
        """A motion, unless it is there already."""
        moved = motion(self._middle)
        for other in found:
            turned = abs(motion.turn - other.turn) * self.size
            if turned + np.abs(moved - other(self._middle)).sum() < _SAME * self.size:
                return
        found.append(motion)

    def _through(self, edge: GluedEdge, depth: float) -> Motion:
        """Through an edge as often as something so far beyond it has passed it."""
        motion, (_, normal) = edge.motion, edge.line
        forward = motion.shift.real * normal[0] + motion.shift.imag * normal[1]
        if abs(motion.turn - 1) * self.size < _SAME * self.size and forward > 0:
            return Motion(1.0, max(1, int(depth // forward)) * motion.shift)
        return motion


def glue_of(d: Discretization) -> Glue:
    """The glued edges of a discretization, found once."""
    return _glues.get(d, None, lambda: Glue(d))


def distance_from_line(points: Array, line: Array) -> Array:
    """(...,) distance of points (..., 2) from a line through points (n, 2), or from one point."""
    if len(line) == 1:
        return np.asarray(np.hypot(*np.moveaxis(points - line[0], -1, 0)))
    nearest = np.full(points.shape[:-1], np.inf)
    for start, end in pairwise(line):
        along = end - start
        length = float(along @ along) or 1.0
        part = np.clip((points - start) @ along / length, 0.0, 1.0)
        away = points - start - part[..., None] * along
        np.minimum(nearest, np.hypot(away[..., 0], away[..., 1]), out=nearest)
    return nearest


def _glued_edges(d: Discretization) -> list[GluedEdge]:
    """Faces whose neighbour is elsewhere, by the motion that takes them there."""
    corners, c = d.mesh.triangles[:, FACE_VERTICES], d.connectivity
    partner = corners[c.neighbor_element, c.neighbor_face][:, :, ::-1]
    elements, faces = np.nonzero((corners != partner).any(axis=2) & ~c.is_boundary)
    here = d.mesh.vertices[corners[elements, faces]]
    there = d.mesh.vertices[partner[elements, faces]]
    edges = []
    while len(elements):
        motion = _motion(here[:1], there[:1])
        length = np.linalg.norm(here[:, 1] - here[:, 0], axis=1)
        wrong = np.linalg.norm(motion(here) - there, axis=2).max(axis=1)
        # The first face turns others, far away, by a little.
        far = np.linalg.norm(here[:, 0] - here[0, 0], axis=1) / length[0]
        same = wrong < _SAME * length * (1 + far)
        motion = _motion(here[same], there[same])
        edges.append(GluedEdge(motion, elements[same], here[same, 0], here[same, 1]))
        elements, here, there = elements[~same], here[~same], there[~same]
    return edges


def _motion(here: Array, there: Array) -> Motion:
    """What brings points (n, 2, 2) to others, closest in the mean square."""
    z, w = (points[..., 0] + 1j * points[..., 1] for points in (here, there))
    turn = complex(np.vdot(z - z.mean(), w - w.mean()))
    turn /= abs(turn)
    return Motion(turn, complex(w.mean() - turn * z.mean()))
