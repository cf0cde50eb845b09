"""Parameters made of numbers, named anew and taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.errors import SceneError
from wavelab.scene.editing.parameter_edits import (
    as_plain,
    free_parameter_name,
    usual_range,
    usual_step,
    with_slider,
)
from wavelab.scene.editing.parameter_words import renamed, without_parameters
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.properties import changed, items, properties, without
from wavelab.scene.model.parameter import LONGEST_PARAMETER, RESERVED, Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.parameter_rules import names_used
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

SCENE = parse_scene(
    """\
[parameters]
d = { value = 0.4, range = [0.1, 1], step = 0.05 }
f = 3
back = { value = -0.1 }
k = "2*pi*f"
many = 3
double = "2*many"

[domain]
shape = "rectangle"
lower = [0, 0]
upper = ["4*d + 1", 2]

[[holes]]
name = "wall"
shape = "polygon"
vertices = [["1 - d/2", 0.5], ["1 + d/2", 0.5], [1, "0.5 + d/4"]]

[background]
epsilon = "1 + 0.1*sin(k*x)^2 + d*0"

[[sources]]
name = "Lämp 1"
kind = "array"
start = [0.2, "0.5 - back"]
end = [0.2, "0.5 + d"]
count = "double"
radius = 0.05
amplitude = 30
direction = -30
waveform = { kind = "sine", frequency = "f" }

