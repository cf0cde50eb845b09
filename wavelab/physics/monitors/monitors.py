"""Monitors on a mesh: what a stepper has to sample and to sum up for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of
from wavelab.numerics.fields.line_quadrature import LineQuadrature, line_quadrature, points_along
from wavelab.numerics.mesh.polygon import inside_polygon
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.monitor_rules import (
    frequency_notices,
    in_layers,
    medium_around,
    refused,
)
from wavelab.physics.monitors.probe_points import COMPONENTS, ProbePoints, joined
from wavelab.physics.monitors.running_transform import RunningTransform, TimeWindow
from wavelab.physics.notices.contour_notices import contour_notices
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.model.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    Monitor,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DiscreteMonitor:
    """A monitor made discrete.

    Attributes
    ----------
    monitor : what the scene says.
    samples : what is recorded after every step, one column a point.
    transforms : what is summed up, one or none.
    line : the points of a flux or of the contour of a far field.
    along, positions : of receivers on a line, (n,) and (n, 2).
    elements : (n,) int32 of an energy, a field or an intensity.
    speed, impedance : of the medium around the contour of a far field.
    notices : what the user should know of it.
    """

    monitor: Monitor
    samples: ProbePoints
    transforms: tuple[RunningTransform, ...] = ()
    line: LineQuadrature | None = None
    along: Array | None = None
    positions: Array | None = None
    elements: NDArray[np.int32] | None = None
    speed: float = 1.0
    impedance: float = 1.0
    notices: tuple[str, ...] = ()


def discretize_monitors(
    scene: Scene,
    operator: MaxwellTM,
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
        far field has no single medium around its contour; says which.
    """
    return tuple(
        _discrete(monitor, scene, operator, dt, auxiliary_equations) for monitor in scene.monitors
    )


def _discrete(
    monitor: Monitor,
    scene: Scene,
    operator: MaxwellTM,
    dt: float,
    auxiliary_equations: Sequence[AuxiliaryEquations],
) -> DiscreteMonitor:
    d = operator.discretization
    notices = frequency_notices(monitor, scene, operator, auxiliary_equations)
    match monitor:
        case LineMonitor():
            discrete = _line(monitor, scene, d)
        case FluxMonitor():
            discrete = _flux(monitor, scene, d)
            assert discrete.line is not None
            if in_layers(discrete.line, auxiliary_equations, "open"):
                told = (
                    f'monitor "{monitor.name}" runs through the layer along an open wall, where '
                    "waves are damped"
                )
                discrete = replace(discrete, notices=(*discrete.notices, told))
        case EnergyMonitor():
            discrete = DiscreteMonitor(
                monitor, _no_samples(d), elements=_elements(monitor, monitor.shape, scene, d)
            )
        case FieldMonitor() | IntensityMonitor():
            discrete = _nodes(monitor, scene, operator, dt)
        case FarFieldMonitor():
            discrete = _far_field(monitor, scene, operator, auxiliary_equations)
    return replace(discrete, notices=(*notices, *discrete.notices))


def _line(monitor: LineMonitor, scene: Scene, d: Discretization) -> DiscreteMonitor:
    positions, along = points_along(np.array(monitor.vertices), monitor.count)
    elements, rs = locator_of(d).locate(positions)
    for i in np.flatnonzero(elements < 0)[:1]:
        x, y = positions[i]
        raise refused(
            monitor,
            scene,
            f"has its point {i + 1} at ({x:g}, {y:g}), outside the domain",
            "Move its ends so that all of it lies inside.",
        )
    names = tuple(f"{monitor.name} {i + 1}" for i in range(len(positions)))
    points = ProbePoints(names, elements, interpolation_weights(d.element, rs))
    return DiscreteMonitor(monitor, points.of(monitor.quantity), along=along, positions=positions)


def _flux(monitor: FluxMonitor, scene: Scene, d: Discretization) -> DiscreteMonitor:
    vertices = np.array(monitor.vertices)
    if monitor.closed and _turns_clockwise(vertices):
        vertices = vertices[::-1]
    line = line_quadrature(d, vertices, closed=monitor.closed)
    if len(line) == 0:
        raise refused(monitor, scene, "lies outside the domain", "Move it inside.")
    notices = []
    if line.inside < 1 - 1e-6:
        notices.append(
            f'{1 - line.inside:.0%} of monitor "{monitor.name}" lie outside the domain, where '
            "nothing flows"
        )
    samples = _all_fields(line, monitor.name)
    transforms: tuple[RunningTransform, ...] = ()
    if monitor.frequencies:
        transforms = (
            RunningTransform(monitor.frequencies, points=samples, window=_window(monitor, scene)),
        )
    return DiscreteMonitor(monitor, samples, transforms, line=line, notices=tuple(notices))


