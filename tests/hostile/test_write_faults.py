"""A short form of scripts/hostile/write_faults.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from scripts.hostile.files import KINDS
from scripts.hostile.tally import Tally
from scripts.hostile.write_faults import OLD, fail_each, written

ROOT = Path(__file__).resolve().parents[2]
#: Writes with a library that is no dependency.
EXCUSED = {"benchmark/figure.py"}


def test_what_cannot_be_written_leaves_the_old_file_and_is_told():
    tally = Tally()
    fail_each(5, tally)
    assert set(tally.tried) == {kind.name for kind in KINDS}
    assert tally.total_failed == 0


def test_every_room_that_writes_files_is_among_them(tmp_path, monkeypatch):
    """By the files on the way to the renaming of a finished one."""
    seen, replace = set(), os.replace

    def noted(*args):
        seen.update(frame.filename for frame in traceback.extract_stack())
        replace(*args)

    monkeypatch.setattr(os, "replace", noted)
    for kind in KINDS:
        assert written(kind, tmp_path / kind.name, OLD) == ""
    package = ROOT / "wavelab"
    writing = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"\b(whole_file|reserve_partial|hdf5_file)\(", path.read_text("utf-8"))
    }
    reached = {
        str(Path(name).relative_to(package)) for name in seen if name.startswith(str(package))
    }
    assert writing - reached == EXCUSED


LIMITED = """
import resource, sys
from pathlib import Path
from scripts.hostile.files import KINDS, problem
from scripts.hostile.write_faults import written
problem()
folder = Path(sys.argv[1]) / "wavelab"
folder.mkdir()
resource.setrlimit(resource.RLIMIT_FSIZE, (600, resource.RLIM_INFINITY))
for kind in KINDS:
    told = written(kind, folder / kind.name, 7)
    print(kind.name, bool(told), (folder / kind.name).exists(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_limit_that_no_library_expects_ends_no_process(tmp_path):
    """HDF5 crashes where it cannot write, which Python cannot catch."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcomes = {
        name: (told, there) for name, told, there in map(str.split, done.stdout.splitlines())
    }
    assert set(outcomes) == {kind.name for kind in KINDS}
    for kind in KINDS:
        told, there = outcomes[kind.name]
        assert kind.silent or told != there
    assert outcomes["wave.h5"] == outcomes["wave.mp4"] == ("True", "False")
