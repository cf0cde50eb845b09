"""Whether a device computes what it should."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.time.local_stepping import stable_rates
from wavelab.physics.time.time_step import stable_step

log = logging.getLogger(__name__)

#: Makes a stepper, of an operator, a time step and a way to go on.
Maker = Callable[[MaxwellTM, float, TimeScheme], Stepper]

#: Largest difference after the steps, relative to the largest value.
_TOLERANCE = {"single": 1e-4, "double": 1e-10}
_STEPS = 3


def self_test(
    make: Maker, reference: Maker, like: MaxwellTM, scheme: TimeScheme, precision: str, device: str
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
    make: Maker, reference: Maker, like: MaxwellTM, scheme: TimeScheme, precision: str
) -> None:
    d = like.discretization
    operator, fields, dt = _problem(d.order, like.upwinding, scheme, d.curved is not None)
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
    for component in ("hx", "hy", "ez"):
        expected = getattr(wanted, component)
        error = np.abs(getattr(found, component) - expected).max() / np.abs(expected).max()
        if not error <= _TOLERANCE[precision]:  # written so that NaN fails
            raise DeviceError(
                f"computes wrong fields: {component} is off by {error:.1e} after "
                f"{_STEPS} steps of the self-test",
                where=name,
                remedy="Update its driver, or choose another device with --device.",
            )


def _clusters(operator: MaxwellTM) -> Clusters:
    """Two levels, half of the elements each."""
    n = operator.discretization.n_elements
    return Clusters((np.arange(n) >= n // 2).astype(np.int32))


def _problem(
    order: int, upwinding: float, scheme: TimeScheme, curved: bool
) -> tuple[MaxwellTM, Fields, float]:
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
    d = discretize(mesh, order)
    operator = MaxwellTM(
        d,
        epsilon=rng.uniform(1, 4, d.n_elements),
        mu=rng.uniform(1, 2, d.n_elements),
        sigma=rng.uniform(0, 1, d.n_elements),
        reflection=rng.uniform(-1, 1, (d.n_elements, 3)),
        upwinding=upwinding,
    )
    hx, hy, ez = rng.uniform(-1, 1, (3, *d.shape))
    fields = Fields(hx, hy, ez)
    # Half the largest stable step changes a random field by as much as its own size.
    if isinstance(scheme, Clusters):
        return operator, fields, float(0.5 / stable_rates(operator).max())
    return operator, fields, 0.5 * stable_step(operator, scheme=scheme)
