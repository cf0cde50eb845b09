"""Formulas are products of the parts that they are taken apart into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_separation import separated

VARIABLES = ("x", "y", "t")
PRODUCTS = [
    "28*exp(-((x - 0.5)/0.04)^2/2 - (y/0.4)^2)*sin(6*pi*t)*min(t, 1) if abs(x - 0.5) < 0.24 else 0",
    "-x*t",
    "x^2*cos(3*y)/(1 + t^2)",
    "(x*t - y*t)*exp(-t)",
    "sin(t) if t < 2 and t > 0.5 else 0",
    "x*sin(t) if t < 2 or t > 3 else 0",
    "besselj(1, 3*x)*heaviside(t - 0.3)/(-2)",
    "y",
    "3",
    "-(-2)^3*x*(-t)",
]


@pytest.mark.parametrize("text", PRODUCTS)
def test_products_are_taken_apart(text):
    formula = Formula.parse(text, VARIABLES)
    place, time = separated(formula, "t")
    assert place.variables == ("x", "y")
    assert time.variables == ("t",)
    x, y, t = np.random.default_rng(1).uniform(-4, 4, (3, 500))
    product = place.evaluate(x=x, y=y) * time.evaluate(t=t)
    assert product == pytest.approx(formula.evaluate(x=x, y=y, t=t), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    "text",
    [
        "sin(x - t)",
        "x + t",
        "x*t + y*t^2",
        "x*t if x < t else 0",
        "x*t if x < 1 else 2",
        "(x*t)^2",
        "exp(x*t)",
    ],
)
def test_others_are_left_whole(text):
    assert separated(Formula.parse(text, VARIABLES), "t") is None


PLACE = ["x", "y", "2", "(x - 0.3)", "sin(x)", "exp(-y^2)", "abs(x*y)", "(1 if x < y else 0)"]
TIME = ["t", "3", "cos(t)", "(t + 1)", "min(t, 1)", "(t if t > 1 else 0)"]


@given(st.lists(st.sampled_from(PLACE + TIME), min_size=1, max_size=6), st.integers(0, 2**16))
def test_whatever_is_multiplied_is_found_again(factors, seed):
    formula = Formula.parse(" * ".join(factors), VARIABLES)
    place, time = separated(formula, "t")
    x, y, t = np.random.default_rng(seed).uniform(-2, 2, (3, 20))
    product = place.evaluate(x=x, y=y) * time.evaluate(t=t)
    assert product == pytest.approx(formula.evaluate(x=x, y=y, t=t), rel=1e-12, abs=1e-300)
