"""Texts of scenes for tests of parameters."""

from __future__ import annotations

TEXT = """\
title = "Slits"

[parameters]
d = { value = 0.4, range = [0.1, 1], step = 0.05, unit = "m", label = "Distance" }
f = 3
n = { value = 1.5, range = [1, 4] }
k = "2*pi*f"
terms = { value = 3, range = [1, 8], step = 1 }

[domain]
shape = "rectangle"
lower = [0, 0]
upper = ["4*d + 1", 2]

[[holes]]
name = "wall"
shape = "polygon"
vertices = [["1 - d/2", 0.5], ["1 + d/2", 0.5], ["max(1, d)", "0.5 + d/4"]]

[background]
epsilon = "1 + d*x^2"

[[materials]]
name = "glass"
epsilon = "n^2"
mu = "1 + 0.1*sin(k*x)*exp(-n*t)"
shape = "ellipse"
center = ["1.6 + d", 1.5]
radii = ["d/8", 0.1]

[[sources]]
name = "lamp"
kind = "array"
start = [0.2, 0.5]
end = [0.2, "0.5 + d"]
count = "terms"
radius = 0.05
amplitude = 30
waveform = { kind = "sine", frequency = "f" }

[[monitors]]
name = "out"
kind = "flux"
vertices = [[0.4, 0.1], [0.4, "2 - d"]]
frequencies = ["f", "f/2"]
begin = "1/f"

[initial]
ez = "exp(-(x - d)^2)"

[solver]
element_size = "1/(4*f)"
order = "2 + 1"
until = "6/f"
"""


BARE = """\
title = "Bare"

[domain]
shape = "ellipse"
center = [0, 0]
radii = [3, 3]

[solver]
element_size = 1

"""
