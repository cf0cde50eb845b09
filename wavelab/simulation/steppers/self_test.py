"""Whether a device computes what it should."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields, Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.time.local_stepping import stable_rates
from wavelab.physics.time.time_step import element_rates

log = logging.getLogger(__name__)

#: Makes a stepper, of an operator, a time step and a way to go on.
Maker = Callable[[Operator, float, TimeScheme], Stepper]

#: Largest difference after the steps, relative to the largest value.
_TOLERANCE = {"single": 1e-4, "double": 1e-10}
_STEPS = 3
#: Part of the elements that are fluid, of elastic waves.
_FLUID = 0.3


def self_test(
    make: Maker, reference: Maker, like: Operator, scheme: TimeScheme, precision: str, device: str
) -> None:
    """A few steps on a small mesh of jumping materials and mixed walls must agree with a reference.

    Parameters
    ----------
    like : of the same order, flux and kinds of elements as what is going to run.
    device : its name, for messages.

    Raises
    ------
    DeviceError : the device computes something else, or its driver fails.
    """
    try:
        _compare(make, reference, like, scheme, precision)
    except WavelabError:
        raise
    except Exception as error:  # drivers fail in every way there is
        log.warning("the OpenCL self-test failed", exc_info=error)
        raise DeviceError(
            f"the self-test failed: {error}",
            where=device,
            remedy="Update its driver, or choose another device with --device.",
        ) from error


def _compare(
    make: Maker, reference: Maker, like: Operator, scheme: TimeScheme, precision: str
) -> None:
    d = like.discretization
    operator, fields, dt = trial_problem(like, d.curved is not None)
    if isinstance(scheme, Clusters):
        scheme = _clusters(operator)
    right, checked = reference(operator, dt, scheme), make(operator, dt, scheme)
    try:
        for stepper in (right, checked):
            stepper.set_fields(fields)
            stepper.advance(_STEPS)
        wanted, found = right.fields(), checked.fields()
        name = checked.device
    finally:
        checked.close()
    for component in wanted.names:
        expected = getattr(wanted, component)
        error = np.abs(getattr(found, component) - expected).max() / np.abs(expected).max()
        if not error <= _TOLERANCE[precision]:  # written so that NaN fails
            raise DeviceError(
                f"computes wrong fields: {component} is off by {error:.1e} after "
                f"{_STEPS} steps of the self-test",
                where=name,
                remedy="Update its driver, or choose another device with --device.",
            )


def _clusters(operator: Operator) -> Clusters:
    """Two levels, half of the elements each."""
    n = operator.discretization.n_elements
    return Clusters((np.arange(n) >= n // 2).astype(np.int32))


def trial_problem(like: Operator, curved: bool) -> tuple[Operator, Fields, float]:
    """A distorted square of 32 triangles with random media, walls and fields; if ``curved``, with
    arcs at its lower edge and half way up."""
    rng = np.random.default_rng(7)
    n = 4
    grid = np.stack(np.meshgrid(np.arange(n + 1), np.arange(n + 1)), axis=-1).astype(float)
    grid[1:-1, 1:-1] += rng.uniform(-0.2, 0.2, (n - 1, n - 1, 2))
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    right, up, across = corner + 1, corner + n + 1, corner + n + 2
    triangles = np.concatenate(
        [np.column_stack([corner, right, across]), np.column_stack([corner, across, up])]
    )
    curves = [EllipseCurve((0.5, -2.0), (radius, radius)) for radius in (math.hypot(0.5, 2), 2.5)]
    grid /= n
    if curved:
        for row, curve in zip((0, 2), curves, strict=True):
            grid[row] = curve.projected(grid[row])
    mesh = Mesh.plain(grid.reshape(-1, 2), triangles)
    if curved:
        rows = mesh.triangles[:, FACE_VERTICES] // (n + 1)
        bent = np.full(rows.shape[:2], -1, np.int32)
        for number, row in enumerate((0, 2)):
            bent[(rows == row).all(axis=2)] = number
        mesh = replace(mesh, curves=tuple(curves), face_curves=bent)
    d, upwinding = discretize(mesh, like.discretization.order), like.upwinding
    if isinstance(like, ElasticPSV):
        return _elastic(d, upwinding, rng)
    operator = MaxwellTM(
        d,
        epsilon=rng.uniform(1, 4, d.n_elements),
        mu=rng.uniform(1, 2, d.n_elements),
        sigma=rng.uniform(0, 1, d.n_elements),
        reflection=rng.uniform(-1, 1, (d.n_elements, 3)),
        upwinding=upwinding,
    )
    hx, hy, ez = rng.uniform(-1, 1, (3, *d.shape))
    # Such a step changes a random field by as much as its own size.  To find the largest stable one
    # would take longer than the steps.
    return operator, MaxwellFields(hx, hy, ez), float(0.5 / stable_rates(operator).max())


def _elastic(
    d: Discretization, upwinding: float, rng: np.random.Generator
) -> tuple[Operator, Fields, float]:
    """Random solids, of which some are fluids, walls and fields."""
    fluid = rng.random(d.n_elements) < _FLUID
    operator = ElasticPSV(
        d,
        density=rng.uniform(1, 2, d.n_elements),
        lame=rng.uniform(1, 2, d.n_elements),
        mu=np.where(fluid, 0.0, rng.uniform(0.5, 1, d.n_elements)),
        reflection=rng.uniform(-1, 1, (d.n_elements, 3, 2)),
        upwinding=upwinding,
    )
    vx, vy, sxx, syy, sxy = rng.uniform(-1, 1, (5, *d.shape))
    syy[fluid], sxy[fluid] = sxx[fluid], 0.0
    step = 0.5 / (float(element_rates(operator).max()) * (d.order + 1) ** 2)
    return operator, ElasticFields(vx, vy, sxx, syy, sxy), step
