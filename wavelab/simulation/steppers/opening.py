"""What takes a device long, done beside what has to be done before anything can run there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import TimeScheme
from wavelab.simulation.steppers.dealing_out import names_several
from wavelab.simulation.steppers.one_device import DRIVERS, on_device


@dataclass(frozen=True)
class Opening:
    """Where a run is going to be, as for :func:`wavelab.simulation.steppers.steppers.make_stepper`.

    Threads do what is asked for.  What is wrong with a device shows when it is taken.  They are for
    programs that end by :func:`wavelab.ctrl_c.leave`.
    """

    backend: str
    device: str | None
    variant: str | None
    precision: str
    _threads: list[threading.Thread] = field(default_factory=list, init=False, repr=False)

    def begin(self) -> None:
        """Open the device, and load what it runs there."""
        self._beside("open the device", lambda: open_device(self.device, self.precision))

    def test(self, operator: Operator, scheme: TimeScheme) -> None:
        """Have it compile what is going to run there, and pass the self-test."""
        self._beside("test the device", lambda: self._tested(operator, scheme))

    def wait(self) -> None:
        """Until all is done: nobody else may have a driver compile before."""
        for thread in self._threads:
            thread.join()

    def _beside(self, name: str, what: Callable[[], None]) -> None:
        def attempt() -> None:
            with suppress(Exception):  # drivers fail in every way there is
                what()

        if self.backend != "numpy" and not names_several(self.device):
            thread = threading.Thread(target=attempt, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _tested(self, operator: Operator, scheme: TimeScheme) -> None:
        on_device(
            operator,
            scheme,
            precision=self.precision,
            device=self.device,
            variant=self.variant,
        )


def open_device(device: str | None, precision: str) -> None:
    """Open a device as :func:`wavelab.opencl.device.device.choose_device` takes it, and load what
    runs there.

    Raises
    ------
    Exception : there is none, or it fails.
    """
    from wavelab.opencl import stepper  # noqa: F401  # with all kernels
    from wavelab.opencl.device.contexts import context_of
    from wavelab.opencl.device.device import usable_device, wake_drivers

    with DRIVERS:
        wake_drivers()
        context_of(usable_device(device, precision))
