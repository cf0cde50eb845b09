"""Choice of the stepper: OpenCL where it works, NumPy where it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wavelab.errors import DeviceError, WavelabError
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.time.time_step import suited_scheme
from wavelab.simulation.steppers.dealing_out import dealt_out, names_several
from wavelab.simulation.steppers.one_device import OnNumpy, on_device
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

#: Takes what :func:`make_stepper` takes.
StepperMaker = Callable[..., Stepper]

BACKENDS = ("auto", "opencl", "numpy")


def make_stepper(
    operator: MaxwellTM,
    *,
    dt: float,
    scheme: TimeScheme | None = None,
    backend: str = "auto",
    device: str | None = None,
    precision: str = "single",
    variant: str | None = None,
    configs: Sequence[KernelConfig | None] = (),
    notify: Callable[[str], None] | None = None,
    timeline: Timeline = NO_TIMELINE,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
    ranks: RankGroup | None = None,
) -> Stepper:
    """A stepper for ``operator``, checked against NumPy the first time a device is used.

    Parameters
    ----------
    scheme : Runge-Kutta scheme, or clusters of local time stepping, for which ``dt`` is stable;
        None for the scheme that suits the operator.
    backend : "opencl", "numpy", or "auto" for OpenCL if it works and NumPy otherwise.
    device : number or part of the name of an OpenCL device, or numbers of several ("0,1"), which
        share the mesh; None takes the fastest.
    precision : "single" or "double"; NumPy always computes in double.
    variant : of the OpenCL kernels, see :mod:`wavelab.opencl.variants.variants`; None takes the
    fast one.
    configs : of the kernels of the fast variant, of each rank; the best that are known unless there
        are as many as ranks.
    notify : told, in a sentence, when "auto" falls back to NumPy.
    timeline : gets the commands of an OpenCL device, if it records.
    auxiliary_equations : that it will get, for the balance between several devices.
    ranks : that share the mesh; None for this process alone.

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
    if ranks is not None or names_several(device):
        if timeline.recording and notify is not None:
            notify("the profile has no commands of devices that share a mesh")
        group = ranks or RankGroup.of_threads(len(str(device).split(",")))
        return dealt_out(
            operator, group, dt=dt, scheme=scheme, backend=backend, device=device,
            precision=precision, variant=variant, configs=configs,
            auxiliary_equations=auxiliary_equations, notify=notify,
            closed=lambda: None if ranks else group.end(),
        )  # fmt: skip
    if backend == "numpy":
        return OnNumpy(device, variant).stepper(operator, dt, scheme)
    try:
        made = on_device(
            operator, scheme, precision=precision, device=device, variant=variant,
            config=configs[0] if len(configs) == 1 else None,
            timeline=timeline,
        )  # fmt: skip
    except DeviceError as error:
        if backend == "opencl" or device is not None or variant is not None:
            raise
        if notify is not None:
            notify(f"OpenCL is not usable ({error.message}); running on NumPy, which is slower")
        return OnNumpy().stepper(operator, dt, scheme)
    # Outside the try: a working device that is too small for this mesh is no reason to run it
    # on NumPy for hours.
    return made.stepper(operator, dt, scheme)


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
        auxiliary_equations=problem.auxiliary_equations,
        **how,
    )


def equip(stepper: Stepper, problem: Problem) -> None:
    """Give a stepper all that acts on the fields of a problem beside its operator."""
    stepper.set_auxiliary_equations(problem.auxiliary_equations)
    stepper.set_source_terms(problem.source_terms)
