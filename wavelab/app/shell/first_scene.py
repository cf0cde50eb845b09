"""The scene that the window begins with."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wavelab.app.base.settings import LaunchOptions
from wavelab.app.files.files import scene_of_file
from wavelab.errors import WavelabError
from wavelab.paths import SCENES
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.toml.toml_io import load_scene

DEFAULT_SCENE = SCENES / "welcome.toml"


@cache
def default_scene() -> Scene:
    """The shipped default scene; an empty box if the installation lacks it."""
    try:
        return load_scene(DEFAULT_SCENE)
    except (WavelabError, OSError):
        return Scene(title="Empty box", solver=Solver(element_size=0.06))


def first_scene(path: Path | None, options: LaunchOptions) -> tuple[Scene, WavelabError | None]:
    """The scene asked for; the default scene and what is wrong if it cannot be read."""
    if path is None:
        return options.applied(default_scene()), None
    try:
        return options.applied(scene_of_file(path, default_scene())), None
    except WavelabError as error:
        return default_scene(), error
