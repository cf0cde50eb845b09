"""Which elements step together in local time stepping, how long, and what it cannot do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.numerics.mesh.curved_elements import stiffening
from wavelab.numerics.time.clusters import Clusters, cluster
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.time.ader import terms
from wavelab.physics.time.time_step import element_rates, suited_scheme
from wavelab.scene.model.scene import Scene

#: Steps in units of inradius over speed, for orders 1, 2, ...: at most the smallest limit found for
#: one-step propagators of several shapes of element, by ``python -m scripts.ader_limits``, which is
#: up to 8 % longer.
LIMITS = (0.41, 0.215, 0.153, 0.1, 0.0858, 0.0615, 0.0518, 0.0419, 0.0347, 0.029)


#: With the central flux steps of any length let some waves grow; with little upwinding long ones
#: do.  The limits hold down to 0.2 on elements of several shapes (scripts/ader_upwinding.py).
LEAST_UPWINDING = 0.3


def stable_rates(operator: MaxwellTM, equations: Sequence[AuxiliaryEquations] = ()) -> Array:
    """(n_elements,) 1 over the largest stable step of each element.

    A conductor's decay, exp(-sigma t / epsilon), must be followed too: it may not be faster than
    the step.  Nor may auxiliary equations be.
    """
    limit = LIMITS[operator.discretization.order - 1]
    d = operator.discretization
    crossing = element_rates(operator).copy()
    if d.curved is not None:
        crossing[d.curved.first :] *= np.maximum(stiffening(d.element, d.curved), 1.0)
    if operator.slowed is not None:
        crossing *= operator.slowed**0.25  # by as much other the impedance of its faces is
    rates = crossing / limit + operator.sigma / operator.epsilon
    units = operator.natural_units()
    for e in equations:
        rates[e.elements] += e.eigenvalue_bounds(units)
    return rates


def local_clusters(
    operator: MaxwellTM, equations: Sequence[AuxiliaryEquations] = ()
) -> tuple[Clusters, float]:
    """Clusters of a mesh and their largest stable macro step, before any safety factor."""
    neighbors = operator.discretization.connectivity.neighbor_element
    return cluster(stable_rates(operator, equations), neighbors)


def equivalent_step(
    operator: MaxwellTM,
    clusters: Clusters,
    step: float,
    equations: Sequence[AuxiliaryEquations] = (),
) -> float:
    """The step with which the Runge-Kutta scheme that suits an operator would take as many
    right-hand sides per simulated time.

    An update counts as one for each term of its prediction: as much of a volume term, and one flux
    for all.

    Parameters
    ----------
    step : macro step.
    equations : where they hold a prediction may have more terms.
    """
    d = operator.discretization
    work = np.full(d.n_elements, float(terms(d.order)))
    for e in equations:
        work[e.elements] = terms(d.order, remembers=True)
    per_element = float((work * 0.5**clusters.levels).mean()) * clusters.ticks
    return step * suited_scheme(operator).n_stages / per_element


def check_local_stepping(scene: Scene, operator: Operator) -> None:
    """Refuse what local time stepping cannot do.

    Raises
    ------
    SceneError : names it.
    """
    reasons = {
        f"upwinding {operator.upwinding:g}, less than {LEAST_UPWINDING:g},": (
            operator.upwinding < LEAST_UPWINDING
        ),
        "materials that are formulas": not all(p.kerr for p in operator.media.profiles),
        "Kerr media": bool(operator.media.kerr),
        "anisotropic materials": bool(operator.media.tensors),
        "phases of periodic walls": operator.phases is not None,
        "elastic waves": not isinstance(operator, MaxwellTM),
    }
    found = [what for what, there in reasons.items() if there]
    if found:
        raise SceneError(
            f"local time stepping does not work with {' and '.join(found)}",
            where=scene.where,
            remedy='Choose another stepper, "auto" say, or do without.',
        )
