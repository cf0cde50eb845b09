"""What is made for a scalar and a vector alone, and not for elastic waves."""

from __future__ import annotations

from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of


def check_scalar(scene: Scene, what: str) -> None:
    """That the waves of a scene are a scalar and a vector, for what is made for these alone.

    Raises
    ------
    WavelabError : they are others; names ``what``.
    """
    if system_of(scene).equations != "maxwell":
        raise not_made(what, scene.where)


def not_made(what: str, where: str = "") -> WavelabError:
    """An exception that says that ``what``, such as "bands", are not made for elastic waves."""
    return WavelabError(
        f"{what} are not made for elastic waves",
        where=where,
        remedy="All other waves have them: see physics in the scene.",
    )
