"""Parameters in scene files: what is saved comes back, and what is wrong has its line."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scene.parametric import BARE, TEXT
from tests.scene.strategies import scenes
from wavelab.errors import SceneError
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.formulas.expression import Expression, WholeExpression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.parameter import RESERVED, Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import dump_scene, parse_scene


@pytest.fixture
def scene() -> Scene:
    return parse_scene(TEXT)


def test_a_scene_with_parameters_comes_back_from_its_file(scene: Scene) -> None:
    assert dump_scene(scene) == TEXT
    assert parse_scene(dump_scene(scene)) == scene
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert copy.deepcopy(scene) == scene


@settings(max_examples=60, deadline=None)
@given(scenes(), st.floats(0.1, 1e3), st.data())
def test_round_trip_with_any_number_as_a_formula(scene: Scene, d: float, data: Any) -> None:
    chosen = data.draw(st.randoms(use_true_random=False))

    def formula(leaf: Any, item: Any) -> Any:
        if isinstance(leaf, bool) or chosen.random() < 0.5:
            return leaf
        if isinstance(leaf, float):
            return Expression.of(f"{leaf!r} + 0*d", {"d": d})
        if isinstance(leaf, int):
            return WholeExpression.of(f"0*d + {leaf}", {"d": d})
        if isinstance(leaf, Formula) and any(map(leaf.uses, leaf.variables)):
            return Formula.parse(f"({leaf.text}) - 0*d", leaf.variables, {"d": d})
        return leaf

    plain = check_scene(scene)
    scene = replace(changed_leaves(scene, formula), parameters=(Parameter("d", d),))
    text = dump_scene(check_scene(scene))
    again = parse_scene(text)
    assert again == scene
    assert dump_scene(again) == text
    assert pickle.loads(pickle.dumps(scene)) == scene
    other = with_parameters(scene, {"d": 2 * d})
    assert replace(other, parameters=scene.parameters, initial=plain.initial) is not scene
    assert with_parameters(other, {"d": d}) == scene
    assert other.outline == plain.outline
    assert other.solver == plain.solver


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 1), st.floats(1, 9), st.floats(1, 4), st.integers(1, 8))
def test_it_is_the_scene_that_a_file_with_other_values_says(
    d: float, f: float, n: float, terms: int
) -> None:
    values = {"d": d, "f": f, "n": n, "terms": terms}
    text = TEXT.replace("f = 3\n", f"f = {f!r}\n")
    for name in ("d", "n", "terms"):
        start = f"{name} = {{ value = "
        text = re.sub(rf"^{start}[\d.]+", f"{start}{values[name]!r}", text, flags=re.M)
    assert with_parameters(parse_scene(TEXT), values) == parse_scene(text)


names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,7}", fullmatch=True).filter(
    lambda name: name not in RESERVED
)
words = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@st.composite
def parameters(draw: Any) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for name in draw(st.lists(names, min_size=1, max_size=5, unique=True)):
        low, value, high = sorted(draw(st.tuples(*[st.floats(1e-9, 1e9)] * 3)))
        bounded = low < high and draw(st.booleans())
        step = draw(st.none() | st.floats(1e-6, 1e6))
        if found and draw(st.booleans()):
            text = f"{found[-1].name} + 1.5"
            value = Expression.of(text, {p.name: float(p.value) for p in found})
            bounded, step = False, None
        told = draw(st.tuples(words, words))
        found.append(Parameter(name, value, (low, high) if bounded else None, step, *told))
    return tuple(found)


@settings(max_examples=60, deadline=None)
@given(parameters())
def test_parameters_come_back_from_their_file(found: tuple[Parameter, ...]) -> None:
    scene = replace(parse_scene(BARE), parameters=found)
    text = dump_scene(check_scene(scene))
    assert parse_scene(text) == scene
    assert dump_scene(parse_scene(text)) == text
    settable = {p.name: float(p.value) for p in found if p.settable}
    assert with_parameters(scene, settable) == scene


def parsed_with(old: str, new: str) -> Scene:
    assert TEXT.count(old) == 1
    return parse_scene(TEXT.replace(old, new), "my.toml")


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        ('"4*d + 1"', '"4*dd + 1"', 13, "domain.upper", r"upper 1 is no number: .*\n  Did you me"),
        ('"n^2"', '"m^2"', 25, "materials.epsilon", r"unknown name m.*\n.*Allowed here: .*d, f, n"),
        ('"d/8"', '"x/8"', 29, "materials.radii", "unknown name x at column 1"),
        ('"d/8"', '"d/(d - 0.4)"', 29, "materials.radii", "quotient in it is inf with d = 0.4"),
        ('"d/8"', '"sqrt(-d)"', 29, "materials.radii", "sqrt in it is nan with d = 0.4"),
        ('"d/8"', '"0.3"', 29, "materials.radii", "radii 1 is a text\n.*leave the quotes out"),
        ('"d/8"', '"d/"', 29, "materials.radii", "ends too early"),
        ('"terms"', '"terms/2"', 36, "sources.count", "gives 1.5 with terms = 3\n.*a whole num"),
        ('"2 + 1"', '"9 + f"', 53, "solver.order", "order is 12\n.*from 1 to 10"),
        ("f = 3", "sin = 3", 5, "parameters.sin", "cannot be named sin.*\n.*besselj"),
        ("f = 3", "t = 3", 5, "parameters.t", "cannot be named t"),
        ("f = 3", '"a b" = 3', 5, "parameters.a b", "'a b' cannot be the name.*\n.*letter"),
        ("f = 3", "2f = 3", 5, "parameters.2f", "cannot be the name"),
        ("f = 3", "f = inf", 5, "parameters.f.value", "parameter f is inf"),
        ("f = 3", "f = true", 5, "parameters.f", "f is a boolean"),
        ("f = 3", 'f = "n"', 5, "parameters.f", r"unknown name n.*\n  Allowed here: d, pi, e"),
        ("f = 3", "f = {}", 5, "parameters.f", r"f has no value\n  Add value = ..."),
        ("f = 3", "f = { value = 3, rnage = [1, 2] }", 5, "parameters.f.rnage", 'mean "range"'),
        (
            "f = 3",
            "\n".join(f"f{i} = 1" for i in range(197)),
            3,
            "parameters",
            "has 201 parameters",
        ),
        ("value = 0.4", "value = 2", 4, "parameters.d.value", "d is 2, outside.*\n.*0.1 to 1"),
        ("[0.1, 1]", "[1, 0.1]", 4, "parameters.d.range", "goes from 1 to 0.1\n.*smaller"),
        (
            "step = 0.05",
            "step = 0",
            4,
            "parameters.d.step",
            "step of parameter d is 0.0\n.*greater",
        ),
        (
            'k = "2*pi*f"',
            'k = { value = "2*pi*f", range = [0, 99] }',
            7,
            "parameters.k",
            "follows from f, so it has no slider",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    old: str, new: str, line: int, key: str, words: str
) -> None:
    with pytest.raises(SceneError, match=words) as caught:
        parsed_with(old, new)
    assert caught.value.where == f"my.toml:{line}: {key}"
    assert caught.value.remedy


@pytest.mark.parametrize("name", RESERVED)
def test_no_parameter_has_a_name_that_formulas_use(name: str) -> None:
    with pytest.raises(ItemError, match=f"cannot be named {name}"):
        Parameter(name, 1.0).check(("parameters", name))
