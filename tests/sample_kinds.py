"""One of every kind of everything, in a scene that runs.

Each is made of its type hints and a few values by the names of its fields, so a new kind is here as
soon as it is registered.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from wavelab.scene.editing.switching import switched
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import (
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Probe,
    Scene,
    Solver,
    Wall,
)
from wavelab.scene.model.shapes import SHAPES, Ellipse, Point, Rectangle
from wavelab.scene.monitors import MONITORS
from wavelab.scene.monitors.half_space import HalfSpaceMonitor
from wavelab.scene.monitors.modes import ModeMonitor
from wavelab.scene.poles import POLES
from wavelab.scene.sources import SOURCES
from wavelab.scene.sources.mechanical.body_wave import BodyWave
from wavelab.scene.sources.point import PointSource
from wavelab.scene.sources.port import Port
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.walls import WALLS, AbsorbingWall
from wavelab.scene.waveforms import WAVEFORMS
from wavelab.scene.waveforms.sine import Sine

BOX = Scene(
    "box",
    Solver(0.12, order=3, precision="double", until=0.2),
    outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
    walls=(AbsorbingWall(("domain.left",)),),
    initial=FieldFormulas(ez=Formula.parse("exp(-60*((x-0.4)^2+(y-0.6)^2))", ("x", "y"))),
    probes=(Probe("p", (0.15, 0.85)),),
)
SINE = Sine(1.5, ramp=0.1)
#: What a field of a name is, in place of what its type is.
BY_NAME: dict[str, Any] = {
    "name": "it",
    "lower": (0.25, 0.3),
    "upper": (0.75, 0.7),
    "radii": (0.25, 0.2),
    "radius": 0.05,
    "edge": "domain.left",
    "waveform": SINE,
    "shape": Rectangle((0.25, 0.3), (0.75, 0.7)),
    "frequency": 1.5,
    "focal_length": 0.8,
    "width": 0.1,
    "separation": 0.3,
    "slits": 2,
    "thickness": 0.2,
    "path": Path(__file__).parent / "scene" / "waveforms" / "swell.csv",
}
#: What a field of a type is.
BY_TYPE: dict[Any, Any] = {
    float: 0.5,
    int: 3,
    Point: (0.5, 0.5),
    tuple[Point, ...]: ((0.3, 0.3), (0.7, 0.35), (0.6, 0.7)),
    tuple[float, ...]: (1.5,),
}


#: What only some kinds want: between the walls above and below a guide has a mode.
OF_KIND: dict[type, dict[str, Any]] = {
    BodyWave: {"edges": ("domain.left",)},
    Port: {"start": (0.4, 1.0), "end": (0.4, 0.0)},
    ModeMonitor: {"vertices": ((0.7, 1.0), (0.7, 0.0))},
    HalfSpaceMonitor: {"vertices": ((0.7, 0.8), (0.7, 0.2))},
}


def made(kind: type, **given: Any) -> Any:
    """One of a kind: its fields without a default, and those of ``BY_NAME``."""
    hints = typing.get_type_hints(kind)
    values = OF_KIND.get(kind, {}) | given
    for f in fields(kind):
        if f.name in values or not (f.default is f.default_factory or f.name in BY_NAME):
            continue
        if hints[f.name] is Formula:
            variables = f.metadata.get("variables", ("t",))
            values[f.name] = Formula.parse(
                " + ".join(["0.3", *(f"0.2*{v}" for v in variables)]), variables
            )
        elif f.name in BY_NAME:
            values[f.name] = BY_NAME[f.name]
        elif hints[f.name] == Point and f.name == "end":
            values[f.name] = (0.5, 0.8)
        else:
            values[f.name] = BY_TYPE[hints[f.name]]
    return kind(**values)


def with_wall(kind: type[Wall]) -> Scene:
    return replace(BOX, walls=(made(kind, edges=("domain.left", "domain.right")),))


def with_phase(kind: type[Wall]) -> Scene:
    wall = made(kind, edges=("domain.left", "domain.right"), phase=70.0)
    return replace(BOX, walls=(wall,), sources=(made(PointSource),))


def with_source(kind: type) -> Scene:
    if kind.equations == "elastic":
        return replace(switched(BOX, "elastic")[0], sources=(made(kind),))
    return replace(BOX, sources=(made(kind),))


def with_monitor(kind: type) -> Scene:
    return replace(BOX, monitors=(made(kind),), sources=(made(PointSource),))


def with_waveform(kind: type) -> Scene:
    return replace(BOX, sources=(made(PointSource, waveform=made(kind)),))


def with_pole(kind: type) -> Scene:
    shape = Rectangle((0.6, 0.2), (0.9, 0.8))
    return replace(BOX, materials=(MaterialRegion("it", Material(poles=(made(kind),)), shape),))


def with_magnetic_pole(kind: type) -> Scene:
    shape = Rectangle((0.6, 0.2), (0.9, 0.8))
    medium = Material(poles=(made(kind),), magnetic_poles=(made(kind),), magnetic_sigma=0.4)
    return replace(BOX, materials=(MaterialRegion("it", medium, shape),))


def with_medium(medium: Material) -> Scene:
    shape = Rectangle((0.6, 0.2), (0.9, 0.8))
    return replace(BOX, materials=(MaterialRegion("it", medium, shape),))


def with_formula(name: str) -> Scene:
    formula = Formula.parse("1.5 + x + 0.2*sin(3*t)", ("x", "y", "t"))
    return replace(BOX, background=Material(**{name: formula}), walls=())


def with_system(system: System) -> Scene:
    glass = system.medium.of_index(1.5)
    shape: Rectangle | Ellipse = Rectangle((0.6, 0.2), (0.9, 0.8))
    scene = switched(BOX, system.key)[0]
    if system.equations == "elastic":  # the field that it began with is given up
        bump = BOX.initial.ez
        scene = replace(scene, initial=system.fields(vx=bump, sxx=bump))
        shape = Ellipse((0.75, 0.5), (0.15, 0.3))  # arcs, whose elements have kernels of their own
    return replace(scene, materials=(MaterialRegion("it", glass, shape),))


def with_wall_of(kind: tuple[System, type]) -> Scene:
    system, wall = kind
    scene = with_wall(wall)
    scene = replace(switched(replace(scene, walls=()), system.key)[0], walls=scene.walls)
    if system.equations == "elastic":
        scene = replace(scene, initial=system.fields(vx=BOX.initial.ez, sxx=BOX.initial.ez))
    return scene


def with_hole(kind: type) -> Scene:
    # A field that is there at once would not suit the rim, and the ledger be rough.
    source = made(PointSource, position=(0.15, 0.2))
    hole = Hole("it", made(kind))
    return replace(BOX, holes=(hole,), initial=FieldFormulas(), sources=(source,))


def with_domain(kind: type) -> Scene:
    scene = with_hole(kind)
    return replace(
        scene,
        outline=scene.holes[0].shape,
        holes=(),
        walls=(AbsorbingWall(("domain",)),),
        sources=(made(PointSource, position=(0.53, 0.45)),),
        probes=(),
    )


#: Media that are no one constant but no formula either.
MEDIA = {
    "crystal": Material(epsilon=1.4, mu_axes=(1.0, 2.5), mu_angle=30.0),
    "damps H": Material(magnetic_sigma=0.8),
    "kerr": Material(epsilon=1.4, chi=0.5),
}
#: What each kind is tried in.
SCENES: dict[str, tuple[dict[str, Any], Callable[[Any], Scene]]] = {
    "wall": (WALLS, with_wall),
    "system": (SYSTEMS, with_system),
    "wall of": (
        {
            f"{system.key} {name}": (system, kind)
            for system in SYSTEMS.values()
            for name, kind in system.walls.items()
            if kind not in WALLS.values()
        },
        with_wall_of,
    ),
    "phase": ({"periodic": WALLS["periodic"]}, with_phase),
    "source": (SOURCES, with_source),
    "monitor": (MONITORS, with_monitor),
    "waveform": (WAVEFORMS, with_waveform),
    "pole": (POLES, with_pole),
    "magnetic pole": (POLES, with_magnetic_pole),
    "medium": (MEDIA, with_medium),
    "formula": (
        {name: name for name in ("epsilon", "mu", "sigma", "magnetic_sigma")},
        with_formula,
    ),
    "hole": (SHAPES, with_hole),
    "domain": ({name: kind for name, kind in SHAPES.items() if kind.solid}, with_domain),
}
EVERY = [(what, name) for what, (registry, _) in SCENES.items() for name in registry]
