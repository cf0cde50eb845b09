"""Time between two frames of the window, with tuning behind it off and on by turns.

    python scripts/frame_gaps.py welcome --seconds 16 --turns 2 [--fast]

Each turn is a window of its own on a copy of the same caches, in which nothing but the kernels of
the usual shape is compiled.  ``--fast`` runs as fast as the device can in place of the usual speed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from wavelab.paths import SCENES
from wavelab.timeline import NO_TIMELINE

#: Frames that are left out: compiling, and the change to full speed.
_FIRST_SECONDS = 1.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scene", help="name of a shipped scene")
    parser.add_argument("--seconds", type=float, default=16.0, help="of each turn")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--fast", action="store_true", help="as fast as the device can")
    parser.add_argument("--one", choices=("off", "on"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(_gaps(arguments)))
        return
    found: dict[str, list[float]] = {"off": [], "on": []}
    with tempfile.TemporaryDirectory() as directory:
        usual, turn = Path(directory, "usual"), Path(directory, "turn")
        _run("off", usual, arguments)
        for _ in range(arguments.turns):
            for mode, gaps in found.items():
                shutil.copytree(usual, turn)
                gaps += _run(mode, turn, arguments)
                shutil.rmtree(turn)
    for mode, gaps in found.items():
        ms = 1e3 * np.array(gaps)
        print(
            f"tuning {mode:3}: {len(ms)} frames, median {np.median(ms):.1f} ms, 99 % below "
            f"{np.percentile(ms, 99):.1f}, longest {ms.max():.1f}, {(ms > 50).sum()} above 50"
        )


def _run(mode: str, cache: Path, arguments: argparse.Namespace) -> list[float]:
    words = [arguments.scene, "--seconds", str(arguments.seconds), "--one", mode]
    done = subprocess.run(
        [sys.executable, __file__, *words, *(["--fast"] if arguments.fast else [])],
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "XDG_DATA_HOME": str(cache / "data")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    gaps: list[float] = json.loads(done.stdout.splitlines()[-1])
    return gaps


def _gaps(arguments: argparse.Namespace) -> list[float]:
    """Seconds between the frames of one window."""
    from wavelab.app.base.qt import QTimer, make_application
    from wavelab.app.base.settings import LaunchOptions
    from wavelab.app.shell.program import Program

    application = make_application()
    options = LaunchOptions(backend="opencl", tune=arguments.one == "on")
    frames: list[float] = []

    class Watch(type(NO_TIMELINE)):  # type: ignore[misc]
        """Hears of every frame that is shown, and records nothing."""

        def count(self, name: str, value: float) -> None:
            if name == "frames/s":
                frames.append(time.perf_counter())

    path = SCENES / f"{arguments.scene}.toml"
    program = Program(application, path, options, timeline=Watch(0))
    timer = QTimer()

    def look() -> None:
        if frames and time.perf_counter() - frames[0] > arguments.seconds:
            timer.stop()
            application.quit()

    timer.timeout.connect(look)
    timer.start(50)
    if arguments.fast:
        QTimer.singleShot(700, program.window.actions_by_id["unlimited"].trigger)
    gc.freeze()  # as wavelab does
    program.start()
    application.exec_()
    program.window.close()
    program.close()
    times = np.array(frames)
    return np.diff(times[times > times[0] + _FIRST_SECONDS]).tolist()


if __name__ == "__main__":
    main()
