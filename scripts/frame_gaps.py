"""Time between two frames of the window, with tuning behind it off and on by turns.

    python scripts/frame_gaps.py welcome --seconds 16 --turns 2 [--fast]
    python scripts/frame_gaps.py aircraft --drag --size 0.63

With ``--drag`` an obstacle goes round a circle meanwhile, as if a hand dragged it, and meshes are
counted; the elements have so many parts of their usual size.  With ``--slide`` the first parameter
of the scene runs to and fro in its range, with ``--scrub`` the bar of time in what is kept, and
with ``--record`` a movie is recorded.

Each turn is a window of its own on a copy of the same caches, in which nothing but the kernels of
the usual shape is compiled.  ``--fast`` runs as fast as the device can in place of the usual speed.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from wavelab.paths import SCENES
from wavelab.scene.editing.item_places import displaced
from wavelab.scene.toml.toml_io import load_scene, save_scene
from wavelab.timeline import NO_TIMELINE

#: Frames that are left out: compiling, and the change to full speed.
_FIRST_SECONDS = 1.5
#: What may be done meanwhile.
_MEANWHILE = {
    "drag": "move the first obstacle",
    "slide": "move the slider of the first parameter",
    "scrub": "move the bar of time",
    "record": "record a movie",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scene", help="name of a shipped scene")
    parser.add_argument("--seconds", type=float, default=16.0, help="of each turn")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--fast", action="store_true", help="as fast as the device can")
    for name, meant in _MEANWHILE.items():
        parser.add_argument(f"--{name}", action="store_true", help=meant)
    parser.add_argument(
        "--size", type=float, default=1.0, help="of elements, in parts of the usual"
    )
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
    words += ["--size", str(arguments.size)]
    words += [f"--{name}" for name in ("fast", *_MEANWHILE) if getattr(arguments, name)]
    done = subprocess.run(
        [sys.executable, __file__, *words],
        env=os.environ
        | {"XDG_CACHE_HOME": str(cache), "XDG_DATA_HOME": str(cache / "data")}
        | {"OPENBLAS_NUM_THREADS": "1"},  # as wavelab.__main__ does
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    *said, last = done.stdout.splitlines()
    print(*said, sep="\n", end="\n" if said else "")
    gaps: list[float] = json.loads(last)
    return gaps


def _with_size(path: Path, part: float) -> Path:
    """The scene, or a copy with smaller elements beside the other files of this turn."""
    if part == 1:
        return path
    scene = load_scene(path)
    solver = replace(scene.solver, element_size=part * scene.solver.element_size)
    copy = Path(os.environ["XDG_CACHE_HOME"], path.name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    save_scene(replace(scene, solver=solver), copy)
    return copy


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

    path = _with_size(SCENES / f"{arguments.scene}.toml", arguments.size)
    program = Program(application, path, options, timeline=Watch(0))
    timer, meshes, began, start = QTimer(), [], [], program.session.scene

    def drag() -> None:
        session = program.session
        if session.running is not None and (not meshes or session.running.mesh is not meshes[-1]):
            meshes.append(session.running.mesh)
            began.append(time.perf_counter())
        if len(frames) < 2:
            return
        turned = 2 * time.perf_counter()
        size = start.solver.element_size
        by = (size * math.sin(turned), size * (1 - math.cos(turned)))
        scene = replace(start, holes=(displaced(start.holes[0], by), *start.holes[1:]))
        program.workbench.toolbox.following.to(lambda: scene)

    def meanwhile() -> None:
        bench, sliders = program.workbench, []
        if arguments.slide:
            sliders.append(bench.parameters.panel.rows[start.parameters[0].name].slider)
        # Which needs a past to be scrubbed.
        if arguments.scrub and time.perf_counter() > frames[0] + _FIRST_SECONDS:
            sliders.append(program.window.time_bar.slider)
        for slider in sliders:
            slider.setSliderDown(True)
            part = abs(time.perf_counter() % 2 - 1)
            slider.setValue(round(part * slider.maximum()))
        if arguments.record and program.session.solver.recording is None:
            bench.outbox.choose = lambda *_: Path(os.environ["XDG_CACHE_HOME"], "wave.mp4")
            bench.movie.toggle()

    def look() -> None:
        if arguments.drag:
            drag()
        if len(frames) > 1:
            meanwhile()
        if frames and time.perf_counter() - frames[0] > arguments.seconds:
            timer.stop()
            application.quit()

    timer.timeout.connect(look)
    timer.start(16)  # as often as a hand is heard of
    if arguments.fast:
        QTimer.singleShot(700, program.window.actions_by_id["unlimited"].trigger)
    gc.freeze()  # as wavelab does
    program.start()
    application.exec_()
    program.window.close()
    program.close()
    if arguments.drag:
        # The first is the scene's own; the next one waits for a child that has just begun.
        between = np.diff(began[1:])
        rate = 1 / float(np.median(between)) if len(between) else 0.0
        print(f"{meshes[-1].n_elements} elements, {rate:.1f} meshes a second")
    times = np.array(frames)
    return np.diff(times[times > times[0] + _FIRST_SECONDS]).tolist()


if __name__ == "__main__":
    main()
