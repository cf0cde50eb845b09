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
from numpy.typing import NDArray

Array = NDArray[np.float64]


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

    def amplification(self, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Stability polynomial: what one step makes of q' = lambda q, z = lambda dt."""
        q, residual = np.ones_like(z), np.zeros_like(z)
        for a, b in zip(self.a, self.b, strict=True):
            residual = a * residual + z * q
            q = q + b * residual
        return q


_TOULORGE = "Toulorge & Desmet, J. Comput. Phys. 231, 2067 (2012)"
_NIEGEMANN = "Niegemann, Diehl & Busch, J. Comput. Phys. 231, 364 (2012)"

#: Name: scheme.  tests/numerics/time/test_runge_kutta.py checks every order condition of each.
SCHEMES = {
    scheme.name: scheme
    for scheme in (
        LowStorageScheme(
            "ck54",
            "Carpenter & Kennedy, NASA TM 109112 (1994), solution 3",
            4,
            (
                0.0,
                -567301805773 / 1357537059087,
                -2404267990393 / 2016746695238,
                -3550918686646 / 2091501179385,
                -1275806237668 / 842570457699,
            ),
            (
                1432997174477 / 9575080441755,
                5161836677717 / 13612068292357,
                1720146321549 / 2090206949498,
                3134564353537 / 4481467310338,
                2277821191437 / 14882151754819,
            ),
        ),
        LowStorageScheme(
            "rkc73",
            _TOULORGE,
            3,
            (
                0.0, -0.8083163874983830, -1.503407858773331, -1.053064525050744,
                -1.463149119280508, -0.6592881281087830, -1.667891931891068,
            ),
            (
                0.01197052673097840, 0.8886897793820711, 0.4578382089261419, 0.5790045253338471,
                0.3160214638138484, 0.2483525368264122, 0.06771230959408840,
            ),
        ),
        LowStorageScheme(
            "rkc84",
            _TOULORGE,
            4,
            (
                0.0, -0.7212962482279240, -0.01077336571612980, -0.5162584698930970,
                -1.730100286632201, -5.200129304403076, 0.7837058945416420, -0.5445836094332190,
            ),
            (
                0.2165936736758085, 0.1773950826411583, 0.01802538611623290, 0.08473476372541490,
                0.8129106974622483, 1.903416030422760, 0.1314841743399048, 0.2082583170674149,
            ),
        ),
        LowStorageScheme(
            "rkf84",
            _TOULORGE,
            4,
            (
                0.0, -0.5534431294501569, 0.01065987570203490, -0.5515812888932000,
                -1.885790377558741, -5.701295742793264, 2.113903965664793, -0.5339578826675280,
            ),
            (
                0.08037936882736950, 0.5388497458569843, 0.01974974409031960, 0.09911841297339970,
                0.7466920411064123, 1.679584245618894, 0.2433728067008188, 0.1422730459001373,
            ),
        ),
        LowStorageScheme(
            "ndb124",
            _NIEGEMANN,
            4,
            (
                0.0, -0.0923311242368072, -0.9441056581158819, -4.3271273247576394,
                -2.1557771329026072, -0.9770727190189062, -0.7581835342571139, -1.7977525470825499,
                -2.6915667972700770, -4.6466798960268143, -0.1539613783825189, -0.5943293901830616,
            ),
            (
                0.0650008435125904, 0.0161459902249842, 0.5758627178358159, 0.1649758848361671,
                0.3934619494248182, 0.0443509641602719, 0.2074504268408778, 0.6914247433015102,
                0.3766646883450449, 0.0757190350155483, 0.2027862031054088, 0.2167029365631842,
            ),
        ),
        LowStorageScheme(
            "ndb134",
            _NIEGEMANN,
            4,
            (
                0.0, -0.6160178650170565, -0.4449487060774118, -1.0952033345276178,
                -1.2256030785959187, -0.2740182222332805, -0.0411952089052647, -0.1797084899153560,
                -1.1771530652064288, -0.4078831463120878, -0.8295636426191777, -4.7895970584252288,
                -0.6606671432964504,
            ),
            (
                0.0271990297818803, 0.1772488819905108, 0.0378528418949694, 0.6086431830142991,
                0.2154313974316100, 0.2066152563885843, 0.0415864076069797, 0.0219891884310925,
                0.9893081222650993, 0.0063199019859826, 0.3749640721105318, 1.6080235151003195,
                0.0961209123818189,
            ),
        ),
        LowStorageScheme(
            "ndb144",
            _NIEGEMANN,
            4,
            (
                0.0, -0.7188012108672410, -0.7785331173421570, -0.0053282796654044,
                -0.8552979934029281, -3.9564138245774565, -1.5780575380587385, -2.0837094552574054,
                -0.7483334182761610, -0.7032861106563359, 0.0013917096117681, -0.0932075369637460,
                -0.9514200470875948, -7.1151571693922548,
            ),
            (
                0.0367762454319673, 0.3136296607553959, 0.1531848691869027, 0.0030097086818182,
                0.3326293790646110, 0.2440251405350864, 0.3718879239592277, 0.6204126221582444,
                0.1524043173028741, 0.0760894927419266, 0.0077604214040978, 0.0024647284755382,
                0.0780348340049386, 5.5059777270269628,
            ),
        ),
    )
}  # fmt: skip


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
