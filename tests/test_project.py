"""The project's own files agree with each other, and a wheel carries all that is needed."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import LONGEST

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_constraints_pin_every_dependency_to_a_version_that_is_allowed():
    pins = {canonicalize_name(pin.name): pin for pin in CONSTRAINTS}
    project = PYPROJECT["project"]
    asked = [
        *project["dependencies"],
        *project["optional-dependencies"]["test"],
        *project["optional-dependencies"]["bundle"],
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


def test_the_files_that_the_tests_begin_with_are_there():
    assert len(set(LONGEST)) == len(LONGEST)
    for name in LONGEST:
        assert (ROOT / "tests" / name).is_file(), name


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
