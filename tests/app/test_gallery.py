"""The scenes that the gallery offers."""

from __future__ import annotations

from wavelab.app.panels import gallery
from wavelab.scene.toml_io import load_scene


def test_a_scene_is_read_again_only_when_it_was_written_again(small_scene, tmp_path, monkeypatch):
    (tmp_path / "broken.toml").write_text("[")
    read = []

    def counted(path):
        read.append(path.name)
        return load_scene(path)

    monkeypatch.setattr(gallery, "load_scene", counted)
    paths = [small_scene, tmp_path / "broken.toml", tmp_path / "gone.toml"]
    titles = [[entry.scene.title for entry in gallery.entries(paths)] for _ in "12"]
    assert titles == 2 * [["Small box"]]
    assert read.count(small_scene.name) == 1
    small_scene.write_text(small_scene.read_text().replace("Small box", "A box made anew"))
    assert [entry.scene.title for entry in gallery.entries(paths)] == ["A box made anew"]
