"""Where the energy of discrete elastic waves goes, from the whole field.

What the faces take is told in :mod:`wavelab.physics.operator.elastic_jumps`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from wavelab.numerics.fields.traces import face_squares
from wavelab.physics.materials.auxiliary_energy import lost_power
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.elastic_flux import face_states
from wavelab.physics.operator.elastic_jumps import ElasticFaces
from wavelab.physics.operator.fields import Fields
from wavelab.physics.power.power_terms import Powers
from wavelab.physics.sources.source_terms import FaceSourceTerm, SourceTerm


def elastic_powers(
    operator: ElasticPSV,
    fields: Fields,
    source_terms: Sequence[SourceTerm] = (),
    time: float = 0.0,
    *,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> Powers:
    """All terms of the energy balance for these fields at this time.

    Parameters
    ----------
    auxiliary_equations : whose variables ``fields`` has.
    """
    faces = ElasticFaces(operator)
    wall, upwind = faces.wall_loss(fields), faces.loss(fields)
    lost = {"open": 0.0, "medium": 0.0, "follows": 0.0}
    for e, auxiliary in zip(
        auxiliary_equations, fields.auxiliary, strict=bool(auxiliary_equations)
    ):
        lost[e.kind] += lost_power(e, fields, auxiliary, operator)
    source = 0.0
    for term in source_terms:
        added = operator.fields.zeros(fields.shape)
        term.rates(operator, time).add_to(added)
        source += _product(operator, fields, added)
    made_up = _made_up(operator, fields, source_terms, time)
    return Powers(
        source=source + made_up,
        wall=wall + lost["open"],
        joule=lost["medium"],
        upwind=upwind + made_up,
        parametric=0.0,
    )


def _made_up(
    operator: ElasticPSV, fields: Fields, source_terms: Sequence[SourceTerm], time: float
) -> float:
    """How much less is lost at walls than they seem to miss, because a wave comes in through them;
    a change, so mostly negative.

    From the whole field, beside :mod:`wavelab.physics.power.elastic_incident`, which it checks.
    """
    squares, change = partial(face_squares, operator.discretization, at_points=True), 0.0
    velocity, traction = face_states(operator, fields)
    added = np.zeros((2, *velocity.shape))
    for term in source_terms:
        if isinstance(term, FaceSourceTerm):
            for part, values in zip(added, term.values(time), strict=True):
                np.add.at(part, (term.elements, term.faces), values)
    here = added.any(axis=(0, 3, 4))
    for i in range(2):
        z = operator.impedances[:, i, None, None]
        missed, comes = ((z * v[..., i] + s[..., i]) / 2 for v, s in ((velocity, traction), added))
        less = squares(missed - comes) - squares(missed)
        change += float((less / np.where(z > 0, z, 1)[..., 0])[here].sum())
    return change


def _product(operator: ElasticPSV, one: Fields, other: Fields) -> float:
    """Of two fields, in the sense of the energy."""
    square = operator.discretization.integrate_product
    pairs = zip(operator.energies(one), operator.energies(other), strict=True)
    return float(sum(np.sum(weight * square(u, v)) for (weight, u), (_, v) in pairs))
