"""Devices work although the home directory is not writable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wavelab.opencl import caches
from wavelab.opencl.caches import ensure_caches

_BUILD = """
from wavelab.opencl.device import choose_device, run_probe
print(repr(run_probe(choose_device(None, probe=None))))
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
    monkeypatch.setattr(caches.shutil, "disk_usage", lambda directory: full)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "full"))
    monkeypatch.setattr(caches.tempfile, "tempdir", str(tmp_path))
    ensure_caches()
    assert Path(os.environ["XDG_CACHE_HOME"]).parent == tmp_path
    assert os.environ["XDG_CACHE_HOME"] != str(tmp_path / "full")


def test_a_program_that_cannot_write_its_caches_runs_kernels(tmp_path):
    (tmp_path / "file").touch()
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", _BUILD], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "''", done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
