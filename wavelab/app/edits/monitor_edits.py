"""Edits that place, change and remove monitors, as pure functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from wavelab.app.edits.edits import Edit, free_name
from wavelab.scene.editing.misplaced import check_places
from wavelab.scene.model.monitors import (
    MONITOR_VIEWS,
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    Monitor,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.rules.validate import check_scene

#: Degrees from corner to corner of the closed line that an ellipse becomes, through which power is
#: measured, and the digits that its coordinates have.
_TURN, _DIGITS = 7.5, 5

#: On a line that is drawn as a curve.
_MOST_RECEIVERS = 400

#: The corners of a line, a shape, or None for everywhere.
Place = tuple[Point, ...] | Shape | None
#: Of a name, a place and frequencies.
Maker = Callable[[str, Place, tuple[float, ...]], Monitor]


@dataclass(frozen=True)
class Measurement:
    """Something that can be measured by pointing.

    Attributes
    ----------
    label : what it is called.
    note : what is to be done, and what to look out for.
    placing : "click", "line" or "shape".
    make : the monitor; None for a probe.
    noun : what its monitors are named after.
    becomes : what a line or a shape becomes, in words.
    everywhere : whether it can also be measured in all of the domain.
    frequencies : whether it has any.
    """

    label: str
    note: str
    placing: str
    make: Maker | None = None
    noun: str = ""
    becomes: str = "a probe"
    everywhere: bool = False
    frequencies: bool = False


def _corners(place: Place) -> tuple[Point, ...]:
    """Of a line, or of a closed line round a shape."""
    if isinstance(place, tuple):
        return place
    assert place is not None
    ring, _ = place.outline(math.inf, _TURN)
    if not place.arcs():
        return tuple((float(x), float(y)) for x, y in ring)
    digits = _DIGITS - math.floor(math.log10(float(np.ptp(ring, axis=0).max())))
    return tuple((round(float(x), digits), round(float(y), digits)) for x, y in ring)


def _shape(place: Place) -> Shape:
    assert place is not None
    assert not isinstance(place, tuple)
    return place


#: What the probe tool can place.
MEASURED: dict[str, Measurement] = {
    "point": Measurement(
        "Ez at a point",
        "Click where a probe is to record Ez. Its trace is drawn below the picture.",
        "click",
    ),
    "profile": Measurement(
        "profile along a line",
        "Drag a line. Ez along it is drawn as a curve, with its amplitude or mean square: for "
        "fringes, standing waves, the width of a focus.",
        "line",
        lambda name, place, _: LineMonitor(name, _corners(place), plot="profile"),
        "profile",
        "a line along which the field is drawn",
    ),
    "line": Measurement(
        "Ez along a line, over time",
        "Drag a line of 50 receivers. What they record is drawn with time downwards.",
        "line",
        lambda name, place, _: LineMonitor(name, _corners(place)),
        "line",
        "a line of receivers",
    ),
    "flux": Measurement(
        "power through a line",
        "Drag a line. Power counts in the direction of its arrow; at frequencies it is the mean "
        "of a steady wave.",
        "line",
        lambda name, place, f: FluxMonitor(name, _corners(place), frequencies=f),
        "flux",
        "a line through which power is measured",
        frequencies=True,
    ),
    "loop": Measurement(
        "power out of a region",
        "Draw a region. What leaves it counts as positive, through all of its rim together.",
        "shape",
        lambda name, place, f: FluxMonitor(name, _corners(place), closed=True, frequencies=f),
        "outflow",
        "a region whose outflow of power is measured",
        frequencies=True,
    ),
    "energy": Measurement(
        "energy in a region",
        "Draw a region. The energy of all elements whose middle lies in it is drawn over time.",
        "shape",
        lambda name, place, _: EnergyMonitor(name, _shape(place)),
        "energy",
        "a region whose energy is measured",
    ),
    "far_field": Measurement(
        "far field",
        "Draw a contour round all that sends or scatters. It must run inside the domain, through "
        "one medium without losses.",
        "shape",
        lambda name, place, f: FarFieldMonitor(name, _shape(place), f),
        "far field",
        "the contour of a far field",
        frequencies=True,
    ),
    "field": Measurement(
        "amplitude map",
        "Amplitude and phase of a steady wave, summed up from now on. \u201cShow map\u201d in the "
        "panel of monitors puts it on the canvas.",
        "shape",
        lambda name, place, f: FieldMonitor(name, f, shape=_shape(place) if place else None),
        "map",
        "an amplitude map",
        everywhere=True,
        frequencies=True,
    ),
    "intensity": Measurement(
        "mean intensity",
        "The mean of Ez\u00b2 from now on. \u201cShow map\u201d in the panel of monitors puts it "
        "on the canvas.",
        "shape",
        lambda name, place, _: IntensityMonitor(name, shape=_shape(place) if place else None),
        "intensity",
        "a map of the mean intensity",
        everywhere=True,
    ),
}


def new_monitor(scene: Scene, kind: str, place: Place, frequencies: tuple[float, ...]) -> Monitor:
    """One of a kind of ``MEASURED`` that is no probe; ``frequencies`` are left out of others than
    have them."""
    measured = MEASURED[kind]
    assert measured.make is not None
    name = free_name(measured.noun, (monitor.name for monitor in scene.monitors))
    made = measured.make(name, place, frequencies if measured.frequencies else ())
    if kind == "profile" and isinstance(made, LineMonitor):
        return replace(made, count=_as_fine_as_nodes(scene, made))
    return made


def _as_fine_as_nodes(scene: Scene, line: LineMonitor) -> int:
    """As many receivers as there are nodes along a line, within reason."""
    if scene.outline is None:
        return _MOST_RECEIVERS // 2  # only the mesh knows
    length = sum(math.dist(a, b) for a, b in pairwise(line.vertices))
    nodes = length * scene.solver.order / scene.solver.element_size
    return min(max(math.ceil(nodes), 50), _MOST_RECEIVERS)


def add_monitor(scene: Scene, monitor: Monitor) -> Edit:
    """
    Raises
    ------
    ItemError : it breaks a rule of its own, or one of the scene.
    """
    monitors = (*scene.monitors, monitor)
    return Edit("Place monitor", check_scene(replace(scene, monitors=monitors)))


def change_monitor(scene: Scene, name: str, monitor: Monitor, label: str) -> Edit:
    """``monitor`` takes the place of the one called ``name``.

    Raises
    ------
    SceneError : it breaks a rule, or cannot be there.
    """
    monitors = tuple(monitor if m.name == name else m for m in scene.monitors)
    new = check_scene(replace(scene, monitors=monitors))
    check_places(scene, new)
    return Edit(label, new)


def remove_monitor(scene: Scene, name: str) -> Edit:
    kept = tuple(monitor for monitor in scene.monitors if monitor.name != name)
    return Edit("Remove monitor", replace(scene, monitors=kept))


def add_monitor_for(scene: Scene, quantity: str) -> Edit | None:
    """A monitor of the whole domain for a view or arrows that need one; None where the scene does
    not say at which frequency."""
    name = free_name(quantity.replace("_", " "), (monitor.name for monitor in scene.monitors))
    if MONITOR_VIEWS.get(quantity) is IntensityMonitor:
        monitor: Monitor = IntensityMonitor(name)
    else:
        frequency = driven_frequency(scene)
        if frequency is None:
            return None
        monitor = FieldMonitor(name, (frequency,))
    return Edit("Add monitor", replace(scene, monitors=(*scene.monitors, monitor)))


def driven_frequency(scene: Scene) -> float | None:
    """That of the first source that has one."""
    for source in scene.sources:
        frequency = getattr(getattr(source, "waveform", None), "frequency", None)
        if isinstance(frequency, float):
            return frequency
    return None
