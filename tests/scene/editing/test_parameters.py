"""Numbers that follow parameters: shown, typed, changed, copied."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.scene.parametric import BARE, TEXT
from wavelab.errors import SceneError
from wavelab.scene.editing.parameters import adopted, revalued, with_parameters
from wavelab.scene.editing.properties import changed, properties
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.parameter_rules import unused_parameters
from wavelab.scene.toml.toml_io import parse_items, parse_scene
from wavelab.scene.toml.toml_writer import items_text


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


def test_a_scene_tells_a_number_from_a_formula_that_gives_it(scene: Scene) -> None:
    plain = replace(scene, solver=replace(scene.solver, until=2.0))
    assert plain.solver == scene.solver
    assert plain != scene
    assert plain.materials == scene.materials
    assert replace(scene, title="Slits") == scene


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
    bare = parse_scene(f"{BARE}[parameters]\nd = 0.5\n")
    assert empty.parameters == ()
    merged, items = adopted(bare, found)
    assert merged.values == {"d": 0.5, "f": 3.0, "n": 1.5, "k": scene.values["k"]}
    assert items.materials[0].shape.center == (2.1, 1.5)
    assert adopted(scene, found)[0] is scene
