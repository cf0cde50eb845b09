"""The fields of a running problem, on the mesh of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.physics.problem import Problem


def carried_fields(carrying: Carrying, old: Problem, fields: Fields, new: Problem) -> Fields:
    """Fields with the variables of absorbing layers and dispersive media, all of them projected.

    Fresh room is dark, and what remembers begins at rest where it was not there before.  Variables
    belong to equations of the same kind with the same variables, as long as there are as many of
    those as before.

    Parameters
    ----------
    carrying : from the discretization of ``old`` to that of ``new``.
    """
    pairs = _followers(old.auxiliary_equations, new.auxiliary_equations)
    spread = [
        _everywhere(old.auxiliary_equations[number], fields.auxiliary[number], old)
        for number in pairs.values()
    ]
    plain = [getattr(fields, name) for name in FIELD_NAMES]
    moved = carrying([*plain, *(values for each in spread for values in each)])
    hx, hy, ez, *rest = moved
    auxiliary = [np.zeros(equations.shape) for equations in new.auxiliary_equations]
    for number in pairs:
        equations = new.auxiliary_equations[number]
        count = len(equations.variables)
        mine, rest = rest[:count], rest[count:]
        if count:
            values = np.array([each[equations.elements] for each in mine])
            auxiliary[number] = values.reshape(equations.shape)
    return Fields(hx, hy, ez, tuple(auxiliary))


def _followers(
    old: Sequence[AuxiliaryEquations], new: Sequence[AuxiliaryEquations]
) -> dict[int, int]:
    """By the number of equations of ``new``, those of ``old`` that they go on from."""
    found: dict[int, int] = {}
    for kind in dict.fromkeys(map(_kind, new)):
        mine, theirs = ([i for i, e in enumerate(of) if _kind(e) == kind] for of in (new, old))
        if len(mine) == len(theirs):
            found |= dict(zip(mine, theirs, strict=True))
    return dict(sorted(found.items()))


def _kind(equations: AuxiliaryEquations) -> tuple[str, tuple[str, ...]]:
    return equations.kind, equations.variables


def _everywhere(equations: AuxiliaryEquations, values: Array, problem: Problem) -> list[Array]:
    """Each variable as a field of the whole mesh, 0 where the equations do not hold."""
    found = []
    for variable in values:
        field = np.zeros(problem.discretization.shape)
        field[equations.elements] = variable
        found.append(field)
    return found
