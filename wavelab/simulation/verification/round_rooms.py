"""Round rooms: elements with arcs among their faces, against Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.round_waves import RoundMode, cored_mode, disk_mode, ring_mode
from wavelab.simulation.verification.scenes import stepped_locally

_HOLE = """
[[holes]]
name = "pillar"
shape = "ellipse"
center = [0, 0]
radii = [0.45, 0.45]
"""
_CORE = """
[[materials]]
name = "core"
epsilon = 4
shape = "ellipse"
center = [0, 0]
radii = [0.5, 0.5]
"""
#: What is in the unit circle, and a mode of it.
_ROOMS: dict[str, tuple[str, Callable[[], RoundMode]]] = {
    "room": ("", lambda: disk_mode(1, 3.0, 4.5)),
    "ring": (_HOLE, lambda: ring_mode(1, 0.45, 5.5, 6.5)),
    "core": (_CORE, lambda: cored_mode(1, 0.5, 4.0, 2.0, 3.0)),
}


def round_modes(name: str, *, speck: Point | None = None) -> Measure:
    """The rate of a mode of one of the rooms.

    Parameters
    ----------
    speck : where a few elements are small, see :func:`stepped_locally`; None for nowhere.
    """
    inside, mode_of = _ROOMS[name]
    mode = cache(mode_of)
    return converging(
        lambda: stepped_locally(_scene(inside), speck),
        exact=lambda points, time: mode().fields(points, time),
    )


def _scene(inside: str) -> Scene:
    return parse_scene(f"""
title = "Round room"
[domain]
shape = "ellipse"
center = [0, 0]
radii = [1, 1]
{inside}
[solver]
element_size = 0.2
until = 0.3
""")
