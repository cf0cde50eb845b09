"""The project's own files agree with each other, and a wheel carries all that is needed."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def shipped() -> list[Path]:
    """Every asset and mesh of the source tree."""
    return [
        file.relative_to(ROOT)
        for name in ("assets", "meshes")
        for file in sorted((ROOT / name).rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    ]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (file,) = target.glob("*.whl")
    return file


def test_constraints_pin_every_dependency_to_a_version_that_is_allowed():
    pins = {canonicalize_name(pin.name): pin for pin in CONSTRAINTS}
    project = PYPROJECT["project"]
    asked = [
        *project["dependencies"],
        *project["optional-dependencies"]["test"],
        *PYPROJECT["build-system"]["requires"],
    ]
    for requirement in map(Requirement, asked):
        pin = pins[canonicalize_name(requirement.name)]
        (version,) = pin.specifier
        assert version.operator == "=="
        assert requirement.specifier.contains(version.version), requirement


def test_constraints_hold_no_address_and_no_name_twice():
    names = [canonicalize_name(pin.name) for pin in CONSTRAINTS]
    assert len(names) == len(set(names))
    for pin in CONSTRAINTS:
        assert pin.url is None
        assert len(pin.specifier) == 1
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_the_changelog_begins_with_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(.+?)\] - \d{4}-\d{2}-\d{2}$", text, re.MULTILINE)
    assert newest is not None
    assert newest[1] == PYPROJECT["project"]["version"]


def test_a_wheel_carries_assets_meshes_kernels_and_the_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert shipped()
    assert {f"wavelab/{file.as_posix()}" for file in shipped()} <= names
    for file in (ROOT / "wavelab").rglob("*"):
        if file.is_file() and file.suffix in (".py", ".mako"):
            assert file.relative_to(ROOT).as_posix() in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "scripts/")) for name in names)


def test_an_installed_wheel_finds_its_scenes_and_meshes(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "from wavelab import paths\n"
        "print(paths.ASSETS, paths.MESHES, len(list(paths.SCENES.glob('*.toml'))), sep='\\n')"
    )
    environment = dict(os.environ, PYTHONPATH=str(tmp_path))
    output = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert output[:2] == [str(tmp_path / "wavelab" / name) for name in ("assets", "meshes")]
    assert int(output[2]) == len(list((ROOT / "assets" / "scenes").glob("*.toml"))) >= 6


def test_the_documents_name_only_files_that_exist():
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        text = document.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!\w+:|#)([^)#]+)", text):
            assert (document.parent / link).exists(), f"{document.name} links to {link}"
        for name in re.findall(r"`([\w./]+/\w[\w.]*\.(?:py|mako))`", text):
            places = (ROOT, ROOT / "wavelab", ROOT / "wavelab" / "opencl")
            assert any((place / name).is_file() for place in places), f"{document.name}: {name}"


def test_docstrings_refer_to_what_there_is():
    for path in (ROOT / "wavelab").rglob("*.py"):
        for name in re.findall(r":\w+:`\s*(wavelab\.[\w.\s]+)`", path.read_text("utf-8")):
            assert resolved("".join(name.split())) is not None, f"{path.name} refers to {name}"


def resolved(name: str) -> object:
    """The module, class, function or method of that name; None if there is none."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found
    return None
