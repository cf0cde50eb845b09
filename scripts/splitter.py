"""Make the layout of a power splitter, and the shipped scene of it.

``python -m scripts.splitter [FOLDER]`` writes ``splitter.gds`` there (default: here) and the scene
``assets/scenes/splitter.toml`` anew.  A wide guide images what comes in at its middle twice, side
by side, after 3/8 of the beat length of its two lowest modes (Soldano and Pennings, *J. Lightwave
Technol.* 13, 615, 1995), where two guides go on from it, which part by bends of two arcs each.
"""

from __future__ import annotations

import math
import struct
import sys
from dataclasses import replace
from pathlib import Path

from wavelab.meshing.drawings.devices import Wishes
from wavelab.meshing.drawings.importing import import_drawing
from wavelab.paths import SCENES
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.toml.toml_writer import items_text

#: Micrometres, and effective indices of a layer of silicon 220 nm thick and of glass.
WIDTH, WIDE, LENGTH = 0.4, 2.0, 4.25
OFFSET, APART, RADIUS = 0.55, 1.2, 3.0
INDEX, CLADDING, WAVELENGTH = 2.8, 1.44, 1.55
LEAD = 3.2
BOX = (-3.6, -2.6, 9.0, 2.6)


def layout() -> bytes:
    """The file, rounded to nanometres: a box and three paths."""
    x0 = -LEAD - 4
    wide = [(0, -WIDE / 2), (LENGTH, -WIDE / 2), (LENGTH, WIDE / 2), (0, WIDE / 2)]
    shapes = _boundary([*wide, wide[0]]) + _path([(x0, 0), (0, 0)])
    for side in (1, -1):
        shapes += _path([(x, side * y) for x, y in _bend()])
    units = _record(0x03, 5, _real(1e-3) + _real(1e-9))
    head = _record(0x00, 2, struct.pack(">h", 600)) + _record(0x01, 2, bytes(24))
    cell = _record(0x05, 2, bytes(24)) + _record(0x06, 6, b"SPLITTER") + shapes + _record(0x07, 0)
    return head + _record(0x02, 6, b"LIB") + units + cell + _record(0x04, 0)


def _bend() -> list[tuple[float, float]]:
    """From the wide guide to the right: two arcs of a degree an edge that make an S, and a line."""
    rise = APART - OFFSET
    angle = math.acos(1 - rise / (2 * RADIUS))
    count = math.ceil(math.degrees(angle))
    up = [angle * i / count for i in range(count + 1)]
    first = [(math.sin(a) * RADIUS, (1 - math.cos(a)) * RADIUS) for a in up]
    run, half = first[-1]
    second = [(2 * run - x, 2 * half - y) for x, y in reversed(first[:-1])]
    line = [(x + LENGTH, y + OFFSET) for x, y in (*first, *second)]
    return [*line, (line[-1][0] + LEAD + 4, line[-1][1])]


def _record(kind: int, data: int, body: bytes = b"") -> bytes:
    return (
        struct.pack(">HBB", 4 + len(body) + len(body) % 2, kind, data)
        + body
        + b"\0" * (len(body) % 2)
    )


def _real(value: float) -> bytes:
    exponent = math.floor(math.log(value, 16)) + 1
    return bytes([64 + exponent]) + round(value / 16.0**exponent * 2**56).to_bytes(7, "big")


def _element(kind: int, points: list[tuple[float, float]], more: bytes = b"") -> bytes:
    numbers = [round(1000 * value) for point in points for value in point]
    layer = _record(0x0D, 2, struct.pack(">h", 1)) + _record(0x0E, 2, struct.pack(">h", 0))
    xy = _record(0x10, 3, struct.pack(f">{len(numbers)}i", *numbers))
    return _record(kind, 0) + layer + more + xy + _record(0x11, 0)


def _boundary(points: list[tuple[float, float]]) -> bytes:
    return _element(0x08, points)


def _path(points: list[tuple[float, float]]) -> bytes:
    return _element(0x09, points, _record(0x0F, 3, struct.pack(">i", round(1000 * WIDTH))))


def imported(folder: Path) -> Scene:
    """The shapes of the layout, written to a folder, as they come into a scene."""
    path = folder / "splitter.gds"
    path.write_bytes(layout())
    said = [("1/0", f"material,epsilon={INDEX**2:.6g}")]
    return import_drawing(path, said, Wishes(BOX, element_size=0.24))


ITEMS = """
title = "Power splitter"
description = \"\"\"\\
A wide strip of silicon, seen from above, images the light that comes in at its middle twice, \\
side by side, and two guides take one half each. The shapes are those of a layout of a chip, a \\
GDSII file: its runs of short edges have become arcs. Lengths are in micrometres.\"\"\"

[units]
length = "um"

[domain]
shape = "rectangle"
lower = [{x0}, {y0}]
upper = [{x1}, {y1}]

[background]
epsilon = {background}

{shapes}
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.6

[[sources]]
name = "laser"
kind = "port"
start = [-2.4, -1.2]
end = [-2.4, 1.2]
amplitude = 1
waveform = {{ kind = "sine", frequency = {frequency} }}

[[monitors]]
name = "in"
kind = "modes"
vertices = [[-1.2, -1.2], [-1.2, 1.2]]
frequencies = [{frequency}]
begin = 44
end = 56.4  # eight periods

[[monitors]]
name = "upper arm"
kind = "modes"
vertices = [[7.8, 0.3], [7.8, 1.95]]
frequencies = [{frequency}]
begin = 44
end = 56.4

[[monitors]]
name = "lower arm"
kind = "modes"
vertices = [[7.8, -1.95], [7.8, -0.3]]
frequencies = [{frequency}]
begin = 44
end = 56.4

[solver]
element_size = 0.24
order = 4
until = 56.4

[view]
quantity = "ez"
"""


def scene_of_layout(folder: Path) -> str:
    """The text of the shipped scene: the shapes, and what sends and measures."""
    x0, y0, x1, y1 = BOX
    shapes = items_text(replace(Scene("", Solver()), materials=imported(folder).materials))
    shapes = shapes[shapes.index("[[materials]]") :]
    return ITEMS.format(
        x0=x0, y0=y0, x1=x1, y1=y1,
        background=round(CLADDING**2, 4),
        frequency=round(1 / WAVELENGTH, 6),
        shapes=shapes,
    ).lstrip()  # fmt: skip


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    text = scene_of_layout(folder)
    (SCENES / "splitter.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
