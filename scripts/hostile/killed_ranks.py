"""Kill ranks of headless runs at random moments (SIGKILL) until a run comes to its end.

Runs on two ranks write checkpoints again and again; after random times one of their processes is
killed, and they are gone on with.  Each time the end has to come with a message that names the
rank, and the checkpoint has to be whole; in the end all files have to be the same, byte by byte, as
of a run that nobody has disturbed.

Needs MPI (the extra mpi) and a system with fork.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.hostile.resumed import SCENE, differences, written
from scripts.hostile.tally import Tally, options
from wavelab.errors import WavelabError
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint

#: Longest life; times of a run that nobody disturbs, as is the next.
LIFE = 1.2
#: Wall time between two checkpoints.
EVERY = 0.02
BACKENDS = ("numpy", "opencl")


def begun(scene: Path, folder: Path, checkpoint: Path, backend: str, every: float) -> list[str]:
    """The words of a run."""
    words = [str(scene), "--backend", backend, "--ledger", "--checkpoint", str(checkpoint)]
    words += ["--every", str(every), "--probes", str(folder / "p.csv")]
    words += ["--monitors", str(folder / "m.h5"), "--snapshot", str(folder / "wave.h5")]
    return [*words, "--movie", str(folder / "wave.gif"), "--size", "48x48"]


def run(words: list[str], log: Path, life: float, which: int) -> tuple[int, str]:
    """Have two ranks run, and kill one of them after so many seconds; the status, and what was
    wrong with the end."""
    beside = Path(sys.executable).with_name("mpiexec")
    mpiexec = beside if beside.exists() else shutil.which("mpiexec") or "mpiexec"
    command = [str(mpiexec), "-n", "2"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, sys.executable, "-m", "wavelab", "run", *words], stdout=out, stderr=out
        )
    end = time.monotonic() + life
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    ranks = re.findall(r"is process (\d+)", log.read_text())
    if process.poll() is not None or len(ranks) < 2:
        return process.wait(), ""
    try:
        os.kill(int(ranks[which]), signal.SIGKILL)
    except ProcessLookupError:
        return process.wait(), ""
    status = process.wait()
    named = f"rank {which}, process {ranks[which]} on " in log.read_text()
    # One that is killed in its last moments may have done all there was to do.
    return status, "" if named or status == 0 else "nobody has named the rank"


def kill_many(kills: int, seed: int, tally: Tally, show: Callable[[int], None]) -> None:
    """So many kills at least, of runs that all come to their end."""
    chance, killed, trial = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory(prefix="killed-ranks-") as base:
        log, checkpoint, scene = (Path(base) / name for name in ("log", "run.h5", "scene.toml"))
        scene.write_text(SCENE)
        whole: dict[str, tuple[dict[str, bytes], float]] = {}
        while killed < kills:
            backend = BACKENDS[trial % len(BACKENDS)]
            if backend not in whole:
                folder = Path(base) / backend
                folder.mkdir()
                began = time.monotonic()
                status, _ = run(begun(scene, folder, checkpoint, backend, 1e9), log, 600.0, 0)
                assert status == 0, log.read_text()
                whole[backend] = written(folder), time.monotonic() - began
            expected, seconds = whole[backend]
            folder = Path(base) / f"{trial}"
            folder.mkdir()
            words, life, troubles = begun(scene, folder, checkpoint, backend, EVERY), LIFE, []
            while True:
                which = chance.randrange(2)
                status, trouble = run(words, log, chance.uniform(0.2, life) * seconds, which)
                troubles += [trouble] if trouble else []
                if status == 0:
                    break
                killed += 1
                life *= 1.1
                if checkpoint.exists():
                    tally.note("a run was gone on with")
                    words = ["--resume", str(checkpoint)]
                    try:
                        read_checkpoint(checkpoint)
                    except WavelabError as error:
                        troubles.append(str(error))
                        break
            troubles += differences(written(folder), expected)
            checkpoint.unlink(missing_ok=True)
            tally.add(backend, troubles)
            trial += 1
            show(killed)


def main() -> int:
    arguments = options(__doc__, kills=40).parse_args()
    tally = Tally()

    def show(done: int) -> None:
        print(f"{done} kills, {tally.total_failed} failed", file=sys.stderr, flush=True)

    kill_many(arguments.kills, arguments.seed, tally, show)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
