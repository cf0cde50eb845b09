"""A short form of scripts/hostile/surroundings.py and lost_display.py."""

from __future__ import annotations

import random
import shutil
import sys

import pytest

from scripts.hostile.lost_display import without_display
from scripts.hostile.surroundings import CHECKS, run

NOWHERE = {name: "/dev/null/home" for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}


@pytest.mark.parametrize("command", ["scenes", "devices"])
def test_commands_need_no_home(command):
    assert list(run([sys.executable, "-m", "wavelab", command], NOWHERE)) == []


@pytest.mark.skipif(shutil.which("localedef") is None, reason="no locale can be made here")
def test_numbers_stay_right_in_a_german_locale(tmp_path):
    assert list(CHECKS["comma"](tmp_path)) == []


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="an X server is to be killed")
def test_a_window_whose_x_server_is_killed_ends_and_keeps_its_work(tmp_path):
    assert list(without_display(str(tmp_path), random.Random(1).uniform(0.5, 1.5))) == []
