"""Devices work although the home directory is not writable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wavelab.errors import DeviceError
from wavelab.opencl.device import caches
from wavelab.opencl.device.caches import ensure_caches

_BUILD = """
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.probe import run_probe
print(repr(run_probe(choose_device(None, probe=None))))
"""

_ON_A_FULL_DISK = """
import shutil
shutil.disk_usage = lambda place: shutil._ntuple_diskusage(10**9, 10**9, 0)
from tests.sample_meshes import vacuum_operator, jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.simulation.steppers.steppers import make_stepper
operator = vacuum_operator(discretize(jittered_square(2), 1))
print(make_stepper(operator, dt=1e-3, notify=print).backend)
"""


def test_writable_caches_are_left_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ensure_caches()
    assert os.environ["XDG_CACHE_HOME"] == str(tmp_path)


def test_others_are_made_for_this_user_alone(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path))
    ensure_caches()
    made = Path(os.environ["XDG_CACHE_HOME"])
    assert made.parent == tmp_path
    assert made.stat().st_mode & 0o077 == 0


def test_a_full_disk_is_no_place_for_kernels(monkeypatch, tmp_path):
    full = shutil.disk_usage(tmp_path)._replace(free=100_000)
    room = shutil.disk_usage(tmp_path)._replace(free=caches._ROOM)
    monkeypatch.setattr(
        caches.shutil, "disk_usage", lambda place: full if "full/" in str(place) else room
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "full"))
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path))
    ensure_caches()
    assert Path(os.environ["XDG_CACHE_HOME"]).parent == tmp_path
    assert os.environ["XDG_CACHE_HOME"] != str(tmp_path / "full")


def test_without_room_anywhere_the_message_says_where(monkeypatch, tmp_path):
    """PoCL would abort the program."""
    full = shutil.disk_usage(tmp_path)._replace(free=100_000)
    monkeypatch.setattr(caches.shutil, "disk_usage", lambda place: full)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path / "tmp"))
    with pytest.raises(DeviceError, match="16 MiB") as caught:
        ensure_caches()
    assert str(tmp_path / "home") in caught.value.message
    assert str(tmp_path / "tmp") in caught.value.message
    assert "TMPDIR" in caught.value.remedy
    assert os.environ["XDG_CACHE_HOME"] == str(tmp_path / "home")
    assert not list((tmp_path / "tmp").iterdir())


def test_without_room_anywhere_it_runs_on_numpy(tmp_path):
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path), TMPDIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK], env=environment, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1:] == ["numpy"], done.stderr
    assert "16 MiB" in done.stdout


def test_a_program_that_cannot_write_its_caches_runs_kernels(tmp_path):
    (tmp_path / "file").touch()
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", _BUILD], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "''", done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
