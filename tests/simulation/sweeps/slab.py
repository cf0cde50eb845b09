"""A slab across a strip of vacuum, whose transmission has a closed form."""

from __future__ import annotations

import numpy as np

SLAB = """\
title = "Slab"

[parameters]
d = { value = 0.2, range = [0.05, 0.6], unit = "m", label = "Thickness" }
n = { value = 2, range = [1, 3] }
f = 1.5

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 0.15]

[[materials]]
name = "slab"
epsilon = "n^2"
shape = "rectangle"
lower = ["1 - d/2", 0]
upper = ["1 + d/2", 0.15]

[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "magnetic"

[[walls]]
edges = ["domain.left", "domain.right"]
kind = "absorbing"

[[sources]]
name = "lamp"
kind = "plane_wave"
edges = ["domain.left"]
direction = 0
amplitude = 1
waveform = { kind = "sine", frequency = "f" }

[[probes]]
name = "behind"
position = [1.8, 0.07]

[[monitors]]
name = "out"
kind = "flux"
vertices = [[1.7, 0], [1.7, 0.15]]
frequencies = ["f"]
begin = "until - 4/f"

[solver]
element_size = 0.15
order = 4
until = 12
""".replace('"until - 4/f"', '"12 - 4/f"')

#: Of the wave that comes in, through the strip.
SENT = 0.5 * 0.15


def transmission(n: float, d: float, f: float) -> float:
    """Share of the power that passes a slab at perpendicular incidence (Airy)."""
    phase = 2 * np.pi * f * n * d
    return float(1 / (1 + ((n * n - 1) / (2 * n) * np.sin(phase)) ** 2))
