"""The scenes that the gallery offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sample_scenes import boxed
from wavelab.app.base.foreign_text import short_names
from wavelab.app.base.theme import THEMES
from wavelab.app.panels.gallery import gallery
from wavelab.scene.shelf import shelf
from wavelab.scene.toml.toml_io import load_scene


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


def test_all_scenes_that_are_shown_are_remembered(monkeypatch):
    """Fewer, and each would be forgotten before its turn comes again."""
    paths = [path for group in shelf() for path in group.paths]
    first = gallery.entries(paths)
    assert len(first) == len(paths)
    monkeypatch.setattr(gallery, "load_scene", lambda path: pytest.fail(f"{path} is read again"))
    assert gallery.entries(paths) == first


def test_files_are_called_by_as_many_folders_as_tell_them_apart():
    paths = [Path("/a/x.toml"), Path("/b/x.toml"), Path("/c/d/y.toml"), Path("/e/d/y.toml")]
    names = ["a/x.toml", "b/x.toml", "c/d/y.toml", "e/d/y.toml"]
    assert list(short_names(paths).values()) == [str(Path(name)) for name in names]
    assert list(short_names([Path("/a/z.toml")]).values()) == ["z.toml"]


def test_scenes_of_one_title_are_told_apart(application, tmp_path):
    for folder, title in (("monday", "Room"), ("tuesday", "Room"), ("friday", "Hall")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "scene.toml").write_text(
            boxed(title, "[solver]\nelement_size = 0.2\n")
        )
    entries = gallery.entries(sorted(tmp_path.glob("*/scene.toml")))
    shown = gallery.Gallery()
    shown.resize(280, 400)
    shown.show_entries({"Recent": entries}, THEMES["dark"])
    pictures = {}
    for entry in entries:
        box = shown.visualItemRect(shown.item_for(entry.path))
        pictures[entry.path.parent.name] = shown.viewport().grab(box).toImage()
    assert pictures["monday"] != pictures["tuesday"]
    # They can be looked for, too; where there is nothing to be told apart nothing is said.
    shown.show_wanted("tuesday")
    assert not shown.item_for(tmp_path / "tuesday" / "scene.toml").isHidden()
    assert shown.item_for(tmp_path / "monday" / "scene.toml").isHidden()
    shown.show_wanted("friday")
    assert shown.item_for(tmp_path / "friday" / "scene.toml").isHidden()
    shown.deleteLater()
