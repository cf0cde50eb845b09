"""Python functions in the place of formulas."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.given_function import GivenFunction

SPACE, ALL = ("x", "y"), ("x", "y", "t")
NUMBERS = st.floats(-3, 3)


def hill(x, y):
    return np.exp(-(x**2) - 2 * y**2)


def moving(x, y, t=0.0):
    return np.sin(x - t) + y


@given(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=5), NUMBERS)
def test_a_function_gives_what_the_same_formula_gives_in_the_shape_of_all(x, ys, t):
    places = {"x": x, "y": np.array(ys)[:, None], "t": np.array([t, 0.0])}
    steady = GivenFunction(hill, ALL, SPACE).evaluate(**places)
    assert steady.shape == (len(ys), 2)
    np.testing.assert_allclose(
        steady, Formula.parse("exp(-x^2 - 2*y^2)", ALL).evaluate(**places), rtol=1e-12, atol=1e-300
    )
    changing = GivenFunction(moving, ALL, ALL).evaluate(**places)
    np.testing.assert_allclose(
        changing, Formula.parse("sin(x - t) + y", ALL).evaluate(**places), atol=1e-14
    )


def test_only_what_it_takes_is_used():
    assert [GivenFunction(hill, ALL, SPACE).uses(name) for name in ALL] == [True, True, False]
    assert GivenFunction(moving, ALL, ALL).uses("t")
    assert not GivenFunction(moving, ALL, SPACE).uses("t")
    # Of what is written in C nobody may know what it takes.
    assert GivenFunction(np.hypot, ALL, SPACE).evaluate(x=3.0, y=4.0, t=0.0) == 5.0


def test_what_a_function_does_to_its_arguments_stays_with_it():
    def careless(x, y):
        x += y
        return x

    x = np.ones(3)
    GivenFunction(careless, SPACE, SPACE).evaluate(x=x, y=1.0)
    assert (x == 1.0).all()


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x, y: 1.0 if x > 0 else 2.0, "raises ValueError"),
        (lambda x, y: x[:2], r"the shape \(2,\) for places \(3,\)"),
        (lambda x, y: x + 1j, "complex128 and not real numbers"),
        (lambda x, y: "glass", "not real numbers"),
        (lambda x, y: 1 / x, r"inf at x = 0, y = 1"),
        (lambda x, y: math.nan, "nan at x = 0"),
    ],
)
def test_what_cannot_be_is_said_of_the_function(function, said):
    with pytest.raises(FormulaError, match=said) as caught:
        GivenFunction(function, SPACE, SPACE).evaluate(x=np.array([0.0, 1.0, 2.0]), y=1.0)
    assert 'in the function "<lambda>(x, y)"' in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("function", [lambda: 1.0, lambda x: x, lambda x, y, z, w: x])
def test_a_function_that_cannot_be_called_with_the_places_is_refused(function):
    with pytest.raises(FormulaError, match="cannot be called so"):
        GivenFunction(function, ALL, ALL)


def test_a_function_is_equal_to_itself_alone():
    one, other = (GivenFunction(f, SPACE, SPACE) for f in (lambda x, y: x, lambda x, y: y))
    assert one.text == other.text
    assert one != other
    assert one == GivenFunction(one.function, SPACE, SPACE)
    assert hash(one) == hash(GivenFunction(one.function, SPACE, SPACE))
    assert one != Formula.parse("x", SPACE)
    found = pickle.loads(pickle.dumps(GivenFunction(hill, ALL, SPACE)))
    assert found == GivenFunction(hill, ALL, SPACE)
