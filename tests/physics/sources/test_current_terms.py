"""A formula of a current is driven as a profile and a function of time where that can be computed
with, and as it was typed where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import mixed_operator
from wavelab.physics.sources.emissions import source_terms_of
from wavelab.physics.sources.source_terms import FormulaSourceTerm, NodalSourceTerm
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import CurrentSource

SCENE = Scene("test", Solver(0.5), outline=Rectangle((-1, -1), (1, 1)))


@pytest.fixture
def source_term():
    operator = mixed_operator(2)

    def made(text: str):
        source = CurrentSource("j", Formula.parse(text, ("x", "y", "t")))
        (found,) = source_terms_of(source, operator, SCENE)
        return operator, found

    return made


@pytest.mark.parametrize("text", ["x*t", "1e200*x*(1e-200*t)", "-(x + 2)*sin(3*t)/(1 + y^2)"])
def test_a_product_is_a_profile_and_a_function_of_time(source_term, text):
    operator, found = source_term(text)
    assert isinstance(found, NodalSourceTerm)
    d, time = operator.discretization, 0.7
    jz = Formula.parse(text, ("x", "y", "t")).evaluate(x=d.x, y=d.y, t=time)
    rate = np.zeros(d.x.size)
    rate[found.nodes] = found.rate * found.waveform(time)
    assert rate.reshape(d.shape) == pytest.approx(-jz / operator.epsilon[:, None], rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "sin(x - t)",
        "1e50*x*sin(t)",
        "(1e60*t + 1e60)*x*1e-60",
        "t/(x - x)",
        "0*x*t",
    ],
)
def test_what_does_not_come_apart_into_sound_numbers_is_left_as_it_was_typed(source_term, text):
    _, found = source_term(text)
    assert isinstance(found, FormulaSourceTerm)
    assert found.jz.text == text
