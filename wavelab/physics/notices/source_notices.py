"""What a user should hear about sources that are none the less computed as they are."""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.glue import glue_of
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.notices.frequencies import known_frequencies
from wavelab.physics.notices.resolution import (
    POINTS_FOR_10_PERCENT,
    judgement,
    points_per_wavelength,
)
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.gaussian import least_radius
from wavelab.physics.sources.ports import cut_off_at
from wavelab.scene.model.scene import Scene, Source
from wavelab.scene.model.sending.emissions import MovingGaussian, PlaneWaveIn, PortIn

#: Sine of the angle between an edge and a wave that runs along it.
_GRAZING = 1e-6


def source_notices(scene: Scene, operator: Operator) -> tuple[str, ...]:
    """Sources whose waves the mesh cannot carry, and those that leave the domain.

    Raises
    ------
    FormulaError : the way of a moving source has no finite value at a time of the run.
    """
    notices = []
    for source in scene.sources:
        for emission in source.emissions():
            of = operator if isinstance(operator, MaxwellTM) else None
            if isinstance(emission, MovingGaussian):
                times, positions = way = emission.way(scene.solver.until)
                notices += _too_short(source, way, scene, operator)
                positions = glue_of(operator.discretization).inside(positions)
                notices += _outside(source.what, times, positions, operator)
                notices += _too_narrow(source.what, emission.radius, positions, operator)
                continue
            notices += _too_short(source, None, scene, operator)
            if of and isinstance(emission, PortIn) and (said := cut_off_at(emission, of)):
                notices.append(f"{source.what} {said}")
            if of and isinstance(emission, PlaneWaveIn) and emission.edges:
                notices += _left_out(source.what, emission, scene, of)
    sources = {source.what for source in scene.sources}
    for known in known_frequencies(scene):
        if known.what not in sources:
            notices += _coarse(f"{known.what} measures", known.highest, scene, operator)
    return tuple(dict.fromkeys(notices))


def _too_short(
    source: Source, way: tuple[Array, Array] | None, scene: Scene, operator: Operator
) -> list[str]:
    wave = source.in_time
    if wave is not None and wave.silent:
        return [f"{source.what} is silent: {wave.silent}"]
    frequency = None if wave is None else wave.highest_frequency
    if wave is None or frequency is None:
        return []
    shifted = ""
    if way is not None:
        speed = np.linalg.norm(np.diff(way[1], axis=0), axis=1).max() / (way[0][1] - way[0][0])
        slowest = float(operator.slowest.min())
        if speed >= slowest:
            return []  # a shock has all frequencies that the radius lets through
        frequency /= 1 - speed / slowest
        shifted = " ahead of it"
    return _coarse(f"{source.what} sends", frequency, scene, operator, shifted, wave.calmer)


def _coarse(
    does: str,
    frequency: float,
    scene: Scene,
    operator: Operator,
    shifted: str = "",
    calmer: str = "a higher order",
) -> list[str]:
    """That waves of a frequency are too short for the elements."""
    order = operator.discretization.order
    found = points_per_wavelength(operator, frequency)
    points = found.points
    if judgement(order, points) != "too coarse":
        return []
    needed = POINTS_FOR_10_PERCENT[min(order, max(POINTS_FOR_10_PERCENT))]
    remedy = f"elements {needed / points:.2g} times smaller"
    if scene.outline is not None:
        # Elements are no larger than the domain, whatever element_size says.
        size = min(scene.solver.element_size, found.wavelength * (order + 1) / points)
        remedy = f"element_size = {size * points / needed:.2g}"
    return [
        f"{does} frequencies up to {frequency:.3g}{shifted}, which have "
        f"{points:.2g} points per wavelength on the coarsest element; at order {order} they need "
        f"{needed:g}: use {remedy}, or {calmer}"
    ]


def _outside(what: str, times: Array, positions: Array, operator: Operator) -> list[str]:
    elements, _ = locator_of(operator.discretization).locate(positions)
    outside = np.flatnonzero(elements < 0)
    if len(outside) == 0:
        return []
    if len(outside) == len(times):
        return [f"{what} is never inside the domain, and silent"]
    first = int(outside[0])
    x, y = positions[first]
    return [
        f"{what} is outside the domain for {100 * len(outside) / len(times):.0f} % of the "
        f"run, first at t = {times[first]:.3g} at ({x:.3g}, {y:.3g}), and silent there"
    ]


def _left_out(what: str, wave: PlaneWaveIn, scene: Scene, operator: MaxwellTM) -> list[str]:
    """Edges of a drawn domain that absorb and that the wave would have to come in through too.

    They go on where one that is named ends; others may be in the shadow of something.
    """
    if scene.outline is None:
        return []
    d, turn = operator.discretization, math.radians(wave.direction)
    g, mesh = d.geometry, d.mesh
    inwards = math.cos(turn) * g.normal_x + math.sin(turn) * g.normal_y < -_GRAZING
    named = face_selection(mesh, wave.edges)
    missing = inwards & d.connectivity.is_boundary & (operator.reflection == 0) & ~named
    corners = mesh.triangles[:, FACE_VERTICES]
    ends = np.isin(corners, corners[named & d.connectivity.is_boundary]).any(axis=2)
    missing &= ends
    edges = [mesh.face_names[tag] for tag in np.unique(mesh.face_tags[missing]) if tag >= 0]
    edges = [edge for edge in edges if edge.startswith("domain")]
    if not edges:
        return []
    return [
        f"{what} runs inwards at {', '.join(edges)} too, which absorb and are not "
        "among its edges: what would come in there is missing, and it is no plane wave in their "
        "shadow; name all edges that it touches"
    ]


def _too_narrow(what: str, radius: float, positions: Array, operator: Operator) -> list[str]:
    """A point at rest is projected, however narrow it is; one that moves is sampled."""
    d = operator.discretization
    crossed = np.unique(locator_of(d).locate(positions)[0])
    crossed = crossed[crossed >= 0]
    least = least_radius(d, crossed) if len(crossed) else 0.0
    if radius >= least:
        return []
    return [
        f"{what} has the radius {radius:g}, less than the distance of nodes "
        "on its way: it sends more or less than it should as it passes them; make its radius "
        f"{least:.2g} or more, or the elements smaller"
    ]
