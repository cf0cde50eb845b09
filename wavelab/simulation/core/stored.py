"""The energy that a stepper holds, with what media keep beside the fields."""

from __future__ import annotations

import operator

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_energy import (
    reserves,
    stored_energy,
    stored_in_elements,
)
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.simulation.core.state import State


def has_energies_of(problem: Problem, other: Problem) -> bool:
    """Whether any fields and variables store as much in another problem on the same nodes."""
    keeping, theirs = ([e for e in p.auxiliary_equations if e.energy] for p in (problem, other))
    same = len(keeping) == len(theirs) and all(map(operator.is_, keeping, theirs))
    return same and problem.operator.has_energies_of(other.operator)


def element_energy(problem: Problem, stepper: Stepper) -> Array:
    """(n_elements,) energy now, with what dispersive media keep; of an excerpt of a mesh one more,
    as :meth:`wavelab.physics.stepper.Stepper.element_energy` has it."""
    energy = stepper.element_energy()
    if any(equations.energy for equations in problem.auxiliary_equations):
        auxiliary = stepper.fields().auxiliary
        energy = np.array(energy, np.float64)
        energy[: problem.discretization.n_elements] += stored_in_elements(
            problem.auxiliary_equations, auxiliary, problem.discretization
        )
    return energy


def energy_of(
    problem: Problem, stepper: Stepper, state: State, stored: float | None = None
) -> float:
    """Of fields that were just put, with what they may get from auxiliary variables.

    Parameters
    ----------
    stored : of the fields with what media keep, if it is known.
    """
    auxiliary = state.fields.auxiliary
    reserve = 0.0
    # What media of scalar waves could give back is more than what they keep.
    gives_more = bool(auxiliary) and isinstance(problem.operator, MaxwellTM)
    if stored is not None and not gives_more:
        return stored
    if auxiliary and isinstance(problem.operator, MaxwellTM):
        reserve = reserves(problem.auxiliary_equations, auxiliary, problem.operator)
    elif auxiliary:
        reserve = stored_energy(problem.auxiliary_equations, auxiliary, problem.discretization)
    return float(stepper.element_energy().sum()) + reserve
