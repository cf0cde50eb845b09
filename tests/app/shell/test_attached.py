"""A window that looks at a run in another process, by mouse and keys."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wavelab.simulation.watching.far import LOST, NOT_HERE, FarRun
from wavelab.simulation.watching.key_file import key_in

ROOT = Path(__file__).resolve().parents[3]
SCENE = """\
title = "Far away"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1]
[[holes]]
shape = "ellipse"
center = [1.5, 0.5]
radii = [0.2, 0.2]
[[sources]]
kind = "point"
position = [0.4, 0.5]
radius = 0.1
amplitude = 1
waveform = {kind = "sine", frequency = 2}
[[probes]]
name = "ear"
position = [1.0, 0.5]
[solver]
element_size = 0.2
order = 3
until = 1e6
"""


@pytest.fixture
def far_process(tmp_path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """A run that is watched, its address, and the key."""
    scene, key, log = (tmp_path / name for name in ("far.toml", "key", "log"))
    scene.write_text(SCENE)
    key.write_text("a key that nobody guesses")
    key.chmod(0o600)
    words = [sys.executable, "-m", "wavelab", "run", scene, "--watch", "--key", key, "--long"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*map(str, words), "--backend", "numpy"],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    while "--attach" not in log.read_text():
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    told = next(line for line in log.read_text().splitlines() if "--attach" in line)
    yield process, told.split()[-1], key
    process.kill()
    process.wait()


def test_a_far_run_is_looked_at_and_played_with(far_process, start, tmp_path):
    process, address, key = far_process
    driver = start(None, far=FarRun(address, key_in(key, make=False)))
    frame = lambda: driver.bench.presenter.frame  # noqa: E731
    assert driver.session.scene.title == "Far away"
    driver.until(lambda: frame().steps > 0 and np.abs(frame().values).max() > 0)
    driver.until(lambda: driver.bench.presenter.frame.probes.names == ("ear",))

    driver.press("Space")
    driver.until(lambda: not frame().playing)
    steps = frame().steps
    driver.press(".")
    driver.until(lambda: frame().steps == steps + 1)

    before = frame().values
    driver.click(0.9, 0.8)  # rings it, there
    driver.until(lambda: np.abs(frame().values - before).max() > 0.1)
    driver.window.grab().save(str(tmp_path / "attached.png"))

    driver.press("Ctrl+R")
    driver.until(lambda: NOT_HERE in driver.window.message.text)

    # The lamp is carried elsewhere: the far run has it there, and the window goes on.
    driver.press("V")
    driver.click(0.4, 0.5)
    driver.drag((0.4, 0.5), (0.45, 0.55), (0.6, 0.7))
    driver.until(lambda: not driver.session.makeshift)
    driver.settled()
    (lamp,) = driver.session.scene.sources
    assert lamp.position == pytest.approx((0.6, 0.7), abs=0.02)
    assert not driver.window.message.is_error
    again = FarRun(address, key_in(key, make=False))
    assert again.scene.sources == driver.session.scene.sources
    again.close()

    process.kill()
    driver.press("Space")
    driver.until(lambda: LOST in driver.window.message.text)
    driver.press("Ctrl+Z")  # what cannot be done there leaves all as it was
    driver.until(lambda: not driver.session.busy)
    assert driver.session.scene.sources == (lamp,)
