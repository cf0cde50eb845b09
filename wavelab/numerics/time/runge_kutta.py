"""Low-storage Runge-Kutta schemes with two registers: the fields and one residual.

Per stage s (Williamson, *Low-storage Runge-Kutta schemes*, J. Comput. Phys. 35, 1980):

    res = A[s] res + dt f(q, t + C[s] dt);   q = q + B[s] res

A[0] is 0.  How long a step may be depends on where the eigenvalues of the operator lie: along the
imaginary axis for central fluxes, far out along the negative real axis for upwind fluxes.

**Linear schemes.**  For dq/dt = L q with a constant L all that counts is the stability polynomial,
and any polynomial is a scheme of this form: two stages with

    A = 0, b (alpha - b) / beta - 1,   B = b, beta / b     (b^2 = |beta|)

make the factor 1 + alpha z + beta z^2.  So high orders need few stages, where schemes for any
equation need many: those have 200 conditions for order 8, these have 8.

A source g(t) is to such a scheme a variable of the system, like its derivatives: stage s, which has
the polynomial sum_k gamma_sk z^k, takes sum_k gamma_sk dt^k d^k g/dt^k in place of g at some time.
The derivatives are those of the polynomial through g at m Gauss points of the step, so a stage
takes a sum of g at these moments.  Gauss points integrate twice as many powers of time as they are,
and m >= order / 2 of them keep the order.  The two more that are taken here let sources act through
faces, on the fastest modes, without a loss of order that shows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.schemes import COEFFICIENTS, FACTORS

#: Order of elements from which on schemes of order 4 would be less accurate than they are.
FIRST_OF_LINEAR = 3
#: The last order of elements, N, that a scheme of order 8 has N + 1 for.
LAST_OF_EIGHT = 7
_OURS = "FACTORS in wavelab/schemes.py"
#: Gauss points of a step at which a linear scheme looks at sources, beyond half its order.
_MORE_MOMENTS = 2


@dataclass(frozen=True)
class LowStorageScheme:
    """A 2N-storage Runge-Kutta scheme.

    Attributes
    ----------
    name : as scenes and the command line call it.
    source : where the coefficients were published.
    order : of accuracy.
    a, b : coefficients of each stage.
    linear : whether it has its order for linear equations that do not change in time alone.
    """

    name: str
    source: str
    order: int
    a: tuple[float, ...]
    b: tuple[float, ...]
    linear: bool = False

    @property
    def n_stages(self) -> int:
        """Right-hand sides per step."""
        return len(self.b)

    @property
    def restarts(self) -> int:
        """Stages that need no residual of the stage before."""
        return self.a.count(0.0)

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
    def moments(self) -> Array:
        """(n_moments,) when sources are looked at, in steps."""
        if not self.linear:
            return np.array(self.c)
        return (1 + gauss_quadrature(0, 0, self.order // 2 + _MORE_MOMENTS)[0]) / 2

    @cached_property
    def shares(self) -> Array:
        """(n_stages, n_moments) how much of a source at each moment a stage takes."""
        if not self.linear:
            return np.eye(self.n_stages)
        matrix, powers = self.tableau[0], np.vander(self.moments, increasing=True)
        gamma = np.empty((self.n_stages, len(powers)))
        here = np.ones(self.n_stages)
        for k in range(len(powers)):
            gamma[:, k] = math.factorial(k) * here
            here = matrix @ here
        return np.linalg.solve(powers.T, gamma.T).T.astype(np.float64)

    @cached_property
    def jump_error(self) -> float:
        """By how many steps at most a step takes a jump of what it samples to be too early or too
        late: by how much the weights of the moments from it on differ from the time left."""
        weights, moments = self.tableau[1] @ self.shares, self.moments
        jumps = np.array([0.0, *moments, 1.0])
        after = (moments >= jumps[:, None]) @ weights
        later = (moments > jumps[:, None]) @ weights
        left = 1 - jumps
        return float(np.abs([after - left, later - left]).max())

    def amplification(self, z: Complex) -> Complex:
        """Stability polynomial: what one step makes of q' = lambda q, z = lambda dt."""
        q, residual = np.ones_like(z), np.zeros_like(z)
        for a, b in zip(self.a, self.b, strict=True):
            residual = a * residual + z * q
            q = q + b * residual
        return q


def _linear(name: str, order: int, factors: tuple[tuple[float, float], ...]) -> LowStorageScheme:
    """The scheme with a stability polynomial given by its factors."""
    a: list[float] = []
    b: list[float] = []
    for alpha, beta in factors:
        first = math.sqrt(abs(beta))
        second = beta / first
        a += [0.0, (alpha - first) / second - 1]
        b += [first, second]
    return LowStorageScheme(name, _OURS, order, tuple(a), tuple(b), linear=True)


SCHEMES = {
    name: LowStorageScheme(name, *coefficients) for name, coefficients in COEFFICIENTS.items()
} | {name: _linear(name, *factors) for name, factors in FACTORS.items()}


def scheme_for(
    order: int, upwinding: float, name: str = "auto", *, changing: bool = False
) -> LowStorageScheme:
    """A scheme by its name, or with "auto" the one that suits a spatial operator.

    Parameters
    ----------
    order : of the elements.
    upwinding : of the flux, 0 to 1.
    changing : whether the equations change in time, so that no linear scheme will do.

    Raises
    ------
    KeyError : there is no such scheme.
    """
    return SCHEMES[_suited(order, upwinding, changing) if name == "auto" else name]


def _suited(order: int, upwinding: float, changing: bool) -> str:
    """The cheapest at equal error, as ``wavelab bench --steppers`` measures it, of those whose
    error stays below that of the elements.

    On elements of order 1 the error is that of the elements whatever the step is, so what counts
    is how far a stability region reaches where the eigenvalues lie.  At order 2 the longest steps
    lose more to time than they save: accurate schemes win, if by less.  From order 3 on schemes of
    order 4 would fall behind the elements on fine meshes.
    """
    if order >= FIRST_OF_LINEAR and not changing:
        if upwinding < 0.75:
            return "lin168" if order <= LAST_OF_EIGHT else "lin2012"
        return "upw148" if order <= LAST_OF_EIGHT else "upw2012"
    if order == 1:
        if upwinding < 0.15:
            return "ndb124"
        return "ndb134" if upwinding < 0.6 else "ndb144"
    if upwinding < 0.7:
        return "ck54"
    return "rkc84" if order <= 3 else "rkf84"
