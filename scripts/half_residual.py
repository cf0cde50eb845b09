"""What a residual of half precision would cost and gain: python -m scripts.half_residual

First what it does to a standing wave, in NumPy, beside residuals of double and single precision;
then, on a graphics card, how long stages take with it.
"""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

import numpy as np

from wavelab.benchmark.meshes import square_mesh
from wavelab.benchmark.stages import conducting_room, device_and_mesh
from wavelab.benchmark.timing import side_by_side
from wavelab.opencl.device import kernel_set
from wavelab.opencl.device.properties import kind_of
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.time.time_step import stable_step, suited_scheme

_PERIODS = 3
#: Orders and elements.
_ERRORS = ((2, 800), (4, 200), (4, 800), (6, 200))
_TIMES = ((2, 320_000), (4, 320_000), (6, 320_000))


def main() -> None:
    """Print both tables."""
    for order, elements in _ERRORS:
        errors = ", ".join(
            f"{np.dtype(kind).name} {standing_wave_error(order, elements, kind):.1e}"
            for kind in (np.float64, np.float32, np.float16)
        )
        print(f"order {order}, {elements} elements, error by residual: {errors}", flush=True)
    device, _ = device_and_mesh(None, "single", 200)
    if kind_of(device) == "CPU":
        print("no graphics card to time it on")
        return
    for order, elements in _TIMES:
        whole, half = stage_seconds(order, elements)
        print(
            f"order {order}, {elements} elements: {1e6 * whole:.1f} us a stage, {1e6 * half:.1f} "
            f"with a residual of half precision, {whole / half:.2f} times as fast",
            flush=True,
        )


def standing_wave_error(order: int, elements: int, kind: type[np.floating]) -> float:
    """Relative error of Ez after some periods, all but the residual in double precision."""
    operator, _, _ = conducting_room(square_mesh(elements), order)
    d = operator.discretization
    k = np.pi / (d.x.max() - d.x.min())
    mode = np.sin(k * (d.x - d.x.min())) * np.sin(k * (d.y - d.y.min()))
    scheme, until = suited_scheme(operator), _PERIODS * np.sqrt(2) * np.pi / k
    n_steps = int(np.ceil(until / (0.9 * stable_step(operator))))
    fields = [np.zeros_like(mode), np.zeros_like(mode), mode.copy()]
    residual = [np.zeros_like(mode) for _ in fields]
    for _ in range(n_steps):
        for a, b in zip(scheme.a, scheme.b, strict=True):
            rates = operator.right_hand_side(MaxwellFields(*fields)).arrays
            for i, rate in enumerate(rates):
                step = a * residual[i] + until / n_steps * rate
                residual[i] = step.astype(kind).astype(np.float64)
                fields[i] = fields[i] + b * step
    return float(np.sqrt(((fields[2] - mode) ** 2).sum() / (mode**2).sum()))


def stage_seconds(order: int, elements: int) -> list[float]:
    """Of a stage as it is, and with a residual of half precision, in turns."""
    device, mesh = device_and_mesh(None, "single", elements)
    operator, fields, dt = conducting_room(mesh, order)
    render, steppers = kernel_set.render, []
    for rendered in (render, lambda *of, **names: _halved(render(*of, **names))):
        with patch.object(kernel_set, "render", rendered):
            stepper = OpenCLStepper(operator, dt=dt, device=device, groups=0)
        stepper.set_fields(fields)
        stepper.advance(1)
        steppers.append(stepper)
    seconds = side_by_side(steppers)
    for stepper in steppers:
        stepper.close()
    return [of / stepper.scheme.n_stages for of, stepper in zip(seconds, steppers, strict=True)]


def _halved(source: str) -> str:
    """With the residual of the stage kernel in half precision."""
    found: Any = re.search(r"void stage\(.*?\n}\n", source, re.DOTALL)
    if found is None:
        return source
    body = found[0].replace(
        "residual += block * FIELD_BLOCK;",
        "global half *halves = (global half *)residual + (size_t)block * FIELD_BLOCK;",
    )
    body = re.sub(r"residual\[(HERE\(\d+\))\] = ([^;]+);", r"vstore_half(\2, \1, halves);", body)
    body = re.sub(r"= residual\[(HERE\(\d+\))\];", r"= vload_half(\1, halves);", body)
    return source[: found.start()] + body + source[found.end() :]


if __name__ == "__main__":
    main()
