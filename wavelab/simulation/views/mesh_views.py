"""What can be shown of a mesh: how good its elements are, and what steps they would take."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.problem import Problem
from wavelab.physics.time.local_stepping import stable_rates

Values = NDArray[np.float32]

MESH_VIEWS = ("quality", "step")

#: Found once for each problem, and asked for with every frame.
_found: WeakKeyDictionary[Problem, dict[str, Values]] = WeakKeyDictionary()


def mesh_view(problem: Problem, quantity: str) -> Values:
    """(n_elements, nodes_per_element) one of ``MESH_VIEWS``, the same on all of an element."""
    known = _found.setdefault(problem, {})
    if quantity not in known:
        d = problem.discretization
        values = d.mesh.qualities() if quantity == "quality" else element_steps(problem)
        known[quantity] = np.repeat(values[:, None], d.nodes_per_element, axis=1).astype(np.float32)
    return known[quantity]


def element_steps(problem: Problem) -> NDArray[np.float64]:
    """(n_elements,) the step that each element would take by itself, the safety factor included.

    With local time stepping it is what allots the elements to their clusters.  A Runge-Kutta scheme
    takes one step for all: the shortest is that of the problem, the others are in proportion.
    """
    rates = stable_rates(problem.operator, problem.auxiliary_equations)
    if isinstance(problem.scheme, Clusters):
        return problem.scene.solver.safety / rates
    return problem.dt_max * rates.max() / rates
