"""How much slower waves of one frequency are in media with variables of their own."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.operator import Operator


def index_factor(operator: Operator, equations: AuxiliaryEquations, frequency: float) -> Complex:
    """(n,) by what 1 / speed^2 of the slowest wave is multiplied on the elements of a medium."""
    return np.asarray(index_factors(operator, equations, frequency).prod(axis=0))


def index_factors(operator: Operator, equations: AuxiliaryEquations, frequency: float) -> Complex:
    """(2, n) the same for permittivity and permeability, or 1 / modulus and density, of the
    constants of the operator.

    Where X q is added to the rates of fields q that go with exp(i w t), the law eps i w Ez = curl
    + eps X Ez has the permittivity eps (1 - X / (i w)), and so has that of H the permeability.
    Of elastic waves it is 1 / modulus, of shear, and of compression in a fluid; where that is a
    formula strain is advanced, in parts of the operator's constant, and X is of that.
    """
    added, names = equations.added_to_fields(frequency), equations.of.names
    i_omega = 2j * np.pi * frequency

    def factor(*of: tuple[str, str], share: Array | float = 1.0) -> Complex:
        x = sum(added[:, names.index(row), names.index(column)] for row, column in of)
        return np.asarray(1 - share * x / i_omega, np.complex128)

    if isinstance(operator, ElasticPSV):
        solid = operator.mu[equations.elements] > 0
        n_nodes = operator.discretization.nodes_per_element
        _, bulk, shear = operator.media.shares_at_nodes(equations.elements, n_nodes)
        slower = np.where(
            solid,
            factor(("sxy", "sxy"), share=shear[:, 0]),
            factor(("sxx", "sxx"), ("sxx", "syy"), share=bulk[:, 0]),
        )
        return np.stack([slower, np.ones_like(slower)])
    return np.stack([factor(("ez", "ez")), factor(("hx", "hx"))])
