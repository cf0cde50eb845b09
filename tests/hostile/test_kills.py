"""A short form of scripts/hostile/kills.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_what_a_killed_program_leaves_behind_is_whole():
    # In a process of its own: this one has threads, with which it is better not forked.
    command = [sys.executable, "-m", "scripts.hostile.kills", "--trials", "8", "--seed", "5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 tried     0 failed  writer killed" in done.stdout
