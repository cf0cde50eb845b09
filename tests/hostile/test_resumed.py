"""A short form of scripts/hostile/resumed.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_runs_that_are_killed_again_and_again_come_to_the_same_end():
    # In a process of its own: this one has threads, with which it is better not forked.
    command = [sys.executable, "-m", "scripts.hostile.resumed", "--kills", "1", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed  in all" in done.stdout
