"""Every shipped scene has one place on the shelf."""

from __future__ import annotations

from wavelab.paths import SCENES
from wavelab.scene.shelf import shelf


def test_every_scene_has_its_place_and_none_has_two():
    groups = shelf()
    names = [name for group in groups for name in group.names]
    assert sorted(names) == sorted(path.stem for path in SCENES.glob("*.toml"))
    assert groups[0].names[0] == "welcome"
    titles = [group.title for group in groups]
    assert len(set(titles)) == len(titles)
    assert "Others" not in titles


def test_a_scene_that_nobody_placed_comes_last(tmp_path, monkeypatch):
    (tmp_path / "shelf.toml").write_text('[[groups]]\ntitle = "First"\nscenes = ["b"]\n')
    monkeypatch.setattr("wavelab.scene.shelf.ASSETS", tmp_path)
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    for name in ("a", "b", "c"):
        (scenes / f"{name}.toml").touch()
    monkeypatch.setattr("wavelab.scene.shelf.SCENES", scenes)
    first, others = shelf()
    assert (first.title, first.names) == ("First", ("b",))
    assert others.names == ("a", "c")
    assert others.paths == (scenes / "a.toml", scenes / "c.toml")
