"""Whatever stands under a name that somebody gave is told, and nothing is waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wavelab.errors import MeshError, SceneError
from wavelab.meshing.formats import READERS, read_mesh
from wavelab.meshing.formats.triangle_files import read_poly
from wavelab.reading import is_plain_file, named_path, read_plain_file, real_path
from wavelab.scene.toml.toml_io import load_scene

LONG = "a" * 300
NAMES = {
    "missing": "No such file",
    "a\0b": "No such file",
    LONG: "too long",
    "directory": "directory",
    "circle": "symbolic links",
    "pipe": "pipe or device",
}


@pytest.fixture(params=NAMES)
def unreadable(request, tmp_path: Path):
    """A function from the ending of a file to its path, and what is said about it."""

    def of(suffix: str) -> Path:
        path = tmp_path / f"{request.param}{suffix}"
        match request.param:
            case "directory":
                path.mkdir()
            case "circle":
                path.symlink_to(path)
            case "pipe":
                os.mkfifo(path)
        return path

    return of, NAMES[request.param]


def test_no_name_is_a_surprise(unreadable):
    make, said = unreadable
    path = make("")
    assert not is_plain_file(path)
    with pytest.raises(OSError, match=said):
        read_plain_file(path)
    if "\0" not in str(path):
        assert real_path(path).name == path.name


def test_every_reader_says_what_stands_there(unreadable):
    make, said = unreadable
    with pytest.raises(SceneError, match=f"no such file|{said}"):
        load_scene(make(".toml"))
    paths = [make(suffix) for suffix in READERS]
    for path in paths:
        with pytest.raises(MeshError, match=said):
            read_mesh(path)
    with pytest.raises(MeshError, match=said):
        read_poly(make(".poly"))


def test_devices_are_no_files():
    assert not is_plain_file(Path("/dev/zero"))
    with pytest.raises(OSError, match="device"):
        read_plain_file(Path("/dev/zero"), 10)


def test_a_plain_file_is_read_and_a_home_that_is_not_there_is_a_name(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"\0\1\r\n")
    assert read_plain_file(tmp_path / "a") == b"\0\1\r\n"
    assert read_plain_file(tmp_path / "a", 2) == b"\0\1"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named_path("~/a") == tmp_path / "a"
    assert named_path("~nobody-of-that-name/a") == Path("~nobody-of-that-name/a")
