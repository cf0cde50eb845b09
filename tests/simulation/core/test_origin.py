"""Where something has begun is found from how far it has come."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.numerics.mesh.connectivity import connect
from wavelab.simulation.core.origin import origin

NEIGHBORS = connect(jittered_square(12)).neighbor_element


def spread(mask: np.ndarray, layers: int) -> np.ndarray:
    for _ in range(layers):
        mask = mask | mask[NEIGHBORS].any(axis=1)
    return mask


def ball(element: int, layers: int) -> np.ndarray:
    return spread(np.arange(len(NEIGHBORS)) == element, layers)


@pytest.mark.parametrize("layers", [0, 1, 3, 8])
def test_an_element_from_which_as_much_is_reached_is_found(layers):
    """In a corner there are several, with another number of layers."""
    exact = 0
    for element in range(0, len(NEIGHBORS), 5):
        mask = ball(element, layers)
        found = origin(NEIGHBORS, mask)
        assert any((ball(found, n) == mask).all() for n in range(layers + 4))
        exact += found == element
    assert exact > 0.8 * len(NEIGHBORS) / 5


def test_of_two_the_one_that_has_spread_most():
    mask = ball(0, 2) | ball(150, 5)
    assert origin(NEIGHBORS, mask) == 150


@pytest.mark.parametrize("everywhere", [True, False])
def test_nothing_tells_where_all_or_none_is(everywhere):
    assert origin(NEIGHBORS, np.full(len(NEIGHBORS), everywhere)) == -1
