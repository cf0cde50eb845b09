"""The variables of layers and dispersive media, when other equations take their place.

A layer that is made thicker reaches other elements, and in a corner of two layers the directions
along which space is stretched turn.  What the variables remember has to go on where it is, as
vectors where they are components of one: a layer that forgets it all at once gave the wave in it
a hundred times its energy.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.fluids import flowing
from wavelab.physics.materials.relaxing_solids import in_memory, in_stress
from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.physics.pml.pml_equations import in_layer, in_space
from wavelab.physics.problem import Problem

#: What kind of equations, which of several at one place, and the name of the variable.
Key = tuple[object, int, str]
#: The kind of media that remember a stress.
_SOLID = "solid"


def spread(
    equations: Sequence[AuxiliaryEquations], values: Sequence[Array], n_elements: int
) -> dict[Key, Array]:
    """Each variable as a field of the whole mesh, (n_elements, nodes_per_element): 0 where the
    equations do not hold.

    Parameters
    ----------
    values : of the variables of each of the equations, as their ``shape`` says; none at rest.
    """
    found: dict[Key, Array] = {}
    for (of, kind, number), array in zip(_numbered(equations), values, strict=bool(values)):
        named = dict(zip(of.variables, array, strict=True))
        if of.kind == "open":
            named = in_space(of, named)
        elif kind == _SOLID:
            named = in_stress(of, named)
        for name, there in named.items():
            key = kind, number, name
            found.setdefault(key, np.zeros((n_elements, *there.shape[1:])))[of.elements] = there
    return found


def gathered(
    fields: Mapping[Key, Array], equations: Sequence[AuxiliaryEquations]
) -> tuple[Array, ...]:
    """The variables of equations, of such fields; 0 where there are none of their name."""
    found = []
    for of, *place in _numbered(equations):
        named = {key[2]: v[of.elements] for key, v in fields.items() if [*key[:2]] == place}
        if of.kind == "open":
            named = in_layer(of, named)
        elif place[0] == _SOLID:
            named = in_memory(of, named)
        none = np.zeros(of.shape[1:])
        found.append(np.array([named.get(name, none) for name in of.variables]).reshape(of.shape))
    return tuple(found)


def fields_under(fields: Fields, problem: Problem, other: Problem) -> Fields:
    """Fields of a problem, with its variables, as they go on under another one on the same nodes;
    the same object where nothing is another."""
    before, equations = problem.auxiliary_equations, other.auxiliary_equations
    if len(before) != len(equations) or not all(map(operator.is_, before, equations)):
        there = spread(before, fields.auxiliary, problem.discretization.n_elements)
        fields = replace(fields, auxiliary=gathered(there, equations))
    return flowing(other.operator, fields)


def _numbered(
    equations: Sequence[AuxiliaryEquations],
) -> Iterator[tuple[AuxiliaryEquations, object, int]]:
    """With what they go on from: all layers are of one kind, and all solids, whichever of P and S
    waves lose; other media by the names of their variables.  Those of one kind that hold in the
    same elements, as the poles of a medium do, have numbers."""
    before: dict[object, list[AuxiliaryEquations]] = defaultdict(list)
    for each in equations:
        kind: object = "open" if each.kind == "open" else each.variables
        if each.kind == "medium" and each.of is ElasticFields:
            kind = _SOLID
        here = [np.isin(each.elements, other.elements).any() for other in before[kind]]
        yield each, kind, sum(map(bool, here))
        before[kind].append(each)
