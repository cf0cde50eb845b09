"""From a mesh file to the first step: how long it takes, and how much memory.

What is timed runs in a process of its own, whose peak of memory is that of the set-up alone.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from wavelab.benchmark.meshes import square_mesh
from wavelab.child import command_of
from wavelab.errors import WavelabError
from wavelab.meshing.formats import read_mesh, write_mesh
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Scene, Solver
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

#: The shipped scenes' order.
DEFAULT_ORDER = 4
#: Elements of the problem that fills the kernel cache and the program's own.
_WARM_ELEMENTS = 200


@dataclass(frozen=True)
class Setup:
    """One measurement.

    Attributes
    ----------
    seconds : what was done, in this order, and how long it took.
    total_s : all of it but reading the file.
    from_file_s : all of it.
    peak_mib, before_mib : most memory the process has held, at the end and before it began; None
        where the system does not tell.
    """

    device: str
    precision: str
    order: int
    elements: int
    seconds: dict[str, float]
    total_s: float
    from_file_s: float
    peak_mib: float | None
    before_mib: float | None


def measure_setup(
    elements: int,
    *,
    order: int = DEFAULT_ORDER,
    precision: str = "single",
    device: str | None = None,
) -> Setup:
    """Set up about ``elements`` elements on the unit square, with the kernels from the cache.

    Raises
    ------
    WavelabError : no such device, or it has not enough memory.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "mesh.msh"
        write_mesh(square_mesh(elements), path)
        task = {"path": str(path), "order": order, "precision": precision, "device": device}
        child = subprocess.run(
            [*command_of("wavelab.benchmark.setup"), json.dumps(task)],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if child.returncode:
        raise WavelabError(
            f"setting up {elements:,} elements failed with status {child.returncode}",
            remedy="Try fewer elements: there may not be enough memory.",
        )
    return Setup(**json.loads(child.stdout))


def _measure(path: Path, order: int, precision: str, device: str | None) -> Setup:
    """The same in this process."""
    scene = Scene("set-up", Solver(element_size=1.0, order=order, precision=precision))
    _start(scene, square_mesh(_WARM_ELEMENTS), device, {}).close()
    before = _peak_mib()
    seconds: dict[str, float] = {}
    with _timed(seconds, "read the mesh file"):
        mesh = read_mesh(path)
    simulation = _start(scene, mesh, device, seconds)
    reading = seconds["read the mesh file"]
    result = Setup(
        device=simulation.stepper.device,
        precision=precision,
        order=order,
        elements=mesh.n_elements,
        seconds=seconds,
        total_s=sum(seconds.values()) - reading,
        from_file_s=sum(seconds.values()),
        peak_mib=_peak_mib(),
        before_mib=before,
    )
    simulation.close()
    return result


def _start(scene: Scene, mesh: Mesh, device: str | None, seconds: dict[str, float]) -> Simulation:
    with _timed(seconds, "discretize and find the time step"):
        problem = discretize_scene(scene, mesh)
    with _timed(seconds, "lay out, upload and load kernels"):
        stepper = stepper_of(problem, backend="opencl", device=device)
    with _timed(seconds, "start the fields"):
        simulation = Simulation(problem, stepper)
        stepper.synchronize()
    with _timed(seconds, "first step"):
        simulation.advance(1)
        stepper.synchronize()
    return simulation


@contextmanager
def _timed(seconds: dict[str, float], what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    seconds[what] = time.perf_counter() - began


def _peak_mib() -> float | None:
    # Not getrusage: on Linux a child begins with the peak of the process that started it.
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    return int(peak) / 2**10


if __name__ == "__main__":
    task = json.loads(sys.argv[1])
    try:
        setup = _measure(Path(task.pop("path")), **task)
    except WavelabError as error:
        sys.exit(f"error: {error}")
    print(json.dumps(asdict(setup)))
