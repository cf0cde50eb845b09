"""From what the sources of a scene send to source terms on its mesh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import FormulaError, SceneError
from wavelab.numerics.fields.glue import glue_of
from wavelab.numerics.fields.inside import projected_inside
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.physics.materials.auxiliary_equations import FADING, AuxiliaryEquations
from wavelab.physics.materials.index_factor import index_factors
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.body_waves import body_wave
from wavelab.physics.sources.bumps import bump, told
from wavelab.physics.sources.guided_modes import guided_mode
from wavelab.physics.sources.mechanical import mechanical
from wavelab.physics.sources.plane_waves import plane_wave
from wavelab.physics.sources.ports import port
from wavelab.physics.sources.source_terms import (
    FaceSourceTerm,
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    Refuse,
    SourceTerm,
)
from wavelab.scene.formulas.formula_separation import separated
from wavelab.scene.model.limits import LARGEST_FIELD
from wavelab.scene.model.scene import Scene, Source
from wavelab.scene.model.sending.emissions import (
    Area,
    BodyWaveIn,
    CurrentFormula,
    Emission,
    GaussianLine,
    GaussianPoints,
    GuidedModeIn,
    Mechanical,
    MovingGaussian,
    PlaneWaveIn,
    PortIn,
)
from wavelab.scene.model.sending.waveform import TimeFunction
from wavelab.scene.systems import system_of

#: Chords along a curved outline, in parts of the elements' size.
_CHORD = 1 / 16


def source_terms_of(
    source: Source,
    operator: Operator,
    scene: Scene,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> tuple[SourceTerm, ...]:
    """The source terms that a source amounts to.

    Raises
    ------
    SceneError : it does not touch the mesh, or stands where it cannot do what it says.
    """
    refuse = partial(_refused, source, scene)
    is_complex = operator.phases is not None
    waves = PlaneWaveIn | GuidedModeIn | PortIn | BodyWaveIn
    if is_complex and any(isinstance(e, waves) for e in source.emissions()):
        raise refuse(
            "sends a wave in, and periodic walls have phases",
            "Drive the wave by a current, or leave out the phases.",
        )
    feeds, beside = system_of(scene).feeds, system_of(scene).beside
    made: _Makers = {
        **_TERMS,
        GuidedModeIn: partial(guided_mode, beside=beside),
        GaussianPoints: partial(_gaussian_points, auxiliary_equations=auxiliary_equations),
    }
    terms = [
        term
        for emission in (_fed(e) if feeds else e for e in source.emissions())
        for term in made[type(emission)](emission, operator, refuse)
    ]
    if is_complex and any(isinstance(term, FormulaSourceTerm) for term in terms):
        # What is real is driven alone, for which its elements have to be told.
        raise refuse(
            "is no product of a formula of place and one of time, and periodic walls have phases",
            'Write it as one, as "exp(-x^2)*sin(t)", or leave out the phases.',
        )
    for term in terms:
        if not isinstance(term, FaceSourceTerm):
            continue
        for equations in (e for e in auxiliary_equations if e.kind != "follows"):
            if np.isin(term.elements, equations.elements).any():
                raise refuse(
                    "comes in through an absorbing layer or a dispersive or lossy medium",
                    "Draw its shape so that the border is in front of them; open walls take up "
                    "the layer before them.",
                )
    return tuple(terms)


def _fed(emission: Emission) -> Emission:
    """What is fed in of a current, which the equations of light take away: -J."""
    if isinstance(emission, CurrentFormula):
        return replace(emission, jz=emission.jz.negative())
    of_currents = GaussianLine | GaussianPoints | Area | MovingGaussian
    if isinstance(emission, of_currents) and emission.adds == "current":
        return replace(emission, amplitude=-emission.amplitude)
    return emission


def _refused(source: Source, scene: Scene, problem: str, remedy: str) -> SceneError:
    return SceneError(f"{source.what} {problem}", where=scene.where, remedy=remedy)


def _strength(adds: str, operator: MaxwellTM) -> Array:
    """(n_elements,) what a profile of 1 adds to dEz/dt: -1 / epsilon for a current, 1 for a
    field."""
    if adds == "field":
        return np.ones(operator.discretization.n_elements)
    return -1 / operator.epsilon


def _nodal(
    emission: GaussianLine | GaussianPoints | Area,
    operator: MaxwellTM,
    refuse: Refuse,
    nodes: Indices,
    profile: Array,
    delay: float = 0.0,
) -> NodalSourceTerm:
    element_of = nodes // operator.discretization.nodes_per_element
    graded = operator.media.epsilon if emission.adds == "field" else ()
    if any(np.isin(element_of, profile.elements).any() for profile in graded):
        raise refuse(
            "adds to the field where the medium is a formula or depends on the field",
            'Let it be a current there: adds = "current".',
        )
    waveform = emission.waveform.function().delayed(delay)
    return NodalSourceTerm(
        nodes, _strength(emission.adds, operator)[element_of] * profile, waveform
    )


def _gaussian_line(
    emission: GaussianLine, operator: MaxwellTM, refuse: Refuse
) -> tuple[SourceTerm, ...]:
    start, end = emission.start, emission.end
    nodes, profile = bump(operator, start, end, emission.radius, emission.amplitude)
    if len(nodes) == 0:
        where = f"at {told(start)}" if start == end else f"from {told(start)} to {told(end)}"
        raise refuse(
            f"{where} reaches no node of the mesh",
            "Move it inside the domain or enlarge its radius.",
        )
    return (_nodal(emission, operator, refuse, nodes, profile),)


def _gaussian_points(
    emission: GaussianPoints,
    operator: MaxwellTM,
    refuse: Refuse,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> tuple[SourceTerm, ...]:
    d = operator.discretization
    points = glue_of(d).inside(np.array(emission.centers))
    elements, _ = locator_of(d).locate(points)
    if (elements < 0).any():
        outside = int(np.argmax(elements < 0))
        raise refuse(
            f"has its element {outside + 1} at {told(tuple(points[outside]))}, outside the domain",
            "Move it inside, or make it smaller.",
        )
    speeds = np.concatenate([operator.slowest[elements], operator.fastest[elements]])
    slower = _slower(elements, operator, auxiliary_equations, emission.waveform.lowest_frequency)
    if emission.leads is not None and max(np.ptp(speeds / speeds.max()), np.ptp(slower)) > 1e-9:
        raise refuse(
            "has elements in media of different speed",
            "Its delays are reckoned for one medium: put all elements into the same.",
        )
    # Where nothing runs all are in step.
    speed = float(speeds[0]) / max(float(slower[0]), 1e-300)
    terms = []
    for position, delay in zip(points, emission.delays(speed), strict=True):
        at = tuple(position)
        nodes, profile = bump(operator, at, at, emission.radius, emission.amplitude)
        if len(nodes):
            terms.append(_nodal(emission, operator, refuse, nodes, profile, float(delay)))
    if not terms:
        raise refuse("reaches no node of the mesh", "Enlarge its radius.")
    return tuple(terms)


def _slower(
    elements: NDArray[np.integer],
    operator: MaxwellTM,
    auxiliary_equations: Sequence[AuxiliaryEquations],
    frequency: float | None,
) -> Array:
    """(n,) how many times slower phases of a frequency are on elements than the highest ones; once
    where there is no frequency: what begins at once goes ahead with the highest."""
    if not frequency:
        return np.ones(len(elements))
    omega = 2 * np.pi * frequency
    of_epsilon, of_mu = np.ones((2, operator.discretization.n_elements), complex)
    for equations in auxiliary_equations:
        if equations.kind == "medium":
            here = equations.elements
            of_epsilon[here], of_mu[here] = index_factors(operator, equations, frequency)
            if FADING in equations.coefficients:
                of_mu[here] -= 1j * equations.coefficients[FADING][:, 0] / omega
    of_epsilon -= 1j * operator.decay / omega
    return np.asarray(np.sqrt(of_epsilon * of_mu).real[elements])


def _area(emission: Area, operator: MaxwellTM, refuse: Refuse) -> tuple[SourceTerm, ...]:
    d = operator.discretization
    rings = emission.shape.rings(_CHORD * float(np.sqrt(d.mesh.signed_areas().mean())))
    glue = glue_of(d)
    outlines = [outline for ring, _ in rings for outline in glue.outlines(np.asarray(ring))]
    elements, values = projected_inside(d, outlines)
    if len(elements) == 0:
        raise refuse("lies outside the domain", "Move its shape inside.")
    nodes = elements[:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
    profile = emission.amplitude * values.ravel()
    return (_nodal(emission, operator, refuse, nodes.ravel(), profile),)


def _current(
    emission: CurrentFormula, operator: MaxwellTM, refuse: Refuse
) -> tuple[SourceTerm, ...]:
    """A profile and a function of time where the formula is a product of both, which is cheaper to
    add and can be accounted for at every step."""
    parts = separated(emission.jz, "t")
    if parts is None:
        return (FormulaSourceTerm(emission.jz),)
    d, (place, time) = operator.discretization, parts
    try:
        profile = -place.evaluate(x=d.x, y=d.y) / operator.epsilon[:, None]
    except FormulaError:  # said when it is driven, in terms of the formula that was typed
        return (FormulaSourceTerm(emission.jz),)
    # Of the two factors one may be too large for single precision where the product is not.
    if not 1 / LARGEST_FIELD <= np.abs(profile).max() <= LARGEST_FIELD:
        return (FormulaSourceTerm(emission.jz),)
    profile[~d.is_seen] = 0.0
    nodes = np.flatnonzero(profile)
    return (NodalSourceTerm(nodes, profile.reshape(-1)[nodes], TimeFunction(time)),)


def _moving(
    emission: MovingGaussian, operator: MaxwellTM, refuse: Refuse
) -> tuple[SourceTerm, ...]:
    if emission.adds == "field" and operator.media.epsilon:
        raise refuse(
            "adds to the field where the medium may be a formula or depend on the field",
            'Let it be a current: adds = "current".',
        )
    strength = emission.amplitude * _strength(emission.adds, operator)
    waveform = emission.waveform.function()
    return (MovingSourceTerm(emission.x, emission.y, emission.radius, strength, waveform),)


_Makers = dict[type[Emission], Callable[[Any, Any, Refuse], tuple[SourceTerm, ...]]]
#: Those that need no words of a system.
_TERMS: _Makers = {
    GaussianLine: _gaussian_line,
    GaussianPoints: _gaussian_points,
    Area: _area,
    CurrentFormula: _current,
    MovingGaussian: _moving,
    PlaneWaveIn: plane_wave,
    BodyWaveIn: body_wave,
    Mechanical: mechanical,
    PortIn: port,
}
