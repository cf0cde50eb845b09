"""The variables of layers and dispersive media, when other equations take their place.

A layer that is made thicker reaches other elements, and in a corner of two layers the directions
along which space is stretched turn.  What the variables remember has to go on where it is, as
vectors where they are components of one: a layer that forgets it all at once gave the wave in it
a hundred times its energy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.pml.pml_equations import in_layer, in_space

#: What kind of equations, which of several at one place, and the name of the variable.
Key = tuple[object, int, str]


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
        for name, there in (in_space(of, named) if of.kind == "open" else named).items():
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
        none = np.zeros(of.shape[1:])
        found.append(np.array([named.get(name, none) for name in of.variables]).reshape(of.shape))
    return tuple(found)


def _numbered(
    equations: Sequence[AuxiliaryEquations],
) -> Iterator[tuple[AuxiliaryEquations, object, int]]:
    """With what they go on from: all layers are of one kind, media by the names of their variables;
    those of one kind that hold in the same elements, as the poles of a medium do, have numbers."""
    before: dict[object, list[AuxiliaryEquations]] = defaultdict(list)
    for each in equations:
        kind = "open" if each.kind == "open" else each.variables
        here = [np.isin(each.elements, other.elements).any() for other in before[kind]]
        yield each, kind, sum(map(bool, here))
        before[kind].append(each)
