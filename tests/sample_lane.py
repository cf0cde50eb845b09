"""A plate across a lane with a line before it and one behind it, and what theory says of it."""

from __future__ import annotations

import numpy as np

LANE = """
title = "Lane"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [3, 0.4]
[[materials]]
name = "plate"
epsilon = 4
shape = "rectangle"
lower = [1.3, 0]
upper = [1.7, 0.4]
[[walls]]
edges = ["domain.top", "domain.bottom"]
kind = "magnetic"
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"
[[sources]]
name = "pulse"
kind = "plane_wave"
edges = ["domain.left"]
direction = 0
amplitude = 1
waveform = { kind = "modulated_gaussian", frequency = 0.95, width = 0.4, delay = 2.4 }
[[monitors]]
name = "in"
kind = "modes"
vertices = [[0.8, 0], [0.8, 0.4]]
frequencies = [0.75, 0.9, 1.15]
[[monitors]]
name = "out"
kind = "modes"
vertices = [[2.2, 0.4], [2.2, 0]]
frequencies = [0.75, 0.9, 1.15]
[solver]
element_size = 0.3
order = 5
until = 16
"""


def airy(frequency: float) -> float:
    """Reflected part of the power of a plate of index 2, 0.4 thick."""
    turn = np.exp(1j * 4 * np.pi * frequency * 0.8)
    return float(abs((1 - turn) / 3 / (1 - turn / 9)) ** 2)
