"""Numbers that follow parameters: read, shown, typed, changed and saved."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scene.strategies import scenes
from wavelab.errors import FormulaError, SceneError
from wavelab.scene.editing.parameters import adopted, revalued, with_parameters
from wavelab.scene.editing.properties import changed, properties
from wavelab.scene.formulas.expression import Expression, WholeExpression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.parameter import RESERVED, Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves
from wavelab.scene.rules.parameter_rules import unused_parameters
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import dump_scene, parse_items, parse_scene
from wavelab.scene.toml.toml_writer import items_text

TEXT = """\
title = "Slits"

[parameters]
d = { value = 0.4, range = [0.1, 1], step = 0.05, unit = "m", label = "Distance" }
f = 3
n = { value = 1.5, range = [1, 4] }
k = "2*pi*f"
terms = { value = 3, range = [1, 8], step = 1 }

[domain]
shape = "rectangle"
lower = [0, 0]
upper = ["4*d + 1", 2]

[[holes]]
name = "wall"
shape = "polygon"
vertices = [["1 - d/2", 0.5], ["1 + d/2", 0.5], ["max(1, d)", "0.5 + d/4"]]

[background]
epsilon = "1 + d*x^2"

[[materials]]
name = "glass"
epsilon = "n^2"
mu = "1 + 0.1*sin(k*x)*exp(-n*t)"
shape = "ellipse"
center = ["1.6 + d", 1.5]
radii = ["d/8", 0.1]

[[sources]]
name = "lamp"
kind = "array"
start = [0.2, 0.5]
end = [0.2, "0.5 + d"]
count = "terms"
radius = 0.05
amplitude = 30
waveform = { kind = "sine", frequency = "f" }

[[monitors]]
name = "out"
kind = "flux"
vertices = [[0.4, 0.1], [0.4, "2 - d"]]
frequencies = ["f", "f/2"]
begin = "1/f"

[initial]
ez = "exp(-(x - d)^2)"

