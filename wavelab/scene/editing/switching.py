"""A scene with other waves in it: what its media, walls and fields become."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, TypeVar

from wavelab.scene.formulas.expression import Expression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.medium import Medium, kerr_coefficient, remembers
from wavelab.scene.model.scene import LOCAL_STEPPING, NamedFields, Probe, Scene, Wall
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.units import Units
from wavelab.scene.sources import Explosion, PointSource
from wavelab.scene.systems import SYSTEMS, System, system_of
from wavelab.scene.systems.formulas import negative
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.toml.toml_reader import Items
from wavelab.scene.view.quantities import offered

#: Coefficients of media: those of the energy, and losses.
_STORING, _LOSING = ("epsilon", "mu"), ("sigma", "magnetic_sigma")

Parts = TypeVar("Parts", Scene, Items)
Recorder = TypeVar("Recorder", Probe, Monitor)


def switched(scene: Scene, physics: str) -> tuple[Scene, tuple[str, ...]]:
    """The scene with the waves of another system, and what that means for each object.

    The solver's coefficients stay, so that the wave goes on as it did under other names; but
    between the two polarizations of light a material stays what it is, with the same epsilon.
    Walls that have no counterpart become the one that sends waves back with the same sign, and an
    exact solution is given up.

    Raises
    ------
    KeyError : there is no such system.
    """
    if physics == scene.physics:
        return scene, ()
    old, new = system_of(scene), SYSTEMS[physics]
    changed, items = parts_switched(scene, physics)
    notes = list(items)
    background = _medium(scene.background, new, "the background", notes)
    if old.unnamed.returned != new.unnamed.returned:
        notes.append(f"edges that no wall names are {new.unnamed(()).noun} now")
    if scene.exact is not None:
        notes.append("the exact solution is given up")
    integral = old.integral
    if integral not in (None, new.integral) and getattr(scene.initial, integral.key) is not None:
        notes.append(f"the initial {integral.key} is given up")
    alike = old.equations == new.equations
    if not alike and scene.initial != old.fields():
        notes.append("the initial fields are given up")
    solver = scene.solver
    if new.equations == "elastic" and solver.stepper == LOCAL_STEPPING:
        notes.append("elements do not take steps of their own any more")
        solver = replace(solver, stepper="auto")
    shown = scene.view.quantity if scene.view.quantity in offered(new) else "ez"
    changed = replace(
        changed,
        background=background,
        initial=_fields(scene.initial, new) if alike else new.fields(),
        imaginary=_fields(scene.imaginary, new) if alike and scene.imaginary else None,
        exact=None,
        solver=solver,
        units=_units(scene, new, notes),
        # A range was chosen for another quantity.
        view=replace(scene.view, limit=None, quantity=shown),
    )
    return changed, tuple(dict.fromkeys(notes))


def parts_switched(parts: Parts, physics: str) -> tuple[Parts, tuple[str, ...]]:
    """A scene, or items of one, with materials and walls of another system; the rest of a scene is
    left to :func:`switched`.

    Raises
    ------
    KeyError : there is no such system.
    """
    if physics == parts.physics:
        return parts, ()  # not through the few numbers that all systems know
    old, new = SYSTEMS[parts.physics], SYSTEMS[physics]
    notes: list[str] = []
    materials = tuple(
        replace(m, material=_medium(m.material, new, f'"{m.name}"', notes)) for m in parts.materials
    )
    walls = tuple(_wall(wall, old, new, notes) for wall in parts.walls)
    changed = replace(parts, physics=physics, materials=materials, walls=walls)
    if old.equations != new.equations:
        sources = tuple(s for source in parts.sources if (s := _source(source, new, notes)))
        lost = [m for m in parts.monitors if new.equations == "elastic" and m.of_scalar_waves]
        notes += [f"{monitor.what} is left out" for monitor in lost]
        monitors = tuple(m for m in parts.monitors if m not in lost)
        probes = tuple(_recording(probe, new) for probe in parts.probes)
        monitors = tuple(_recording(monitor, new) for monitor in monitors)
        changed = replace(changed, sources=sources, probes=probes, monitors=monitors)
    return changed, tuple(notes)


def _recording(item: Recorder, new: System) -> Recorder:
    """Of a field by the name that it has there: a component that is the scalar has no other."""
    known = getattr(item, "quantity", "ez") in new.shown
    changed: dict[str, Any] = {} if known else {"quantity": "ez"}
    return replace(item, **changed)


def _source(source: Source, new: System, notes: list[str]) -> Source | None:
    """What sends alike in all directions, as that of other equations; None of others."""
    kinds: dict[str, type[PointSource] | type[Explosion]]
    kinds = {"maxwell": PointSource, "elastic": Explosion}
    if not isinstance(source, PointSource | Explosion):
        notes.append(f"{source.what} is left out")
        return None
    of = source.name, source.position, source.radius, source.amplitude, source.waveform
    return kinds[new.equations](*of)


def _medium(medium: Medium, new: System, what: str, notes: list[str]) -> Medium:
    kinds = {f.name for f in fields(new.medium)}
    if "epsilon" in kinds and "epsilon" in medium.rules:
        kept = {f.name: getattr(medium, f.name) for f in fields(medium) if f.name in kinds}  # type: ignore[arg-type]
        found: Medium = new.medium(**kept)
        lost = [
            f.name
            for f in fields(medium)  # type: ignore[arg-type]
            if f.name not in kinds and getattr(medium, f.name) != f.default
        ]
    else:
        found = new.medium.of_coefficients(*map(medium.coefficient, (*_STORING, *_LOSING)))
        pairs = {n: (found.coefficient(n), medium.coefficient(n)) for n in (*_STORING, *_LOSING)}
        lost = ["losses"] if any(pairs[n][0] == 0 != pairs[n][1] for n in _LOSING) else []
        if any(_differ(*pairs[n]) for n in _STORING):
            notes.append(f"waves in {what} are as fast as before, but their impedance is another")
        if any(_changes(medium.coefficient(n)) and not _changes(pairs[n][0]) for n in _STORING):
            lost.append("changes in time")
        if remembers(medium):
            lost.append("poles")
        if medium.axes is not None:
            lost.append("axes")
        if kerr_coefficient(medium):
            lost.append("chi")
        if any(isinstance(value, Expression) for value in vars(medium).values()):
            notes.append(f"numbers of {what} follow no parameter any more")
    notes += [f"{what} loses its {each}" for each in lost]
    return found


def _changes(value: float | Formula) -> bool:
    return isinstance(value, Formula) and value.uses("t")


def _differ(one: float | Formula, other: float | Formula) -> bool:
    if isinstance(one, Formula) or isinstance(other, Formula):
        return False  # the same formula may be written in two ways
    return abs(one - other) > 1e-9 * abs(other)


def _wall(wall: Wall, old: System, new: System, notes: list[str]) -> Wall:
    name = old.kind_of(wall)
    if type(wall) in new.walls.values():
        return wall
    numbers: dict[str, Any] = {f.name: getattr(wall, f.name) for f in wall.numbers()}
    light = all("epsilon" in {f.name for f in fields(system.medium)} for system in (old, new))
    if name in new.walls and (light or wall.surface is None):
        return new.walls[name](wall.edges, **numbers)
    returned = wall.returned
    if wall.surface is not None:
        same = (kind.of_surface(wall.edges, wall.surface) for kind in new.walls.values())
        if (found := next(filter(None, same), None)) is not None:
            return found
        returned = {0.0: -1.0, math.inf: 1.0}.get(wall.surface, 0.0)
    if numbers and not returned:
        notes.append(f"walls of the kind {wall.label} are absorbing now")
        return new.walls["absorbing"](wall.edges)
    alike = [kind for kind in new.walls.values() if kind.returned == returned]
    plain = [kind for kind in alike if not kind.numbers() and not kind.glues]
    chosen = plain[0] if plain else new.unnamed
    notes.append(f"{wall.label} walls are {chosen.label} now")
    return chosen(wall.edges)


def _units(scene: Scene, new: System, notes: list[str]) -> Units:
    """The unit of time stays where nothing else says what it is."""
    units, before = scene.units, scale_of(scene)
    if new.speed is None and units.speed is None and before is not None and before.seconds:
        return replace(units, speed=before.metres / before.seconds)
    if units.speed is not None and not new.own_speed:
        notes.append("the speed of the units is that of the new waves")
        return replace(units, speed=None)
    return units


def _fields(formulas: NamedFields, new: System) -> NamedFields:
    """The solver's fields under other names."""
    named: dict[str, Formula | None] = {}
    for shown in (new.scalar, new.x, new.y):
        formula = getattr(formulas, shown.of)
        named[shown.key] = formula if shown.sign > 0 else negative(formula)
    found: NamedFields = new.fields(**named)
    return found
