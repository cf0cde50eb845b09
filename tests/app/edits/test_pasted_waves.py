"""What is copied from one kind of waves and pasted into another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.app.edits import item_edits
from wavelab.errors import SceneError
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.monitors import LineMonitor
from wavelab.scene.sources import PointSource
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.systems.elastic import Solid
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.walls import MagneticWall
from wavelab.scene.waveforms import Sine

LIT = Scene(
    "box",
    Solver(0.2, 2),
    holes=(Hole("post", Ellipse((0.7, 0.7), (0.1, 0.1))),),
    materials=(MaterialRegion("glass", Material(2.0), Rectangle((0.4, 0.1), (0.6, 0.3))),),
    walls=(MagneticWall(("post",)),),
    sources=(PointSource("lamp", (0.3, 0.3), 0.05, 1.0, Sine(2.0)),),
    monitors=(LineMonitor("row", ((0.2, 0.5), (0.5, 0.5)), quantity="hx"),),
)
PARTS = ("holes", "materials", "walls", "sources", "monitors")
KEYS = [(name, 0) for name in ("holes", "materials", "sources", "monitors")]


@pytest.mark.parametrize("there", SYSTEMS)
@pytest.mark.parametrize("here", SYSTEMS)
def test_pasted_items_are_as_in_a_scene_that_is_switched(here, there):
    source, _ = switched(LIT, here)
    empty = replace(
        LIT, **dict.fromkeys(("holes", "materials", "walls", "sources", "monitors"), ())
    )
    target, _ = switched(empty, there)
    items = item_edits.read(item_edits.copied(source, KEYS), there)
    edit, _ = item_edits.paste(target, items)
    expected, notes = switched(source, there)
    for name in PARTS:
        assert getattr(edit.scene, name) == getattr(expected, name)
    told = [note for note in notes if "post" in note or "glass" in note or "walls are" in note]
    assert set(told) == set(edit.notes)


def test_lines_of_a_file_are_of_the_waves_of_the_scene_that_they_are_pasted_into():
    text = '[[materials]]\nspeed = 2\nshape = "rectangle"\nlower = [0, 0]\nupper = [0.5, 0.5]\n'
    room, _ = switched(LIT, "sound")
    edit, _ = item_edits.paste(room, item_edits.read(text, "sound"))
    assert edit.scene.materials[-1].material.speed == 2
    with pytest.raises(SceneError, match='speed, which is for physics = "sound"'):
        item_edits.read(text, "light")


def test_what_follows_a_parameter_is_a_plain_number_in_other_waves_and_a_note_says_so():
    scene = parse_scene(
        """
[parameters]
n = 1.5
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[materials]]
name = "glass"
epsilon = "n^2"
shape = "rectangle"
lower = [0.4, 0.1]
upper = [0.6, 0.3]
[solver]
element_size = 0.2
"""
    )
    room, notes = switched(scene, "sound")
    assert 'numbers of "glass" follow no parameter any more' in notes
    assert room.materials[0].material.speed == pytest.approx(1 / 1.5)
    kept, notes = switched(scene, "te")
    assert not any("parameter" in note for note in notes)
    assert kept.materials[0].material.epsilon.text == "n^2"


def own_medium(physics: str) -> Medium:
    """One of which the few numbers that all systems know do not say all."""
    if physics == "elastic":
        return Solid(1.3, 0.7, 0.4, 20.0, 10.0, 2.0)
    kind = SYSTEMS[physics].medium
    given = [name for name in kind.rules if name not in {i.name for i in kind.instead.values()}]
    return kind(**{name: 0.4 + 0.1 * number for number, name in enumerate(given)})


@pytest.mark.parametrize("physics", SYSTEMS)
def test_what_is_pasted_among_the_same_waves_stays_what_it_is(physics):
    medium = own_medium(physics)
    scene, _ = switched(LIT, physics)
    glass = MaterialRegion("glass", medium, Rectangle((0.1, 0.1), (0.2, 0.2)))
    scene = replace(scene, materials=(glass,))
    items = item_edits.read(item_edits.copied(scene, [("materials", 0)]), physics)
    edit, _ = item_edits.paste(scene, items, (0.4, 0.0))
    assert [m.material for m in edit.scene.materials] == [medium, medium]
    assert not edit.notes
    assert switched(scene, physics) == (scene, ())
