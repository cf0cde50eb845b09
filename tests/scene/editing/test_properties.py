"""What a form can show and change is what the scene file says, for every kind of item."""

from __future__ import annotations

import pytest

from tests import sample_kinds
from wavelab.paths import SCENES
from wavelab.scene.editing import properties
from wavelab.scene.editing.item_places import ITEM_KINDS
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.model.walking import part_at
from wavelab.scene.poles import Debye, Drude
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import AbsorbingWall, MagneticWall
from wavelab.scene.waveforms import FormulaWaveform, Ricker, Sine

SCENE = Scene(
    "box",
    Solver(0.1),
    outline=Rectangle((0, 0), (2, 1)),
    holes=(Hole("disk", Ellipse((0.5, 0.5), (0.2, 0.1))),),
    materials=(
        MaterialRegion(
            "metal", Material(2.0, poles=(Drude(3.0, 0.1),)), Polygon(((0, 0), (1, 0), (1, 0.3)))
        ),
    ),
    walls=(MagneticWall(("disk",)), AbsorbingWall(("domain",))),
    sources=(PointSource("s", (0.1, 0.2), 0.05, 1.0, Sine(2.0, delay=0.5)),),
)


def assert_labelled(found: list[properties.Property]) -> None:
    """Each has words of its own."""
    labels = [p.label for p in found]
    assert all(labels), labels
    assert len(set(labels)) == len(labels), labels


@pytest.mark.parametrize("what", sample_kinds.SCENES)
def test_every_property_of_every_kind_has_words_of_its_own(what):
    registry, scene_with = sample_kinds.SCENES[what]
    for kind in registry.values():
        scene = scene_with(kind)
        for item in properties.items(scene):
            assert_labelled(properties.properties(scene, item.key))


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.toml")), ids=lambda path: path.stem)
def test_typing_what_is_there_changes_nothing(path):
    """Of every property of every item of every shipped scene."""
    scene = load_scene(path)
    for item in properties.items(scene):
        assert_labelled(properties.properties(scene, item.key))
        for p in properties.properties(scene, item.key):
            same = properties.changed(scene, item.key, p.key, p.text)
            kept = {f: getattr(same, f) for f in (*properties.SINGLE, *ITEM_KINDS)}
            kept.pop("exact")
            assert all(getattr(scene, name) == value for name, value in kept.items()), (item, p)
            assert not p.choices or p.text in p.choices


@pytest.mark.parametrize(
    ("item", "key", "text", "value"),
    [
        (("sources", 0), ("position",), "0.3, 0.4", (0.3, 0.4)),
        (("sources", 0), ("waveform", "frequency"), "2,5", 2.5),
        (("sources", 0), ("adds",), "field", "field"),
        (("background",), ("epsilon",), "1 + x^2", Formula.parse("1 + x^2", ("x", "y", "t"))),
        (("background",), ("sigma",), "0.5", 0.5),
        (
            ("materials", 0),
            ("shape", "vertices"),
            "[0, 0], [2, 0], [2, 1]",
            ((0, 0), (2, 0), (2, 1)),
        ),
        (("solver",), ("curved",), "false", False),
        (("solver",), ("order",), "7", 7),
        (("walls", 1), ("edges",), "domain.left, domain.top", ("domain.left", "domain.top")),
        (("initial",), ("ez",), "", None),
    ],
)
def test_a_value_is_read_in_its_type(item, key, text, value):
    scene = properties.changed(SCENE, item, key, text)
    found = part_at(scene, (*item, *key))
    assert found == value
    assert type(found) is type(value)


def test_another_kind_of_waveform_keeps_numbers_of_the_same_name():
    def waveform(kind: str):
        return properties.changed(SCENE, ("sources", 0), ("waveform", "kind"), kind).sources[0]

    assert waveform("ricker").waveform == Ricker(2.0, 0.5)
    assert isinstance(waveform("formula").waveform, FormulaWaveform)


def test_poles_come_and_go():
    poles = ("material", "poles")
    more = properties.changed(SCENE, ("materials", 0), (*poles, 1, "kind"), "debye")
    assert more.materials[0].material.poles == (Drude(3.0, 0.1), Debye(1.0, 0.1))
    labels = [p.label for p in properties.properties(more, ("materials", 0))]
    assert {"Pole 1", "Pole 1 damping", "Pole 2 relaxation"} <= set(labels)
    less = properties.changed(more, ("materials", 0), (*poles, 0, "kind"), "none")
    assert less.materials[0].material.poles == (Debye(1.0, 0.1),)


def test_poles_of_mu_are_told_from_those_of_epsilon():
    magnetic = ("material", "magnetic_poles")
    more = properties.changed(SCENE, ("materials", 0), (*magnetic, 0, "kind"), "debye")
    assert more.materials[0].material.magnetic_poles == (Debye(1.0, 0.1),)
    assert more.materials[0].material.poles == (Drude(3.0, 0.1),)
    found = {p.key: p.label for p in properties.properties(more, ("materials", 0))}
    assert found[(*magnetic, 0, "relaxation")] == "Magnetic pole 1 relaxation"
    assert found[(*magnetic, 1, "kind")] == "Add magnetic pole"
    assert found[("material", "poles", 1, "kind")] == "Add pole"


def test_the_axes_of_a_crystal_are_typed_and_taken_away():
    item, axes, angle = ("materials", 0), ("material", "mu_axes"), ("material", "mu_angle")
    crystal = properties.changed(SCENE, item, axes, "1, 2.5")
    turned = properties.changed(crystal, item, angle, "-30")
    medium = turned.materials[0].material
    assert (medium.mu_axes, medium.mu_angle) == ((1.0, 2.5), -30.0)
    with pytest.raises(ItemError, match="no mu_axes"):
        properties.changed(turned, item, axes, "")
    back = properties.changed(properties.changed(turned, item, angle, "0"), item, axes, "")
    assert back.materials[0].material == SCENE.materials[0].material


@pytest.mark.parametrize(
    ("item", "key", "text", "message"),
    [
        (("sources", 0), ("radius",), "-1", "radius"),
        (("sources", 0), ("radius",), "wide", "number"),
        (("sources", 0), ("position",), "1", "two numbers"),
        (("background",), ("epsilon",), "1 +", "ends too early"),
        (("holes", 0), ("shape", "radii"), "1e-6, 1", "needle"),
        (("walls", 0), ("edges",), "dsk", "does not exist"),
    ],
)
def test_what_cannot_be_is_refused_with_the_words_of_the_scene_file(item, key, text, message):
    with pytest.raises(ItemError, match=message):
        properties.changed(SCENE, item, key, text)


def test_a_hole_takes_its_walls_with_it():
    scene = properties.without(SCENE, ("holes", 0))
    assert scene.holes == ()
    assert scene.walls == (AbsorbingWall(("domain",)),)
