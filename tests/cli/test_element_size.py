"""An element size beside a mesh file is refused, wherever it is said."""

from __future__ import annotations

import shutil

import pytest

import wavelab
from wavelab.app.edits.edits import set_element_size
from wavelab.cli import main
from wavelab.errors import SceneError
from wavelab.paths import MESHES
from wavelab.scene.toml.toml_io import load_scene

SAID = 'title = "a"\n[domain]\nmesh = "a.msh"\n[solver]\norder = 2\nuntil = 0.1\n'
REFUSED = "element_size has no effect|takes its elements from a.msh"


@pytest.fixture
def scene(tmp_path):
    shutil.copy(MESHES / "square.msh", tmp_path / "a.msh")
    path = tmp_path / "a.toml"
    path.write_text(SAID)
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--h", "0.1"),
        ("run", "--set", "solver.element_size=0.1"),
        ("mesh", "--h", "0.1"),
        ("mesh", "--set", "solver.element_size=0.1"),
        ("converge", "--h", "0.1"),
        ("compare", "--with", "h=0.1"),
        ("compare", "--with", "order=3", "--h", "0.1"),
        ("resonances", "--h", "0.1"),
        ("bands", "--h", "0.1"),
        ("scatter", "--h", "0.1"),
    ],
    ids=" ".join,
)
def test_by_every_command(words, scene, capsys, monkeypatch):
    monkeypatch.chdir(scene.parent)
    command, *options = words
    assert main([command, str(scene), *options]) == 2
    assert "takes its elements from a.msh" in capsys.readouterr().err.replace("\n", " ")


def test_in_every_run_of_a_sweep(scene, monkeypatch):
    monkeypatch.chdir(scene.parent)
    words = ["--over", "solver.element_size=0.1,0.2", "--measure", "energy", "-o", "a.csv"]
    assert main(["sweep", str(scene), *words]) == 1
    assert (scene.parent / "a.csv").read_text().count("takes its elements from a.msh") == 2


def test_in_files_in_programs_and_in_the_window(scene):
    scene.write_text(SAID + "element_size = 0.1\n")
    with pytest.raises(SceneError, match=REFUSED):
        load_scene(scene)
    scene.write_text(SAID)
    api = wavelab.Scene.load(scene)
    for act in (
        lambda: api.solved(element_size=0.1),
        lambda: api.with_("solver.element_size", 0.1),
        lambda: wavelab.Simulation(api, element_size=0.1),
        lambda: set_element_size(load_scene(scene), 0.1),
    ):
        with pytest.raises(SceneError, match=REFUSED):
            act()
