"""The formula language: what it computes, and that nothing outside it gets in."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.errors import FormulaError
from wavelab.scene.formulas.bessel import besselj
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import FUNCTIONS

XYT = ("x", "y", "t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", 2.0),
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("-x**2", -0.09),
        ("2^3^2", 512.0),
        ("2**-x", 2**-0.3),
        ("x - y - t", 0.3 - 0.7 - 2.0),
        ("x/y/t", 0.3 / 0.7 / 2.0),
        ("x*y/t*x", 0.3 * 0.7 / 2.0 * 0.3),
        ("2*-3", -6.0),
        ("--x", 0.3),
        ("+x", 0.3),
        ("sin(pi*x)*cos(pi*y)", math.sin(0.3 * math.pi) * math.cos(0.7 * math.pi)),
        ("e^x", math.exp(0.3)),
        ("(-x)**3", (-0.3) ** 3),
        ("atan2(y, -x)", math.atan2(0.7, -0.3)),
        ("min(x, y) + 10*max(x, y)", 7.3),
        ("sign(-x) + floor(t + x)", 1.0),
        ("heaviside(0) + 2*heaviside(x) + 4*heaviside(-x)", 3.0),
        ("1 if x < y else 2", 1.0),
        ("1 if x > y else 2", 2.0),
        ("1 if x <= 0.3 and y >= 0.7 else 2", 1.0),
        ("1 if x > y or t > y and x > y else 2", 2.0),
        ("max((1 if x < y else 5), 3)", 3.0),
        ("1 if x > y else 2 if t < 1 else 3", 3.0),
        ("sqrt(abs(-4)) + log(e)", 3.0),
    ],
)
def test_value(text: str, expected: float) -> None:
    assert Formula.parse(text, XYT).evaluate(x=0.3, y=0.7, t=2.0) == pytest.approx(
        expected, rel=1e-15
    )


def test_unused_branch_may_be_undefined() -> None:
    x = np.array([-4.0, 0.0, 4.0])
    value = Formula.parse("sqrt(x) if x > 0 else 0", ("x",)).evaluate(x=x)
    np.testing.assert_array_equal(value, [0, 0, 2])


def test_shape_is_that_of_all_variables() -> None:
    x, t = np.zeros((3, 4)), 1.0
    for text in ("1", "t", "x"):
        value = Formula.parse(text, ("x", "t")).evaluate(x=x, t=t)
        assert value.shape == (3, 4)
        assert value.dtype == np.float64
        value += 1  # not a view of anything


def test_not_finite_names_the_point() -> None:
    formula = Formula.parse("1/x", ("x", "y"))
    with pytest.raises(FormulaError, match=r'"1/x": it gives inf at x = 0, y = 0\.25'):
        formula.evaluate(x=np.array([1.0, 0.0]), y=0.25)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("x +", "ends too early"),
        ("2x", "'2x' at column 1 is not a number"),
        ("x = 2", "'=' at column 3"),
        ("x % 2", "remainder"),
        ("x^2 y", "unexpected 'y' at column 5"),
        ("x(2)", "x at column 1 is not a function"),
        ("sin", "needs an argument"),
        ("sinn(x)", "Did you mean sin"),
        ("sin(x, y)", "takes 1 argument, not 2"),
        ("z", "Allowed here: x, y, t, pi, e"),
        ("x < y", "condition stands where a number"),
        ("1 if 0 < x < 1 else 0", "0 < x and x < 2"),
        ("1 if x else 0", "number stands where a condition"),
        ("if", "nothing stands before if"),
        ("x, y", "comma"),
        ("max(1 if x < 1 else 0, 2)", "max takes 2 arguments, not 1"),
        ("besselj(x, 1)", "order of besselj"),
        ("besselj(0.5, x)", "order of besselj"),
        ("besselj(21, x)", "order of besselj"),
        ("1e999", "too large"),
        ("1/0", "quotient in it is inf"),
        ("sqrt(-1)", "sqrt in it is nan"),
        ("x.real", r"'\.' at column 2"),
        ("x[0]", r"'\[' at column 2"),
        ("sin.__self__", r"'\.' at column 4"),
        ("__import__(1)", "'_' at column 1"),
        ("(sin)(x)", "needs an argument"),
        ("sin(x)(y)", "not a formula"),
        ("lambda: 1", "':' at column 7"),
        ("'a'*9", '"\'" at column 1'),
        ("True", "unknown name True"),
        ("x // 2", "not a formula"),
        ("*", "not a formula"),
        ("()", "not a formula"),
        ("é", "'é' at column 1"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        Formula.parse(text, XYT)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "x" + ")" * 5000,
        "(" * 900 + "x" + ")" * 900,
        "-" * 900 + "x",
        "x*" * 400 + "x",
        "x**" * 400 + "x",
        "1 if x < 1 else " * 100 + "x",
        "1 if x < 1 else 1 + " * 90 + "x",
        "9" * 1999,
        "9" * 5000,
        "x+" * 600 + "x",
        "2**(10**8)",
        "(((9**64)**64)**64)**64",
        "9**9**9**9",
    ],
)
def test_bombs_are_refused_in_words(text: str) -> None:
    with pytest.raises(FormulaError):
        Formula.parse(text, XYT)


@pytest.mark.parametrize(
    "text",
    ["x+" * 499 + "x", "sqrt(" * 79 + "x" + ")" * 79, "x*" * 79 + "x", "1 if x<2 else " * 79 + "x"],
)
def test_largest_allowed_formulas_work(text: str) -> None:
    formula = Formula.parse(text, XYT)
    assert pickle.loads(pickle.dumps(formula)).evaluate(x=1.0, y=0.0, t=0.0) in (1.0, 500.0)


@given(st.text(alphabet="xyt019.+-*/^()<>=, sincosifelandor", max_size=60))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        formula = Formula.parse(text, XYT)
    except FormulaError:
        return
    assert pickle.loads(pickle.dumps(formula)) == formula


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_kept_exactly(number: float) -> None:
    assert Formula.parse(number, ("x",)).evaluate(x=0.0) == number


def test_frozen_equal_and_hashable() -> None:
    a, b = Formula.parse(" x*y ", XYT), Formula.parse("x*y", XYT)
    assert a == b
    assert hash(a) == hash(b)
    assert a != Formula.parse("x*y", ("x", "y"))
    with pytest.raises(AttributeError):
        a.text = "y"  # type: ignore[misc]


def test_every_function_is_evaluated() -> None:
    for name, (count, function) in FUNCTIONS.items():
        first = "1" if name == "besselj" else "x"
        text = f"{name}({', '.join([first, 'y'][-count:] if count == 2 else ['x'])})"
        expected = function(1.0 if first == "1" else 0.3, 0.7) if count == 2 else function(0.3)
        assert Formula.parse(text, XYT).evaluate(x=0.3, y=0.7, t=0) == expected


# Abramowitz & Stegun, tables 9.1 and 9.5, and zeros of J_0, J_1, J_2.
@pytest.mark.parametrize(
    ("order", "x", "expected"),
    [
        (0, 1.0, 0.765197686557967),
        (1, 1.0, 0.440050585744934),
        (0, 10.0, -0.245935764451348),
        (2, 5.0, 0.046565116277752),
        (0, 2.404825557695773, 0.0),
        (1, 3.831705970207512, 0.0),
        (2, 5.135622301840683, 0.0),
    ],
)
def test_besselj_values(order: int, x: float, expected: float) -> None:
    assert besselj(order, np.array(x)) == pytest.approx(expected, abs=2e-15)


@pytest.mark.parametrize("largest", [0.5, 5.0, 60.0, 1000.0])
def test_besselj_recurrence_and_sum(largest: float) -> None:
    x = np.linspace(-largest, largest, 301)
    j = [besselj(n, x) for n in range(21)]
    for n in range(1, 20):
        np.testing.assert_allclose(x * (j[n - 1] + j[n + 1]), 2 * n * j[n], atol=1e-11)
    if largest <= 5:  # J_0 + 2 sum J_2k = 1, and the orders beyond 20 are negligible
        np.testing.assert_allclose(j[0] + 2 * sum(j[2::2]), 1, rtol=0, atol=1e-12)


def test_besselj_outside_its_range_is_an_error() -> None:
    assert np.isnan(besselj(0, np.array([1001.0, np.inf, np.nan]))).all()
    with pytest.raises(FormulaError, match="nan at x = 2000"):
        Formula.parse("besselj(0, x)", ("x",)).evaluate(x=2000.0)


@pytest.mark.parametrize(
    "text",
    [
        "2", "x*y", "t", "3*t - x*t^2 + t*t*t", "x/(1 + t)", "(1 + t)^-2", "(-t)^3", "2^t", "t^t",
        "sin(t) + cos(2*t)*tan(t)", "asin(t/3) + acos(t/4) + atan(t) + atan2(t, x) + atan2(x, t)",
        "sinh(t) - cosh(t)/tanh(t)", "exp(-t)*log(t) + sqrt(t)", "abs(x - t)",
        "min(t, 3)*max(t, x)",
        "sign(t) + floor(t) + t*heaviside(t - 1)", "t^2 if t < 5 else t", "t^2 if t > 5 else t",
        "besselj(0, t) + besselj(3, 2*t) + besselj(20, t)", "(sqrt(x - 1) if x > 1 else 0)*t",
    ],
)  # fmt: skip
def test_rate_is_the_difference_quotient(text: str) -> None:
    formula = Formula.parse(text, XYT)
    place, t, h = {"x": np.array([0.3, 1.1]), "y": 0.7}, 1.37, 1e-5
    quotient = formula.evaluate(**place, t=t + h) - formula.evaluate(**place, t=t - h)
    np.testing.assert_allclose(
        formula.rate("t", **place, t=t), quotient / (2 * h), rtol=1e-7, atol=1e-9
    )
    assert formula.uses("t") == ("t" in text.replace("tan", "").replace("sqrt", ""))


def test_rate_that_is_not_finite_is_refused() -> None:
    with pytest.raises(FormulaError, match="x = 0"):
        Formula.parse("sqrt(x)", ("x",)).rate("x", x=np.array([1.0, 0.0]))
