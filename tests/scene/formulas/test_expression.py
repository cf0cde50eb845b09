"""Numbers that are written as formulas of parameters."""

from __future__ import annotations

import pickle

import pytest

from wavelab.errors import FormulaError
from wavelab.scene.formulas.expression import Expression, WholeExpression


def test_an_expression_is_its_value_and_its_text() -> None:
    half = Expression.of("d/2", {"d": 1.0})
    assert half == 0.5
    assert 0.5 == half  # noqa: SIM300
    assert hash(half) == hash(0.5)
    assert half != Expression.of("d - 0.5", {"d": 1.0})
    assert half == Expression.of("d/2", {"d": 1.0, "n": 2.0})
    assert half != Expression.of("d/2", {"d": 2.0})
    assert f"{half:g} {half!r} {half}" == "0.5 0.5 0.5"
    assert type(half + 1) is float
    again = pickle.loads(pickle.dumps(half))
    assert (type(again), again.text, again.names) == (Expression, "d/2", ("d",))
    three = WholeExpression.of("d*3", {"d": 1.0})
    assert three == 3
    assert three != WholeExpression.of("3*d", {"d": 1.0})
    assert pickle.loads(pickle.dumps(three)) == three
    assert list(range(three)) == [0, 1, 2]


def test_rounding_makes_no_whole_number_a_broken_one() -> None:
    assert WholeExpression.of("0.3/d", {"d": 0.1}) == 3
    with pytest.raises(FormulaError, match=r'"5/d": it gives 2\.5 with d = 2') as caught:
        WholeExpression.of("5/d", {"d": 2.0})
    assert caught.value.remedy == "Here it must give a whole number."
