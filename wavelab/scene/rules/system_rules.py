"""That media, walls, fields, sources and records are of a scene's system of waves."""

from __future__ import annotations

from typing import Any

from wavelab.scene.model.item_error import ItemPath, label, require
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.measuring.requests import FIELDS
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Probe, Scene
from wavelab.scene.systems import System


def check_system(scene: Scene, system: System) -> None:
    """That media, walls and fields are of it: files say nothing else, but code may."""
    media: list[tuple[Medium, ItemPath]] = [(scene.background, ("background",))]
    media += [(region.material, ("materials", i)) for i, region in enumerate(scene.materials)]
    parts: list[tuple[Any, ItemPath, tuple[type, ...]]] = [
        (medium, item, (system.medium,)) for medium, item in media
    ]
    parts += [(w, ("walls", i), tuple(system.walls.values())) for i, w in enumerate(scene.walls)]
    parts += [(scene.initial, ("initial",), (system.fields,))]
    if scene.imaginary is not None:
        parts += [(scene.imaginary, ("imaginary",), (system.fields,))]
    if scene.exact is not None:
        parts += [(scene.exact, ("exact",), (system.fields,))]
    for i, source in enumerate(scene.sources):
        require(
            source.equations == system.equations,
            ("sources", i),
            f'{source.what} is of a kind that physics = "{system.key}" does not have',
            'Elastic waves have "explosion", "force", "double_couple" and "body_wave", and others '
            "all else.",
        )
    for i, monitor in enumerate(scene.monitors):
        require(
            system.equations == "maxwell" or not monitor.of_scalar_waves,
            ("monitors", i),
            f"{monitor.what} is not made for {system.label.lower()}",
            "Record receivers, energy, power, or a map of amplitudes or of the intensity.",
        )
    names = ", ".join(f'"{system.names[name]}"' for name in FIELDS if name in system.names)
    recorders: list[tuple[Probe | Monitor, ItemPath]] = [
        *((probe, ("probes", i)) for i, probe in enumerate(scene.probes)),
        *((monitor, ("monitors", i)) for i, monitor in enumerate(scene.monitors)),
    ]
    for recorder, item in recorders:
        quantity = getattr(recorder, "quantity", "ez")
        require(
            quantity in system.shown,
            (*item, "quantity"),
            f'"{recorder.name}" records "{quantity}", which physics = "{system.key}" does not have',
            f"It has {names}.",
        )
    for part, item, kinds in parts:
        require(
            type(part) in kinds,
            item,
            f"{label(item)} is of the class {type(part).__name__}, which is not of {system.key}",
            f'With physics = "{system.key}" it is of {" or ".join(k.__name__ for k in kinds)}.',
        )
