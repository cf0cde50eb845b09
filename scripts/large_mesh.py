"""A mesh that is too large for a process, and what it takes to part it:
python -m scripts.large_mesh N FILE.msh -n R

Writes a square of about N triangles, row by row, has ``wavelab partition`` stream it into R parts
beside it, and prints the seconds and the most memory that took.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

#: Of the lattice's spacing, as in wavelab/benchmark/meshes.py.
_JITTER = 0.15


def write_square(path: Path, n: int) -> None:
    """2 n^2 triangles on the unit square in a file of version 4.1, with a name for its rim."""
    rng = np.random.default_rng(0)
    across = np.arange(n + 1)
    with open(path, "w", encoding="ascii") as file:
        file.write('$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 "rim"\n')
        file.write("$EndPhysicalNames\n$Entities\n0 1 1 0\n1 0 0 0 1 1 0 1 1 0\n")
        file.write("1 0 0 0 1 1 0 0 1 1\n$EndEntities\n")
        n_points = (n + 1) ** 2
        file.write(f"$Nodes\n1 {n_points} 1 {n_points}\n2 1 0 {n_points}\n")
        for row in range(n + 1):
            first = row * (n + 1) + 1
            file.write("\n".join(map(str, range(first, first + n + 1))) + "\n")
        for row in range(n + 1):
            inner = (across > 0) & (across < n) & (0 < row < n)
            shake = rng.uniform(-_JITTER, _JITTER, (2, n + 1)) * inner
            x, y = ((across + shake[0]) / n).tolist(), ((row + shake[1]) / n).tolist()
            file.write("".join(f"{a!r} {b!r} 0\n" for a, b in zip(x, y, strict=True)))
        file.write(f"$EndNodes\n$Elements\n2 {2 * n * n + 4 * n} 1 {2 * n * n + 4 * n}\n")
        file.write(f"1 1 1 {4 * n}\n")
        low, left = across + 1, across * (n + 1) + 1
        rim = np.concatenate([low, (left + n)[1:], (low + n * (n + 1))[-2::-1], left[-2::-1]])
        for tag, (a, b) in enumerate(zip(rim[:-1].tolist(), rim[1:].tolist(), strict=True), 1):
            file.write(f"{tag} {a} {b}\n")
        file.write(f"2 1 2 {2 * n * n}\n")
        tag = 4 * n + 1
        for row in range(n):
            a = row * (n + 1) + 1 + across[:-1]
            b, c, d = a + 1, a + n + 1, a + n + 2
            rising = rng.random(n) < 0.5
            below = np.stack([a, b, np.where(rising, d, c)], axis=1)
            above = np.stack([np.where(rising, a, b), d, c], axis=1)
            rows = np.concatenate([below, above]).tolist()
            file.write("".join(f"{tag + i} {p} {q} {r}\n" for i, (p, q, r) in enumerate(rows)))
            tag += 2 * n
        file.write("$EndElements\n")


def main() -> None:
    """Write it, part it, and say what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elements", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("-n", "--parts", type=int, default=4)
    arguments = parser.parse_args()
    write_square(arguments.file, round((arguments.elements / 2) ** 0.5))
    print(f"{arguments.file}: {arguments.file.stat().st_size / 2**20:,.0f} MiB", flush=True)
    command = [sys.executable, "-m", "wavelab", "partition", str(arguments.file), "--stream"]
    command += ["-n", str(arguments.parts), "-o", str(arguments.file.with_suffix(".parts"))]
    began = time.perf_counter()
    subprocess.run(command, check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
    print(f"{time.perf_counter() - began:,.0f} s, at most {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
