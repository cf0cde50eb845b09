"""From a scene and its mesh to what a stepper needs.

It goes one way, each stage a function of what the stages before it have made:

    mesh -> Discretization -> MaxwellTM (materials, walls) -> SemiDiscrete (layers, media with
    memory) -> time scheme, step and order of the elements -> Problem (start, sources, monitors)

so whoever changes a part of a scene can keep what the stages before that part made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

import numpy as np

from wavelab.arrays import Indices, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.initial_fields import initial_fields, initial_notices
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.dispersion import wall_notices
from wavelab.physics.missed_jumps import calm, is_calm, missed_jumps
from wavelab.physics.monitors.monitors import DiscreteMonitor, discretize_monitors
from wavelab.physics.monitors.probe_places import probe_points
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.notices.parameter_notices import idle_parameters
from wavelab.physics.notices.part_notices import silent_parts
from wavelab.physics.notices.phase_notices import imaginary_left_out, sources_cut_off
from wavelab.physics.notices.region_notices import empty_regions, unfit_lenses
from wavelab.physics.notices.source_notices import source_notices
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, maxwell
from wavelab.physics.operator.operator import Operator
from wavelab.physics.semi_discrete import SemiDiscrete, operator_of, semi_discrete
from wavelab.physics.sources.emissions import source_terms_of
from wavelab.physics.sources.source_terms import SourceTerm
from wavelab.physics.stepper import Ready, TimeScheme
from wavelab.physics.time.jumps import NO_JUMPS, Jumping, jumping
from wavelab.physics.time.local_stepping import check_local_stepping, local_clusters
from wavelab.physics.time.time_step import stable_step, suited_scheme
from wavelab.physics.walls.walls import discretized
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene

#: Beyond this a step is lost in the rounding of the time.
MOST_STEPS = 10**15


@dataclass(frozen=True, eq=False)
class Problem:
    """A scene made discrete: the operator, its start and its sources.

    Attributes
    ----------
    initial : fields at t = 0.
    source_terms : sources, one or more per scene source.
    terms_each : how many there are of each source of the scene.
    probes : where Ez is recorded.
    scheme : Runge-Kutta scheme, or the clusters of local time stepping.
    dt_max : largest time step to use with it, the scene's safety factor included.
    auxiliary_equations : of absorbing layers and dispersive media.
    monitors : what else is measured.
    notices : what a user should hear about a problem that is none the less discretized.
    reckoned_from : the problem whose step ``dt_max`` was reckoned from
        (:mod:`wavelab.physics.revision`); None where the spectrum says it.
    jumping : what drives it and may jump in time.
    out_of : elements of the mesh, where this is of an excerpt (:func:`excerpted`); None where it is
        of all.
    """

    scene: Scene
    operator: Operator
    initial: Fields
    source_terms: tuple[SourceTerm, ...]
    probes: ProbePoints
    scheme: TimeScheme
    dt_max: float
    auxiliary_equations: tuple[AuxiliaryEquations, ...] = ()
    monitors: tuple[DiscreteMonitor, ...] = ()
    notices: tuple[str, ...] = ()
    terms_each: tuple[int, ...] = ()
    reckoned_from: Problem | None = None
    jumping: Jumping = NO_JUMPS
    out_of: int | None = None

    @property
    def n_elements(self) -> int:
        """How many elements the mesh has."""
        return self.discretization.n_elements if self.out_of is None else self.out_of

    @property
    def unknowns(self) -> int:
        """Every field at every node of every element of the mesh."""
        return self.operator.unknowns // self.discretization.n_elements * self.n_elements

    @property
    def discretization(self) -> Discretization:
        return self.operator.discretization

    def steps_to_end(self, until: float | None = None) -> int:
        """The fewest stable steps to a time, by default to the scene's end."""
        until = self.scene.solver.until if until is None else until
        # An end that is a whole number of steps away must not take one more for a rounding error.
        return max(1, math.ceil(until / self.dt_max * (1 - 1e-12)))

    @property
    def driven(self) -> list[tuple[str, SourceTerm]]:
        """The source terms, and what sources they are of."""
        of = zip(self.scene.sources, self.terms_each, strict=True)
        names = [source.what for source, count in of for _ in range(count)]
        return list(zip(names, self.source_terms, strict=True))

    @property
    def acting(self) -> tuple[AuxiliaryEquations, ...]:
        """The auxiliary equations that act on the fields."""
        return tuple(e for e in self.auxiliary_equations if e.kind != "follows")

    @property
    def in_layers(self) -> Mask:
        """(n_elements,) where the layer of an open wall damps the fields, which are then not those
        of open space."""
        reached = np.zeros(self.discretization.n_elements, dtype=bool)
        for equations in self.auxiliary_equations:
            if equations.kind == "open":
                reached[equations.elements] = True
        return reached


def discretize_scene(
    scene: Scene, mesh: Mesh, *, order: int | None = None, ready: Ready | None = None
) -> Problem:
    """Discretize a scene on its mesh.

    Parameters
    ----------
    order : polynomial order, None for the scene's own.
    ready : told what a stepper has to know first, while its time step is still looked for.

    Raises
    ------
    WavelabError : a wall or a material names something the mesh does not have, a source, probe or
        monitor lies outside, a material has what cannot be, a formula has no finite value
        somewhere, or a periodic pair does not match.
    """
    d = discretized(scene, mesh, order)
    operator = operator_of(scene, d)
    if scene.solver.stepper == LOCAL_STEPPING:
        check_local_stepping(scene, operator)
    return problem_of(scene, *in_time(scene, semi_discrete(scene, operator), ready=ready))


