"""Every property of every kind of item says what it means."""

from __future__ import annotations

from dataclasses import fields

import pytest

from wavelab.app.panels.meanings import MEANINGS, meaning
from wavelab.paths import SCENES
from wavelab.scene.editing.properties import KINDS, items, properties
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.scene import FieldFormulas, Hole, Material, MaterialRegion, Probe, Solver
from wavelab.scene.model.shapes import SHAPES
from wavelab.scene.model.view import View
from wavelab.scene.monitors import MONITORS
from wavelab.scene.sources import SOURCES
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.waveforms import WAVEFORMS

PLAIN = (FieldFormulas, Hole, Material, MaterialRegion, Probe, Solver, TextLabel, View)
REGISTRIES = (SOURCES, MONITORS, SHAPES, *KINDS.values())
#: Parts that are forms of their own.
INNER = {"material"}


def test_every_field_says_what_it_means_and_every_meaning_has_a_field():
    kinds = {*PLAIN, *(kind for registry in REGISTRIES for kind in registry.values())}
    of_kinds = (f for kind in kinds for f in fields(kind))
    names = {f.name for f in of_kinds if "meaning" not in f.metadata} - INNER
    # Of which kind something is says no field of it, but its registry.
    assert {name.rpartition(".")[2] for name in MEANINGS} == {*names, "kind"}


@pytest.mark.parametrize("name", ["seismic_section", "aircraft", "plasma_mirror"])
def test_whatever_a_form_shows_is_explained(name):
    scene = load_scene(SCENES / f"{name}.toml")
    shown = [(item.key, p) for item in items(scene) for p in properties(scene, item.key)]
    assert shown
    assert not [p.key for item, p in shown if not (p.meaning or meaning(item, p.key))]


def test_a_name_with_two_meanings_has_that_of_its_item():
    scene = load_scene(SCENES / "seismic_section.toml")
    ends = {
        item.key[0]: p.meaning or meaning(item.key, p.key)
        for item in items(scene)
        for p in properties(scene, item.key)
        if p.key == ("end",)
    }
    assert meaning(("sources", 0), ("end",)).startswith("The other end")
    assert all("summed up" in text for kind, text in ends.items() if kind == "monitors")
    (start,) = (f for f in fields(WAVEFORMS["chirp"]) if f.name == "start")
    assert start.metadata["meaning"].startswith("Frequency")
    assert meaning(("sources", 0), ("start",)).startswith("One end")
