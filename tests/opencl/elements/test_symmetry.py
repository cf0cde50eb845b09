"""Products with mirrored matrices."""

import numpy as np
import pytest

from wavelab.numerics.elements.reference_element import reference_element
from wavelab.opencl.elements.even_odd_tiles import EvenOddTiles
from wavelab.opencl.elements.symmetry import (
    derivative,
    even_odd_product,
    face_lift,
    orbits,
    swapped_nodes,
    turned_nodes,
)

ORDERS = range(1, 11)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("direction", ["r", "s"])
def test_a_derivative_from_its_halves(order, direction):
    element = reference_element(order)
    matrix = {"r": element.diff_r, "s": element.diff_s}[direction]
    product = derivative(element, direction)
    x = np.random.default_rng(order).normal(size=element.nodes_per_element)
    np.testing.assert_allclose(product.apply(x), matrix @ x, atol=1e-11 * np.abs(matrix).max())
    entries = np.count_nonzero(product.from_even) + np.count_nonzero(product.from_odd)
    assert entries <= matrix.size / 2


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("face", range(3))
def test_lifting_from_its_halves(order, face):
    element = reference_element(order)
    n = element.nodes_per_face
    matrix = element.lift[:, face * n : (face + 1) * n]
    x = np.random.default_rng(order).normal(size=n)
    np.testing.assert_allclose(face_lift(element, face).apply(x), matrix @ x, atol=1e-11 * n**2)


@pytest.mark.parametrize("order", ORDERS)
def test_one_derivative_is_the_other_with_the_nodes_swapped(order):
    element = reference_element(order)
    swapped = swapped_nodes(element)
    assert np.array_equal(swapped[swapped], np.arange(element.nodes_per_element))
    np.testing.assert_allclose(element.r[swapped], element.s, atol=1e-12)
    np.testing.assert_allclose(
        element.diff_r[np.ix_(swapped, swapped)], element.diff_s, atol=1e-11 * order**2
    )


def test_a_matrix_without_the_symmetry_is_refused():
    image = np.array([1, 0])
    with pytest.raises(ValueError, match="symmetry"):
        even_odd_product(np.array([[1.0, 2.0], [3.0, 4.0]]), image, image, 1)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("face", range(3))
def test_lifting_of_one_face_turned_round(order, face):
    element = reference_element(order)
    lift = element.lift.reshape(-1, 3, element.nodes_per_face)
    turned = turned_nodes(element, face)
    assert np.array_equal(np.sort(turned), np.arange(element.nodes_per_element))
    assert np.array_equal(turned[element.face_nodes[0]], element.face_nodes[face])
    np.testing.assert_allclose(lift[turned, face], lift[:, 0], atol=1e-10 * np.abs(lift).max())


@pytest.mark.parametrize("largest", [1, 2, 3, 4])
@pytest.mark.parametrize("order", ORDERS)
def test_every_node_has_one_place_in_the_tiles(order, largest):
    element = reference_element(order)
    tiles = EvenOddTiles.of(element, largest)
    assert max(tiles.pairs.size, tiles.singles.size) <= largest
    nodes = np.arange(element.nodes_per_element)
    pairs, singles = np.split(tiles.orbits, [tiles.pairs.n_rows])
    for column in range(0, 8, 2):
        found = [*pairs[:, column], *pairs[:, column + 1], *singles[:, column]]
        assert np.array_equal(sorted(n for n in found if n < len(nodes)), nodes)
        assert np.array_equal(singles[:, column], singles[:, column + 1])
    n_face_pairs, middle = divmod(element.nodes_per_face, 2)
    from_odd = tiles.n_pairs + n_face_pairs + middle
    from_even = tiles.n_pairs + tiles.n_singles + n_face_pairs
    assert len(tiles.entries) == (
        tiles.pairs.n_rows * (from_even + from_odd) + tiles.singles.n_rows * from_odd
    )


@pytest.mark.parametrize("order", ORDERS)
def test_orbits_hold_all_images(order):
    """Images have the same three barycentric coordinates, in another order."""
    element = reference_element(order)
    r, s = element.r, element.s
    coordinates = np.sort([-(r + s) / 2, (1 + r) / 2, (1 + s) / 2], axis=0).round(9)
    found = orbits(element)
    nodes = [node for orbit in found for node in orbit]
    assert sorted(nodes) == list(range(element.nodes_per_element))
    assert all(np.ptp(coordinates[:, orbit], axis=1).max() == 0 for orbit in found)
    assert len(found) == len(np.unique(coordinates, axis=1).T)
