"""What less upwinding does to the steps of ADER, by ``python -m scripts.ader_upwinding``.

A prediction, with the jumps at its begin, does not depend on the flux; the correction is the
right-hand side of the integral of the prediction.  So the propagator of one step that is the same
for all can be written down for any flux.  For each order and upwinding: by how much its largest
eigenvalue exceeds 1 between conductors, on the worst of several shapes of element, at parts of the
largest step for upwinding 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.ader_limits import equilateral, stretched
from tests.sample_meshes import jittered_square, vacuum_operator
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.time.ader import terms, volume_term
from wavelab.physics.time.local_stepping import stable_rates

_PARTS = (0.05, 0.25, 1.0)
_UPWINDING = (1.0, 0.5, 0.3, 0.2, 0.1, 0.0)


def meshes(n: int) -> tuple[Mesh, ...]:
    """2 n^2 elements: equilateral, flat, right-angled, thin, shaken."""
    right = jittered_square(n, jitter=0.0)
    return (
        equilateral(n), stretched(equilateral(n), 0.3), right, stretched(right, 0.1),
        jittered_square(n),
    )  # fmt: skip


def excess(operator: MaxwellTM, dt: float) -> float:
    """Largest eigenvalue of the propagator in absolute value, less 1."""
    d = operator.discretization
    everything, size = np.arange(d.n_elements), 3 * d.x.size

    def fields(vector: NDArray) -> Fields:
        return Fields(*vector.reshape(3, *d.shape))

    def vector(rates: Fields) -> NDArray:
        return np.stack([rates.hx, rates.hy, rates.ez]).ravel()

    unit = np.eye(size)
    whole = np.array([vector(right_hand_side(operator, fields(v))) for v in unit]).T
    alone = np.array([vector(volume_term(operator, everything, fields(v))) for v in unit]).T
    term, integral = unit, np.zeros((size, size))
    for j in range(terms(d.order)):
        integral += dt / (j + 1) * term
        term = dt / (j + 1) * (whole if j == 0 else alone @ term)
    return float(np.abs(np.linalg.eigvals(unit + whole @ integral)).max()) - 1


def main() -> None:
    for order in range(1, 6):
        parts = [discretize(mesh, order) for mesh in meshes(3 if order < 4 else 2)]
        steps = [1 / float(stable_rates(vacuum_operator(d)).max()) for d in parts]
        for upwinding in _UPWINDING:
            found = [
                max(
                    excess(vacuum_operator(d, upwinding), part * step)
                    for d, step in zip(parts, steps, strict=True)
                )
                for part in _PARTS
            ]
            listed = ", ".join(f"{value:.1e}" for value in found)
            print(f"order {order}, upwinding {upwinding:g}: {listed}", flush=True)


if __name__ == "__main__":
    main()
