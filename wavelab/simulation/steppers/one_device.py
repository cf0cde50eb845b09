"""A stepper on one device, that has been seen to compute what it should."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wavelab.errors import DeviceError, WavelabError
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.maxwell_tm import maxwell
from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator
from wavelab.simulation.steppers.halo_numpy_stepper import (
    HaloNumpyStepper,
    LocalHaloNumpyStepper,
)
from wavelab.simulation.steppers.local_numpy_stepper import LocalNumpyStepper
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.steppers.self_test import self_test
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

#: (device, scheme, precision, order, upwind flux, variant, config, curved) that passed in this
#: process.
_passed: set[tuple[object, ...]] = set()
#: One thread at a time asks drivers which devices there are and has them compile what is tried:
#: in two at once PoCL's compiler crashes now and then, in a run of twelve.
DRIVERS = threading.RLock()


class OnNumpy:
    """Makes steppers in NumPy.

    Raises
    ------
    DeviceError, WavelabError : a device or a kernel variant was asked for.
    """

    def __init__(self, device: Any = None, variant: str | None = None) -> None:
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

    def stepper(self, operator: Operator, dt: float, scheme: TimeScheme) -> Stepper:
        """For all of a mesh."""
        if isinstance(scheme, Clusters):
            return LocalNumpyStepper(maxwell(operator, "local steps"), dt=dt, scheme=scheme)
        return NumpyStepper(operator, dt=dt, scheme=scheme)

    def halo_stepper(
        self,
        operator: Operator,
        dt: float,
        scheme: TimeScheme,
        subdomain: Subdomain,
        communicator: Communicator,
        sharing: Sequence[Any] = (),
    ) -> Stepper:
        """For one rank's part of it."""
        shared: dict[str, Any] = {"subdomain": subdomain, "communicator": communicator}
        if isinstance(scheme, Clusters):
            of = maxwell(operator, "local steps")
            return LocalHaloNumpyStepper(of, dt=dt, scheme=scheme, **shared)
        return HaloNumpyStepper(operator, dt=dt, scheme=scheme, **shared)


@dataclass(frozen=True)
class OnDevice:
    """Makes steppers on an OpenCL device that has passed the self-test for operators like one; see
    :func:`on_device`."""

    device: Any
    precision: str
    variant: str
    config: KernelConfig | None
    timeline: Timeline

    def stepper(self, operator: Operator, dt: float, scheme: TimeScheme) -> Stepper:
        """For all of a mesh."""
        if isinstance(scheme, Clusters):
            from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper

            of = maxwell(operator, "local steps")
            return LocalOpenCLStepper(of, dt=dt, clusters=scheme, **self._where)
        from wavelab.opencl.stepper import OpenCLStepper

        return OpenCLStepper(
            operator, dt=dt, scheme=scheme, variant=self.variant, config=self.config, **self._where
        )

    def halo_stepper(
        self,
        operator: Operator,
        dt: float,
        scheme: TimeScheme,
        subdomain: Subdomain,
        communicator: Communicator,
        sharing: Sequence[Any] = (),
    ) -> Stepper:
        """For one rank's part of it.

        Parameters
        ----------
        sharing : devices of all ranks, if these can copy from one to the other.
        """
        how: dict[str, Any] = {
            "subdomain": subdomain, "communicator": communicator, "sharing": sharing, **self._where,
        }  # fmt: skip
        if isinstance(scheme, Clusters):
            from wavelab.opencl.halo.local_halo_stepper import LocalHaloOpenCLStepper

            of = maxwell(operator, "local steps")
            return LocalHaloOpenCLStepper(of, dt=dt, clusters=scheme, **how)
        from wavelab.opencl.halo.halo_stepper import HaloOpenCLStepper

        return HaloOpenCLStepper(operator, dt=dt, scheme=scheme, config=self.config, **how)

    @property
    def _where(self) -> dict[str, Any]:
        return {"precision": self.precision, "device": self.device, "timeline": self.timeline}


#: What makes steppers on one device.
Maker = OnNumpy | OnDevice


def on_device(
    operator: Operator,
    scheme: TimeScheme,
    *,
    precision: str,
    device: Any = None,
    variant: str | None = None,
    config: KernelConfig | None = None,
    timeline: Timeline = NO_TIMELINE,
) -> OnDevice:
    """Makes steppers on a device that has passed the self-test for operators like this one; the
    rest is as for :func:`wavelab.simulation.steppers.steppers.make_stepper`.

    Parameters
    ----------
    device : a device, or what :func:`wavelab.opencl.device.device.choose_device` takes.

    Raises
    ------
    DeviceError : there is none.
    WavelabError : there is no such variant, or not for local time stepping.
    """
    try:
        # Not at the top: NumPy must run where pyopencl cannot even be imported.
        from wavelab.opencl.device.device import usable_device
        from wavelab.opencl.device.memory import REALS
        from wavelab.opencl.variants.tuned import best_config
        from wavelab.opencl.variants.variants import DEFAULT_VARIANT, check_variant
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}", remedy="Install pyopencl[pocl]."
        ) from error
    variant = check_variant(variant or DEFAULT_VARIANT)
    with DRIVERS:
        chosen = usable_device(device, precision)
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
    made = OnDevice(chosen, precision, variant, config, timeline)
    order, upwind = operator.discretization.order, operator.upwinding == 1.0
    curved = operator.discretization.curved is not None
    kind = type(operator).__name__
    key = (str(chosen), scheme.name, precision, order, upwind, variant, config, curved, kind)
    with DRIVERS:
        if key not in _passed:
            reference = OnNumpy().stepper
            self_test(made.stepper, reference, operator, scheme, precision, str(chosen))
            _passed.add(key)
    return made
