"""How much slower waves of one frequency are in media with variables of their own."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Complex
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.operator import Operator


def index_factor(operator: Operator, equations: AuxiliaryEquations, frequency: float) -> Complex:
    """(n,) by what 1 / speed^2 of the slowest wave is multiplied on the elements of a medium.

    Where X q is added to the rates of fields q that go with exp(i w t), the law eps i w Ez = curl
    + eps X Ez has the permittivity eps (1 - X / (i w)), and so has that of H the permeability.
    Of elastic waves it is 1 / modulus, of shear, and of compression in a fluid.
    """
    added, names = equations.added_to_fields(frequency), equations.of.names
    i_omega = 2j * np.pi * frequency

    def factor(*of: tuple[str, str]) -> Complex:
        x = sum(added[:, names.index(row), names.index(column)] for row, column in of)
        return np.asarray(1 - x / i_omega, np.complex128)

    if isinstance(operator, ElasticPSV):
        solid = operator.mu[equations.elements] > 0
        return np.where(solid, factor(("sxy", "sxy")), factor(("sxx", "sxx"), ("sxx", "syy")))
    return factor(("ez", "ez")) * factor(("hx", "hx"))
