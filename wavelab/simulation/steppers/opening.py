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

    What is wrong with a device shows when it is taken.  The threads are for programs that end by
    :func:`wavelab.ctrl_c.leave`.
    """

    backend: str
    device: str | None
    variant: str | None
    precision: str
    _threads: list[threading.Thread] = field(default_factory=list, init=False, repr=False)

    def begin(self) -> None:
        """Open the device, and load what it runs there, in a thread."""
        self._beside("open the device", self.open)

    def test(self, operator: Operator, scheme: TimeScheme) -> None:
        """Have it compile what is going to run there, and pass the self-test, in a thread."""
        self._beside("test the device", lambda: self._tested(operator, scheme))

    def wait(self) -> None:
        """Until all is done: nobody else may have a driver compile before."""
        for thread in self._threads:
            thread.join()

    def open(self) -> None:
        """Open the device, and load what it runs there, if that is one device."""
        if self._is_one:
            with suppress(Exception):  # drivers fail in every way there is
                self._opened()

    @property
    def _is_one(self) -> bool:
        return self.backend != "numpy" and not names_several(self.device)

    def _beside(self, name: str, what: Callable[[], None]) -> None:
        if self._is_one:
            thread = threading.Thread(target=what, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _opened(self) -> None:
        from wavelab.opencl import stepper  # noqa: F401  # with all kernels
        from wavelab.opencl.device.contexts import context_of
        from wavelab.opencl.device.device import usable_device, wake_drivers

        with DRIVERS:
            wake_drivers()
            context_of(usable_device(self.device, self.precision))

    def _tested(self, operator: Operator, scheme: TimeScheme) -> None:
        with suppress(Exception):  # as above
            on_device(
                operator,
                scheme,
                precision=self.precision,
                device=self.device,
                variant=self.variant,
            )
