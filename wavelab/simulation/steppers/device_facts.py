"""Which OpenCL devices there are, and whether one computes what it should: a child process.

``python -m wavelab.simulation.steppers.device_facts`` lists them as JSON; with the address of one
on standard input it runs the self-test on that one.  A driver may end the process.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.simulation.steppers.steppers import make_stepper

_TOLD = (
    "number", "address", "platform", "name", "driver", "kind", "compute_units", "memory", "double",
    "usable", "reason",
)  # fmt: skip
#: What most scenes have.
_ORDER = 4


def devices() -> dict[str, Any]:
    """All devices."""
    try:
        from wavelab.opencl.device.device import device_reports
    except WavelabError as error:
        return {"problem": f"{error.message}. {error.remedy}"}
    except (ImportError, OSError) as error:
        return {"problem": f"OpenCL cannot be loaded: {error}"}
    return {"devices": [{n: getattr(r, n) for n in _TOLD} for r in device_reports()]}


def tested(address: str) -> dict[str, str]:
    """What became of the self-test, by precision."""
    vertices = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    mesh = Mesh.plain(vertices, np.array([[0, 1, 2], [0, 2, 3]]))
    one = np.ones(2)
    operator = MaxwellTM(discretize(mesh, _ORDER), one, one, 0 * one, -np.ones((2, 3)), 1.0)
    return {precision: _tested(operator, address, precision) for precision in ("single", "double")}


def _tested(operator: MaxwellTM, address: str, precision: str) -> str:
    began = time.perf_counter()
    try:
        how: dict[str, Any] = {"backend": "opencl", "device": address, "precision": precision}
        make_stepper(operator, dt=1e-3, **how).close()
    except WavelabError as error:
        return f"FAILED: {error.message} {error.remedy}".strip()
    return f"passed in {time.perf_counter() - began:.1f} s"


if __name__ == "__main__":
    asked = sys.stdin.read().strip()
    print(json.dumps(tested(asked) if asked else devices()))