[solver]
element_size = 0.2
order = 3
until = 0.3333333333333333
"""
)


def values(scene: Scene) -> str:
    """Of all of a scene, without the parameters that they came of."""
    return dump_scene(without(scene, *(("parameters", i) for i in range(len(scene.parameters)))))


def text_of(scene: Scene, item, key) -> str:
    return next(p.text for p in properties(scene, item) if p.key == key)


def made(item, key, number: str, scene: Scene = SCENE) -> tuple[Scene, str]:
    text = text_of(scene, item, key)
    start = text.index(number)
    return with_slider(scene, [item], key, text, (start, start + len(number)))


@pytest.mark.parametrize(
    ("item", "key", "number", "name", "after"),
    [
        (("sources", 0), ("radius",), "0.05", "lamp_1_radius", "lamp_1_radius"),
        (("sources", 0), ("start",), "0.2", "lamp_1_start_x", "lamp_1_start_x, 0.5 - back"),
        (("solver",), ("order",), "3", "solver_order", "solver_order"),
        (("solver",), ("until",), "0.333333", "solver_until", "solver_until"),
        (
            ("background",),
            ("epsilon",),
            "0.1",
            "background_epsilon",
            "1 + background_epsilon*sin(k*x)^2 + d*0",
        ),
    ],
)
def test_a_number_becomes_a_slider_and_the_scene_stays_what_it_is(item, key, number, name, after):
    new, found = made(item, key, number)
    assert found == name
    assert text_of(new, item, key) == after
    assert values(new) == values(SCENE)
    parameter = new.parameters[-1]
    low, high = parameter.range
    assert low < parameter.value < high
    for end in (low, high):
        with_parameters(new, {name: end})
    assert parse_scene(dump_scene(new)).parameters == new.parameters


def test_which_number_of_a_list_is_in_the_name():
    text = text_of(SCENE, ("holes", 0), ("shape", "vertices"))
    start = text.rindex("0.5 + d/4") - len("1, ")
    new, name = with_slider(SCENE, [("holes", 0)], ("shape", "vertices"), text, (start, start + 1))
    assert name == "wall_vertices_3_x"
    assert new.parameters[-1].label == "Obstacle wall: vertices 3 x"
    assert new.holes[0].shape.vertices[2][0].text == name


def test_digits_that_are_not_shown_stay():
    new, name = made(("solver",), ("until",), "0.333333")
    assert new.values[name] == SCENE.solver.until == 1 / 3


def test_whole_numbers_have_whole_steps():
    new, name = made(("solver",), ("order",), "3")
    assert new.parameters[-1].step == 1
    assert with_parameters(new, {name: 4}).solver.order == 4
    assert usual_step(SCENE, "many") == 1  # by way of another one
    assert usual_step(SCENE, "d") is None


def test_an_angle_goes_all_the_way_round():
    new, _ = made(("sources", 0), ("direction",), "-30")
    assert new.parameters[-1].range == (-180, 180)


def test_an_end_that_rules_refuse_is_nearer():
    assert usual_range(SCENE, "f") == (0.75, 6)  # no sine has the frequency 0
    assert usual_range(SCENE, "back") == (-0.2, 0)
    zero = replace(SCENE, parameters=(*SCENE.parameters, Parameter("zero", 0.0)))
    assert usual_range(zero, "zero") == (-1, 1)


def test_names_are_short_and_free():
    scene = replace(SCENE, parameters=(*SCENE.parameters, Parameter("lamp_radius", 1.0)))
    assert free_parameter_name(scene, "lamp radius") == "lamp_radius_2"
    assert free_parameter_name(scene, "2 much") == "p_2_much"
    assert free_parameter_name(scene, "波") == "p"
    assert free_parameter_name(scene, "sin") == "sin_2"
    assert "sin" in RESERVED
    assert len(free_parameter_name(scene, "a " * 99)) <= LONGEST_PARAMETER


def test_one_slider_for_several_items():
    twice = replace(SCENE, sources=(*SCENE.sources, replace(SCENE.sources[0], name="other")))
    chosen = [("sources", 0), ("sources", 1)]
    new, name = with_slider(twice, chosen, ("radius",), "0.05", (0, 4))
    assert [s.radius.text for s in new.sources] == [name, name]
    plain, gone = as_plain(new, chosen, ("radius",))
    assert gone == (name,)
    assert plain == twice


def test_a_plain_number_again():
    new, name = made(("sources", 0), ("start",), "0.2")
    plain, gone = as_plain(new, [("sources", 0)], ("start",))
    assert gone == ("back", name)  # which nothing else used
    assert text_of(plain, ("sources", 0), ("start",)) == "0.2, 0.6"
    plain, gone = as_plain(SCENE, [("background",)], ("epsilon",))
    assert gone == ("k",)
    assert not names_used(plain.background)
    assert values(plain) == values(SCENE).replace("(2*pi*3)", text_number(SCENE, "k"))


def text_number(scene: Scene, name: str) -> str:
    return repr(scene.values[name])


def test_what_follows_one_that_goes_has_what_it_is_now():
    new = without_parameters(SCENE, ["f"])
    assert new.values == {n: v for n, v in SCENE.values.items() if n != "f"}
    assert next(p for p in new.parameters if p.name == "k").value == SCENE.values["k"]
    assert new.sources[0].waveform.frequency == 3
    new = without_parameters(SCENE, ["k"])
    assert new.background.epsilon.text == "1 + 0.1*sin((2*pi*f)*x)^2 + d*0"
    assert with_parameters(new, {"f": 4}).background.epsilon.parameters == (("f", 4), ("d", 0.4))
    new = without_parameters(SCENE, ["back"])
    assert float(new.sources[0].start[1]) == 0.6
    assert not names_used(new.sources[0].start)
    new = without_parameters(SCENE, ["many", "double"])
    assert type(new.sources[0].count) is int


def test_all_can_go_at_once():
    new = without_parameters(SCENE, [p.name for p in SCENE.parameters])
    assert new.parameters == ()
    assert not names_used(new)
    assert "parameters" not in dump_scene(new)


def test_another_name_is_written_everywhere():
    new = renamed(SCENE, "d", "gap")
    assert [p.name for p in new.parameters] == ["gap", "f", "back", "k", "many", "double"]
    assert values(new) == values(SCENE)
    assert with_parameters(new, {"gap": 0.6}).values["gap"] == 0.6
    assert parse_scene(dump_scene(new)) == replace(new, path=None)
    assert renamed(new, "gap", "d") == SCENE
    for name in ("f", "sin", "1d", ""):
        with pytest.raises(SceneError):
            renamed(SCENE, "d", name)


def test_the_form_of_a_parameter():
    found = {item.label: item.key for item in items(SCENE)}
    key = found["parameter d"]
    assert [p.label for p in properties(SCENE, key)] == [
        "Name", "Value", "Range", "Step", "Unit", "Label",
    ]  # fmt: skip
    assert changed(SCENE, key, ("name",), "gap") == renamed(SCENE, "d", "gap")
    assert changed(SCENE, key, ("range",), "0.2, 2").parameters[0].range == (0.2, 2)
    assert changed(SCENE, key, ("unit",), "m").parameters[0].unit == "m"
    assert without(SCENE, key) == without_parameters(SCENE, ["d"])
