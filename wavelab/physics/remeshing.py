"""What a dragged shape needs again and again, made in another process than the wave runs in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem
from wavelab.physics.revision import known_quick_step, remeshed, tell_quick_step
from wavelab.scene.model.scene import Scene


@dataclass(frozen=True, eq=False)
class Remade:
    """A problem on another mesh and the way of the field to it, as they come back; ``reckoned``
    says whether its step was only reckoned, and ``quick_step`` with what it was compared then."""

    problem: Problem
    carrying: Carrying
    reckoned: bool
    quick_step: float | None


@dataclass(frozen=True, eq=False)
class Remeshing:
    """Makes a problem of a scene on another mesh than that of one that runs, as
    :func:`wavelab.physics.revision.remeshed`, and the projection of the field onto it.

    It is called where there is an interpreter that nobody waits for, and :meth:`received` here:
    what comes back is then of one piece with what runs.
    """

    problem: Problem
    scene: Scene

    def __call__(self, mesh: Mesh) -> Remade:
        """
        Raises
        ------
        WavelabError : as for :func:`wavelab.physics.problem.discretize_scene`.
        """
        made = remeshed(self.problem, self.scene, mesh)
        carrying = Carrying(self.problem.discretization, made.discretization)
        bare = replace(made, reckoned_from=None)
        reckoned = made.reckoned_from is not None
        return Remade(bare, carrying, reckoned, known_quick_step(self._known))

    def received(self, made: Remade) -> tuple[Problem, Carrying]:
        """The problem and the way of the field, whose source is the one that runs."""
        if made.quick_step is not None:
            tell_quick_step(self._known, made.quick_step)
        known = self._known if made.reckoned else None
        problem = replace(made.problem, scene=self.scene, reckoned_from=known)
        return problem, made.carrying.from_same(self.problem.discretization)

    @property
    def _known(self) -> Problem:
        """The one whose step has been found."""
        return self.problem.reckoned_from or self.problem

    def __reduce__(self) -> tuple[Callable[..., Remeshing], tuple[Any, ...]]:
        return _come, (self.problem, self.scene, known_quick_step(self._known))


def _come(problem: Problem, scene: Scene, quick_step: float | None) -> Remeshing:
    """In the other process."""
    if quick_step is not None:
        tell_quick_step(problem.reckoned_from or problem, quick_step)
    return Remeshing(problem, scene)
