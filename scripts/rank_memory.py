"""What each rank holds of one mesh: python -m scripts.rank_memory [--elements N] [--ranks 1,2,4]

Runs a conducting room of that many elements for a few steps on each number of ranks, where the
first one reads the mesh and where each reads its own part, and prints the most memory that each
process had.  With --streamed no process ever has the whole mesh: it is written row by row, parted
as a stream, and run from its parts alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.large_mesh import write_square
from wavelab.benchmark.meshes import square_mesh
from wavelab.meshing.formats import write_mesh

_SCENE = """\
[domain]
mesh = "room.msh"

[[sources]]
kind = "point"
position = [0.3, 0.4]
radius = 0.005
amplitude = 1
waveform = {{ kind = "sine", frequency = 2 }}

[[probes]]
name = "p"
position = [0.7, 0.6]

[solver]
order = {order}
until = {until}
precision = "{precision}"
"""
#: Seconds between two looks at how much the processes hold; what the kernel tells is the most until
#: then.
_LOOK = 0.05


def peaks(command: list[str], where: Path, n_ranks: int) -> dict[int, int]:
    """The most bytes that the process of each rank held, by rank."""
    found: dict[int, int] = {}
    started = subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL)
    while started.poll() is None:
        for process in Path("/proc").iterdir():
            if process.name.isdecimal():
                _look(process, started.pid, n_ranks, found)
        time.sleep(_LOOK)
    if started.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {started.returncode}")
    return found


def _look(process: Path, ancestor: int, n_ranks: int, found: dict[int, int]) -> None:
    try:
        if not _descends(int(process.name), ancestor):
            return
        words = (process / "cmdline").read_bytes().split(b"\0")
        if b"wavelab" not in words or b"run" not in words:
            return
        variables = (process / "environ").read_bytes().split(b"\0")
        rank = next((int(v[9:]) for v in variables if v.startswith(b"PMI_RANK=")), 0)
        status = (process / "status").read_text()
    except (OSError, ValueError):  # it has ended
        return
    peak = next((line for line in status.splitlines() if line.startswith("VmHWM:")), None)
    if peak is not None and rank < n_ranks:
        found[rank] = max(found.get(rank, 0), 1024 * int(peak.split()[1]))


def _descends(process: int, ancestor: int) -> bool:
    while process > 1:
        if process == ancestor:
            return True
        status = Path(f"/proc/{process}/stat").read_text()
        process = int(status.rsplit(")", 1)[1].split()[1])
    return False


def main() -> None:
    """Print a row for each number of ranks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=200_000)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--precision", default="double")
    parser.add_argument("--streamed", action="store_true")
    arguments = parser.parse_args()
    across = round((arguments.elements / 2) ** 0.5)
    n_elements = 2 * across**2
    print(f"{n_elements:,} elements, order {arguments.order}, {arguments.precision} precision")
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        if arguments.streamed:
            write_square(where / "room.msh", across)
        else:
            write_mesh(square_mesh(n_elements), where / "room.msh")
        size = 2 / n_elements**0.5
        text = _SCENE.format(order=arguments.order, until=size / 4, precision=arguments.precision)
        (where / "room.toml").write_text(text, encoding="utf-8")
        for n in map(int, arguments.ranks.split(",")):
            run = [sys.executable, "-m", "wavelab", "run", "room.toml", "--probes", "p.csv"]
            if n > 1:
                run = [*_mpiexec(n), *run]
            if not arguments.streamed:
                _tell(f"{n} ranks", run, where, n)
            if n > 1:
                part = [sys.executable, "-m", "wavelab", "partition", "room.msh"]
                part += ["-n", str(n), "-o", f"{n}.parts"]
                part += ["--stream"] if arguments.streamed else []
                subprocess.run(part, cwd=where, check=True, stdout=subprocess.DEVNULL)
                _tell(f"{n} parts", [*run, "--parts", f"{n}.parts"], where, n)


def _mpiexec(n: int) -> list[str]:
    own = Path(sys.executable).parent / "mpiexec"
    return [str(own) if own.exists() else "mpiexec", "-n", str(n)]


def _tell(what: str, command: list[str], where: Path, n: int) -> None:
    began = time.perf_counter()
    held = peaks(command, where, n)
    row = ", ".join(f"{held.get(rank, 0) / 2**20:,.0f}" for rank in range(n))
    print(f"{what}: {row} MiB, {time.perf_counter() - began:,.0f} s", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main()
