"""Kill headless runs at random moments (SIGKILL) until one comes to its end; look at what it found.

Runs of several kinds write checkpoints again and again, are killed after random times, and are
gone on with from the last checkpoint, or begun anew where there is none yet.  In the end all files
have to be the same, byte by byte, and all numbers, as of a run that nobody has disturbed; pictures
of movies are compared as GIF, which loses nothing.

Needs a system with fork.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from scripts.hostile.files import _frames
from scripts.hostile.tally import Tally, options
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.headless.checkpoints.schedule import Checkpoints
from wavelab.simulation.headless.resuming import resume_batch
from wavelab.simulation.headless.summary import as_json

SCENE = """\
title = "Long run"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[materials]]
name = "metal"
shape = "ellipse"
center = [0.6, 0.6]
radii = [0.15, 0.15]
poles = [{ kind = "drude", frequency = 0.7, damping = 0.1 }]
[[walls]]
edges = ["domain.left"]
kind = "open"
thickness = 0.3
[[sources]]
kind = "point"
position = [0.5, 0.3]
amplitude = 1
radius = 0.1
waveform = { kind = "formula", formula = "sin(9*t) if sin(3*t) > 0 else -0.5" }
[[pings]]
time = 0.7
position = [0.7, 0.3]
radius = 0.1
amplitude = 1.0
[[probes]]
name = "p"
position = [0.6, 0.4]
[[monitors]]
name = "through"
kind = "flux"
vertices = [[0.45, 0.1], [0.45, 0.9]]
frequencies = [0.8, 1.2]
[[monitors]]
name = "inside"
kind = "energy"
shape = "rectangle"
lower = [0.4, 0.4]
upper = [0.8, 0.8]
[solver]
element_size = 0.3
order = 2
until = 5
"""
#: Longest life of a child; times of a run that nobody disturbs, as is the next.
LIFE = 0.6
#: Wall time between two checkpoints.
EVERY = 0.04
#: Backend, stepper and precision of the runs, by turns.
RUNS = (
    ("numpy", "auto", "double"),
    ("opencl", "auto", "single"),
    ("numpy", "local", "double"),
    ("opencl", "local", "single"),
)


@cache
def scene_of(stepper: str, precision: str) -> tuple[Scene, Mesh]:
    scene = parse_scene(SCENE)
    solver = replace(scene.solver, stepper=stepper, precision=precision)
    scene = replace(scene, solver=solver)
    return scene, mesh_scene(scene)


def options_in(folder: Path, backend: str) -> BatchOptions:
    """Everything that a run can write."""
    return BatchOptions(
        backend=backend,
        progress=False,
        ledger=True,
        image=folder / "wave.png",
        movie=folder / "wave.gif",
        probes=folder / "p.csv",
        wav=folder / "p.wav",
        hertz=200.0,
        monitors=folder / "m.h5",
        snapshot=folder / "wave.vtu",
        snapshot_every=3.0,
        size=(48, 48),
        time_per_frame=0.5,
    )


def run(
    folder: Path, kind: tuple[str, str, str], checkpoint: Path | None = None, every: float = 0.0
) -> None:
    """Begin, or go on if there is a checkpoint, and write down what is told in the end."""
    backend, *how = kind
    if checkpoint is not None and checkpoint.exists():
        begun = read_checkpoint(checkpoint)
        again = begun.options_again(BatchOptions(), checkpoint)
        summary = resume_batch(begun, again, begun.scene_again())
    else:
        scene, mesh = scene_of(*how)
        wished = options_in(folder, backend)
        kept = None
        if checkpoint is not None:
            wished = replace(wished, checkpoint=checkpoint, every=every)
            kept = Checkpoints(wished, scene, mesh, print)
        summary = run_problem(discretize_scene(scene, mesh), wished, checkpoints=kept)
    del summary["wall_s"]
    (folder / "summary.json").write_text(as_json(summary).replace(str(folder), ""))


def child_of(work: Callable[[], None], life: float) -> int:
    """Have a child work for so long at most; its status, -9 if it was killed."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(3)
    end = time.monotonic() + life
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def written(folder: Path) -> dict[str, bytes]:
    """All that a run has written; what was being written when it was killed does not count."""
    files = sorted(path for path in folder.iterdir() if ".partial" not in path.name)
    return {
        path.name: b"".join(frame.tobytes() for frame in _frames(path))
        if path.suffix == ".gif"
        else path.read_bytes()
        for path in files
    }


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> Iterator[str]:
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            yield f"{name} is not the same"


def kill_many(kills: int, seed: int, tally: Tally, show: Callable[[int], None]) -> None:
    """So many kills at least, of runs that all come to their end."""
    chance, killed = random.Random(seed), 0
    with tempfile.TemporaryDirectory(prefix="resumed-") as base:
        whole: dict[tuple[str, str, str], tuple[dict[str, bytes], float]] = {}
        for trial in itertools.count():
            if killed >= kills:
                return
            kind = RUNS[trial % len(RUNS)]
            if kind not in whole:
                whole[kind] = undisturbed(Path(base), kind)
            expected, seconds = whole[kind]
            folder, checkpoint = Path(base) / f"{trial}", Path(base) / "run.h5"
            folder.mkdir()
            work = partial(run, folder, kind, checkpoint, EVERY * seconds)
            status, life = -signal.SIGKILL, LIFE * seconds
            while status == -signal.SIGKILL:
                if checkpoint.exists():
                    tally.note("a run was gone on with")
                status = child_of(work, chance.uniform(0.0, life))
                killed += status == -signal.SIGKILL
                life *= 1.1  # in the end it is left alone, however busy the machine has become
            troubles = [] if status == 0 else [f"the run ended with status {status}"]
            troubles += differences(written(folder), expected)
            if checkpoint.exists():
                troubles.append("the checkpoint of a run that is done is still there")
                checkpoint.unlink()
            tally.add(" ".join(kind), troubles)
            tally.noted["a run was killed"] = killed
            show(killed)


def undisturbed(base: Path, kind: tuple[str, str, str]) -> tuple[dict[str, bytes], float]:
    """What a run writes, and how many seconds it takes."""
    scene_of(*kind[1:])  # once for all children
    folder = base / "-".join(kind)
    folder.mkdir()
    began = time.monotonic()
    status = child_of(partial(run, folder, kind), 600.0)
    assert status == 0, "the run that nobody disturbs failed"
    return written(folder), time.monotonic() - began


def main() -> int:
    arguments = options(__doc__, kills=100).parse_args()
    tally = Tally()

    def show(done: int) -> None:
        print(f"{done} kills, {tally.total_failed} failed", file=sys.stderr, flush=True)

    kill_many(arguments.kills, arguments.seed, tally, show)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
