"""Which wall an edge has."""

from __future__ import annotations

from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.systems import system_of
from wavelab.scene.walls.wall_edges import covers


def wall_at(edge: str, scene: Scene) -> Wall:
    """The wall at an edge such as "domain.left".

    A name stands for its parts ("domain" for "domain.left"), of several walls the last one
    holds, and an edge nobody names has the wall of its system, all as in
    :mod:`wavelab.physics.walls.walls`.
    """
    found = [wall for wall in scene.walls if any(covers(name, edge) for name in wall.edges)]
    return found[-1] if found else system_of(scene).unnamed((edge,))
