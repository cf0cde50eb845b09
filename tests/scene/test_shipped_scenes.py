"""The scenes that come with the program read well and are written back as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wavelab.paths import SCENES
from wavelab.scene.toml.toml_io import dump_scene, load_scene, parse_scene

SHIPPED = sorted(SCENES.glob("*.toml"))


def test_the_promised_scenes_are_there() -> None:
    promised = {
        "two_sources",
        "double_slit",
        "disk",
        "coupled_cavities",
        "waveguide_bend",
        "chapter",
    }
    exact = {"cavity_1_1", "cavity_2_3", "cavity_magnetic", "periodic_wave", "half_dielectric"}
    assert promised | exact | {"welcome"} <= {path.stem for path in SHIPPED}
    assert all(load_scene(SCENES / f"{name}.toml").exact is not None for name in exact)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_round_trip(path: Path) -> None:
    scene = load_scene(path)
    assert parse_scene(dump_scene(scene), scene.path) == scene


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_it_explains_itself_and_has_a_probe(path: Path) -> None:
    scene = load_scene(path)
    assert scene.title != path.stem  # a title of its own
    sentences = re.findall(r"[.?!](?: |$)", scene.description)
    assert len(sentences) >= 2
    assert "\n" not in scene.description
    assert "  " not in scene.description
    assert scene.probes
    assert max(map(len, path.read_text().splitlines())) <= 100


def test_titles_are_different() -> None:
    titles = [load_scene(path).title for path in SHIPPED]
    assert len(set(titles)) == len(titles)
