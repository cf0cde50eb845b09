"""Energy that auxiliary equations keep in their variables, and lose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.scene.formulas.formula_functions import value


def stored_energy(
    equations: Sequence[AuxiliaryEquations], auxiliary: Sequence[Array], d: Discretization
) -> float:
    """Energy in the media that auxiliary equations stand for."""
    return float(stored_in_elements(equations, auxiliary, d).sum())


def stored_in_elements(
    equations: Sequence[AuxiliaryEquations], auxiliary: Sequence[Array], d: Discretization
) -> Array:
    """(n_elements,) the same, element by element."""
    total = np.zeros(d.n_elements)
    for e, values in zip(equations, auxiliary, strict=True):
        for name, m in zip(e.variables, values, strict=True):
            if name in e.energy:
                kept = np.einsum("kn,kn->k", d.apply_mass(e.energy[name] * m, e.elements), m)
                total[e.elements] += 0.5 * kept
    return total


def reserves(
    equations: Sequence[AuxiliaryEquations], auxiliary: Sequence[Array], operator: MaxwellTM
) -> float:
    """Energy that the fields may get from the auxiliary variables: what a medium stores, and in a
    layer that of the fields which would keep the auxiliary variables as they are."""
    d = operator.discretization
    total = stored_energy(equations, auxiliary, d)
    for e, values in zip(equations, auxiliary, strict=True):
        if e.kind == "open" and values.any():
            largest = np.maximum(operator.epsilon, operator.mu)[e.elements, None]
            for name, m in zip(e.variables, values, strict=True):
                alone = {n: np.zeros(e.shape[1:]) for n in (*e.of.names, *e.variables)} | {name: m}
                kept = value(e.rates[name].expression, alone | dict(e.coefficients))
                total += 0.5 * _integral(d, e, largest * kept, kept)
    return total


def lost_power(
    equations: AuxiliaryEquations, fields: Fields, auxiliary: Array, operator: Operator
) -> float:
    """What the fields and the medium lose together per time."""
    e, d = equations, operator.discretization
    change = e.rates_of_change(fields, auxiliary)
    gained = 0.0
    for (name, changed), weight in energy_weights(e, operator).items():
        now = (
            auxiliary[e.variables.index(name)]
            if name in e.variables
            else getattr(fields, name)[e.elements]
        )
        gained += _integral(d, e, weight * now, change[changed])
    return -gained


def energy_weights(
    equations: AuxiliaryEquations, operator: Operator
) -> dict[tuple[str, str], Array]:
    """Weights w, (n, nodes_per_element) or (n, 1), by the names of two of the fields that are
    driven and the variables that have an energy, u and v: the energy changes by w u dv/dt."""
    e = equations
    weights = {
        (name, driven): weight[e.elements, None]
        for (name, driven), weight in operator.energy_matrix.items()
        if driven in e.driven
    }
    return weights | {(name, name): e.energy[name] for name in e.variables if name in e.energy}


def _integral(d: Discretization, e: AuxiliaryEquations, u: Array, v: Array) -> float:
    """Of the product of nodal values on the listed elements."""
    return float(np.einsum("kn,kn->", d.apply_mass(u, e.elements), v))
