"""The fields of a running problem, on the mesh of another."""

from __future__ import annotations

from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.carried_variables import gathered, spread
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.physics.problem import Problem


def carried_fields(carrying: Carrying, old: Problem, fields: Fields, new: Problem) -> Fields:
    """Fields with the variables of absorbing layers and dispersive media, all of them projected.

    Fresh room is dark, and what remembers begins at rest where it was not there before.

    Parameters
    ----------
    carrying : from the discretization of ``old`` to that of ``new``.
    """
    there = spread(old.auxiliary_equations, fields.auxiliary, old.discretization.n_elements)
    plain = [getattr(fields, name) for name in FIELD_NAMES]
    hx, hy, ez, *variables = carrying([*plain, *there.values()])
    moved = dict(zip(there, variables, strict=True))
    return Fields(hx, hy, ez, gathered(moved, new.auxiliary_equations))