def _nodes(
    monitor: FieldMonitor | IntensityMonitor, scene: Scene, operator: MaxwellTM, dt: float
) -> DiscreteMonitor:
    d = operator.discretization
    elements = _elements(monitor, monitor.shape, scene, d)
    averaged = isinstance(monitor, IntensityMonitor)
    transform = RunningTransform(
        (0.0,) if isinstance(monitor, IntensityMonitor) else monitor.frequencies,
        elements=elements,
        components=("ez",) if averaged else COMPONENTS,
        squared=averaged,
        every=sampling_interval(operator, dt),
        window=_window(monitor, scene),
    )
    return DiscreteMonitor(monitor, _no_samples(d), (transform,), elements=elements)


def _far_field(
    monitor: FarFieldMonitor,
    scene: Scene,
    operator: MaxwellTM,
    auxiliary_equations: Sequence[AuxiliaryEquations],
) -> DiscreteMonitor:
    d = operator.discretization
    ring, _ = monitor.shape.outline(scene.solver.element_size)
    line = line_quadrature(d, ring, closed=True)
    if line.inside < 1 - 1e-6:
        raise refused(
            monitor,
            scene,
            f"has {1 - line.inside:.0%} of its contour outside the domain",
            "The contour must run through the domain all the way round.",
        )
    epsilon, mu = medium_around(monitor, scene, operator, line, auxiliary_equations)
    samples = _all_fields(line, monitor.name)
    transform = RunningTransform(
        monitor.frequencies, points=samples, window=_window(monitor, scene)
    )
    return DiscreteMonitor(
        monitor, _no_samples(d), (transform,), line=line,
        speed=1 / math.sqrt(epsilon * mu), impedance=math.sqrt(mu / epsilon),
        notices=contour_notices(scene, ring, monitor.name),
    )  # fmt: skip


def sampling_interval(operator: MaxwellTM, dt: float) -> int:
    """Steps from one sample to the next that catch every frequency the mesh carries.

    The highest has two nodes per wavelength on the smallest element, and two samples a period.
    """
    edge = operator.discretization.mesh.inradii() * math.sqrt(12)  # of an equilateral triangle
    highest = float((operator.fastest * (operator.discretization.order + 1) / (2 * edge)).max())
    return max(1, math.floor(1 / (2 * highest * dt)))


def _all_fields(line: LineQuadrature, name: str) -> ProbePoints:
    """Ez, Hx and Hy at the points of a line, one after the other."""
    names = tuple(f"{name} {i + 1}" for i in range(len(line)))
    points = ProbePoints(names, line.elements, line.interpolation)
    return joined([points.of(component) for component in ("ez", "hx", "hy")])


def _no_samples(d: Discretization) -> ProbePoints:
    return ProbePoints.none(d.nodes_per_element)


def _elements(
    monitor: Monitor, shape: Shape | None, scene: Scene, d: Discretization
) -> NDArray[np.int32]:
    """Those whose middle lies in a shape; all without one."""
    if shape is None:
        return np.arange(d.n_elements, dtype=np.int32)
    middles = d.mesh.vertices[d.mesh.triangles].mean(axis=1)
    ring, _ = shape.outline(scene.solver.element_size)
    chosen = np.flatnonzero(inside_polygon(ring, middles)).astype(np.int32)
    if not len(chosen):
        raise refused(
            monitor,
            scene,
            "has no element in its shape",
            "Move its shape into the domain, or make it larger than an element.",
        )
    return chosen


def _window(
    monitor: FluxMonitor | FieldMonitor | IntensityMonitor | FarFieldMonitor, scene: Scene
) -> TimeWindow:
    hann = not isinstance(monitor, IntensityMonitor) and monitor.window == "hann"
    end = monitor.end
    if end is None:
        # A Hann window has to know its end before it begins.
        end = scene.solver.until if hann else math.inf
    return TimeWindow(monitor.begin, end, power=1 if hann else 0)


def _turns_clockwise(vertices: Array) -> bool:
    x, y = vertices.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0
