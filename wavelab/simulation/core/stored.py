"""The energy that a stepper holds, with what media keep beside the fields."""

from __future__ import annotations

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_energy import reserves, stored_in_elements
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.simulation.core.state import State


def element_energy(problem: Problem, stepper: Stepper) -> Array:
    """(n_elements,) energy now, with what dispersive media keep."""
    energy = stepper.element_energy()
    if any(equations.energy for equations in problem.auxiliary_equations):
        auxiliary = stepper.fields().auxiliary
        energy = energy + stored_in_elements(
            problem.auxiliary_equations, auxiliary, problem.discretization
        )
    return energy


def energy_of(problem: Problem, stepper: Stepper, state: State) -> float:
    """Of fields that were just put, with what they may get from auxiliary variables."""
    auxiliary = state.fields.auxiliary
    reserve = (
        reserves(problem.auxiliary_equations, auxiliary, problem.operator) if auxiliary else 0.0
    )
    return float(stepper.element_energy().sum()) + reserve
