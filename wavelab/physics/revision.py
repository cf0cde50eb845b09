"""From a problem to that of a scene which differs from it in numbers, without beginning anew.

What a change costs is what comes after it on the way from a scene to its problem: sources, probes
and monitors keep the operator and its step, materials and walls keep the mesh and all that follows
from it alone.  Of these the step is what takes long.  Where no entry of the operator has grown by
much it stays, but for a margin; else it is reckoned from the spectrum on some elements, compared
with the spectrum on as many before the change.  :func:`settled` finds it when there is time.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.missed_jumps import calm
from wavelab.physics.problem import Problem, discretize_scene, in_time, problem_of
from wavelab.physics.semi_discrete import SemiDiscrete, operator_of, semi_discrete
from wavelab.physics.time.step_growth import growth
from wavelab.physics.time.time_step import quick_step, suited_scheme
from wavelab.physics.walls.walls import discretized, is_complex, periodic_pairs
from wavelab.remembered import Remembered
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene

#: What a step that is only reckoned is made shorter by: with it none was longer than the one that
#: was found later, where it came out up to 1.10 times as long without (scripts/reckoned_steps.py,
#: walls and formulas of all shipped scenes).
_MARGIN = 0.9
#: A step that is shortened to this part at most is not looked for on any element.
_ENOUGH = 0.9
#: The same where upwinding has changed, and with it the shape of the spectrum, not only its size:
#: up to 1.34 times there.
_MARGIN_OF_FLUX = 0.74
#: The same where the mesh is another: the elements that were looked at are not those from before.
_MARGIN_OF_MESH = 0.8


def can_be_revised(before: Scene, scene: Scene) -> bool:
    """Whether a scene on the mesh of another has the same nodes in the same order."""
    if _of_nodes(scene) != _of_nodes(before):
        return False
    # Which elements take which steps, and so their order, follows from all of the system.
    local = LOCAL_STEPPING in (scene.solver.stepper, before.solver.stepper)
    return not local or _of_system(scene) == _of_system(before)


def revised(problem: Problem, scene: Scene) -> Problem:
    """The problem of a scene on the mesh of another, if it can be revised.

    Its step may be shorter than it could be: then ``reckoned_from`` says what problem it was
    reckoned from.

    Raises
    ------
    SceneError : as for :func:`wavelab.physics.problem.discretize_scene`.
    """
    found = _revised(problem, scene)
    media = found.operator.media
    if media is problem.operator.media:  # each change of something else asks for energies
        for profile in chain.from_iterable(profiles for _, profiles in media.densities):
            profile.undo_often()
    return found


def _revised(problem: Problem, scene: Scene) -> Problem:
    known = problem.reckoned_from or problem
    for before in (problem, known):  # what is turned may be turned back
        if _of_system(scene) == _of_system(before.scene):
            system = _told_anew(before, scene)
            made = problem_of(scene, system, before.scheme, before.dt_max)
            return replace(made, reckoned_from=before.reckoned_from)
    system = semi_discrete(scene, operator_of(scene, problem.discretization))
    scheme = suited_scheme(system.operator, calm(scene, problem.jumping).solver.stepper)
    same_flux = scene.solver.upwinding == known.scene.solver.upwinding
    margin = _MARGIN if same_flux else _MARGIN_OF_FLUX
    ratio = 1 / growth(known.operator, system.operator, known.dt_max) if same_flux else 0.0
    if ratio < _ENOUGH or scheme != known.scheme:
        ratio = quick_step(system.operator, scheme) / quick_step_of(known)
    step = known.dt_max / known.scene.solver.safety * ratio * margin
    step = scene.solver.safety * min(step, system.operator.media.longest_step)
    return replace(problem_of(scene, system, scheme, step), reckoned_from=known)


def remeshed(problem: Problem, scene: Scene, mesh: Mesh) -> Problem:
    """The problem of a scene on another mesh than that of a problem that runs, with a step that is
    only reckoned from that one's where that is possible.

    Raises
    ------
    WavelabError : as for :func:`wavelab.physics.problem.discretize_scene`.
    """
    known = problem.reckoned_from or problem
    solver, before = scene.solver, known.scene.solver
    numbers = attrgetter("order", "stepper", "upwinding")
    same = numbers(solver) == numbers(before)
    if not same or solver.stepper == LOCAL_STEPPING:
        return discretize_scene(scene, mesh)
    operator = operator_of(scene, discretized(scene, mesh))
    system = semi_discrete(scene, operator)
    scheme = suited_scheme(system.operator, calm(scene, problem.jumping).solver.stepper)
    # A step that was limited elsewhere is no longer because the worst elements are gone.
    ratio = min(1.0, quick_step(system.operator, scheme) / quick_step_of(known))
    step = known.dt_max / before.safety * ratio * _MARGIN_OF_MESH
    step = solver.safety * min(step, system.operator.media.longest_step)
    # Where they jump depends on the mesh only where media do.
    same_drive = scene.sources == known.scene.sources and not operator.media.changes
    jumps = known.jumping if same_drive else None
    return replace(problem_of(scene, system, scheme, step, jumps), reckoned_from=known)


def settled(problem: Problem) -> Problem:
    """The same problem with the longest step it can have.

    Raises
    ------
    SceneError : no step can be found, or the run would take too many.
    """
    system = SemiDiscrete(problem.operator, problem.auxiliary_equations, ())
    system, scheme, dt_max = in_time(calm(problem.scene, problem.jumping), system)
    return replace(problem, scheme=scheme, dt_max=dt_max, reckoned_from=None)


def same_system(problem: Problem, other: Problem) -> bool:
    """Whether both have one operator, whatever drives it, so that one stepper serves them."""
    return (
        problem.operator is other.operator
        and problem.auxiliary_equations is other.auxiliary_equations
        and problem.scheme == other.scheme
        and problem.dt_max == other.dt_max
        and problem.scene.solver.precision == other.scene.solver.precision
    )


def _of_nodes(scene: Scene) -> Any:
    """What the nodes of the elements follow from, but for their mesh."""
    return scene.solver.order, periodic_pairs(scene), is_complex(scene)


def _of_system(scene: Scene) -> Any:
    """What the operator, the layers and the step follow from."""
    solver = replace(scene.solver, until=0.0, precision="")
    return scene.physics, scene.background, scene.materials, scene.walls, solver


def _told_anew(problem: Problem, scene: Scene) -> SemiDiscrete:
    """The system of a problem, with what is to be said of it where other things stand."""
    equations = problem.auxiliary_equations
    notices = semi_discrete(scene, problem.operator).notices if equations else ()
    return SemiDiscrete(problem.operator, equations, notices)


def quick_step_of(problem: Problem) -> float:
    """What steps on the meshes of a dragged shape are compared with, found once."""
    scheme = problem.scheme
    assert not isinstance(scheme, Clusters)
    return _quick_steps.get(problem, None, lambda: quick_step(problem.operator, scheme))


def tell_quick_step(problem: Problem, step: float) -> None:
    """The same, found in another process."""
    _quick_steps.get(problem, None, lambda: step)


def known_quick_step(problem: Problem) -> float | None:
    """The same, if it has been found."""
    return _quick_steps.known(problem, None)


#: As long as the problem is needed, for it may be large.
_quick_steps: Remembered[Problem, float] = Remembered(1)
