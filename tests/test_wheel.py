"""A wheel, installed where there is nothing of the source tree: it carries all that it needs, asks
for all packages that it imports, and its command runs, with the window and without."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


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


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The directory of the commands of an environment that has the wheel, installed by pip, and
    the other packages of this one."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(scripts / "python")]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, "install", *quiet, str(wheel)], check=True)
    scheme = {"base": str(place), "platbase": str(place)}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    # After the installed one, which is found first.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return scripts


def environment_in(home: Path) -> dict[str, str]:
    """Without a way to the source tree."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return kept | {"XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}


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


def test_the_wheel_asks_for_all_that_it_imports(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (n for n in archive.namelist() if n.endswith("METADATA"))
        lines = archive.read(metadata).decode().splitlines()
        sources = [archive.read(n) for n in archive.namelist() if n.endswith(".py")]
    asked = {
        canonicalize_name(Requirement(line.removeprefix("Requires-Dist: ")).name)
        for line in lines
        if line.startswith("Requires-Dist: ") and not re.search(r"extra == .test", line)
    }
    imported = {name for source in sources for name in imports_of(source)}
    known = packages_distributions()
    for name in imported - set(sys.stdlib_module_names) - {"wavelab", "_typeshed"}:
        names = {canonicalize_name(d) for d in known.get(name, [name])}
        assert names & asked, f"{name} is not asked for"


def imports_of(source: bytes) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_the_installed_command_runs_a_scene(installed, tmp_path):
    done = subprocess.run(
        [installed / "wavelab", "run", "welcome", "--until", "0.02", "--image", "wave.png"],
        cwd=tmp_path,
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(installed.parent) in done.stdout.splitlines()[0]  # where the scene is
    meshed = subprocess.run(
        [installed / "wavelab", "mesh", "lettering"],
        cwd=tmp_path,
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert meshed.returncode == 0, meshed.stderr  # which has a mesh file of the wheel
    assert (tmp_path / "wave.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a program there at once")
def test_the_installed_command_opens_the_window(installed, tmp_path):
    profile, patience = tmp_path / "profile.json", 3.0
    while True:
        window = subprocess.Popen(
            [installed / "wavelab", "welcome", "--no-tune", "--profile", profile],
            cwd=tmp_path,
            env=environment_in(tmp_path),
            stderr=subprocess.PIPE,
        )
        time.sleep(patience)
        window.send_signal(signal.SIGTERM)
        _, said = window.communicate()
        patience *= 2
        if profile.exists() and "show frame" in drawn(profile):
            assert window.returncode == 0
            return
        assert patience < 120, said.decode()  # a busy machine takes longer to get there


def drawn(profile: Path) -> set[str]:
    """The kinds of work that took time."""
    return {event["name"] for event in json.loads(profile.read_text())["traceEvents"]}
