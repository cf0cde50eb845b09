"""Changes of a scene, each made again and again: what ``wavelab bench --live`` times."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from wavelab.scene.editing.item_places import displaced
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Probe, Scene
from wavelab.scene.systems import system_of
from wavelab.scene.walls import OpenWall
from wavelab.scene.waveforms import Sine

#: The scene with the change of a number, for the n-th time; None where it has nothing of the kind.
Change = Callable[[Scene, int], Scene | None]


def _with(scene: Scene, items: str, number: int, other: object) -> Scene:
    """The scene with another item in the place of one."""
    before = getattr(scene, items)
    changed: dict[str, Any] = {items: (*before[:number], other, *before[number + 1 :])}
    return replace(scene, **changed)


def _value(item: object, field: str) -> Any:
    """Of a number of an item; None where it has none of that name (but perhaps a method)."""
    return getattr(item, field) if any(f.name == field for f in fields(item)) else None  # type: ignore[arg-type]


def _of_source(field: str, change: Callable[[Any, int], Any]) -> Change:
    """Of the first source that has the field."""

    def changed(scene: Scene, n: int) -> Scene | None:
        for i, source in enumerate(scene.sources):
            if (before := _value(source, field)) is not None:
                values: dict[str, Any] = {field: change(before, n)}
                other = replace(source, **values)
                return _with(scene, "sources", i, other)
        return None

    return changed


def _of_waveform(field: str, change: Callable[[Any, int], Any]) -> Change:
    def changed(scene: Scene, n: int) -> Scene | None:
        for i, source in enumerate(scene.sources):
            waveform = _value(source, "waveform")
            if waveform is not None and (before := _value(waveform, field)) is not None:
                values: dict[str, Any] = {field: change(before, n)}
                wave: dict[str, Any] = {"waveform": replace(waveform, **values)}
                other = replace(source, **wave)
                return _with(scene, "sources", i, other)
        return None

    return changed


def _of_background(change: Callable[[Material, int], Material]) -> Change:
    def changed(scene: Scene, n: int) -> Scene | None:
        medium = scene.background
        return (
            replace(scene, background=change(medium, n)) if isinstance(medium, Material) else None
        )

    return changed


def _region(scene: Scene, n: int) -> Scene | None:
    for i, region in enumerate(scene.materials):
        medium = region.material
        if isinstance(medium, Material) and isinstance(medium.epsilon, float):
            denser = replace(medium, epsilon=medium.epsilon + 0.01 * n)
            other = replace(region, material=denser)
            return _with(scene, "materials", i, other)
    return None


def _wall(scene: Scene, n: int) -> Scene | None:
    kind = system_of(scene).walls.get("impedance")
    for i, wall in enumerate(scene.walls):
        if not (wall.glues or wall.pml) and kind is not None:
            other = kind(wall.edges, impedance=0.5 + 0.01 * n)  # type: ignore[call-arg]
            return _with(scene, "walls", i, other)
    return None


def _layer(scene: Scene, n: int) -> Scene | None:
    for i, wall in enumerate(scene.walls):
        thickness = wall.layer_thickness(scene)
        if isinstance(wall, OpenWall) and thickness is not None:
            other = replace(wall, thickness=thickness * (1 + 0.002 * n))
            return _with(scene, "walls", i, other)
    return None


def _one_more(scene: Scene, n: int) -> Scene | None:
    """As the first that has a place: kinds of sources are for kinds of waves."""
    for source in scene.sources:
        if _value(source, "position") is not None:
            another: dict[str, Any] = {"name": f"one more {n}"}
            return replace(scene, sources=(*scene.sources, replace(source, **another)))
    return None


def _probe(scene: Scene, n: int) -> Scene | None:
    at = _inside(scene)
    return None if at is None else replace(scene, probes=(*scene.probes, Probe(f"more {n}", at)))


def _obstacle(scene: Scene, n: int) -> Scene | None:
    """The first obstacle on its way round a circle, as a hand drags it."""
    if not scene.holes or scene.outline is None:
        return None
    size = scene.solver.element_size
    by = (size * math.sin(0.3 * n), size * (1 - math.cos(0.3 * n)))
    return _with(scene, "holes", 0, displaced(scene.holes[0], by))


def _inside(scene: Scene) -> tuple[float, float] | None:
    """Where something of the scene is already."""
    for item in (*scene.sources, *scene.probes):
        if (at := _value(item, "position")) is not None:
            return at
    return None


def _shifted(at: tuple[float, float], n: int) -> tuple[float, float]:
    return at[0] + 1e-3 * n, at[1]


#: By what ``wavelab bench --live`` calls them.
CHANGES: dict[str, Change] = {
    "amplitude": _of_source("amplitude", lambda before, n: before * (1 + 0.1 * n)),
    "place": _of_source("position", _shifted),
    "direction": _of_source("direction", lambda before, n: before + 0.5 * n),
    "frequency": _of_waveform("frequency", lambda before, n: before * (1 + 0.01 * n)),
    "phase": _of_waveform("phase", lambda before, n: before + 0.1 * n),
    "waveform": _of_source("waveform", lambda before, n: Sine(1 + 0.1 * n)),
    "source more": _one_more,
    "source less": lambda scene, n: replace(scene, sources=scene.sources[1:] if n % 2 else ()),
    "probe": _probe,
    "monitor": lambda scene, n: replace(scene, monitors=scene.monitors[n % 2 :]),
    "background": _of_background(
        lambda m, n: m if not isinstance(m.epsilon, float) else replace(m, epsilon=1 + 0.01 * n)
    ),
    "material": _region,
    "conductivity": _of_background(lambda m, n: replace(m, sigma=0.01 * n)),
    "formula": _of_background(
        lambda m, n: replace(m, epsilon=Formula.parse(f"1 + 0.0{n}*x^2", ("x", "y", "t")))
    ),
    "wall": _wall,
    "layer": _layer,
    "upwinding": lambda scene, n: replace(scene, solver=replace(scene.solver, upwinding=n / 10)),
    "obstacle": _obstacle,  # the last, because it leaves another mesh
}
