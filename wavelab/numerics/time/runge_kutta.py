"""Low-storage Runge-Kutta schemes with two registers: the fields and one residual.

Per stage s (Williamson, *Low-storage Runge-Kutta schemes*, J. Comput. Phys. 35, 1980):

    res = A[s] res + dt f(q, t + C[s] dt);   q = q + B[s] res

A[0] is 0.  How long a step may be depends on where the eigenvalues of the operator lie: along the
imaginary axis for central fluxes, far out along the negative real axis for upwind fluxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.schemes import COEFFICIENTS


@dataclass(frozen=True)
class LowStorageScheme:
    """A 2N-storage Runge-Kutta scheme.

    Attributes
    ----------
    name : as scenes and the command line call it.
    source : where the coefficients were published.
    order : of accuracy.
    a, b : coefficients of each stage.
    """

    name: str
    source: str
    order: int
    a: tuple[float, ...]
    b: tuple[float, ...]

    @property
    def n_stages(self) -> int:
        """Right-hand sides per step."""
        return len(self.b)

    @cached_property
    def c(self) -> tuple[float, ...]:
        """When each stage takes place, in steps: the row sums of the Butcher tableau."""
        return tuple(self.tableau[0].sum(axis=1).tolist())

    @cached_property
    def tableau(self) -> tuple[Array, Array]:
        """Matrix (n_stages, n_stages) and weights (n_stages,) of the scheme in Butcher's form."""
        n = self.n_stages
        matrix, residual, field = np.zeros((n, n)), np.zeros(n), np.zeros(n)
        for s, (a, b) in enumerate(zip(self.a, self.b, strict=True)):
            matrix[s] = field
            residual = a * residual
            residual[s] += 1
            field = field + b * residual
        return matrix, field

    @cached_property
    def jump_error(self) -> float:
        """By how many steps at most a step takes a jump of what it samples to be too early or too
        late: by how much the weights of the stages from it on differ from the time left."""
        weights, moments = self.tableau[1], np.array(self.c)
        after = (moments >= np.array([*self.c, 1.0])[:, None]) @ weights
        later = (moments > np.array([*self.c, 1.0])[:, None]) @ weights
        left = 1 - np.array([*self.c, 1.0])
        return float(np.abs([after - left, later - left]).max())

    def amplification(self, z: Complex) -> Complex:
        """Stability polynomial: what one step makes of q' = lambda q, z = lambda dt."""
        q, residual = np.ones_like(z), np.zeros_like(z)
        for a, b in zip(self.a, self.b, strict=True):
            residual = a * residual + z * q
            q = q + b * residual
        return q


SCHEMES = {
    name: LowStorageScheme(name, *coefficients) for name, coefficients in COEFFICIENTS.items()
}


def scheme_for(order: int, upwinding: float, name: str = "auto") -> LowStorageScheme:
    """A scheme by its name, or with "auto" the one that suits a spatial operator.

    Parameters
    ----------
    order : of the elements.
    upwinding : of the flux, 0 to 1.

    Raises
    ------
    KeyError : there is no such scheme.
    """
    return SCHEMES[_suited(order, upwinding) if name == "auto" else name]


def _suited(order: int, upwinding: float) -> str:
    """The cheapest at equal error, as ``wavelab bench --steppers`` measures it.

    On elements of order 1 the error is that of the elements whatever the step is, so what counts
    is how far a stability region reaches where the eigenvalues lie.  From order 2 on the longest
    steps lose more to time than they save: accurate schemes win, if by less.
    """
    if order == 1:
        if upwinding < 0.15:
            return "ndb124"
        return "ndb134" if upwinding < 0.6 else "ndb144"
    if upwinding < 0.7:
        return "ck54"
    return "rkc84" if order <= 3 else "rkf84"
