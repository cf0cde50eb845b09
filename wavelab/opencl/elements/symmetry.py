"""Products with the matrices of the reference triangle at half the cost, by its mirror symmetries.

The nodes are symmetric under every exchange of two vertices.  Under the one that turns a matrix
into itself, the even part of what is multiplied (value at a node plus value at its mirror image)
and the odd part (their difference) do not mix: two products of half the rows and columns do in
place of one (Solomonoff, *A fast algorithm for spectral differentiation*, J. Comput. Phys. 98,
1992).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.reference_element import ReferenceElement

Permutation = Indices

#: Vertices that change places: keeps s, so that d/dr changes its sign; keeps r; exchanges r and s.
_KEEPS_S, _KEEPS_R, _SWAPS = (0, 1), (0, 2), (1, 2)
#: Of each face, the exchange of its ends.
_OF_FACE = (_KEEPS_S, _SWAPS, _KEEPS_R)


@dataclass(frozen=True, eq=False)
class EvenOddProduct:
    """y = M x with x_e[m] = x[m] + x[mirror of m] and x_o[m] their difference.

    Attributes
    ----------
    columns, rows : pairs (index, its image), those that are their own image last; the pairs of
        ``rows`` carry y = sum + difference at the index and sum - difference at the image, where
    from_even, from_odd : (n_rows, n_columns) give what stems from x_e and from x_o;
    even_to_sum : whether x_e makes the sum and x_o the difference, or the other way round.
        An index that is its own image has x_e = x and no x_o, and no difference.
    """

    columns: list[tuple[int, int]]
    rows: list[tuple[int, int]]
    from_even: Array
    from_odd: Array
    even_to_sum: bool

    def apply(self, x: Array) -> Array:
        """The product, as the kernels compute it."""
        i, j = np.array(self.columns).T
        even, odd = np.where(i == j, x[i], x[i] + x[j]), x[i] - x[j]
        parts = self.from_even @ even, self.from_odd @ odd
        total, difference = parts if self.even_to_sum else parts[::-1]
        y = np.empty(sum(1 if a == b else 2 for a, b in self.rows))
        for (a, b), s, d in zip(self.rows, total, difference, strict=True):
            y[b], y[a] = s - d, s + d
        return y


def even_odd_product(
    matrix: Array, row_image: Permutation, column_image: Permutation, sign: int
) -> EvenOddProduct:
    """Take a matrix apart that obeys M[row_image][:, column_image] = sign * M.

    Raises
    ------
    ValueError : it does not.
    """
    image = matrix[row_image][:, column_image]
    if np.abs(image - sign * matrix).max() > 1e-10 * np.abs(matrix).max():
        raise ValueError("the matrix does not have this symmetry")
    rows, columns = _pairs(row_image), _pairs(column_image)
    i, m, mirror = np.array(rows)[:, 0], np.array(columns)[:, 0], np.array(columns)[:, 1]
    here, there = matrix[np.ix_(i, m)], matrix[np.ix_(i, mirror)]
    alone = m == mirror
    from_even = np.where(alone, here, (here + there) / 2)
    from_odd = np.where(alone, 0, (here - there) / 2)
    # What would be rounding, so that no kernel spends an instruction on it.
    to_difference = from_odd if sign > 0 else from_even
    to_difference[[a == b for a, b in rows]] = 0
    return EvenOddProduct(columns, rows, from_even, from_odd, even_to_sum=sign > 0)


def derivative(element: ReferenceElement, direction: str) -> EvenOddProduct:
    """Differentiation along "r" or "s"."""
    vertices = {"r": _KEEPS_S, "s": _KEEPS_R}[direction]
    matrix = {"r": element.diff_r, "s": element.diff_s}[direction]
    image = node_images(element, vertices)
    return even_odd_product(matrix, image, image, -1)


def face_lift(element: ReferenceElement, face: int) -> EvenOddProduct:
    """Lifting of the values at the nodes of one face."""
    n = element.nodes_per_face
    matrix = element.lift[:, face * n : (face + 1) * n]
    return even_odd_product(matrix, node_images(element, _OF_FACE[face]), np.arange(n)[::-1], +1)


def swapped_nodes(element: ReferenceElement) -> Permutation:
    """Where each node goes when r and s change places: D_s[i, j] = D_r[image i, image j]."""
    return node_images(element, _SWAPS)


def node_images(element: ReferenceElement, vertices: tuple[int, int]) -> Permutation:
    """(nodes_per_element,) mirror image of each node when two vertices change places."""
    order = [0, 1, 2]
    a, b = vertices
    order[a], order[b] = b, a
    return _moved(element, order)


def turned_nodes(element: ReferenceElement, face: int) -> Permutation:
    """(nodes_per_element,) where each node goes when the triangle is turned so that face 0 becomes
    another: LIFT of that face, at the image of i, is LIFT of face 0 at i."""
    return _moved(element, [(vertex + face) % 3 for vertex in range(3)])


def _moved(element: ReferenceElement, order: list[int]) -> Permutation:
    """Where each node goes; its weight of vertex ``i`` becomes that of vertex ``order[i]``."""
    weights = np.stack([-(element.r + element.s) / 2, (1 + element.r) / 2, (1 + element.s) / 2])
    distance = np.abs(weights[:, :, None] - weights[order][:, None, :]).max(axis=0)
    image = distance.argmin(axis=1)
    if distance[np.arange(len(image)), image].max() > 1e-10:
        raise ValueError("the nodes are not symmetric")
    return image


def orbits(element: ReferenceElement) -> list[list[int]]:
    """All nodes, those in one list that the mirrors exchange."""
    images = [node_images(element, vertices) for vertices in _OF_FACE]
    found: list[list[int]] = []
    for node in range(element.nodes_per_element):
        if any(node in orbit for orbit in found):
            continue
        orbit = [node]
        for member in orbit:
            orbit += {int(image[member]) for image in images} - set(orbit)
        found.append(orbit)
    return found


def _pairs(image: Permutation) -> list[tuple[int, int]]:
    pairs = [(i, int(j)) for i, j in enumerate(image) if i <= j]
    return sorted(pairs, key=lambda pair: pair[0] == pair[1])
