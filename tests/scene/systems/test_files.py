"""Scene files of every system: what is said comes back, and words of other waves are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.errors import SceneError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import SPACE_AND_TIME, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import LineMonitor
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

#: Their products and squares stay within what a coefficient can be.
numbers = st.floats(1e-4, 1e4)
texts = st.sampled_from(["1 + x^2", "2 + sin(t)", "1.5 if y < 0.5 else 3", "exp(-x - y)"])
formulas = texts.map(lambda text: Formula.parse(text, SPACE_AND_TIME))
systems = st.sampled_from(list(SYSTEMS.values()))


@st.composite
def media(draw: st.DrawFn, system: System) -> Any:
    """With one of two numbers that say the same."""
    if system.equations == "elastic":  # numbers that go together
        p_speed = draw(numbers)
        s_speed = draw(st.just(0.0) | st.floats(1e-3, 0.8)) * p_speed
        return system.medium(draw(numbers), p_speed, s_speed, q_frequency=draw(numbers))
    given = dict.fromkeys(system.medium.rules)
    for new, of in system.medium.instead.items():
        del given[draw(st.sampled_from([new, of.name]))]
    said = {name: draw(numbers | formulas) for name in given}
    # Of a Kerr medium the rest are numbers.
    if "chi" in said and any(isinstance(value, Formula) for value in said.values()):
        del said["chi"]
    return system.medium(**said)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    system = draw(systems)
    region = MaterialRegion("it", draw(media(system)), Rectangle((0.2, 0.2), (0.4, 0.4)))
    walls = [kind for kind in system.walls.values() if not (kind.glues or kind.pml)]
    chosen = []
    for side in ("left", "top"):
        kind = draw(st.sampled_from(walls))
        of_wall = {f.name: st.floats(0.1, 1) if f.name == "reflected" else numbers
                   for f in kind.numbers()}  # fmt: skip
        given_numbers = {name: draw(values) for name, values in of_wall.items()}
        chosen.append(kind((f"domain.{side}",), **given_numbers))
    initial = {
        f.name: Formula.parse(draw(st.sampled_from(["x", "x*y"])), ("x", "y"))
        for f in fields(system.fields)
    }
    return Scene(
        "any",
        Solver(0.2, 2),
        background=draw(media(system)),
        materials=(region,),
        walls=tuple(chosen),
        monitors=(
            LineMonitor(
                "l", ((0.1, 0.5), (0.9, 0.5)), quantity=draw(st.sampled_from(["ez", "hx"]))
            ),
        ),
        initial=system.fields(**initial),
        physics=system.key,
    )


@given(scenes())
def test_a_scene_of_any_system_comes_back_from_its_file(scene):
    assert parse_scene(dump_scene(scene)) == scene


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.key)
@pytest.mark.parametrize("asked", ["ez", "hx", "hy", "h"])
def test_what_is_shown_is_named_as_in_its_field(system, asked):
    scene = parse_scene(_text(system, ""))
    if asked not in system.names:
        pytest.skip("the y component is the scalar")
    scene = replace(scene, view=replace(scene.view, quantity=asked))
    text = dump_scene(scene)
    assert (f'quantity = "{system.names[asked]}"' in text) or asked == "ez"
    assert parse_scene(text) == scene


HEAD = """\
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.2
"""


def _text(system: System, rest: str) -> str:
    return HEAD.format(physics=system.key) + rest


def foreign() -> list[tuple[str, str, str, str]]:
    """A system, a table with one word of another, where that is, and the word."""
    shape = 'shape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n'
    line = 'kind = "line"\nvertices = [[0, 0], [1, 1]]\n'
    tables: list[tuple[Callable[[System], Iterable[str]], str, str]] = [
        (lambda s: (f.name for f in fields(s.medium)), "[background]\n{} = 2\n", "background"),
        (
            lambda s: (f.name for f in fields(s.medium)),
            "[[materials]]\n{} = 2\n" + shape,
            "materials",
        ),
        (lambda s: s.walls, '[[walls]]\nkind = "{}"\nedges = ["domain"]\n', "walls.kind"),
        (lambda s: (f.name for f in fields(s.fields)), '[initial]\n{} = "x"\n', "initial"),
        (lambda s: (f.name for f in fields(s.fields)), '[exact]\n{} = "x"\n', "exact"),
        (
            lambda s: (f.key for f in (s.scalar, s.x, s.y)),
            '[[monitors]]\nquantity = "{}"\n' + line,
            "monitors.quantity",
        ),
        (lambda s: s.names.values(), '[view]\nquantity = "{}"\n', "view.quantity"),
    ]
    return [
        (system.key, table.format(word), place, word)
        for system in SYSTEMS.values()
        for words, table, place in tables
        for word in sorted({w for s in SYSTEMS.values() for w in words(s)} - {*words(system)})
    ]


@pytest.mark.parametrize(("physics", "text", "place", "word"), foreign())
def test_a_word_of_other_waves_is_refused_with_its_line_and_whose_it_is(physics, text, place, word):
    with pytest.raises(SceneError) as caught:
        parse_scene(_text(SYSTEMS[physics], text))
    error = caught.value
    assert error.where.startswith(f"scene:9: {place}")
    assert word in error.message
    owners = owners_of(error.message)
    assert owners
    assert set(owners) <= set(SYSTEMS) - {physics}
    assert f'With physics = "{physics}" it can' in error.remedy


def owners_of(message: str) -> list[str]:
    """The systems in 'which is for physics = "light" and "te"'."""
    _, _, told = message.partition("physics = ")
    return [part.strip('"') for part in told.split(" and ")] if told else []


@pytest.mark.parametrize(
    ("rest", "where", "words"),
    [
        ("[background]\nspeed = 0\n", "scene:9: background.speed", "greater than 0"),
        ("[background]\ndamping = -1\n", "scene:9: background.damping", "not be negative"),
        ("[background]\nspeed = 1e10\n", "scene:8: background", "choose other units"),
        ("[background]\nspede = 2\n", "scene:9: background.spede", "Did you mean"),
        ('[[walls]]\nedges = ["domain"]\nkind = "rigit"\n', "scene:10: walls.kind", '"rigid"'),
        ('[[walls]]\nedges = ["domain"]\nkind = "impedance"\n', "scene:8: walls", "pressure over"),
        ("[exact]\n", "scene:8: exact", "pressure, vx, vy"),
    ],
)
def test_a_wrong_number_or_word_says_what_would_be_right(rest, where, words):
    with pytest.raises(SceneError) as caught:
        parse_scene(_text(SYSTEMS["sound"], rest))
    assert caught.value.where.startswith(where)
    assert words in caught.value.remedy


@pytest.mark.parametrize("value", ['"sounds"', '"Sound"', "3", '""'])
def test_there_are_no_other_waves(value):
    with pytest.raises(SceneError) as caught:
        parse_scene(HEAD.replace('"{physics}"', value))
    assert caught.value.where == "scene:1: physics"
    if value != "3":
        assert all(key in caught.value.remedy for key in SYSTEMS)
