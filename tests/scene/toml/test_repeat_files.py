"""How a repeat is written in a scene file, in short and in full, and what is refused there."""

from __future__ import annotations

import pytest

from wavelab.errors import SceneError
from wavelab.scene.model.shapes import Ellipse, Grid, Repeated, Row
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

HEAD = """
title = "t"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 2]
{domain}
[parameters]
a = 0.25
[[materials]]
name = "rods"
epsilon = 9
shape = "ellipse"
center = [0.2, 0.2]
radii = [0.05, 0.05]
{material}
[[monitors]]
name = "within"
kind = "energy"
shape = "rectangle"
lower = [0.5, 0.5]
upper = [1, 1]
{monitor}
[[sources]]
name = "swing"
kind = "{kind}"
shape = "rectangle"
lower = [1.2, 0.5]
upper = [1.3, 0.6]
{source}
amplitude = 1
waveform = {{ kind = "sine", frequency = 2 }}
[solver]
element_size = 0.1
"""
NOTHING = {"domain": "", "material": "", "monitor": "", "source": "", "kind": "region"}


def text(**given):
    return HEAD.format(**NOTHING | given)


@pytest.mark.parametrize(
    ("written", "repeat"),
    [
        ("count = 3, pitch = [0.5, 0.1]", Row(3, (0.5, 0.1))),
        ("count = 3, pitch = [0, 0.5], without = [2]", Row(3, (0.0, 0.5), (2,))),
        ('count = "8*a", pitch = ["a", "2*a"]', Row(2, (0.25, 0.5))),
        ("count = [3, 2], pitch = [0.5, 0.4]", Grid((3, 2), ((0.5, 0.0), (0.0, 0.4)))),
        (
            'count = [2, "8*a"], pitch = [["2*a", 0], ["a", 0.433]], without = [[2, 1]]',
            Grid((2, 2), ((0.5, 0.0), (0.25, 0.433)), ((2, 1),)),
        ),
    ],
)
def test_it_is_read_and_written_as_it_was(written, repeat):
    scene = parse_scene(text(material=f"repeat = {{ {written} }}"))
    assert scene.materials[0].shape == Repeated(Ellipse((0.2, 0.2), (0.05, 0.05)), repeat)
    saved = dump_scene(scene)
    assert f"repeat = {{ {written} }}" in saved
    assert parse_scene(saved) == scene


def test_a_table_of_its_own_says_the_same():
    inline = text(material="repeat = { count = [3, 2], pitch = [0.5, 0.4] }")
    table = text(material="[materials.repeat]\ncount = [3, 2]\npitch = [[0.5, 0], [0, 0.4]]")
    assert parse_scene(inline) == parse_scene(table)


ROW = "repeat = { count = 3, pitch = [0.5, 0.1] }"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"domain": ROW}, "domain.repeat\n?.*the domain is repeated"),
        ({"monitor": ROW}, 'monitor "within" is repeated, but must have a single outline'),
        ({"source": f"direction = 0\n{ROW}", "kind": "plane_wave"}, 'source "swing" is repeated'),
        (
            {"source": "repeat = { count = 3, pitch = [0.05, 0] }"},
            'copies of source "swing" overlap',
        ),
        ({"material": "repeat = 3"}, "repeat is a whole number"),
        ({"material": "repeat = { count = 3 }"}, "repeat has no pitch"),
        ({"material": "repeat = { pitch = [0.1, 0] }"}, "repeat has no count"),
        ({"material": "repeat = { count = 3, pich = [0.1, 0] }"}, 'Did you mean "pitch"'),
        ({"material": "repeat = { count = 2.5, pitch = [0.1, 0] }"}, "must be a whole number"),
        ({"material": 'repeat = { count = "10*a", pitch = [0.1, 0] }'}, "it gives 2.5"),
        ({"material": "repeat = { count = [3], pitch = [0.1, 0] }"}, "two whole numbers"),
        (
            {"material": "repeat = { count = 3, pitch = [[0.1, 0], [0, 0.1]] }"},
            "pitch is that of a grid",
        ),
        ({"material": "repeat = { count = [3, 3], pitch = 0.1 }"}, "two vectors"),
        ({"material": "repeat = { count = [3, 3], pitch = [0.1, 0], without = [3] }"}, "two whole"),
        ({"material": "repeat = { count = [1000000000, 1], pitch = [1, 1] }"}, "2,500 copies"),
        ({"material": "repeat = { count = 99999999999999999999, pitch = [1, 1] }"}, "too large"),
        ({"material": "repeat = { count = true, pitch = [1, 1] }"}, "is a boolean"),
        ({"material": "repeat = { count = 2, pitch = [inf, 1] }"}, "must be finite"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(given, words):
    with pytest.raises(SceneError, match=words) as refused:
        parse_scene(text(**given))
    assert refused.value.where.startswith("scene:")


def test_a_region_of_a_mesh_file_is_where_the_file_has_it(tmp_path):
    mesh = tmp_path / "there.msh"
    mesh.write_text("")
    with pytest.raises(SceneError, match="unknown key repeat"):
        parse_scene(
            f'title = "t"\n[domain]\nmesh = "there.msh"\n[[materials]]\nname = "rods"\n{ROW}\n',
            tmp_path / "t.toml",
        )
