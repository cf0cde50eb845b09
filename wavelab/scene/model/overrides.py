"""Values of ``[solver]`` that the command line puts in the place of the scene's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wavelab.errors import SceneError
from wavelab.scene.model.ending import DECAYED, UNTIL_DECAYED, latest_end
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Scene


def given(**values: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def with_solver(scene: Scene, **values: Any) -> Scene:
    """The scene with values of its solver replaced; None leaves one as it is.

    Parameters
    ----------
    values : ``until`` may be "decayed", as in a file: the wave is waited for, ``decayed`` that of
        the scene if it has one.

    Raises
    ------
    SceneError : an element size for a scene that does not mesh its domain itself; "decayed" for one
        that does not say how large it is.
    """
    values = given(**values)
    if "element_size" in values:
        check_meshes_itself(scene)
    if values.get("until") == UNTIL_DECAYED:
        values = {"decayed": scene.solver.decayed or DECAYED, **values}
        try:
            values["until"] = latest_end(scene.outline, scene.sources)
        except ItemError as error:
            raise SceneError(error.message, where=scene.where, remedy=error.remedy) from None
    return replace(scene, solver=replace(scene.solver, **values)) if values else scene


def check_meshes_itself(scene: Scene, option: str = "--h") -> None:
    """
    Parameters
    ----------
    option : what asks for a size.

    Raises
    ------
    SceneError : its elements come from a mesh file, and no size can be asked of them.
    """
    if scene.mesh_file is not None:
        raise SceneError(
            f"takes its elements from {scene.mesh_file.name}, so {option} has no effect",
            where=scene.where,
            remedy="Leave it out, or name a scene with an outline.",
        )
