"""Dense blocks that couple their neighbours in a row alone, factored for many right sides.

Numbered outwards from one of its ends, a mesh falls into levels of elements, each of which touches
only the one before it, itself and the next (Cuthill & McKee 1969).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wavelab.arrays import Complex, Indices


def levels_of(neighbors: Indices) -> list[Indices]:
    """Numbers of the elements of each level, from an outermost one inwards; parts that do not touch
    come one after the other.

    Parameters
    ----------
    neighbors : (n, n_faces) the element beyond each face, or its own number where there is none.
    """
    left = np.ones(len(neighbors), dtype=bool)
    found: list[Indices] = []
    while left.any():
        first = int(np.argmax(left))
        # What is furthest from anywhere is at an end, and levels from there are small.
        for _ in range(2):
            levels = _outwards(neighbors, first)
            first = int(levels[-1][0])
        levels = _outwards(neighbors, first)
        found += levels
        left[np.concatenate(levels)] = False
    return found


def _outwards(neighbors: Indices, first: int) -> list[Indices]:
    seen = np.zeros(len(neighbors), dtype=bool)
    level = np.array([first])
    levels = []
    while len(level):
        seen[level] = True
        levels.append(level)
        beyond = np.unique(neighbors[level])
        level = beyond[~seen[beyond]]
    return levels


class BlockTridiagonal:
    """Block Gaussian elimination, from the first block to the last.

    Parameters
    ----------
    sizes : of the blocks.
    block : (i, j) -> (sizes[i], sizes[j]) for i and j that are neighbours or the same.
    pause : called before each block.

    Raises
    ------
    numpy.linalg.LinAlgError : the matrix is singular.
    """

    def __init__(
        self,
        sizes: list[int],
        block: Callable[[int, int], Complex],
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._ends = np.cumsum([0, *sizes])
        self._lower: list[Complex] = []
        self._upper: list[Complex] = []
        self._inverse: list[Complex] = []
        for i in range(len(sizes)):
            pause()
            pivot = block(i, i)
            if i:
                self._lower.append(block(i, i - 1))
                # What the row before takes of this one.
                self._upper.append(self._inverse[-1] @ block(i - 1, i))
                pivot = pivot - self._lower[-1] @ self._upper[-1]
            self._inverse.append(np.asarray(np.linalg.inv(pivot), np.complex128))

    def solve(self, right: Complex) -> Complex:
        """x (n, k) of A x = right."""
        found = np.empty_like(right)
        parts = [slice(a, b) for a, b in zip(self._ends[:-1], self._ends[1:], strict=True)]
        for i, here in enumerate(parts):
            value = right[here]
            if i:
                value = value - self._lower[i - 1] @ found[parts[i - 1]]
            found[here] = self._inverse[i] @ value
        for i in range(len(parts) - 2, -1, -1):
            found[parts[i]] -= self._upper[i] @ found[parts[i + 1]]
        return found
