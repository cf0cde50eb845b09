"""Values set by the names of parameters, and of tables, items and keys of a scene file."""

from __future__ import annotations

from typing import Any

import pytest

from wavelab.errors import SceneError
from wavelab.scene.editing.settings import check_setting, with_settings
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene

TEXT = """\
[parameters]
d = { value = 0.4, range = [0.1, 1] }
f = 3

[domain]
shape = "rectangle"
lower = [0, 0]
upper = ["4*d + 1", 2]

[[materials]]
name = "rod"
epsilon = "1 + d"
shape = "ellipse"
center = [1, 1]
radii = [0.2, 0.2]
poles = [{ kind = "drude", frequency = 3, damping = 0.1 }]

[[materials]]
name = "a.b"
shape = "ellipse"
center = [2, 1]
radii = [0.2, 0.2]

[[walls]]
edges = ["domain.left"]
kind = "impedance"
impedance = 0.5

[[sources]]
name = "lamp"
position = [0.2, 0.5]
radius = 0.05
amplitude = 30
waveform = { kind = "sine", frequency = "f" }

[[pings]]
time = 0.5
position = [1, 1]
radius = 0.1
amplitude = 1

[solver]
element_size = 0.2
"""


@pytest.fixture
def scene() -> Scene:
    return parse_scene(TEXT)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("d", "0.5", lambda s: (s.values["d"] == 0.5, s.outline.upper == (3, 2))),
        ("d", "1/4", lambda s: (s.values["d"] == 0.25,)),
        ("solver.order", "5", lambda s: (s.solver.order == 5,)),
        ("solver.until", "9/f", lambda s: (s.solver.until == 3,)),
        ("view.quantity", "hx", lambda s: (s.view.quantity == "hx",)),
        ("domain.upper", "3, 4", lambda s: (s.outline.upper == (3, 4),)),
        ("background.epsilon", "d*x + 2", lambda s: (s.background.epsilon.text == "d*x + 2",)),
        ("materials.rod.epsilon", "4", lambda s: (s.materials[0].material.epsilon == 4,)),
        ("materials.1.epsilon", "4", lambda s: (s.materials[0].material.epsilon == 4,)),
        ("materials.rod.radii", "d, 0.1", lambda s: (s.materials[0].shape.radii == (0.4, 0.1),)),
        ("materials.a.b.mu", "2", lambda s: (s.materials[1].material.mu == 2,)),
        ("materials.rod.poles.1.damping", "1", lambda s: (damping(s) == 1,)),
        ("walls.1.impedance", "2", lambda s: (s.walls[0].impedance == 2,)),
        ("sources.lamp.waveform.frequency", "2", lambda s: (frequency(s) == 2,)),
        ("pings.1.amplitude", "2", lambda s: (s.pings[0].amplitude == 2,)),
        ("initial.ez", "sin(d*x)", lambda s: (s.initial.ez.text == "sin(d*x)",)),
    ],
)
def test_what_can_be_named(scene: Scene, name: str, text: str, found: Any) -> None:
    check_setting(scene, name)
    assert all(found(with_settings(scene, [(name, text)])))


def damping(scene: Scene) -> float:
    return scene.materials[0].material.poles[0].damping


def frequency(scene: Scene) -> float:
    return scene.sources[0].waveform.frequency


def test_parameters_come_first_and_the_last_word_holds(scene: Scene) -> None:
    found = with_settings(scene, [("solver.until", "3*d"), ("d", "0.5"), ("d", "0.6"), ("f", "2")])
    assert found.solver.until == pytest.approx(1.8)
    assert found.values == {"d": 0.6, "f": 2.0}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("q", "1", r"no parameter q\n.*Parameters and tables are: d, f, domain"),
        ("d.x", "1", "no table d"),
        ("mterials.rod.mu", "1", r'no table mterials\n  Did you mean "materials"\? It has: domain'),
        ("materials.rood.mu", "1", r'no "rood" among the materials\n  Did you mean "rod"\? By num'),
        ("materials.3.mu", "1", 'no "3" among the materials'),
        ("materials", "1", r"which of the materials\?\n.*rod, a.b"),
        ("materials.rod", "1", r"is not a number but many\n  Name one of them: name, epsilon"),
        ("materials.rod.epsilom", "1", r'has no epsilom\n  Did you mean "epsilon"\? Of materials'),
        ("holes.1.name", "1", "no table holes"),
        ("solver.order", "99", r"solver.order = 99: order is 99\n.*from 1 to 10"),
        ("solver.order", "two", "unknown name two"),
        ("d", "2", "outside its range"),
        ("d", "f", r"parameter d cannot be 'f': .*unknown name f.*\n  It must be a number"),
        ("d", "1/0", "inf"),
    ],
)
def test_what_cannot_be_set_is_told_with_what_there_is(
    scene: Scene, name: str, text: str, words: str
) -> None:
    with pytest.raises(SceneError, match=words) as caught:
        with_settings(scene, [(name, text)])
    assert caught.value.remedy
