"""Choice of the stepper: OpenCL where it works, NumPy where it does not."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.clusters import Clusters
from wavelab.numerics.curves import EllipseCurve
from wavelab.numerics.discretization import discretize
from wavelab.numerics.mesh import FACE_VERTICES, Mesh
from wavelab.physics.fields import Fields
from wavelab.physics.local_stepping import stable_rates
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.time_step import stable_step, suited_scheme
from wavelab.simulation.local_numpy_stepper import LocalNumpyStepper
from wavelab.simulation.numpy_stepper import NumpyStepper
from wavelab.timeline import NO_TIMELINE, Timeline

log = logging.getLogger(__name__)

BACKENDS = ("auto", "opencl", "numpy")

Maker = Callable[[MaxwellTM, float], Stepper]

#: Largest difference to NumPy after the self-test's steps, relative to the largest value.
_TOLERANCE = {"single": 1e-4, "double": 1e-10}
_TEST_STEPS = 3
#: (device, scheme, precision, order, upwind flux, design, shape, curved) that passed in this
#: process.
_passed: set[tuple[object, ...]] = set()


def make_stepper(
    operator: MaxwellTM,
    *,
    dt: float,
    scheme: TimeScheme | None = None,
    backend: str = "auto",
    device: str | None = None,
    precision: str = "single",
    design: str | None = None,
    notify: Callable[[str], None] | None = None,
    timeline: Timeline = NO_TIMELINE,
) -> Stepper:
    """A stepper for ``operator``, checked against NumPy the first time a device is used.

    Parameters
    ----------
    scheme : Runge-Kutta scheme, or clusters of local time stepping, for which ``dt`` is stable;
        None for the scheme that suits the operator.
    backend : "opencl", "numpy", or "auto" for OpenCL if it works and NumPy otherwise.
    device : number or part of the name of an OpenCL device; None takes the fastest.
    precision : "single" or "double"; NumPy always computes in double.
    design : of the OpenCL kernels, see :mod:`wavelab.opencl.designs`; None takes the fast one.
    notify : told, in a sentence, when "auto" falls back to NumPy.
    timeline : gets the commands of an OpenCL device, if it records.

    Raises
    ------
    DeviceError : no usable device for what was asked; with "auto" only if ``device`` or ``design``
        was named.
    WavelabError : there is no such backend or design.
    """
    if backend not in BACKENDS:
        raise WavelabError(
            f"there is no backend {backend!r}", remedy=f"Use one of {', '.join(BACKENDS)}."
        )
    scheme = scheme or suited_scheme(operator)
    if backend == "numpy":
        if device is not None:
            raise DeviceError(
                f"the NumPy backend has no device {device!r}",
                remedy="Leave out the device, or use the opencl backend.",
            )
        if design is not None:
            raise WavelabError(
                f"the NumPy backend has no design {design!r}",
                remedy="Leave out the design, or use the opencl backend.",
            )
        return _on_numpy(operator, dt, scheme)
    try:
        make = _opencl(operator, scheme, precision, device, design, timeline)
    except DeviceError as error:
        if backend == "opencl" or device is not None or design is not None:
            raise
        if notify is not None:
            notify(f"OpenCL is not usable ({error.message}); running on NumPy, which is slower")
        return _on_numpy(operator, dt, scheme)
    # Outside the try: a working device that is too small for this mesh is no reason to run it
    # on NumPy for hours.
    return make(operator, dt)


def _on_numpy(operator: MaxwellTM, dt: float, scheme: TimeScheme) -> Stepper:
    if isinstance(scheme, Clusters):
        return LocalNumpyStepper(operator, dt=dt, scheme=scheme)
    return NumpyStepper(operator, dt=dt, scheme=scheme)


def _opencl(
    operator: MaxwellTM,
    scheme: TimeScheme,
    precision: str,
    device: str | None,
    design: str | None,
    timeline: Timeline,
) -> Maker:
    """Makes steppers on a device that has passed the self-test for operators like this one.

    Raises
    ------
    DeviceError : there is none.
    WavelabError : there is no such design, or not for local time stepping.
    """
    try:
        # Not at the top: NumPy must run where pyopencl cannot even be imported.
        from wavelab.opencl.designs import DEFAULT_DESIGN, check_design
        from wavelab.opencl.device import choose_device
        from wavelab.opencl.local_stepper import LocalOpenCLStepper
        from wavelab.opencl.memory import REALS
        from wavelab.opencl.stepper import OpenCLStepper
        from wavelab.opencl.tuned import best_shape
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}", remedy="Install pyopencl[pocl]."
        ) from error
    design = check_design(design or DEFAULT_DESIGN)
    chosen = choose_device(device, precision=precision)
    # Here, so that the self-test runs what the operator will, which is larger than its own.
    shape = (
        best_shape(operator, chosen, np.dtype(REALS[precision]))
        if design == DEFAULT_DESIGN and not isinstance(scheme, Clusters)
        else None
    )
    if isinstance(scheme, Clusters) and design != DEFAULT_DESIGN:
        raise WavelabError(
            f'local time stepping has no design "{design}"', remedy="Leave out the design."
        )

    def make(op: MaxwellTM, dt: float) -> Stepper:
        if isinstance(scheme, Clusters):
            return LocalOpenCLStepper(
                op,
                dt=dt,
                clusters=scheme if op is operator else _test_clusters(op),
                precision=precision,
                device=chosen,
                timeline=timeline,
            )
        return OpenCLStepper(
            op,
            dt=dt,
            scheme=scheme,
            precision=precision,
            device=chosen,
            design=design,
            shape=shape,
            timeline=timeline,
        )

    order, upwind = operator.discretization.order, operator.upwinding == 1.0
    curved = operator.discretization.curved is not None
    key = (str(chosen), scheme.name, precision, order, upwind, design, shape, curved)
    if key not in _passed:
        try:
            _self_test(make, operator, scheme, precision)
        except WavelabError:
            raise
        except Exception as error:  # drivers fail in every way there is
            log.warning("the OpenCL self-test failed", exc_info=error)
            raise DeviceError(
                f"the self-test failed: {error}",
                where=str(chosen),
                remedy="Update its driver, or choose another device with --device.",
            ) from error
        _passed.add(key)
    return make


def _self_test(make: Maker, like: MaxwellTM, scheme: TimeScheme, precision: str) -> None:
    """A few steps on a small mesh of jumping materials and mixed walls must agree with NumPy.

    Raises
    ------
    DeviceError : the device computes something else.
    """
    d = like.discretization
    operator, fields, dt = _test_problem(d.order, like.upwinding, scheme, d.curved is not None)
    if isinstance(scheme, Clusters):
        scheme = _test_clusters(operator)
    reference = _on_numpy(operator, dt, scheme)
    tested = make(operator, dt)
    try:
        for stepper in (reference, tested):
            stepper.set_fields(fields)
            stepper.advance(_TEST_STEPS)
        right, found = reference.fields(), tested.fields()
        name = tested.device
    finally:
        tested.close()
    for component in ("hx", "hy", "ez"):
        expected = getattr(right, component)
        error = np.abs(getattr(found, component) - expected).max() / np.abs(expected).max()
        if not error <= _TOLERANCE[precision]:  # written so that NaN fails
            raise DeviceError(
                f"computes wrong fields: {component} is off by {error:.1e} after "
                f"{_TEST_STEPS} steps of the self-test",
                where=name,
                remedy="Update its driver, or choose another device with --device.",
            )


def _test_clusters(operator: MaxwellTM) -> Clusters:
    """Two levels, half of the elements each."""
    n = operator.discretization.n_elements
    return Clusters((np.arange(n) >= n // 2).astype(np.int32))


def _test_problem(
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
