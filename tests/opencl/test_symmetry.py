"""Products with mirrored matrices."""

import numpy as np
import pytest

from wavelab.numerics.reference_element import reference_element
from wavelab.opencl.symmetry import derivative, face_lift, mirrored, swapped_nodes

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
        mirrored(np.array([[1.0, 2.0], [3.0, 4.0]]), image, image, 1)
