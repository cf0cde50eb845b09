"""How long the steps of ``wavelab.physics.time.ader`` may be, by ``python -m scripts.ader_limits``.

For each order and for patches of elements of several shapes, the largest step at which no
eigenvalue of the one-step propagator leaves the unit circle, in units of inradius over speed.
Every patch ends in conductors, which keep all energy.
``wavelab.physics.time.local_stepping.LIMITS`` has the smallest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.sample_meshes import jittered_square, reference_mesh, vacuum_operator
from wavelab.numerics.elements.reference_element import MAX_ORDER
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.spectra.arnoldi import ritz_values
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.time.local_stepping import LIMITS
from wavelab.physics.time.time_step import element_rates
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper

#: Growth per step that is still rounding.
_TOLERANCE = 1e-6
_KRYLOV_DIMENSION = 60
_BISECTIONS = 8


def growth(operator: MaxwellTM, dt: float, clusters: Clusters | None = None) -> float:
    """Largest eigenvalue of the propagator of one macro step, in absolute value."""
    shape = operator.discretization.shape
    clusters = clusters or Clusters(np.zeros(shape[0], np.int32))
    stepper = LocalNumpyStepper(operator, dt=dt, scheme=clusters)

    def propagate(vector: np.ndarray) -> np.ndarray:
        stepper.set_fields(Fields(*vector.reshape(3, *shape)))
        stepper.advance(1)
        fields = stepper.fields()
        return np.stack([fields.hx, fields.hy, fields.ez]).ravel()

    values = ritz_values(propagate, 3 * shape[0] * shape[1], _KRYLOV_DIMENSION)
    return float(np.abs(values).max())


def limit(operator: MaxwellTM, guess: float) -> float:
    """Largest stable step, in units of inradius over speed, between 0.7 and 1.7 times ``guess``."""
    rate = float(element_rates(operator).max())
    low, high = 0.7 * guess, 1.7 * guess
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        stable = growth(operator, middle / rate) <= 1 + _TOLERANCE
        low, high = (middle, high) if stable else (low, middle)
    return low


def stretched(mesh: Mesh, factor: float) -> Mesh:
    return Mesh.plain(mesh.vertices * [1, factor], mesh.triangles).checked()


def equilateral(n: int) -> Mesh:
    """2 n^2 triangles with three equal sides."""
    row, column = (a.ravel() for a in np.indices((n + 1, n + 1)))
    vertices = np.column_stack([column + row / 2, row * 3**0.5 / 2])
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + n + 1])
    upper = np.column_stack([corner + 1, corner + n + 2, corner + n + 1])
    return Mesh.plain(vertices, np.concatenate([lower, upper])).checked()


def patches() -> Sequence[tuple[str, Mesh]]:
    return (
        ("equilateral", equilateral(6)),
        ("flat", stretched(equilateral(5), 0.3)),
        ("right-angled", jittered_square(5, jitter=0.0)),
        ("thin", stretched(jittered_square(5, jitter=0.0), 0.1)),
        ("shaken", jittered_square(4)),
        ("textbook", reference_mesh()),
    )


def main() -> None:
    for order in range(1, MAX_ORDER + 1):
        guess = LIMITS[order - 1]
        found = {
            name: limit(vacuum_operator(discretize(mesh, order)), guess) for name, mesh in patches()
        }
        listed = ", ".join(f"{name} {value:.4f}" for name, value in found.items())
        print(f"order {order}: {min(found.values()):.4f}   ({listed})", flush=True)


if __name__ == "__main__":
    main()
