"""A Bloch wave in the scene that runs: phases at its periodic walls, and a source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from wavelab.app.edits.edits import Edit, add_source
from wavelab.scene.model.scene import Scene, Source
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.walls.periodic import PeriodicWall


def drive_bloch_mode(
    scene: Scene, phases: Mapping[tuple[str, ...], float], make: Callable[[str], Source]
) -> Edit:
    """Periodic walls get phases, and a source is placed.

    Parameters
    ----------
    phases : in degrees, by the edges of each wall.
    make : gives the source its name.

    Raises
    ------
    WavelabError : the source cannot be there.
    """
    walls = tuple(
        replace(wall, phase=phases[wall.edges])
        if isinstance(wall, PeriodicWall) and wall.edges in phases
        else wall
        for wall in scene.walls
    )
    phased = check_scene(replace(scene, walls=walls, exact=None))
    return replace(add_source(phased, make), label="Drive mode")