def excerpted(scene: Scene, mesh: Mesh, spread: Indices, out_of: int) -> Problem:
    """Discretize a scene on an excerpt of its mesh, as it would be on all of it: with every element
    on which anything but the media and the walls acts, or that is looked at.

    Parameters
    ----------
    mesh : those elements in the order of the discretized mesh.
    spread : as for :func:`wavelab.physics.time.time_step.stable_step`.
    out_of : elements that the mesh has.

    Raises
    ------
    WavelabError : as for :func:`discretize_scene`.
    """
    operator = operator_of(scene, discretized(scene, mesh, in_order=True))
    stepped = in_time(scene, semi_discrete(scene, operator), spread)
    return problem_of(scene, *stepped, out_of=out_of)


def in_time(
    scene: Scene,
    system: SemiDiscrete,
    spread: Indices | None = None,
    ready: Ready | None = None,
) -> tuple[SemiDiscrete, TimeScheme, float]:
    """How a scene is stepped: its equations, the elements in the order that the scheme needs, the
    scheme, and its largest step, the scene's safety factor included.

    Parameters
    ----------
    spread : as for :func:`wavelab.physics.time.time_step.stable_step`.
    ready : as for :func:`discretize_scene`.

    Raises
    ------
    SceneError : no step can be found, the run would take too many, or the scheme does not suit.
    """
    operator, equations = system.operator, system.auxiliary_equations
    scheme: TimeScheme
    if scene.solver.stepper == LOCAL_STEPPING:
        clusters, step = local_clusters(maxwell(operator, "local steps"), equations)
        order = clusters.sorting(operator.discretization.first_curved)
        system, scheme = system.permuted(order), clusters.permuted(order)
    else:
        scheme = suited_scheme(operator, scene.solver.stepper)
        _check_scheme(scene, scheme, operator)
        if ready is not None:
            ready(operator, scheme)
        stable = stable_step(operator, scheme=scheme, auxiliary_equations=equations, spread=spread)
        step = min(stable, operator.media.longest_step)
    dt_max = scene.solver.safety * step
    _check_steps(scene, dt_max)
    return system, scheme, dt_max


def problem_of(
    scene: Scene,
    system: SemiDiscrete,
    scheme: TimeScheme,
    dt_max: float,
    jumps: Jumping | None = None,
    *,
    out_of: int | None = None,
) -> Problem:
    """The equations of a scene with its start, its sources and all that is recorded.

    Parameters
    ----------
    system, scheme, dt_max : as from :func:`in_time`.
    jumps : what may jump in time, where it is known.
    out_of : elements of the mesh, where the system is of an excerpt.

    Raises
    ------
    SceneError : a source, a probe or a monitor lies outside, or the start is not finite.
    """
    operator, auxiliary_equations = system.operator, system.auxiliary_equations
    d = operator.discretization
    each = [source_terms_of(s, operator, scene, auxiliary_equations) for s in scene.sources]
    source_terms = tuple(chain.from_iterable(each))
    driven = [
        (s.what, term) for s, terms in zip(scene.sources, each, strict=True) for term in terms
    ]
    found = jumps or jumping(operator, driven, scheme, dt_max, scene.solver.until)
    if not is_calm(scene, found, scheme):
        _, scheme, dt_max = in_time(calm(scene, found), system)
    monitors = discretize_monitors(scene, operator, dt_max, auxiliary_equations)
    initial = initial_fields(scene, system)
    return Problem(
        scene=scene,
        operator=operator,
        initial=initial,
        source_terms=source_terms,
        terms_each=tuple(map(len, each)),
        probes=probe_points(scene, d),
        scheme=scheme,
        dt_max=dt_max,
        monitors=monitors,
        auxiliary_equations=auxiliary_equations,
        jumping=found,
        out_of=out_of,
        notices=(
            *system.notices,
            *empty_regions(scene, d.mesh),
            *unfit_lenses(scene),
            *idle_parameters(scene),
            *source_notices(scene, operator),
            *sources_cut_off(operator, driven),
            *imaginary_left_out(scene, operator),
            *initial_notices(scene, system),
            # An excerpt falls into parts, whatever the mesh does.
            *(silent_parts(d, source_terms, initial, scene.pings) if out_of is None else ()),
            *(wall_notices(scene, operator) if isinstance(operator, MaxwellTM) else ()),
            *missed_jumps(found, scheme),
            *(text for discrete in monitors for text in discrete.notices),
        ),
    )


def _check_scheme(scene: Scene, scheme: LowStorageScheme, operator: Operator) -> None:
    media = operator.media
    if scheme.linear and (media.changes or media.kerr):
        what = "media that change in time" if media.changes else "Kerr media"
        raise SceneError(
            f'the Runge-Kutta scheme "{scheme.name}" cannot follow {what}',
            where=scene.where,
            remedy='Choose stepper = "auto", or one that is named after its authors.',
        )


def _check_steps(scene: Scene, dt: float) -> None:
    """Before anything counts them."""
    until = scene.solver.until
    if not until / dt <= MOST_STEPS:
        raise SceneError(
            f"to run until {until:g} takes {until / dt:.2g} steps",
            where=scene.where,
            remedy=f"It can take {MOST_STEPS:g}: until = {dt * MOST_STEPS:.2g}.",
        )
