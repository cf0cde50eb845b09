"""What comes back from the layers of open walls of elastic waves.

A force in the middle of a square sends P and S waves of 1.5 periods per unit of time (a Ricker
pulse; P waves are 0.67 long at its peak). Probes 0.1 before the layers record both components of
the velocity, and are compared with those in a square from which nothing can be back: printed is the
largest difference at any time over the largest value.

    python scripts/elastic_layers.py
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

UNTIL, ROOM, BEYOND = 2.8, 0.6, 2.2
POINTS = ((0.5, 0.05), (0.5, 0.3), (0.5, 0.5), (0.1, 0.5), (0.5, -0.4))
SCENE = """
title = "layers"
physics = "elastic"
[domain]
shape = "rectangle"
lower = [-{size}, -{size}]
upper = [{size}, {size}]
[[walls]]
kind = "{wall}"
edges = ["domain"]
{thickness}
[[sources]]
kind = "force"
position = [0, 0]
direction = 90
radius = 0.05
amplitude = 10
waveform = {{ kind = "ricker", frequency = 1.5, delay = 0.8 }}
{probes}
[solver]
element_size = 0.1
order = 7
precision = "double"
until = {until}
"""


def recorded(size: float, thickness: float = 0.0) -> tuple[Array, Array]:
    """Times and samples (n, n_probes), with layers or absorbing walls."""
    probes = "\n".join(
        f'[[probes]]\nname = "{quantity} {i}"\nposition = [{x}, {y}]\nquantity = "{quantity}"'
        for i, (x, y) in enumerate(POINTS)
        for quantity in ("vx", "vy")
    )
    scene = parse_scene(
        SCENE.format(
            size=size,
            wall="open" if thickness else "absorbing",
            thickness=f"thickness = {thickness}" if thickness else "",
            probes=probes,
            until=UNTIL,
        )
    )
    problem = discretize_scene(scene, mesh_scene(scene))
    simulation = Simulation(problem, stepper_of(problem))
    times, samples = simulation.advance(problem.steps_to_end())
    simulation.close()
    return times, samples


def at_times(times: Array, known: Array, values: Array) -> Array:
    """Values at evenly spread times by polynomials of degree 7."""
    place = (times - known[0]) / (known[1] - known[0])
    first = np.clip(np.floor(place).astype(int) - 3, 0, len(known) - 8)
    total = np.zeros((len(times), values.shape[1]))
    for k in range(8):
        others = [m for m in range(8) if m != k]
        weight = np.prod([(place - first - m) / (k - m) for m in others], axis=0)
        total += weight[:, None] * values[first + k]
    return total


def main() -> None:
    known, right = recorded(BEYOND)
    for thickness in (0.0, 0.3, 0.6, 1.2):
        times, samples = recorded(ROOM + thickness, thickness)
        off = np.abs(samples - at_times(times, known, right)).max() / np.abs(right).max()
        what = f"a layer of {thickness:g}" if thickness else "an absorbing wall"
        print(f"{what:20} {off:.1e}", flush=True)


if __name__ == "__main__":
    main()
