"""The fields of a running problem, on the mesh of another."""

from __future__ import annotations

from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.carried_variables import gathered, spread
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem


def carried_fields(carrying: Carrying, old: Problem, fields: Fields, new: Problem) -> Fields:
    """Fields with the variables of absorbing layers and dispersive media, all of them projected.

    Fresh room is dark, and what remembers begins at rest where it was not there before.

    Parameters
    ----------
    carrying : from the discretization of ``old`` to that of ``new``.
    """
    there = spread(old.auxiliary_equations, fields.auxiliary, old.discretization.n_elements)
    n = len(fields.arrays)
    found = list(carrying([*fields.arrays, *there.values()]))
    moved = dict(zip(there, found[n:], strict=True))
    return fields.of(found[:n], gathered(moved, new.auxiliary_equations))
