"""What the first rank has to see of a mesh, by its scene."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.sources.gaussian import REACH
from wavelab.physics.walls.walls import periodic_pairs
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.measuring.requests import Contour, Elements, Section
from wavelab.scene.model.medium import Medium, kerr_coefficient, remembers
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene
from wavelab.scene.model.sending.emissions import (
    Area,
    CurrentFormula,
    Emission,
    GaussianLine,
    GaussianPoints,
    Mechanical,
    MovingGaussian,
    PlaneWaveIn,
    PortIn,
)
from wavelab.scene.model.shapes import Shape
from wavelab.scene.systems import system_of
from wavelab.scene.systems.elastic import Solid
from wavelab.simulation.steppers.rank_part import Place

_QUANTITIES = ("epsilon", "mu", "sigma", "magnetic_sigma")


def looks_everywhere(scene: Scene) -> str:
    """What of a scene acts or looks all over the mesh, in words, so that the first rank needs all
    of it; "" if nothing does."""
    if scene.solver.stepper == LOCAL_STEPPING:
        return "local time stepping"
    if periodic_pairs(scene):
        return "a periodic wall"
    if scene.initial_file is not None:
        return "a start from a file"
    if scene.exact is not None:
        return "an exact solution"
    if (integral := system_of(scene).integral) is not None:
        return f"the {integral.key}, an integral over time"
    media = [("the background", scene.background)]
    media += [(f'material "{region.name}"', region.material) for region in scene.materials]
    for what, medium in media:
        if not _is_plain(medium):
            return f"{what}, which is more than constants"
    for source in scene.sources:
        if not all(_is_somewhere(emission) for emission in source.emissions()):
            return source.what
    for monitor in scene.monitors:
        # A map has the numbers of its elements.
        if isinstance(where := monitor.where, Elements) and (
            where.shape is None or monitor.transform is not None
        ):
            return monitor.what
    return ""


def places_of(scene: Scene) -> list[Place]:
    """Where sources, probes, pings and monitors are, for which nothing :func:`looks_everywhere`."""
    size = scene.solver.element_size
    found = [Place(np.array([probe.position])) for probe in scene.probes]
    found += [Place(np.array([p.position]), REACH * p.radius) for p in scene.pings]
    for source in scene.sources:
        for emission in source.emissions():
            found += _of_emission(emission, size)
    return found + [place for monitor in scene.monitors for place in _of_monitor(monitor, size)]


def _is_plain(medium: Medium | Solid) -> bool:
    """Whether it is constants alone, in which nothing but the fields goes on."""
    if isinstance(medium, Solid):
        return not (medium.graded or medium.p_quality or medium.s_quality)
    numbers = [medium.coefficient(name) for name in _QUANTITIES]
    return (
        not any(isinstance(number, Formula) for number in numbers)
        and not kerr_coefficient(medium)
        and medium.axes is None
        and not remembers(medium)
        and not medium.coefficient("magnetic_sigma")
    )


def _is_somewhere(emission: Emission) -> bool:
    """Whether what it does is told by a place; chords along what is round are told by the mean size
    of all elements."""
    if isinstance(emission, CurrentFormula | MovingGaussian):
        return False
    shape = emission.shape if isinstance(emission, Area | PlaneWaveIn) else None
    return shape is None or all(map(np.array_equal, _rings(shape, 1e-3), _rings(shape, 1e-1)))


def _rings(shape: Shape, size: float) -> list[Array]:
    """One, or more of a shape that is repeated."""
    return [np.asarray(ring) for ring, _ in shape.rings(size)]


def _of_emission(emission: Emission, size: float) -> list[Place]:
    match emission:
        case GaussianLine():
            ends = np.array([emission.start, emission.end])
            return [Place(np.unique(ends, axis=0), REACH * emission.radius)]
        case GaussianPoints():
            reach = REACH * emission.radius
            return [Place(np.array([center]), reach) for center in emission.centers]
        case Mechanical():
            return [Place(np.array([emission.center]), REACH * emission.radius)]
        case Area():
            rings = _rings(emission.shape, size)
            return [Place(ring, closed=True, filled=True) for ring in rings]
        case PlaneWaveIn(shape=shape) if shape is not None:
            return [Place(ring, closed=True) for ring in _rings(shape, size)]
        case PortIn():
            return [Place(np.array([emission.start, emission.end]))]
    return []  # it comes in at the boundary, of which all is seen


def _of_monitor(monitor: Monitor, size: float) -> list[Place]:
    where = monitor.where
    if isinstance(where, Elements | Contour):
        assert where.shape is not None
        filled = isinstance(where, Elements)
        return [Place(ring, closed=True, filled=filled) for ring in _rings(where.shape, size)]
    closed = isinstance(where, Section) and where.closed
    return [Place(np.array(where.vertices), closed=closed)]
