"""From the sources of a scene to source terms on its mesh."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import FormulaError, SceneError
from wavelab.numerics.fields.inside import projected_inside
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.gaussian import gaussian, gaussian_along
from wavelab.physics.sources.guided_modes import guided_mode
from wavelab.physics.sources.plane_waves import plane_wave
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.sources.waveforms import TimeFunction, waveform_function
from wavelab.scene.formulas.formula_separation import separated
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.sources import (
    ArraySource,
    CurrentSource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
    Source,
)
from wavelab.scene.rules.source_rules import LARGEST_FIELD

Array = NDArray[np.float64]

#: Chords along a curved outline, in parts of the elements' size.
_CHORD = 1 / 16


def source_terms_of(
    source: Source,
    operator: MaxwellTM,
    scene: Scene,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> tuple[SourceTerm, ...]:
    """The source terms that a source amounts to.

    Raises
    ------
    SceneError : it does not touch the mesh, or stands where it cannot do what it says.
    """
    source_terms = _MAKERS[type(source)](source, operator, scene)
    for source_term in source_terms:
        if not isinstance(source_term, FaceSourceTerm):
            continue
        for equations in auxiliary_equations:
            if np.isin(source_term.elements, equations.elements).any():
                raise refuse(
                    source,
                    scene,
                    "comes in through an absorbing layer or a dispersive medium",
                    "Draw its shape so that the border is in front of them; open walls take up "
                    "the layer before them.",
                )
    return source_terms


def refuse(source: Source, scene: Scene, problem: str, remedy: str) -> SceneError:
    """The error about a source."""
    return SceneError(
        f'source "{source.name}" {problem}',
        where=scene.where,
        remedy=remedy,
    )


def point_text(position: Point) -> str:
    """For messages."""
    return f"({position[0]:g}, {position[1]:g})"


def strength(source: Any, operator: MaxwellTM) -> Array:
    """(n_elements,) what a profile of 1 adds to dEz/dt: -1 / epsilon for a current, 1 for a
    field."""
    if source.adds == "field":
        return np.ones(operator.discretization.n_elements)
    return -1 / operator.epsilon


def _nodal(
    source: Any,
    operator: MaxwellTM,
    scene: Scene,
    nodes: NDArray[np.int64],
    profile: Array,
    delay: float = 0.0,
) -> NodalSourceTerm:
    element_of = nodes // operator.discretization.nodes_per_element
    if source.adds == "field" and operator.media is not None:
        graded = [profile.elements for profile in operator.media.epsilon]
        if graded and np.isin(element_of, np.concatenate(graded)).any():
            raise refuse(
                source,
                scene,
                "adds to the field where epsilon is a formula",
                'Let it be a current there: adds = "current".',
            )
    waveform = waveform_function(source.waveform).delayed(delay)
    return NodalSourceTerm(nodes, strength(source, operator)[element_of] * profile, waveform)


def _current(source: CurrentSource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    """A profile and a function of time where the formula is a product of both, which is cheaper to
    add and can be accounted for at every step."""
    parts = separated(source.jz, "t")
    if parts is None:
        return (FormulaSourceTerm(source.jz),)
    d, (place, time) = operator.discretization, parts
    try:
        profile = -place.evaluate(x=d.x, y=d.y) / operator.epsilon[:, None]
    except FormulaError:  # said when it is driven, in terms of the formula that was typed
        return (FormulaSourceTerm(source.jz),)
    # Of the two factors one may be too large for single precision where the product is not.
    if not 1 / LARGEST_FIELD <= np.abs(profile).max() <= LARGEST_FIELD:
        return (FormulaSourceTerm(source.jz),)
    nodes = np.flatnonzero(profile)
    return (NodalSourceTerm(nodes, profile.reshape(-1)[nodes], TimeFunction(time)),)


def _point(source: PointSource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    d = operator.discretization
    nodes, profile = gaussian(d, source.position, source.radius, source.amplitude)
    if len(nodes) == 0:
        raise refuse(
            source,
            scene,
            f"at {point_text(source.position)} reaches no node of the mesh",
            "Move it inside the domain or enlarge its radius.",
        )
    return (_nodal(source, operator, scene, nodes, profile),)


def _line(source: LineSource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    nodes, profile = gaussian_along(
        operator.discretization, source.start, source.end, source.radius, source.amplitude
    )
    if len(nodes) == 0:
        raise refuse(
            source,
            scene,
            f"from {point_text(source.start)} to {point_text(source.end)} reaches no node of the "
            "mesh",
            "Move it inside the domain or enlarge its radius.",
        )
    return (_nodal(source, operator, scene, nodes, profile),)


def _region(source: RegionSource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    d = operator.discretization
    ring, _ = source.shape.outline(_CHORD * float(np.sqrt(d.mesh.signed_areas().mean())))
    elements, values = projected_inside(d, np.asarray(ring))
    if len(elements) == 0:
        raise refuse(source, scene, "lies outside the domain", "Move its shape inside.")
    nodes = elements[:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
    return (_nodal(source, operator, scene, nodes.ravel(), source.amplitude * values.ravel()),)


def _array(source: ArraySource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    d = operator.discretization
    points = np.array(source.points())
    elements, _ = locator_of(d).locate(points)
    if (elements < 0).any():
        outside = int(np.argmax(elements < 0))
        raise refuse(
            source,
            scene,
            f"has its element {outside + 1} at {point_text(tuple(points[outside]))}, outside the "
            "domain",
            "Move its ends inside.",
        )
    speeds = np.concatenate([operator.slowest[elements], operator.fastest[elements]])
    steered = source.direction is not None or source.focus is not None
    if steered and np.ptp(speeds) > 1e-9 * speeds.max():
        raise refuse(
            source,
            scene,
            "has elements in media of different speed",
            "Its delays are reckoned for one medium: put all elements into the same.",
        )
    source_terms = []
    for position, delay in zip(points, array_delays(source, float(speeds[0])), strict=True):
        nodes, profile = gaussian(d, tuple(position), source.radius, source.amplitude)
        if len(nodes):
            source_terms.append(_nodal(source, operator, scene, nodes, profile, float(delay)))
    if not source_terms:
        raise refuse(source, scene, "reaches no node of the mesh", "Enlarge its radius.")
    return tuple(source_terms)


def array_delays(source: ArraySource, speed: float) -> Array:
    """(count,) delay of each element of a phased array, 0 for the first to send.

    Parameters
    ----------
    speed : of the waves around it.
    """
    points = np.array(source.points())
    if source.focus is not None:
        way = -np.linalg.norm(points - source.focus, axis=1)
    elif source.direction is not None:
        turn = math.radians(source.direction)
        way = points @ np.array([math.cos(turn), math.sin(turn)])
    else:
        way = np.zeros(len(points))
    return (way - way.min()) / speed


def _moving(source: MovingSource, operator: MaxwellTM, scene: Scene) -> tuple[SourceTerm, ...]:
    if source.adds == "field" and operator.media is not None and operator.media.epsilon:
        raise refuse(
            source,
            scene,
            "adds to the field where epsilon may be a formula",
            'Let it be a current: adds = "current".',
        )
    return (
        MovingSourceTerm(
            source.x,
            source.y,
            source.radius,
            source.amplitude * strength(source, operator),
            waveform_function(source.waveform),
        ),
    )


_MAKERS: dict[type, Callable[..., tuple[SourceTerm, ...]]] = {
    PointSource: _point,
    CurrentSource: _current,
    LineSource: _line,
    RegionSource: _region,
    ArraySource: _array,
    MovingSource: _moving,
    PlaneWave: plane_wave,
    GuidedMode: guided_mode,
}
