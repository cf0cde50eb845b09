"""A drawing that comes in by what is said of its layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wavelab.errors import GeometryError, SceneError
from wavelab.meshing.drawings.devices import Wishes, device_scene
from wavelab.meshing.drawings.layers import Layer, layers_of, matching
from wavelab.meshing.drawings.reading import read_document
from wavelab.meshing.drawings.roles import MATERIAL, Role, role_of
from wavelab.meshing.outlines.outline import Document
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import LENGTHS
from wavelab.scene.systems import SYSTEMS

#: Of a layout of which nobody says what it is made of: about that of silicon.
USUAL_EPSILON = 12.0

Notify = Callable[[str], None]


def import_drawing(
    path: Path,
    said: Sequence[tuple[str, str]],
    wishes: Wishes,
    *,
    physics: str = "light",
    notify: Notify = lambda _: None,
) -> Scene:
    """The scene of a drawing.

    Parameters
    ----------
    said : layers, or colours, and what they become, as :func:`role_of` reads it; the later covers
        the earlier.  Others are left out.
    notify : told what was left out.

    Raises
    ------
    GeometryError : the file, or what is made of it, cannot be used.
    SceneError : what is said of a layer cannot be.
    """
    document = read_document(path)
    layers, notes = read_layers(document, path)
    for note in notes:
        notify(note)
    micrometres = length_in_micrometres(wishes.unit or document.unit_name)
    chosen: dict[Layer, Role] = {}
    for name, text in said:
        try:
            role = role_of(text, physics, micrometres)
        except SceneError as error:
            raise SceneError(error.message, where=f"{name}={text}", remedy=error.remedy) from None
        for layer in matching(layers, name):
            chosen.pop(layer, None)
            chosen[layer] = role
    for layer in layers:
        if layer not in chosen:
            notify(f'left out layer "{layer.name}", of which nothing is said')
    return device_scene(
        document, path, list(chosen.items()), wishes, physics=physics, notify=notify
    )


def read_layers(document: Document, path: Path) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """As :func:`layers_of`, with the name of the file in what is wrong."""
    try:
        return layers_of(document)
    except GeometryError as error:
        raise GeometryError(
            error.message, where=error.where or path.name, remedy=error.remedy
        ) from None


def layout_scene(
    path: Path, like: Scene | None = None, *, notify: Notify = lambda _: None
) -> Scene:
    """A layout of a chip of which nothing is said: all layers are one material."""
    document = read_document(path)
    layers, notes = read_layers(document, path)
    for note in notes:
        notify(note)
    names = ", ".join(layer.name for layer in layers)
    notify(
        f"took layers {names} of {path.name} for a material of epsilon {USUAL_EPSILON:g}; "
        "wavelab import, and Import drawing in the window, take them for what they are"
    )
    role = Role(MATERIAL, SYSTEMS["light"].medium(epsilon=USUAL_EPSILON))
    return device_scene(
        document, path, [(layer, role) for layer in layers], like=like, notify=notify
    )


def length_in_micrometres(unit: str) -> float | None:
    """Of a unit of length of scenes; None where it is none."""
    return float(f"1e{LENGTHS[unit] + 6}") if unit in LENGTHS else None
