"""What is smooth on a length of its own, projected on the polynomials of elements of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.reference_element import triangle_quadrature
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.geometry import cross

#: Largest change along an edge of a piece.
_LARGEST = 2.0
#: Degrees of the quadrature beyond the order, by the largest change up to which they suffice.
_DEGREES = ((0.1, 5), (0.4, 8), (1.0, 11), (np.inf, 15))
#: What is left out, in parts of the largest value.
_NOTHING = 1e-10
#: Pieces integrated together, to bound the memory.
_PIECES = 2048
#: Corners of the reference triangle.
_WHOLE = np.array([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
#: By how much a triangle must be enlarged to hold what is bent between its corners.
_BENT = 1.3


def projected(
    d: Discretization,
    function: Callable[[Array], Array],
    look: Callable[[Array], tuple[Array, Mask]],
) -> tuple[Indices, Array]:
    """The best fit, in the mean square, of a function by polynomials on each element; it is real.

    Its integral against any discrete field is that of the function, so it acts on every wave that
    the mesh carries as the function does, however little of that the nodes would see.  Elements
    are cut until the function is nearly a polynomial on every piece; these are integrated by
    Gauss's rules, to about ten digits.

    Parameters
    ----------
    function : of points (..., 2).
    look : of triangles (n, 3, 2), how far the function goes along their edges (n, 3), from each
        corner to the next, in units in which it is a Gaussian of standard deviation 1 or smoother;
        and (n,) whether it is more than 0 there.

    Returns
    -------
    elements : (n,) those where it is more than 0.
    values : (n, nodes_per_element) at their nodes.
    """
    corners = d.mesh.vertices[d.mesh.triangles]
    elements = np.flatnonzero(look(_spread(d, np.arange(d.n_elements), corners))[1] & d.is_seen)
    loads, touched = np.zeros((len(elements), d.nodes_per_element)), np.zeros(len(elements), bool)
    rows, pieces = np.arange(len(elements)), np.repeat(_WHOLE[None], len(elements), axis=0)
    while len(rows):
        here = elements[rows]
        edges, met = look(_spread(d, here, _places(d, here, pieces)))
        largest = edges.max(axis=1)
        cut = met & (largest > _LARGEST)
        done = np.flatnonzero(met & ~cut)
        touched[rows[done]] = True
        for part, degree in _parts(largest[done]):
            chosen = done[part]
            found = _integrals(d, function, here[chosen], pieces[chosen], d.order + degree)
            np.add.at(loads, rows[chosen], found)
        rows, pieces = np.repeat(rows[cut], 2), _halves(pieces[cut], edges[cut].argmax(axis=1))
    values = d.solve_mass(loads[touched], elements[touched])
    largest = np.abs(values).max(axis=1, initial=0.0)
    kept = largest > _NOTHING * largest.max(initial=0.0)
    return elements[touched][kept], values[kept]


def _spread(d: Discretization, elements: Indices, corners: Array) -> Array:
    """Triangles (n, 3, 2) in some elements, those in curved ones so large that they hold what is
    bent."""
    bent = elements >= d.first_curved
    middle = corners[bent].mean(axis=1, keepdims=True)
    corners[bent] = middle + _BENT * (corners[bent] - middle)
    return corners


def _places(d: Discretization, elements: Indices, rs: Array) -> Array:
    """(n, m, 2) where reference points (n, m, 2) of elements (n,) are."""
    a, b, c = np.moveaxis(d.mesh.vertices[d.mesh.triangles[elements]], 1, 0)[:, :, None]
    part = (1 + rs) / 2
    places = a + part[..., :1] * (b - a) + part[..., 1:] * (c - a)
    if d.curved is not None:
        bent = elements >= d.curved.first
        rows = np.repeat(elements[bent] - d.curved.first, rs.shape[1])
        r, s = rs[bent].reshape(-1, 2).T
        found = d.curved.mapping.positions(r, s, rows)
        places[bent] = found.reshape(-1, *rs.shape[1:])
    return places


def _parts(changes: Array) -> Iterator[tuple[Indices, int]]:
    """Which pieces take which degree, in parts that bound the memory."""
    least = 0.0
    for most, degree in _DEGREES:
        chosen = np.flatnonzero((changes >= least) & (changes < most))
        least = most
        for part in np.array_split(chosen, -(-len(chosen) // _PIECES)) if len(chosen) else ():
            yield part, degree


def _integrals(
    d: Discretization,
    function: Callable[[Array], Array],
    elements: Indices,
    corners: Array,
    degree: int,
) -> Array:
    """(n, nodes_per_element) integrals over pieces of the function times the nodal basis."""
    r, s, weights = triangle_quadrature(max(degree, 2 * d.order))
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    rs = _images(corners, r, s)
    scale = np.repeat(d.geometry.jacobian[elements, None], len(r), axis=1)
    if d.curved is not None:
        bent = elements >= d.curved.first
        rows = np.repeat(elements[bent] - d.curved.first, len(r))
        inside = rs[bent].reshape(-1, 2)
        by_r, by_s = d.curved.mapping.derivatives(inside[:, 0], inside[:, 1], rows)
        scale[bent] = cross(by_r, by_s).reshape(-1, len(r))
    scale *= function(_places(d, elements, rs)) * weights * (cross(ab, ac) / 4)[:, None]
    loads = scale @ d.element.to_points(r, s)
    if (corners == _WHOLE).all():
        return np.asarray(loads)
    # So far with the nodal basis of the pieces, of which that of the element is made up.
    nodes = _images(corners, d.element.r, d.element.s)
    basis = d.element.to_points(*nodes.reshape(-1, 2).T).reshape(*nodes.shape[:2], -1)
    return np.einsum("kp,kpn->kn", loads, basis)


def _images(corners: Array, r: Array, s: Array) -> Array:
    """(n, p, 2) reference points (p,) carried into triangles (n, 3, 2)."""
    a, b, c = np.moveaxis(corners, 1, 0)[:, :, None]
    return np.asarray(a + (1 + r[:, None]) / 2 * (b - a) + (1 + s[:, None]) / 2 * (c - a))


def _halves(corners: Array, longest: Indices) -> Array:
    """(2 n, 3, 2) halves of triangles (n, 3, 2), one after the other, cut from the middle of the
    edge of this number, which runs from the corner of that number to the next."""
    order = (longest[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(corners[np.arange(len(corners))[:, None], order], 1, 0)
    middle = (a + b) / 2
    return np.stack([a, middle, c, middle, b, c], axis=1).reshape(-1, 3, 2)
