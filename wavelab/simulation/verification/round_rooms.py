"""Round rooms: elements with arcs among their faces, against Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.verification.case import Measure, Reading, Where
from wavelab.simulation.verification.convergence import converge
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
#: Where small elements are.
_SPECK = (0.6, 0.3)
#: What is in the unit circle, and a mode of it.
_ROOMS: dict[str, tuple[str, Callable[[], RoundMode]]] = {
    "room": ("", lambda: disk_mode(1, 3.0, 4.5)),
    "ring": (_HOLE, lambda: ring_mode(1, 0.45, 5.5, 6.5)),
    "core": (_CORE, lambda: cored_mode(1, 0.5, 4.0, 2.0, 3.0)),
}


def round_modes(name: str, *, locally: bool = False) -> Measure:
    """The rate of a mode of one of the rooms.

    Parameters
    ----------
    locally : with a few small elements, stepped locally.
    """
    inside, mode_of = _ROOMS[name]
    mode = cache(mode_of)

    def measure(order: int, where: Where) -> Reading:
        scene = _scene(inside)
        if locally:
            scene = stepped_locally(scene, _SPECK)
        return converge(scene, order, where, exact=mode().fields).reading

    return measure


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
