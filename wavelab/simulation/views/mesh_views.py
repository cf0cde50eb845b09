"""What can be shown of a mesh: how good its elements are, and what steps they would take."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.problem import Problem
from wavelab.physics.time.local_stepping import stable_rates
from wavelab.remembered import Remembered

Values = NDArray[np.float32]

#: (n_elements,) of a problem.
OfElements = Callable[[Problem], Array]

#: Found once for each problem, and asked for with every frame.
_found: Remembered[Problem, Values] = Remembered(4)


def on_elements(problem: Problem, find: OfElements) -> Values:
    """(n_elements, nodes_per_element) what is the same on all of an element."""

    def spread() -> Values:
        n = problem.discretization.nodes_per_element
        return np.repeat(find(problem)[:, None], n, axis=1).astype(np.float32)

    return _found.get(problem, find, spread)


def element_qualities(problem: Problem) -> Array:
    """(n_elements,) from 0, flat, to 1, equilateral."""
    return problem.discretization.mesh.qualities()


def element_steps(problem: Problem) -> Array:
    """(n_elements,) the step that each element would take by itself, the safety factor included.

    With local time stepping it is what allots the elements to their clusters.  A Runge-Kutta scheme
    takes one step for all: the shortest is that of the problem, the others are in proportion.
    """
    rates = stable_rates(problem.operator, problem.auxiliary_equations)
    if isinstance(problem.scheme, Clusters):
        return problem.scene.solver.safety / rates
    return problem.dt_max * rates.max() / rates
