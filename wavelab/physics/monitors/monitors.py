"""Monitors on a mesh: what a stepper has to sample and to sum up for what each asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.fields.interpolation import weights_at
from wavelab.numerics.fields.line_quadrature import LineQuadrature, line_quadrature, points_along
from wavelab.numerics.mesh.polygon import inside_polygon, signed_area
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.far_field import power_through
from wavelab.physics.monitors.mode_amplitudes import ModesAcross, modes_across
from wavelab.physics.monitors.monitor_rules import Setting, frequency_notices, medium_around
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.running_transform import RunningTransform
from wavelab.physics.monitors.summing import fields_summed, sampling_interval, time_window
from wavelab.physics.notices.contour_notices import contour_notices
from wavelab.physics.notices.screen_notices import screen_notices
from wavelab.physics.operator.fields import FIELDS as FIELD_KINDS
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.measuring.requests import (
    FIELDS,
    POWER,
    AcrossGuide,
    BesideScreen,
    Contour,
    Elements,
    Receivers,
    Section,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import SYSTEMS, System, system_of


@dataclass(frozen=True, eq=False)
class DiscreteMonitor:
    """A monitor made discrete.

    Attributes
    ----------
    monitor : what the scene says.
    samples : what is recorded after every step, one column a point.
    transforms : what is summed up, one or none.
    summed : the fields of that, in its order.
    line : the points along a section or round a contour.
    along, positions : of receivers on a line, (n,) and (n, 2).
    elements : (n,) int32 of those in a shape.
    copies : of every element, where fields are complex.
    modes : of the guide that a line goes across.
    operator : of the media in a shape.
    speed, impedance : of the medium around a contour.
    splits : impedance of the one medium that a straight line goes through; None of another.
    screen : that a line is an opening in; "" of another.
    system : which says what of the solver's fields is shown.
    notices : what the user should know of it.
    """

    monitor: Monitor
    samples: ProbePoints
    transforms: tuple[RunningTransform, ...] = ()
    summed: tuple[str, ...] = ()
    line: LineQuadrature | None = None
    along: Array | None = None
    positions: Array | None = None
    elements: NDArray[np.int32] | None = None
    copies: int = 1
    modes: ModesAcross | None = None
    operator: Operator | None = None
    speed: float = 1.0
    impedance: float = 1.0
    splits: float | None = None
    screen: str = ""
    system: System = SYSTEMS["light"]
    notices: tuple[str, ...] = ()

    def kept(self, samples: Array) -> Array:
        """(n, k) what is recorded of samples (n, columns)."""
        if self.monitor.recorded != POWER:
            return samples
        assert self.line is not None
        if self.system.equations == "elastic":
            of = FIELD_KINDS["elastic"]
            flow = of.power_flow(*np.split(samples, len(of.names), axis=1))
            across = flow[..., 0] * self.line.normal_x + flow[..., 1] * self.line.normal_y
            return np.einsum("tp,p->t", across, self.line.weights)[:, None]
        return power_through(self.line, *np.split(samples, len(FIELDS), axis=1))[:, None]


def discretize_monitors(
    scene: Scene,
    operator: Operator,
    dt: float,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> tuple[DiscreteMonitor, ...]:
    """All monitors of a scene.

    Parameters
    ----------
    dt : largest time step.
    auxiliary_equations : of the layers along open walls and of dispersive media.

    Raises
    ------
    SceneError : one lies outside the domain, names a frequency that the mesh does not carry, or a
        contour has no single medium around it; says which.
    """
    return tuple(
        _discrete(Setting(monitor, scene, operator, dt, auxiliary_equations))
        for monitor in scene.monitors
    )


def _discrete(setting: Setting) -> DiscreteMonitor:
    notices = frequency_notices(setting)
    match setting.monitor.where:
        case Receivers() as where:
            discrete = _receivers(where, setting)
        case Section() as where:
            discrete = replace(_section(where, setting), splits=_impedance(where, setting))
        case AcrossGuide() as where:
            section = _section(Section(where.vertices), setting)
            assert section.line is not None
            modes, told = modes_across(where, section.line, setting)
            discrete = replace(section, modes=modes, notices=(*section.notices, *told))
        case Elements() as where:
            discrete = _elements(where, setting)
        case Contour() as where:
            discrete = _contour(where, setting)
        case BesideScreen() as where:
            discrete = _beside_screen(where, setting)
    return replace(
        discrete,
        system=system_of(setting.scene),
        notices=(*notices, *discrete.notices),
    )


def _receivers(where: Receivers, setting: Setting) -> DiscreteMonitor:
    d = setting.discretization
    positions, along = points_along(np.array(where.vertices), where.count)
    elements, weights = weights_at(d, positions)
    for i in np.flatnonzero(elements < 0)[:1]:
        x, y = positions[i]
        raise setting.refused(
            f"has its point {i + 1} at ({x:g}, {y:g}), outside the domain",
            "Move its ends so that all of it lies inside.",
        )
    at = _at_points(elements, weights, setting)
    return replace(at, along=along, positions=positions)


def _section(where: Section, setting: Setting) -> DiscreteMonitor:
    vertices = np.array(where.vertices)
    if where.closed and signed_area(vertices) < 0:
        vertices = vertices[::-1]
    line = line_quadrature(setting.discretization, vertices, closed=where.closed)
    if len(line) == 0:
        raise setting.refused("lies outside the domain", "Move it inside.")
    notices = []
    if line.inside < 1 - 1e-6:
        notices.append(
            f"{1 - line.inside:.0%} of {setting.monitor.what} lie outside the domain, where "
            "nothing flows"
        )
    if setting.in_layers(line, "open"):
        notices.append(
            f"{setting.monitor.what} runs through the layer along an open wall, where waves are "
            "damped"
        )
    at = _at_points(line.elements, line.interpolation, setting)
    return replace(at, line=line, notices=tuple(notices))


def _contour(where: Contour, setting: Setting) -> DiscreteMonitor:
    scene = setting.scene
    ring, _ = where.shape.outline(scene.solver.element_size)
    line = line_quadrature(setting.discretization, ring, closed=True)
    if line.inside < 1 - 1e-6:
        raise setting.refused(
            f"has {1 - line.inside:.0%} of its contour outside the domain",
            "The contour must run through the domain all the way round.",
        )
    epsilon, mu = medium_around(setting, line)
    at = _at_points(line.elements, line.interpolation, setting)
    return replace(
        at, line=line, speed=1 / math.sqrt(epsilon * mu), impedance=math.sqrt(mu / epsilon),
        notices=contour_notices(scene, ring, setting.monitor.name),
    )  # fmt: skip


def _impedance(where: Section, setting: Setting) -> float | None:
    """Of the medium along a straight line; None if that is not one alone, or has losses."""
    if where.closed or len(where.vertices) > 2:
        return None
    line = line_quadrature(setting.discretization, np.array(where.vertices))
    try:
        epsilon, mu = medium_around(setting, line)
    except SceneError:
        return None
    return math.sqrt(mu / epsilon)


def _beside_screen(where: BesideScreen, setting: Setting) -> DiscreteMonitor:
    section = _section(Section(where.vertices), setting)
    assert section.line is not None
    epsilon, mu = medium_around(setting, section.line)
    assert isinstance(setting.operator, MaxwellTM)
    told = screen_notices(where, setting.operator, setting.monitor.what)
    return replace(
        section, screen=where.screen, speed=1 / math.sqrt(epsilon * mu),
        impedance=math.sqrt(mu / epsilon), notices=(*section.notices, *told),
    )  # fmt: skip


def _at_points(elements: NDArray[np.int32], weights: Array, setting: Setting) -> DiscreteMonitor:
    """What is recorded and summed up at points: each field at all of them, one after the other."""
    monitor = setting.monitor
    names = tuple(f"{monitor.name} {i + 1}" for i in range(len(elements)))
    points = ProbePoints(names, elements, weights)
    nothing = ProbePoints.none(setting.discretization.nodes_per_element)

    def of(fields: Sequence[str]) -> ProbePoints:
        return joined([points.of(name) for name in fields]) if fields else nothing

    shown = system_of(setting.scene).shown
    transform = monitor.transform
    if monitor.recorded == POWER:
        elastic = system_of(setting.scene).equations == "elastic"
        recorded = of(FIELD_KINDS["elastic"].names if elastic else FIELDS)
    else:
        asked = [shown[name] for name in monitor.recorded]
        recorded = joined([nothing, *(points.of(f.of, f.sign) for f in asked)])
    if transform is None:
        return DiscreteMonitor(monitor, recorded)
    summed = fields_summed(transform, setting)
    running = RunningTransform(
        transform.frequencies,
        points=of(summed),
        squared=transform.squared,
        window=time_window(transform, setting.scene),
    )
    return DiscreteMonitor(monitor, recorded, (running,), summed)


def _elements(where: Elements, setting: Setting) -> DiscreteMonitor:
    d = setting.discretization
    if where.shape is None:
        chosen = np.arange(d.n_elements, dtype=np.int32)
    else:
        middles = d.mesh.vertices[d.mesh.triangles].mean(axis=1)
        ring, _ = where.shape.outline(setting.scene.solver.element_size)
        chosen = np.flatnonzero(inside_polygon(ring, middles)).astype(np.int32)
    if not len(chosen):
        raise setting.refused(
            "has no element in its shape",
            "Move its shape into the domain, or make it larger than an element.",
        )
    nothing = ProbePoints.none(d.nodes_per_element)
    monitor = setting.monitor
    transform = monitor.transform
    if transform is None:
        return DiscreteMonitor(monitor, nothing, elements=chosen)
    chosen = chosen[d.is_seen[chosen]]  # maps are of the real part of complex fields
    summed = fields_summed(transform, setting)
    running = RunningTransform(
        transform.frequencies,
        elements=chosen,
        components=summed,
        squared=transform.squared,
        every=sampling_interval(setting.operator, setting.dt),
        window=time_window(transform, setting.scene),
    )
    return DiscreteMonitor(
        monitor, nothing, (running,), summed, elements=chosen, copies=d.copies,
        operator=setting.operator,
    )  # fmt: skip
