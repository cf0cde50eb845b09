"""The semi-discrete equations as a matrix that acts on vectors, and the units that suit these."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, add_auxiliary_rates
from wavelab.physics.operator.operator import Operator


def natural_units(operator: Operator, local: Sequence[AuxiliaryEquations] = ()) -> Array:
    """Those of the vectors of :func:`rates_of_change`."""
    of_fields, nodes = operator.natural_units(), operator.discretization.nodes_per_element
    parts = [of_fields, *(e.natural_units(of_fields) for e in local)]
    return np.concatenate([np.repeat(part, nodes) for part in parts])


def rates_of_change(
    operator: Operator, vector: Array, auxiliary_equations: Sequence[AuxiliaryEquations] = ()
) -> Array:
    """The semi-discrete equations as a matrix that acts on a vector.

    Parameters
    ----------
    vector : the fields at all nodes, then the auxiliary variables.
    """
    shape = operator.discretization.shape
    n_fields = len(operator.fields.names)
    size = n_fields * math.prod(shape)
    ends = size + np.cumsum([0, *(math.prod(e.shape) for e in auxiliary_equations)])
    auxiliary = tuple(
        vector[start:end].reshape(e.shape)
        for start, end, e in zip(ends, ends[1:], auxiliary_equations, strict=False)
    )
    fields = operator.fields.of(vector[:size].reshape(n_fields, *shape), auxiliary)
    change = operator.constant_rates(fields)
    of_auxiliary = add_auxiliary_rates(auxiliary_equations, fields, change)
    # As in a step: what a medium remembers is a part of dD/dt and dB/dt like any other.
    change = operator.corrected(change, fields, 0.0)
    return np.concatenate([part.ravel() for part in (*change.arrays, *of_auxiliary)])
