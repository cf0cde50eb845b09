"""Choice of the stepper: OpenCL where it works, NumPy where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.time.time_step import suited_scheme
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.self_test import Maker, self_test
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

#: Takes what :func:`make_stepper` takes.
StepperMaker = Callable[..., Stepper]

BACKENDS = ("auto", "opencl", "numpy")

#: (device, scheme, precision, order, upwind flux, variant, config, curved) that passed in this
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
    variant: str | None = None,
    config: KernelConfig | None = None,
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
    variant : of the OpenCL kernels, see :mod:`wavelab.opencl.variants.variants`; None takes the
    fast one.
    config : of the kernels of the fast variant; None takes the best that is known.
    notify : told, in a sentence, when "auto" falls back to NumPy.
    timeline : gets the commands of an OpenCL device, if it records.

    Raises
    ------
    DeviceError : no usable device for what was asked; with "auto" only if ``device`` or ``variant``
        was named.
    WavelabError : there is no such backend or variant.
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
        if variant is not None:
            raise WavelabError(
                f"the NumPy backend has no kernel variant {variant!r}",
                remedy="Leave out the variant, or use the opencl backend.",
            )
        return _on_numpy(operator, dt, scheme)
    try:
        make = _opencl(
            operator, scheme, precision=precision, device=device, variant=variant, config=config,
            timeline=timeline,
        )  # fmt: skip
    except DeviceError as error:
        if backend == "opencl" or device is not None or variant is not None:
            raise
        if notify is not None:
            notify(f"OpenCL is not usable ({error.message}); running on NumPy, which is slower")
        return _on_numpy(operator, dt, scheme)
    # Outside the try: a working device that is too small for this mesh is no reason to run it
    # on NumPy for hours.
    return make(operator, dt, scheme)


def stepper_of(
    problem: Problem,
    *,
    dt: float | None = None,
    precision: str | None = None,
    make: StepperMaker = make_stepper,
    **how: Any,
) -> Stepper:
    """A stepper for a problem, as :func:`make_stepper` makes it.

    Parameters
    ----------
    dt : None for the largest.
    precision : None for the scene's own.
    make : in place of :func:`make_stepper`.
    """
    return make(
        problem.operator,
        dt=dt or problem.dt_max,
        scheme=problem.scheme,
        precision=precision or problem.scene.solver.precision,
        **how,
    )


def equip(stepper: Stepper, problem: Problem) -> None:
    """Give a stepper all that acts on the fields of a problem beside its operator."""
    stepper.set_auxiliary_equations(problem.auxiliary_equations)
    stepper.set_source_terms(problem.source_terms)


def _on_numpy(operator: MaxwellTM, dt: float, scheme: TimeScheme) -> Stepper:
    if isinstance(scheme, Clusters):
        return LocalNumpyStepper(operator, dt=dt, scheme=scheme)
    return NumpyStepper(operator, dt=dt, scheme=scheme)


def _opencl(
    operator: MaxwellTM,
    scheme: TimeScheme,
    *,
    precision: str,
    device: str | None,
    variant: str | None,
    config: KernelConfig | None,
    timeline: Timeline,
) -> Maker:
    """Makes steppers on a device that has passed the self-test for operators like this one; the
    rest is as for :func:`make_stepper`.

    Raises
    ------
    DeviceError : there is none.
    WavelabError : there is no such variant, or not for local time stepping.
    """
    try:
        # Not at the top: NumPy must run where pyopencl cannot even be imported.
        from wavelab.opencl.device.device import choose_device
        from wavelab.opencl.device.memory import REALS
        from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
        from wavelab.opencl.stepper import OpenCLStepper
        from wavelab.opencl.variants.tuned import best_config
        from wavelab.opencl.variants.variants import DEFAULT_VARIANT, check_variant
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}", remedy="Install pyopencl[pocl]."
        ) from error
    variant = check_variant(variant or DEFAULT_VARIANT)
    chosen = choose_device(device, precision=precision)
    # Here, so that the self-test runs what the operator will, which is larger than its own.
    if variant != DEFAULT_VARIANT or isinstance(scheme, Clusters):
        config = None
    elif config is None:
        config = best_config(operator, chosen, np.dtype(REALS[precision]))
    if isinstance(scheme, Clusters) and variant != DEFAULT_VARIANT:
        raise WavelabError(
            f'local time stepping has no kernel variant "{variant}"',
            remedy="Leave out the variant.",
        )

    def make(operator: MaxwellTM, dt: float, scheme: TimeScheme) -> Stepper:
        common: dict[str, Any] = {"precision": precision, "device": chosen, "timeline": timeline}
        if isinstance(scheme, Clusters):
            return LocalOpenCLStepper(operator, dt=dt, clusters=scheme, **common)
        return OpenCLStepper(
            operator, dt=dt, scheme=scheme, variant=variant, config=config, **common
        )

    order, upwind = operator.discretization.order, operator.upwinding == 1.0
    curved = operator.discretization.curved is not None
    key = (str(chosen), scheme.name, precision, order, upwind, variant, config, curved)
    if key not in _passed:
        self_test(make, _on_numpy, operator, scheme, precision, str(chosen))
        _passed.add(key)
    return make
