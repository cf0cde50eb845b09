"""Scenes that a program makes, loads and changes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavelab
from wavelab.errors import SceneError
from wavelab.paths import MESHES, SCENES
from wavelab.scene.editing.settings import with_settings
from wavelab.scene.toml.toml_io import dump_scene, load_scene

ROOM = {"domain": {"shape": "rectangle", "lower": [0, 0], "upper": [2, 1]}}
SMALL = {**ROOM, "solver": {"element_size": 0.2}}
LAMP = {"name": "lamp", "position": [0.5, 0.5], "radius": 0.1, "amplitude": 1}
ROD = {"name": "rod", "shape": "ellipse", "center": [1, 0.5], "radii": [0.2, 0.2], "epsilon": 4}


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_scene_is_what_its_file_says_by_name_and_by_text(path):
    scene = wavelab.Scene.load(path.stem)
    assert scene.model == load_scene(path)
    assert wavelab.Scene.from_toml(scene.to_toml(), path) == scene
    assert re.fullmatch(
        rf'<Scene "{re.escape(scene.title)}": .+; .*order \d+, until .+>', repr(scene)
    )


def test_tables_of_python_are_those_of_a_file(tmp_path):
    scene = wavelab.Scene(
        "Numbers of every kind",
        domain={"shape": "polygon", "vertices": np.array([[0, 0], [2, 0], [1, 1.5]])},
        parameters={"n": {"value": np.float64(1.5), "range": (1, 2)}},
        materials=[{**ROD, "center": (1, 0.5), "radii": np.full(2, 0.1), "epsilon": "n^2"}],
        probes=({"position": (np.float32(1), np.int64(0) + 0.25)},),
        solver={"element_size": 0.25, "order": np.int32(3), "until": 1, "safety": None},
    )
    text = wavelab.Scene.from_toml(
        """
        title = "Numbers of every kind"
        [domain]
        shape = "polygon"
        vertices = [[0, 0], [2, 0], [1, 1.5]]
        [parameters]
        n = { value = 1.5, range = [1, 2] }
        [[materials]]
        name = "rod"
        shape = "ellipse"
        center = [1, 0.5]
        radii = [0.1, 0.1]
        epsilon = "n^2"
        [[probes]]
        position = [1, 0.25]
        [solver]
        element_size = 0.25
        order = 3
        until = 1
        """
    )
    assert scene == text
    assert hash(scene) == hash(text)
    scene.save(tmp_path / "scene.toml")
    assert wavelab.Scene.load(tmp_path / "scene.toml").to_toml() == scene.to_toml()


@given(st.floats(1, 100), st.integers(1, 10), st.floats(0.01, 0.9), st.floats(0.1, 0.9))
def test_with_sets_what_set_sets_with_all_digits(epsilon, order, x, y):
    scene = wavelab.Scene(materials=[ROD], probes=[{"position": [0.5, 0.5]}], **SMALL)
    changed = scene.with_(
        "solver.order",
        order,
        **{"materials.rod.epsilon": epsilon, "probes.1.position": np.array([x, y])},
    )
    assert changed.model.materials[0].material.epsilon == epsilon
    assert changed.model.probes[0].position == (x, y)
    typed = [
        ("solver.order", str(order)),
        ("materials.rod.epsilon", repr(epsilon)),
        ("probes.1.position", f"{x!r}, {y!r}"),
    ]
    assert changed.model == with_settings(scene.model, typed)
    assert scene.model.solver.order == 4


def test_with_takes_every_kind_of_value():
    scene = wavelab.Scene(
        parameters={"d": 0.2}, materials=[ROD], walls=[{"edges": ["domain.left"]}], **SMALL
    )
    assert scene.with_("d", 0.3).parameters == {"d": 0.3}
    assert scene.with_("solver.curved", False).model.solver.curved is False
    assert (
        scene.with_("materials.rod.epsilon", "2 + x").model.materials[0].material.epsilon.uses("x")
    )
    assert scene.with_("walls.1.edges", ["domain.left", "domain.top"]).model.walls[0].edges == (
        "domain.left",
        "domain.top",
    )
    corners = [[0, 0], [2, 0], [1, 1]]
    triangle = wavelab.Scene(
        domain={"shape": "polygon", "vertices": [[0, 0], [1, 0], [0, 1]]}, solver=SMALL["solver"]
    ).with_("domain.vertices", corners)
    assert triangle.model.outline.vertices == tuple(map(tuple, corners))
    assert scene.with_("view.limit", 2).with_("view.limit", None).model.view.limit is None


def test_its_solver_is_changed_by_keywords():
    scene = wavelab.Scene(**SMALL).solved(order=np.int64(6), until=2, precision=None)
    solver = scene.model.solver
    assert (solver.order, solver.until, solver.precision) == (6, 2.0, "single")
    for solver, said in (
        ({"ordr": 3}, 'Did you mean "order"'),
        ({"order": 11}, "solver.order"),
        ({"curved": "yes"}, "true or false"),
    ):
        with pytest.raises(SceneError) as caught:
            scene.solved(**solver)
        assert said in str(caught.value)
    meshed = wavelab.Scene(domain={"mesh": MESHES / "disk.msh"})
    with pytest.raises(SceneError, match="so element_size has no effect"):
        meshed.solved(element_size=0.1)


def glass(x, y):
    return 2 + x * y


def test_functions_stand_where_formulas_are_looked_at_once():
    scene = wavelab.Scene(
        materials=[ROD],
        initial={"ez": glass},
        exact={"ez": lambda x, y, t: x - t},
        **SMALL,
    ).with_("materials.rod.epsilon", glass)
    medium = scene.model.materials[0].material.epsilon
    assert medium.evaluate(x=1.0, y=2.0, t=0.0) == 4.0
    with pytest.raises(SceneError, match=r"glass\(x, y\) is a Python function") as caught:
        scene.to_toml()
    assert "formula" in caught.value.remedy


def test_a_waveform_of_numbers_is_set_and_cannot_be_saved(tmp_path):
    wave = wavelab.waveform([0.0, 0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0, -1.0, 0.0])
    given = wavelab.Scene(sources=[{**LAMP, "waveform": wave}], **SMALL)
    sine = {"kind": "sine", "frequency": 1}
    changed = wavelab.Scene(sources=[{**LAMP, "waveform": sine}], **SMALL).with_(
        "sources.lamp.waveform", wave
    )
    assert given == changed
    with pytest.raises(SceneError, match='waveform of source "lamp"') as caught:
        given.save(tmp_path / "scene.toml")
    assert "CSV" in caught.value.remedy
    assert not list(tmp_path.iterdir())


def steady(x, y, t):
    return x


@pytest.mark.parametrize(
    ("tables", "named", "remedy"),
    [
        ({}, "solver", "element_size"),
        ({"solver": 3}, "solver", "table"),
        ({"solver": {"element_size": 0.2, "ordr": 3}}, "solver.ordr", "order"),
        ({"solver": {"element_size": 1j}}, "solver.element_size", "number"),
        ({"solver": {"element_size": np.nan}}, "solver.element_size", "finite"),
        ({"probes": [{"position": [0, 0]}, {"position": [0]}]}, "probes.2.position", "two numbers"),
        ({"sources": [{**LAMP, "waveform": np.sin}]}, "sources.1.waveform", "wavelab.waveform"),
        ({"sources": [{**LAMP, "amplitude": glass}]}, "sources.1.amplitude", "formula"),
        ({"background": {"epsilon": steady}}, "background.epsilon", "It gets x and y"),
        ({"materials": [{**ROD, "mu": lambda x: x}]}, "materials.1.mu", "It gets x and y"),
        ({"sources": [{"kind": "current", "jz": glass}]}, "sources.1.jz", "formula"),
    ],
)
def test_what_cannot_be_is_said_with_its_place(tables, named, remedy):
    content = {**ROOM, **({} if "solver" in tables or not tables else SMALL), **tables}
    with pytest.raises(SceneError) as caught:
        wavelab.Scene("Wrong", **content)
    assert caught.value.where.endswith(f"Wrong: {named}")
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("nothing", 1, "no parameter nothing"),
        ("solver.nothing", 1, "has no nothing"),
        ("solver.order", 2.5, "whole number"),
        ("solver.order", glass, "order is a Python function"),
        ("materials.rod.epsilon", {"a": 1}, "cannot be of the type dict"),
        ("materials.rod.epsilon", -1.0, "epsilon"),
        ("materials.rod.waveform", wavelab.waveform([0, 1, 2, 3], [0, 1, 1, 0]), "no waveform"),
    ],
)
def test_with_refuses_what_cannot_be(name, value, said):
    with pytest.raises(SceneError) as caught:
        wavelab.Scene(materials=[ROD], **SMALL).with_(name, value)
    assert said in str(caught.value)
    assert caught.value.remedy


def test_what_is_no_scene_is_refused():
    assert wavelab.Scene.of(load_scene(SCENES / "disk.toml")) == wavelab.Scene.load("disk")
    with pytest.raises(SceneError, match="int is no scene"):
        wavelab.Scene.of(3)
    with pytest.raises(SceneError, match="no such file") as caught:
        wavelab.Scene.load(Path("doubel_slit"))
    assert "double_slit" in caught.value.remedy
    assert dump_scene(wavelab.Scene.load("disk").model) == wavelab.Scene.load("disk").to_toml()
