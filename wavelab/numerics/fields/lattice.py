"""The lattice of a cell whose edges are glued together, and paths through its Brillouin zone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.glue import glue_of

#: Lengths and angles that differ by less, in parts of the lattice vectors, are the same.
_SAME = 1e-6
#: Parts of reciprocal vectors that can be asked for.
_FURTHEST = 1e3

#: Points of high symmetry, in parts of the reciprocal vectors, by the kind of the lattice.
_CORNERS = {"G": (0.0, 0.0), "X": (0.5, 0.0), "Y": (0.0, 0.5), "M": (0.5, 0.5)}
POINTS: dict[str, dict[str, tuple[float, float]]] = {
    "row": {name: _CORNERS[name] for name in "GX"},
    "square": _CORNERS,
    "rectangular": _CORNERS,
    "triangular": {"G": (0.0, 0.0), "M": (0.5, 0.0), "K": (2 / 3, 1 / 3)},
    "oblique": _CORNERS,
}
#: Round the part of the zone that the others follow from by symmetry.
USUAL_PATHS = {
    "row": "G X", "square": "G X M G", "rectangular": "G X M Y G", "triangular": "G M K G",
    "oblique": "G X M Y G",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Lattice:
    """Attributes
    ----------
    vectors : (1, 2) or (2, 2) of a row of cells or of a lattice: the shortest, at an angle from 60
        to 90 degrees; the first is the one nearest to the x axis.
    """

    vectors: Array

    @cached_property
    def kind(self) -> str:
        """A key of ``POINTS``."""
        if len(self.vectors) == 1:
            return "row"
        a, b = self.vectors
        lengths = np.linalg.norm(self.vectors, axis=1)
        cosine = float(a @ b / lengths.prod())
        equal = abs(lengths[0] - lengths[1]) < _SAME * lengths.max()
        if abs(cosine) < _SAME:
            return "square" if equal else "rectangular"
        return "triangular" if equal and abs(cosine - 0.5) < _SAME else "oblique"

    @cached_property
    def reciprocal(self) -> Array:
        """(1, 2) or (2, 2) b_i with a_i . b_j = 2 pi delta_ij, in radians per length."""
        return np.asarray(2 * math.pi * np.linalg.pinv(self.vectors).T)

    def point(self, name: str) -> Array:
        """(2,) the wavevector that is meant by a letter, or by parts of the reciprocal vectors:
        "0.25,0.5"; in radians per length.

        Raises
        ------
        SceneError : neither; says what there is.
        """
        known, n = POINTS[self.kind], len(self.vectors)
        try:
            parts = np.array(known.get(name.upper()) or [float(p) for p in name.split(",")])
        except ValueError:
            parts = np.array([])
        if len(parts) < n or len(parts) > 2 or not (np.abs(parts) <= _FURTHEST).all():
            example = "0.25" if n == 1 else "0.25,0.5"
            raise SceneError(
                f'"{name}" is no point of this Brillouin zone',
                remedy=f"There are {', '.join(known)}, and parts of the reciprocal vectors: "
                f"{example}.",
            )
        return np.asarray(parts[:n] @ self.reciprocal)


def lattice_of(d: Discretization) -> Lattice:
    """The lattice that the glued edges of a cell make.

    Raises
    ------
    SceneError : no edges are glued, some are turned, or they make no lattice.
    """
    motions = [edge.motion for edge in glue_of(d).edges]
    if not motions:
        raise SceneError(
            "nothing repeats itself: no edges are glued",
            remedy='Glue opposite edges of the cell with walls of kind = "periodic".',
        )
    shifts = np.array([(motion.shift.real, motion.shift.imag) for motion in motions])
    basis = None
    if max(abs(motion.turn - 1) for motion in motions) < _SAME:
        basis = _basis(shifts[np.argsort(np.linalg.norm(shifts, axis=1), kind="stable")])
    if basis is None:
        raise SceneError(
            "the glued edges make no lattice of cells",
            remedy="Glue parallel edges on opposite sides of one cell.",
        )
    return Lattice(basis)


def _basis(shifts: Array) -> Array | None:
    """The shortest vectors that span the lattice of some, (n, 2) by their lengths; None if the two
    shortest do not span the others."""
    a, size = shifts[0], float(np.hypot(*shifts[-1]))
    across = np.abs(a[0] * shifts[:, 1] - a[1] * shifts[:, 0])
    beside = np.flatnonzero(across > _SAME * np.hypot(*a) * size)
    basis = np.array([a] if not len(beside) else [a, shifts[beside[0]]])
    parts = shifts @ np.linalg.pinv(basis)
    if np.abs(parts - np.rint(parts)).max() > _SAME:
        return None
    if len(basis) == 1:
        return np.array([_upright(a)])
    a, b = basis
    # Gauss's reduction; not at a half, where it would go to and fro.
    while times := math.floor(float(a @ b / (a @ a)) + 0.5 - _SAME):
        b = b - times * a
        if np.hypot(*a) > np.hypot(*b):
            a, b = b, a
    a, b = sorted((_upright(a), _upright(b)), key=lambda v: -abs(v[0]) / float(np.hypot(*v)))
    return np.array([a, b if a @ b > -_SAME * size**2 else -b])


def _upright(v: Array) -> Array:
    """The one of +v and -v that points to the right, or upwards."""
    x, y = np.round(v / np.hypot(*v), 9)
    return v if (x, y) > (0, 0) else -v