[solver]
element_size = "1/(4*f)"
order = "2 + 1"
until = "6/f"
"""


@pytest.fixture
def scene() -> Scene:
    return parse_scene(TEXT)


def test_numbers_follow_the_parameters(scene: Scene) -> None:
    assert scene.outline is not None
    assert scene.outline.upper == (2.6, 2.0)
    assert scene.holes[0].shape.vertices == ((0.8, 0.5), (1.2, 0.5), (1.0, 0.6))
    glass = scene.materials[0]
    assert glass.material.epsilon == 2.25
    assert isinstance(glass.material.mu, Formula)
    assert glass.material.mu.evaluate(x=0.25 / 3, y=0.0, t=0.0) == pytest.approx(1.1)
    assert scene.sources[0].count == 3
    assert scene.monitors[0].frequencies == (3.0, 1.5)
    assert scene.solver.order == 3
    assert scene.values["k"] == pytest.approx(18.849555921538759)
    moved = with_parameters(scene, {"d": 0.8, "f": 4.0, "n": 2.0, "terms": 5})
    assert moved.outline.upper == (4.2, 2.0)
    assert moved.materials[0].material.epsilon == 4
    assert moved.sources[0].count == 5
    assert moved.solver.until == 1.5
    assert moved.values["k"] == pytest.approx(25.132741228718345)
    assert moved.initial.ez.evaluate(x=0.8, y=0.0) == 1
    assert moved != scene
    assert with_parameters(moved, {"d": 0.4, "f": 3, "n": 1.5, "terms": 3}) == scene


def test_what_does_not_follow_a_parameter_stays_the_same_object(scene: Scene) -> None:
    moved = with_parameters(scene, {"n": 2.0})
    assert moved.materials[0] is not scene.materials[0]
    for part in ("outline", "holes", "background", "sources", "monitors", "initial", "solver"):
        assert getattr(moved, part) is getattr(scene, part), part


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


def test_a_scene_tells_a_number_from_a_formula_that_gives_it(scene: Scene) -> None:
    plain = replace(scene, solver=replace(scene.solver, until=2.0))
    assert plain.solver == scene.solver
    assert plain != scene
    assert plain.materials == scene.materials
    assert replace(scene, title="Slits") == scene


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


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"dd": 1.0}, r'no parameter dd\n  Did you mean "d"\? It has: d, f, n, k, terms'),
        ({"k": 1.0}, r"k follows from others, so it cannot be set\n  Set f\."),
        ({"d": 3.0}, r"parameter d is 3, outside its range\n  It can be from 0.1 to 1"),
        ({"d": float("nan")}, "parameter d is nan"),
        ({"f": -2.0}, r'frequency of source "lamp".* is -2\n.*It comes of frequency = "f" with f'),
        ({"f": 0.0}, r"element_size of \[solver\]: .*quotient in it is inf with f = 0"),
        ({"terms": 2.5}, r'count of source "lamp": .*it gives 2.5 with terms = 2.5\n.*whole'),
    ],
)
def test_values_that_cannot_be(scene: Scene, values: dict[str, float], words: str) -> None:
    with pytest.raises(SceneError, match=words) as caught:
        with_parameters(scene, values)
    assert caught.value.remedy


def test_without_parameters_there_is_nothing_to_set() -> None:
    scene = replace(parse_scene(TEXT), parameters=())
    with pytest.raises(SceneError, match=r"no parameter d\n  It has none"):
        with_parameters(scene, {"d": 1.0})


@pytest.mark.parametrize("name", RESERVED)
def test_no_parameter_has_a_name_that_formulas_use(name: str) -> None:
    with pytest.raises(ItemError, match=f"cannot be named {name}"):
        Parameter(name, 1.0).check(("parameters", name))


def test_a_parameter_that_is_used_stays(scene: Scene) -> None:
    left = [p for p in scene.parameters if p.name != "n"]
    with pytest.raises(ItemError, match=r'epsilon of material "glass": .*unknown name n'):
        revalued(scene, left)
    more = revalued(scene, (*scene.parameters, Parameter("spare", 1.0)))
    assert unused_parameters(more) == ("spare",)
    assert unused_parameters(scene) == ()
    assert revalued(more, scene.parameters) == scene


def test_the_form_shows_and_takes_formulas(scene: Scene) -> None:
    def shown(item: tuple, key: tuple) -> str:
        (found,) = (p.text for p in properties(scene, item) if p.key == key)
        return found

    glass = ("materials", 0)
    assert shown(glass, ("material", "epsilon")) == "n^2"
    assert shown(glass, ("shape", "center")) == "1.6 + d, 1.5"
    assert shown(("sources", 0), ("count",)) == "terms"
    corners = shown(("holes", 0), ("shape", "vertices"))
    assert corners == "[1 - d/2, 0.5], [1 + d/2, 0.5], [max(1, d), 0.5 + d/4]"
    for item in (glass, ("sources", 0), ("holes", 0), ("monitors", 0), ("outline",), ("solver",)):
        for p in properties(scene, item):
            if "kind" not in p.key and p.key != ("poles",):
                assert replace(changed(scene, item, p.key, p.text), exact=None) == scene, p

    typed = changed(scene, glass, ("material", "epsilon"), "n + d")
    assert typed.materials[0].material.epsilon == 1.9
    assert with_parameters(typed, {"n": 3.0}).materials[0].material.epsilon == 3.4
    plain = changed(scene, glass, ("material", "epsilon"), "2.25")
    assert type(plain.materials[0].material.epsilon) is float
    assert plain != scene
    plain = changed(scene, ("solver",), ("until",), "2")
    assert type(plain.solver.until) is float
    moved = changed(scene, glass, ("shape", "center"), "[min(d, 2) + 1.2, 1.5]")
    assert moved.materials[0].shape.center == (1.6, 1.5)
    with pytest.raises(ItemError, match="unknown name q"):
        changed(scene, glass, ("shape", "center"), "q, 1.5")


def test_the_form_of_a_parameter(scene: Scene) -> None:
    n = ("parameters", 2)
    assert [p.text for p in properties(scene, n)] == ["n", "1.5", "1, 4", "", "", ""]
    assert changed(scene, n, ("value",), "2").materials[0].material.epsilon == 4
    assert changed(scene, n, ("range",), "") != scene
    with pytest.raises(ItemError, match="outside its range"):
        changed(scene, n, ("value",), "9")
    with pytest.raises(ItemError, match="unknown name k"):
        changed(scene, n, ("value",), "k")
    with pytest.raises(ItemError, match="cannot be named pi"):
        changed(scene, n, ("name",), "pi")


def test_items_from_elsewhere_bring_the_parameters_that_they_follow(scene: Scene) -> None:
    text = items_text(replace(scene, holes=(), monitors=(), sources=()))
    found = parse_items(text, "the clipboard")
    assert [p.name for p in found.parameters] == ["d", "f", "n", "k"]
    empty = replace(parse_scene(TEXT), parameters=(), materials=(), holes=(), monitors=())
    bare = parse_scene(
        dump_scene(
            parse_scene(
                "title = 'a'\n[domain]\nshape = 'ellipse'\n"
                "center = [0, 0]\nradii = [3, 3]\n"
                "[solver]\nelement_size = 1\n[parameters]\nd = 0.5\n"
            )
        )
    )
    assert empty.parameters == ()
    merged, items = adopted(bare, found)
    assert merged.values == {"d": 0.5, "f": 3.0, "n": 1.5, "k": scene.values["k"]}
    assert items.materials[0].shape.center == (2.1, 1.5)
    assert adopted(scene, found)[0] is scene
