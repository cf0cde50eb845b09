"""The check of the system names what is missing, and installs it only where it may."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "system_libraries.py"


@pytest.fixture
def script(monkeypatch):
    spec = importlib.util.spec_from_file_location("system_libraries", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", [str(SCRIPT)])
    return module


def test_the_dynamic_linker_says_what_is_missing(script, tmp_path):
    plugins = tmp_path / "Qt5" / "plugins" / "platforms"
    plugins.mkdir(parents=True)
    empty = ["gcc", "-shared", "-x", "c", "/dev/null"]
    subprocess.run([*empty, "-o", str(tmp_path / "libgone.so")], check=True)
    subprocess.run(
        [
            *empty,
            "-o",
            str(plugins / "libqxcb.so"),
            "-Wl,--no-as-needed",
            f"-L{tmp_path}",
            "-lgone",
        ],
        check=True,
    )
    assert script.missing_libraries(tmp_path) == ["libgone.so"]


def test_no_linker_is_noticed(script, monkeypatch):
    assert script.can_link()
    monkeypatch.setenv("PATH", os.devnull)
    assert not script.can_link()


def test_nothing_missing_is_nothing_said(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "missing", lambda xvfb: [])
    assert script.main() == 0
    assert capsys.readouterr() == ("", "")


def test_what_can_be_installed_is_and_looked_at_again(script, monkeypatch):
    answers = [[script.Lack("libGL.so.1", "libgl1"), script.Lack("fonts", "fonts-a libgl1")], []]
    asked: list[list[str]] = []
    monkeypatch.setattr(script, "missing", lambda xvfb: answers.pop(0))
    monkeypatch.setattr(script, "install", lambda packages: asked.append(packages) or True)
    assert script.main() == 0
    assert asked == [["fonts-a", "libgl1"]]


@pytest.mark.parametrize("rights", [False, True])
def test_what_cannot_be_installed_is_named(script, monkeypatch, capsys, rights):
    lacking = [
        script.Lack("libGL.so.1", "libgl1"),
        script.Lack("libnew.so.9", ""),
        script.Lack("a driver", "libgl1 libglx-mesa0", "slow"),
    ]
    monkeypatch.setattr(script, "missing", lambda xvfb: lacking)
    monkeypatch.setattr(script, "install", lambda packages: rights)
    assert script.main() == 1
    said = capsys.readouterr().err
    assert "sudo apt-get install libgl1 libglx-mesa0\n" in said
    assert "libnew.so.9\n" in said
    assert "a driver (Debian, Ubuntu: libgl1 libglx-mesa0): slow\n" in said


def test_what_only_makes_it_worse_does_not_stop_it(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "missing", lambda xvfb: [script.Lack("fonts", "f", "unreadable")])
    monkeypatch.setattr(script, "install", lambda packages: False)
    assert script.main() == 0
    assert "sudo apt-get install f\n" in capsys.readouterr().err


def test_check_never_installs(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--check"])
    monkeypatch.setattr(script, "missing", lambda xvfb: [script.Lack("libGL.so.1", "libgl1")])
    monkeypatch.setattr(script, "install", lambda packages: pytest.fail("it installs"))
    assert script.main() == 1
