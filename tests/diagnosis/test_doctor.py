"""The page of ``wavelab doctor``: complete, private, and there where things are broken."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from wavelab.diagnosis import asked, private, report
from wavelab.diagnosis.error_log import NAME, keep_errors, last_errors, told
from wavelab.diagnosis.machine import PACKAGES
from wavelab.diagnosis.page import page

ROOT = Path(__file__).resolve().parents[2]


def doctor(*words: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run as a user does; None takes a variable away."""
    variables = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    for name, value in environment.items():
        variables.pop(name, None)
        if value is not None:
            variables[name] = value
    return subprocess.run(
        [sys.executable, "-m", "wavelab", "doctor", *words],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )


NO_SCREEN = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "QT_QPA_PLATFORM": None}


def test_where_all_is_well_there_is_no_problem():
    done = doctor("--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert all(found["packages"][name] for name in PACKAGES)
    devices = found["opencl"].get("devices", [])
    for device in devices:
        if device["usable"]:
            assert device["self_test"]["single"].startswith("passed")
    assert not any(folder["problem"] for folder in found["folders"].values())
    if os.environ.get("DISPLAY"):
        assert found["window"]["screens"]
    assert page(found).count("\n") < 66


def test_no_screen_no_home_and_no_opencl_are_told(tmp_path):
    (tmp_path / "home").write_text("")
    home = str(tmp_path / "home")
    done = doctor(
        HOME=home, XDG_DATA_HOME=f"{home}/a", XDG_CACHE_HOME=f"{home}/b",
        OCL_ICD_VENDORS=str(tmp_path), OCL_ICD_FILENAMES="/nowhere.so",
        PYTHONPATH=os.pathsep.join([str(ROOT), str(broken(tmp_path, "pyopencl"))]), **NO_SCREEN,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "there is no display" in done.stdout
    assert "OpenCL cannot be loaded (it is broken)" in " ".join(done.stdout.split())
    assert done.stdout.count("CANNOT BE WRITTEN") == 2
    assert done.stderr == ""


def broken(folder: Path, package: str) -> Path:
    """A folder with a package that cannot be imported."""
    place = folder / "broken"
    place.mkdir(exist_ok=True)
    (place / f"{package}.py").write_text("raise ImportError('it is broken')")
    return place


@pytest.mark.parametrize("package", ["numpy", "platformdirs", "PyQt5", "h5py"])
def test_a_package_that_is_missing_costs_no_more_than_what_needs_it(tmp_path, package):
    path = os.pathsep.join([str(ROOT), str(broken(tmp_path, package))])
    done = doctor("--json", PYTHONPATH=path, **NO_SCREEN)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["packages"]["vispy"]
    assert found["limits"]["cores"]


def test_a_screen_that_is_gone_ends_a_child_and_not_the_doctor():
    found = json.loads(doctor("--json", **NO_SCREEN | {"DISPLAY": ":987"}).stdout)
    assert "the process that looks" in found["window"]["problem"]


def test_names_of_user_home_and_machine_are_left_out(tmp_path, monkeypatch):
    home = tmp_path / "annabell"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "annabell")
    monkeypatch.setattr(platform, "node", lambda: "annas-laptop.example.org")
    text = f"{home}/a.toml annabell@annas-laptop annas-laptop.example.org:{home} annabellas"
    assert private.scrubbed({"k": [text]}) == {"k": ["~/a.toml (user)@(host) (host):~ annabellas"]}


def test_the_whole_page_is_private(monkeypatch):
    environment = {"USER": "annabell", "HOSTNAME": "annas-laptop", "SECRET": "secret-word"}
    done = doctor(**environment)
    names = ("annabell", "annas-laptop", "secret-word", getpass.getuser(), platform.node())
    for name in (*names, str(Path.home())):
        assert not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", done.stdout), name


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os; os.abort()", "was ended by signal 6"),
        ("import sys; sys.exit('no good')", "ended with status 1: no good"),
        ("print('[]')", "a strange answer"),
        ("import time; time.sleep(60)", "no answer in"),
        ("print('{\"a\": 1}')", None),
    ],
)
def test_children_may_end_in_any_way(monkeypatch, code, told):
    monkeypatch.setattr(
        asked,
        "spawn",
        lambda module, printed: subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=printed,
        ),
    )
    found = asked.ask("module", patience=0.5 if "sleep" in code else 60.0)
    assert told in found["problem"] if told else found == {"a": 1}


def test_no_process_at_all(monkeypatch):
    def fails(*_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asked, "spawn", fails)
    found = report.report()
    assert "no other process can be started" in found["opencl"]["problem"]
    assert "Resource" in page(found)


def test_packages_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {Requirement(r).name for r in project["dependencies"]} == set(PACKAGES)


def test_the_last_errors_are_kept_and_no_more(tmp_path, monkeypatch):
    import logging

    logger = logging.getLogger("wavelab")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logging.NOTSET)
    keep_errors(tmp_path)
    keep_errors(tmp_path)
    for number in range(3000):
        told.info("complaint %d", number)
    logger.info("chatter")
    try:
        raise ZeroDivisionError("a defect")
    except ZeroDivisionError as error:
        logger.error("it broke", exc_info=error)
    first, last = last_errors(tmp_path, 2)
    assert first.endswith("complaint 2999")
    assert "it broke" in last
    assert "ZeroDivisionError: a defect" in last
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1 << 17
    (tmp_path / NAME).write_bytes(b"\xff\xfe half")
    assert last_errors(tmp_path)
    for handler in logger.handlers:
        handler.close()


def test_errors_that_cannot_be_kept_are_no_errors(tmp_path, monkeypatch, capsys):
    import logging

    logger = logging.getLogger("wavelab")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logging.NOTSET)
    keep_errors(tmp_path / "nowhere")
    told.info("complaint")
    assert capsys.readouterr().err == ""
    assert last_errors(tmp_path / "nowhere") == []
