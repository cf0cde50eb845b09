"""Hardware counters of a stage on an NVIDIA card: python -m scripts.stage_counters --orders 4 6 9

NVIDIA's profiler looks at CUDA alone, but its OpenCL compiler leaves PTX, which is the same for
both: so a stage with all its arguments is written to a file, assembled by ``ptxas``, launched by
CuPy under ``ncu``, and what says where its time goes is printed.  Wants ``ptxas`` and ``ncu`` of
the CUDA toolkit, CuPy, and the right to read counters.
"""

from __future__ import annotations

import argparse
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from wavelab.benchmark.stages import conducting_room, device_and_mesh
from wavelab.opencl.stepper import OpenCLStepper

#: What ncu calls the numbers that tell most.
_TOLD = (
    "Duration", "DRAM Throughput", "Executed Ipc Active", "No Eligible", "Registers Per Thread",
    "Static Shared Memory Per Block", "Theoretical Occupancy", "Achieved Occupancy",
    "Warp Cycles Per Issued Instruction", "each warp of this workload spends",
)  # fmt: skip
#: Which half of the stages: those that keep the residual for the next, and those that read it.
_HALVES = {(False, True): "keeps the residual", (True, False): "reads the residual"}


def main(words: Sequence[str] | None = None) -> None:
    """Print the counters of some orders."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, nargs="+", default=[4, 9])
    parser.add_argument("--elements", type=int, default=320_000)
    parser.add_argument("--replay", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.replay:
        _replay(arguments.replay)
        return
    device, mesh = device_and_mesh(None, "single", arguments.elements)
    for order in arguments.orders:
        operator, fields, dt = conducting_room(mesh, order)
        with closing(OpenCLStepper(operator, dt=dt, device=device, groups=0)) as stepper:
            stepper.set_fields(fields)
            stepper.advance(2)
            for half, launch in _halves(stepper).items():
                print(f"order {order}, {half}, {stepper.config}", flush=True)
                _count(_described(stepper, launch))


def _halves(stepper: OpenCLStepper) -> dict[str, Any]:
    """A launch of each kind of stage."""
    found = {}
    for launches in stepper._stages[0]:
        *_, a, _, keeps = launches[0].arguments
        found.setdefault(_HALVES.get((a != 0, bool(keeps)), "does both"), launches[0])
    return found


def _described(stepper: OpenCLStepper, launch: Any) -> dict[str, Any]:
    """All that is needed to launch it elsewhere."""
    whole = np.dtype(np.int32)
    return {
        "ptx": launch.kernel.program.get_info(cl.program_info.BINARIES)[0],
        "name": launch.kernel.function_name,
        "arguments": [
            stepper.memory.read(x, (x.size // whole.itemsize,), whole)
            if isinstance(x, cl.Buffer)
            else x
            for x in launch.arguments
        ],
        "groups": (launch.items[0] // launch.group[0],),
        "group": launch.group,
    }


def _count(described: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "stage.pickle")
        path.write_bytes(pickle.dumps(described))
        # The clock stays as it is; the first launch is not counted.
        command = ["ncu", "--clock-control", "none", "--set", "full", "-s", "1", "-c", "1"]
        replay = [sys.executable, "-m", "scripts.stage_counters", "--replay", str(path)]
        done = subprocess.run([*command, *replay], stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    print("\n".join(line for line in lines if any(told in line for told in _TOLD)) or done.stdout)


def _replay(path: Path) -> None:
    import cupy  # only where a card is

    described = pickle.loads(path.read_bytes())
    # As CUDA takes it: it has no other mode of textures, and counts groups from 0.
    ptx = described["ptx"].rstrip(b"\0").decode().replace(", texmode_independent", "")
    ptx = re.sub(r"mov\.(\w+)(\s+%r\d+), %envreg\d+;", r"mov.\1\2, 0;", ptx)
    source, assembled = path.with_suffix(".ptx"), path.with_suffix(".cubin")
    source.write_text(ptx, encoding="ascii")
    target = re.search(r"\.target (\w+)", ptx)
    assert target is not None
    subprocess.run(["ptxas", f"-arch={target[1]}", str(source), "-o", str(assembled)], check=True)
    kernel = cupy.RawModule(path=str(assembled)).get_function(described["name"])
    given = [cupy.asarray(x) if isinstance(x, np.ndarray) else x for x in described["arguments"]]
    for _ in range(3):
        kernel(described["groups"], described["group"], tuple(given))
    cupy.cuda.Device().synchronize()


if __name__ == "__main__":
    main()
