"""What open walls send back, measured, beside what the program expects (docs/accuracy.md).

    python -m scripts.pml_reflection            # the table, some minutes
    python -m scripts.pml_reflection grazing    # at 75 and 80 degrees

A sheet of current across a strip between glued sides, one of its waves wide, sends a plane wave at
an angle to both ends, which are open.  Ez at points between the sheet and the right end is a sum of
a wave that goes and one that comes; the quotient of their amplitudes is what is printed, in double
precision.  The mesh scatters a little too, which is counted on both sides.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from wavelab.arrays import Array
from wavelab.meshing.job import mesh_scene
from wavelab.physics.pml.pml_reflection import Layer, mesh_scatters
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

#: Points along and across the strip.
ALONG, ACROSS = 10, 5
#: Order, element size in wavelengths, elements across the layer.
ROWS = [
    *((1, 0.05, n) for n in (3, 5, 8, 12)),
    *((2, h, n) for h in (0.1, 0.2) for n in (2, 3, 4, 6, 8)),
    *((3, h, n) for h in (0.1, 0.25) for n in (1.5, 2, 3, 4)),
    *((4, h, n) for h in (0.1, 0.25, 0.4) for n in (1.5, 2, 3, 4)),
    *((6, h, n) for h in (0.25, 0.4) for n in (1.5, 2, 3)),
    *((8, h, n) for h in (0.25, 0.5) for n in (1.5, 2)),
]
ANGLES = (0, 45, 60)
GRAZING_ROWS = ((4, 0.25, 2), (4, 0.25, 4), (4, 0.25, 8))
GRAZING = (75, 80)


def measured(order: int, size: float, elements: float, angle: float) -> float:
    """Amplitude that comes back of a wave of length 1 that meets a layer at ``angle`` degrees."""
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    thickness = size * elements
    # The strip is a whole number of waves wide, and some elements.
    width = 1 / sine if sine else 0.5
    width *= math.ceil(3 * size / width)
    first, last = 0.3, 0.3 + min(0.75 / cosine, 3.0)
    end = last + 0.1
    # Slow waves near cutoff are sent less and filtered better the longer both take.
    ramp = 10 if angle < 50 else 20 if angle < 70 else 2 / (1 - sine)
    watched = 1.5 * ramp
    until = ramp + 2.5 * (end + thickness) / cosine + watched
    x = first + (last - first) * (np.arange(ALONG) + 0.5) / ALONG
    y = width * np.arange(ACROSS) / ACROSS
    probes = "".join(f"[[probes]]\nposition = [{a}, {b + 0.01}]\n" for a in x for b in y)
    scene = parse_scene(f"""
title = "Strip"
[domain]
shape = "rectangle"
lower = [{-0.3 - thickness}, 0]
upper = [{end + thickness}, {width}]
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "open"
thickness = {thickness}
[[sources]]
kind = "current"
jz = "exp(-(x/0.08)^2/2)*cos(2*pi*({sine!r}*y - t))*(1 - cos(pi*min(t/{ramp}, 1)))/2"
{probes}
[solver]
element_size = {size}
order = {order}
precision = "double"
until = {until}
""")
    problem = discretize_scene(scene, mesh_scene(scene))
    steps = problem.steps_to_end()
    stepper = stepper_of(problem, dt=until / steps)
    times, values = Simulation(problem, stepper).advance(steps)
    stepper.close()
    late = times > until - watched
    window = np.hanning(late.sum()) ** 2
    wave = (window * np.exp(2j * np.pi * times[late])) @ values[late] / window.sum()
    along = wave.reshape(ALONG, ACROSS) @ np.exp(-2j * np.pi * sine * (y + 0.01))
    return _returned(x, along, cosine)


def _returned(x: Array, along: Array, cosine: float) -> float:
    """Quotient of the amplitudes of exp(-i k x) and exp(i k x), with the k that fits best: that of
    the mesh differs a little."""
    best, share = math.inf, 0.0
    spread = 0.02 if cosine > 0.3 else 0.2
    for k in 2 * np.pi * cosine * np.linspace(1 - spread, 1 + spread, 401):
        waves = np.stack([np.exp(1j * k * x), np.exp(-1j * k * x)], axis=1)
        (goes, comes), *_ = np.linalg.lstsq(waves, along, rcond=None)
        misfit = float(np.linalg.norm(waves @ (goes, comes) - along))
        if misfit < best:
            best, share = misfit, abs(comes / goes)
    return share


def main() -> None:
    grazing = sys.argv[1:] == ["grazing"]
    angles = GRAZING if grazing else ANGLES
    print("| N | size | across | digits |", *(f"{a}° | expected |" for a in angles))
    print("|---" * (4 + 2 * len(angles)) + "|")
    for order, size, elements in GRAZING_ROWS if grazing else ROWS:
        layer = Layer(order, elements, size)
        print(f"| {order} | {size} | {elements} | {layer.digits:.1f} |", end="")
        for angle in angles:
            returned = max(layer.reflection(), layer.reflection(angle)) + mesh_scatters(order, size)
            print(f" {measured(order, size, elements, angle):.1e} | {returned:.0e} |", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
