"""The parts of a mesh between which there is no way across faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def parts_of(neighbor_element: NDArray[np.int32]) -> NDArray[np.intp]:
    """(n_elements,) which part each element is of; parts are counted by their first element.

    Parameters
    ----------
    neighbor_element : (n_elements, 3) behind each face, the element itself at a wall.
    """
    # Every element knows one of its part with a lower number, if there is one that it knows of.
    # The last of such a chain takes over the lowest that any of its chain has beside it; chains
    # are cut short each time, so that there are about log2(n_elements) rounds.
    root = np.arange(len(neighbor_element))
    while True:
        lowest = np.minimum(root, root[neighbor_element].min(axis=1, initial=len(root)))
        joined = root.copy()
        np.minimum.at(joined, root, lowest)
        if np.array_equal(joined, root):
            return np.unique(root, return_inverse=True)[1].reshape(-1)
        while not np.array_equal(joined, further := joined[joined]):
            joined = further
        root = joined[root]
